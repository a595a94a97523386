"""Monte-Carlo tree search for any game: UCT with random games, and proofs that propagate up the tree.

The tree is in arrays: `tree` has a record for each node, `moves` the move that led to it; the children of a node are
contiguous. A node whose outcome is forced is proven, and the search spends nothing more on it (Winands, Bjornsson and
Saito, "Monte-Carlo tree search solver", 2008). Moves that were not tried come first, in random order, unless one of
these enhancements estimates their value; each is off where its setting is 0:

- `rave`: games in which a move was made later count for it as well, with less weight the more often it was tried itself
  (Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go", 2011). The moves of new
  nodes begin with the statistics that they have at the nearest ancestor with the same player to move (after Cazenave's
  "Generalized rapid action value estimation", 2015).
- `minimax`: the game's `value` of each position is backed up by minimax, and has this share in the value of a move
  (Lanctot, Winands, Pepels and Sturtevant, "Monte Carlo tree search with heuristic evaluations using implicit minimax
  backups", 2014). Moves that end the game are found as soon as their position is expanded.
- `widening`: at first only this many moves of a position are tried, the best by what is known of them; the number grows
  with the square root of its visits (Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007).
- `guided`: PUCT instead of UCT: moves have prior probabilities, here a softmax of the game's `value` after them, and
  exploration is proportional to these (Rosin, "Multi-armed bandits with episode context", 2011; Silver et al.,
  "Mastering the game of Go without human knowledge", 2017). There are no random games: a node is expanded at its first
  visit, and its minimax value over its children is the result. At equal time it won 27 of 30 games of one bundled game
  against alpha-beta with the same value, and lost 25 of 30 of another (`bench/README.md`, Players).
- `proposing`: only moves that patterns propose are tried, and all others where these lose.
- `limit`: a random game is stopped after this many moves, and scored by the game's `value` (Lorentz, "Early playout
  termination in MCTS", 2015).

Several threads may search one tree; each also has arrays of its own (Chaslot, Winands and van den Herik, "Parallel
Monte-Carlo tree search", 2008; without locks: Enzenberger and Mueller, "A lock-free multithreaded Monte-Carlo tree
search algorithm", 2009). A node has a virtual loss while a thread plays a game through it, so that other threads search
elsewhere. Visits that two threads count at the same time may be counted once.

At chance nodes one of the moves is drawn, with the probabilities of the rules (`mcts_chance`).

The gain of the enhancements differs by game, from all games won to most lost at equal time (`bench/README.md`,
Players), so that none is on by default.

Arrays: `root`, `goal` and `row` uint64[words of a row], `packed` uint64[2, width], `moves` int64[nodes, 2 + n],
`entries` int64[room, numbers], `scratch` uint64[rows, words of a row], `shares` int64[moves], `tree` Node[nodes].
"""

from __future__ import annotations

import math

from interpreter.kernel.plain import below, number, scramble, stir
from solver.native.functions import (
    Candidates,
    Line,
    Lines,
    Offer,
    Pack,
    PayoffOf,
    RandomGame,
    Records,
    Row,
    Rows,
    Step,
    ValueOf,
    Weigh,
    Word,
    compiled,
    handed_in,
    inlined,
)
from solver.native.learned import term_of, value_of_row
from solver.native.mcts_chance import draw_child, is_drawn, lighten, proven_by_chance, thin_out, weigh_up
from solver.native.mcts_knowledge import (
    copy_proofs,
    expected_of,
    guided_value,
    inherit,
    look_at_children,
    minimax_of,
    proof_of,
    set_priors,
    sort_children,
)
from solver.native.mcts_state import (
    BELOW_ROOT,
    DONE,
    DRAWN,
    FAIL,
    ILLEGAL,
    JUDGED,
    NOWHERE,
    PAID,
    SETTLED,
    TREE_FULL,
    UNIT,
    WAITING,
    WHOLE,
    WON,
    Node,
    Rules,
    Search,
)
from solver.native.ordering import history_index, move_number
from solver.native.shared_tree import (
    OPEN,
    claim,
    finish_writing,
    indices,
    is_part,
    is_settled,
    packed,
    release,
    take_room,
)
from solver.native.transposition import same_key
from solver.native.workspace import DRAWS, FORBIDDEN, GOES_ON, copy_row, failed_by, next_random

_GO_ON, _LEFT, _OVER = 4, 5, 6
"""The next step of a game: another move in the tree, a random game from here, or the end."""
_BETWEEN = 16
"""Games between two checks whether the search is settled."""


# ---- proofs and points


@inlined
def _points(own: Search, mover: int) -> int:
    """A player's points in the game that was played."""
    state = own.state[0]
    if state.proof == PAID:
        paid: int = own.worths[mover]
        return paid
    if state.proof == JUDGED:
        return state.share if mover == state.judged else WHOLE - state.share
    if state.proof == DRAWN:
        return 0 if own.settings[0].players == 1 else WHOLE // 2
    return WHOLE if state.proof == WON + mover else 0


@inlined
def _best_child(own: Search, node: int, exploring: float, seed: Word) -> int:
    """The child to visit next, which has the highest UCT value; -1 where all are won, lost or illegal."""
    tree, parent, widening = own.tree, own.tree[node], own.settings[0].widening
    logarithm = math.log(float(max(parent.visits, 1)))
    root = math.sqrt(float(max(parent.visits, 1)))
    result = -1
    highest = -1.0
    ties = 0
    children = parent.children
    left = len(indices(children))
    if widening != 0:
        left = widening + int(math.sqrt(float(parent.visits)))
    for child in indices(children):
        if tree[child].proven != OPEN and tree[child].proven != DRAWN:
            continue
        if left == 0:
            break
        left -= 1
        if own.settings[0].guided != 0:
            worth = guided_value(own, tree[child], root, exploring)
        else:
            worth = expected_of(own, tree[child], logarithm, exploring)
        if worth > highest:
            highest = worth
            result = child
            ties = 1
        elif worth == highest:
            ties += 1
            seed = stir(seed)
            if below(scramble(seed), ties) == 0:
                result = child
    return result


@inlined
def _settle(own: Search, node: int, mover: int) -> bool:
    """Prove a node from its children, where their proofs suffice; whether it is proven now."""
    tree, parent = own.tree, own.tree[node]
    if own.settings[0].chance != 0 and is_drawn(own, node):
        return proven_by_chance(own, node)
    open_ = False
    drawn = False
    other = OPEN
    children = parent.children
    for child in indices(children):
        proof = tree[child].proven
        if proof == WON + mover:
            parent.proven = proof
            return True
        if proof == OPEN:
            open_ = True
        elif proof == DRAWN:
            drawn = True
        elif proof >= WON:
            if other not in (OPEN, proof):
                open_ = True  # different opponents win: which of them does is undecided
            other = proof
    if open_ or is_part(children) or (own.settings[0].players > 2 and drawn and other != OPEN):
        return False
    parent.proven = DRAWN if drawn or other == OPEN else other
    return True


@inlined
def _settle_above(own: Search, length: int) -> None:
    """Propagate the proof of the last node of the path to its ancestors, as far as it proves them."""
    for k in range(length - 1, -1, -1):
        if not _settle(own, own.path[k], own.tree[own.path[k + 1]].mover):
            break
        own.counts[0].proofs += 1


# ---- a game


@inlined
def _begin(rules: Rules, root: Row, own: Search) -> None:
    """Begin a game at the root."""
    state = own.state[0]
    copy_row(root, own.rows[0])
    state.node = 0
    state.length = 0
    state.proof = OPEN
    own.path[0] = 0
    if own.settings[0].proposing != NOWHERE:
        copy_row(own.rows[3], own.rows[1])
    if own.settings[0].cyclic != 0:
        rules.pack(own.rows[0], own.packed[0])


@inlined
def _expand(rules: Rules, own: Search, node: int, whole: bool) -> int:
    """Expand a node; with `whole` by all moves, also one that has its proposed moves already.

    The result is _GO_ON, FAIL, _LEFT where another thread is expanding it or the tree is full, or TREE_FULL where there
    is no room even for the children of the root.
    """
    proposing = own.settings[0].proposing
    proposed = not whole and proposing != NOWHERE and not (node == 0 and proposing == BELOW_ROOT)
    if own.settings[0].threads == 1:
        return _add_children(rules, own, node, proposed)
    if not claim(own.claims, node):
        return _LEFT
    known = own.tree[node].children
    done = known != 0 and not (whole and is_part(known))
    status = _GO_ON if done else _add_children(rules, own, node, proposed)
    release(own.claims, node)
    return status


@inlined
def _add_children(rules: Rules, own: Search, node: int, proposed: bool) -> int:
    """Expand a node that no other thread is expanding, by its `proposed` moves if there are some; the result is as for
    `_expand`."""
    tree, row, settings = own.tree, own.rows[0], own.settings[0]
    count = 0
    if proposed:
        count = rules.candidates(row, own.rows[1], own.offered, own.entries, own.scratch)
        proposed = count != 0
        if number(row[settings.failure]) != 0:
            return FAIL
    if count == 0:
        count = rules.offer(row, own.offered, own.entries, own.scratch)
    if count < 0:
        return FAIL
    whole = 0
    if settings.chance != 0:
        whole = rules.weigh(row, own.offered, count, own.shares)
        if whole < 0:
            return FAIL
        whole = lighten(own, count, whole)
        if whole > 0 and count > settings.chance:
            count = thin_out(own, count, whole, below(next_random(own.state[0]), whole))
    first = take_room(own.used, len(tree), count)
    if first < 0:
        return TREE_FULL if node == 0 and tree[node].children == 0 else _LEFT
    mover = own.sides[number(row[settings.to_move])]
    for k in range(count):
        child = tree[first + k]
        child.children = 0
        child.visits = 0
        child.points = 0
        child.proven = OPEN
        child.mover = mover
        child.later_visits = 0
        child.later_points = 0
        child.code = 0
        child.worth = 0
        for j in range(len(own.move)):
            own.moves[first + k, j] = own.offered[k, j]
    if whole != 0:
        for k in range(count):
            tree[first + k].code = own.shares[k]
    if settings.rave != 0:
        inherit(own, first, count, mover)
    if settings.minimax != 0 and not look_at_children(rules, own, first, count, mover):
        row[settings.failure] = own.rows[2][settings.failure]
        return FAIL
    if settings.guided != 0:
        set_priors(own, first, count)
    if settings.widening != 0 and count > settings.widening and whole == 0:
        sort_children(own, first, count)
    if tree[node].children != 0:
        copy_proofs(own, tree[node].children, first, count)
    finish_writing(own.used)
    tree[node].children = packed(first, count, proposed)
    return _GO_ON


@inlined
def _is_repeated(rules: Rules, own: Search) -> bool:
    """Whether the current position repeats one of this simulation or of the game before the root."""
    length = own.state[0].length
    rules.pack(own.rows[0], own.packed[length + 1])
    key = own.packed[length + 1]
    result = False
    for k in range(length + 1):
        result = result or same_key(own.packed[k], key)
    if not result:
        for k in range(own.settings[0].history):
            result = result or same_key(own.past[k], key)
    return result


@inlined
def _walk_on(own: Search, child: int) -> None:
    """Add a node to the path; with several threads it gets a virtual loss until the game is counted."""
    state = own.state[0]
    own.tree[child].visits += own.settings[0].threads > 1
    state.length += 1
    own.path[state.length] = child
    state.node = child


@inlined
def _move(rules: Rules, own: Search, exploring: float) -> int:
    """Make one move in the tree, expanding the node if needed.

    The result is _GO_ON, _OVER, _LEFT where a random game has to follow, TREE_FULL or FAIL.
    """
    tree, counts, state, settings = own.tree, own.counts[0], own.state[0], own.settings[0]
    row, before, node = own.rows[0], own.rows[1], state.node
    if tree[node].proven != OPEN:
        state.proof = tree[node].proven
        return _OVER
    if tree[node].children == 0:
        seldom = settings.guided == 0 and tree[node].visits <= (settings.threads > 1)
        if (seldom and node != 0) or state.length >= len(own.path) - 1:
            return _LEFT
        status = _expand(rules, own, node, False)
        if status != _GO_ON:
            return status
        if settings.minimax != 0 and settings.repeating != FORBIDDEN and _settle(
                own, node, own.sides[number(row[settings.to_move])]):
            state.proof = tree[node].proven
            counts.proofs += 1
            _settle_above(own, state.length)
            return _OVER
        if settings.guided != 0 and node != 0:
            state.proof = JUDGED
            state.judged = tree[node].mover
            state.share = (UNIT + minimax_of(own, node)) * WHOLE // (2 * UNIT)
            return _OVER
    mover = own.sides[number(row[settings.to_move])]
    random = next_random(own.state[0])
    child = -2
    if settings.chance != 0:
        child = draw_child(own, node, random)  # -2 where a player chooses
    if child == -2:
        child = _best_child(own, node, exploring, random)
    if child < 0 and is_part(tree[node].children):
        status = _expand(rules, own, node, True)
        if status != _GO_ON:
            return status
        child = _best_child(own, node, exploring, random)
    if child < 0:  # all moves are won, lost or illegal
        state.proof = DRAWN
        if _settle(own, node, mover):
            state.proof = tree[node].proven
            counts.proofs += 1
            _settle_above(own, state.length)
        return _OVER
    if tree[child].visits == 0 or settings.cyclic != 0 or settings.proposing != NOWHERE:
        copy_row(row, before)
    code = rules.step(row, own.moves[child], own.entries, own.scratch)
    if code < 0:
        if not failed_by(row, settings.failure, settings.outgrown):
            return FAIL
        _walk_on(own, child)
        state.proof = DRAWN  # for this game only
        return _OVER
    if code > 0:
        counts.taken_back += 1
        tree[child].proven = ILLEGAL
        copy_row(before, row)
        return _GO_ON
    if settings.cyclic != 0 and _is_repeated(rules, own):
        counts.loops += 1
        if settings.repeating == FORBIDDEN and state.length == 0:
            tree[child].proven = ILLEGAL
            copy_row(before, row)
            return _GO_ON
        _walk_on(own, child)
        state.proof = DRAWN  # for this game only: other paths to the position may end otherwise
        if settings.repeating != DRAWS and settings.players == 2:
            state.proof = WON + 1 - mover
        return _OVER
    _walk_on(own, child)
    outcome = number(row[settings.outcome])
    if outcome == GOES_ON:
        return _GO_ON
    if settings.paying != 0:
        counts.ends += 1
        return _OVER if weigh_up(rules, own, row) else FAIL
    if tree[child].proven == OPEN:
        counts.ends += 1
        tree[child].proven = proof_of(outcome)
        _settle_above(own, state.length)
    state.proof = proof_of(outcome)
    return _OVER


@inlined
def _play_on(rules: Rules, own: Search) -> bool:
    """Play a random game from the current position; False where a rule fails."""
    row, settings, state = own.rows[0], own.settings[0], own.state[0]
    plies = 0
    if settings.rave == 0:
        plies = rules.random_game(row, next_random(own.state[0]), settings.limit, own.entries, own.scratch, own.move)
    else:
        now = own.counts[0].played + 1
        while plies < settings.limit and number(row[settings.outcome]) == GOES_ON:
            mover = own.sides[number(row[settings.to_move])]
            made = rules.random_game(row, next_random(own.state[0]), 1, own.entries, own.scratch, own.move)
            if made < 0:
                plies = -1
                break
            if made == 0:
                break
            plies += 1
            own.made[history_index(mover & 1, move_number(own.move))] = now
    if plies < 0:
        state.proof = DRAWN
        return (failed_by(row, settings.failure, settings.outgrown)
                or failed_by(row, settings.failure, settings.stuck))
    own.counts[0].simulated += plies
    outcome = number(row[settings.outcome])
    if outcome != GOES_ON and settings.paying != 0:
        return weigh_up(rules, own, row)
    if outcome != GOES_ON:
        state.proof = proof_of(outcome)
        return True
    worth = value_of_row(rules.value_of, own.learned, row, 0)  # stopped early: the game's value decides
    if settings.scale != 0:
        state.proof = JUDGED
        state.judged = own.sides[number(row[settings.to_move])]
        state.share = (UNIT + term_of(worth, settings.scale)) * WHOLE // (2 * UNIT)
        return True
    outcome = -1
    if worth > 0:
        outcome = own.sides[number(row[settings.to_move])]
    elif worth < 0 and settings.players == 2:
        outcome = 1 - number(row[settings.to_move])
    state.proof = proof_of(outcome)
    return True


@inlined
def _add_up(own: Search) -> None:
    """Back up the result of a game along the path, to the RAVE statistics of moves, and to minimax values."""
    state, counts, tree, settings = own.state[0], own.counts[0], own.tree, own.settings[0]
    counts.played += 1
    for k in range(state.length, -1, -1):
        visited = tree[own.path[k]]
        visited.visits += settings.threads == 1 or k == 0
        visited.points += _points(own, visited.mover)
        children = indices(visited.children)
        if len(children) == 0:
            continue
        if settings.rave != 0:
            points = _points(own, tree[children.start].mover)
            if k < state.length:
                own.made[tree[own.path[k + 1]].code] = counts.played
            for index in children:
                child = tree[index]
                if own.made[child.code] == counts.played:
                    child.later_visits += 1
                    child.later_points += points
        if settings.minimax != 0:
            visited.worth = minimax_of(own, own.path[k])


# ---- entry points


@handed_in
def no_chance(row: Row, moves: Lines, count: int, shares: Line) -> int:
    """Stands in for `weigh` in a game without chance."""
    return 0


@handed_in
def no_payoff(row: Row, player: int) -> int:
    """Stands in for `payoff_of` in a game that does not say what its ends are worth."""
    return 0


@compiled
def child_of(step: Step, pack: Pack, root: Row, goal: Row, row: Row, entries: Lines, scratch: Rows,
             tree: Records[Node], moves: Lines, packed: Rows, node: int) -> int:
    """The child of a node whose position is `goal`, the most visited of several; -1 where none was visited.

    `root` is the row of the node; `row`, `entries`, `scratch` and `packed` are scratch space.
    """
    pack(goal, packed[0])
    parent = tree[node]
    result = -1
    for child in indices(parent.children):
        if tree[child].visits == 0 or tree[child].proven == ILLEGAL:
            continue
        if result >= 0 and tree[child].visits <= tree[result].visits:
            continue
        copy_row(root, row)
        if step(row, moves[child], entries, scratch) == 0:
            pack(row, packed[1])
            if same_key(packed[0], packed[1]):
                result = child
    return result


@compiled
def keep_below(tree: Records[Node], moves: Lines, places: Line, node: int, used: int) -> int:
    """Make a node the root of a tree of `used` nodes; the number of nodes in its subtree, itself included.

    The subtree moves to the front, all other nodes are dropped. `places` is scratch space: int64[used] or longer.
    Children always come after their parent, in the order in which the parents were expanded.
    """
    for k in range(node, used):
        places[k] = -1
    places[node] = 0
    kept = 1
    for k in range(node, used):
        if places[k] >= 0:
            for child in indices(tree[k].children):
                places[child] = 0
    for k in range(node + 1, used):
        if places[k] == 0:
            places[k] = kept
            kept += 1
    for k in range(node, used):
        place = places[k]
        if place < 0:
            continue
        known = tree[k].children
        children = indices(known)
        if len(children) > 0:
            tree[k].children = packed(places[children.start], len(children), is_part(known))
        _copy_node(tree[k], tree[place])
        copy_row(moves[k], moves[place])
    tree[0].mover = -1
    return kept


@inlined
def _copy_node(node: Node, into: Node) -> None:
    """Copy a node over another."""
    into.children, into.visits = node.children, node.visits
    into.points, into.proven, into.mover = node.points, node.proven, node.mover
    into.later_visits, into.later_points = node.later_visits, node.later_points
    into.code, into.worth = node.code, node.worth


@compiled
def search(offer: Offer, step: Step, value_of: ValueOf, pack: Pack, random_game: RandomGame, weigh: Weigh,
           payoff_of: PayoffOf, candidates: Candidates, root: Row, own: Search, exploring: float, until: int) -> int:
    """Play games until `until` were played in all, the search is halted, the root is proven, its move is settled, or it
    fails; why it ended.

    It fails where a rule does, or where the tree is too small for the children of the root.
    """
    rules = Rules(offer, step, value_of, pack, random_game, weigh, payoff_of, candidates)
    while own.counts[0].played < until and own.halted[0] == 0:
        if own.tree[0].proven != OPEN:
            return DONE
        _begin(rules, root, own)
        status = _GO_ON
        while status == _GO_ON:
            status = _move(rules, own, exploring)
        if status == _LEFT and not _play_on(rules, own):
            status = FAIL
        if status in (FAIL, TREE_FULL):
            return status
        _add_up(own)
        if own.state[0].goal != 0 and own.counts[0].played % _BETWEEN == 0 and is_settled(
                own.tree, 0, own.state[0].goal, DRAWN):
            return SETTLED
    return WAITING
