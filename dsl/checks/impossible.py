"""Checks for rules that cannot hold, without playing, once names and sorts are resolved.

Each check takes the file, its resolved rules and its world, and yields diagnostics; `CHECKS` lists them. What needs
play is checked by `interpreter.analysis.dynamic_checks`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from dsl import hir
from dsl.checks.bounds import Bounds
from dsl.checks.cost_bound import LONG_IN_PLAY, MOST_AT_START, MOST_IN_PLAY, Effort
from dsl.diagnostics import DECLARED, Diagnostic, Label, error, warning
from dsl.resolve.scope import World
from dsl.resolve.sorts import CELLS, LAYER, PIECE, Integer, SetOf
from dsl.syntax import rules
from dsl.syntax.source import Span
from dsl.words import WORDS

Check = Callable[[rules.GameFile, hir.Rules, World], Iterator[Diagnostic]]


def unused(file: rules.GameFile, result: hir.Rules, world: World) -> Iterator[Diagnostic]:
    """Definitions, params, variables and kinds of links that nothing uses, and pieces that nothing can put on the
    board."""
    read = {part.layer for part in hir.walk_rules(result) if isinstance(part, hir.Linked)}
    read |= {part.value for part in hir.walk_rules(result) if isinstance(part, hir.Literal)
             and part.sort == LAYER and part.value is not None}
    for number, layer in enumerate(result.layers):
        if number not in read:
            yield warning("G302", f"the kind of link '{layer.name}' is never asked for", layer.span,
                          help="use it or remove it")
    kinds = {
        "definition": set(world.definitions),
        "param": set(world.params),
        "variable": set() if result.hidden else set(world.variables),  # players may read what rules do not
        "piece": {name for name, piece in world.piece_names.items()
                  if all(result.pieces[index].owner is None for index in piece.indices)},
    }
    for what, names in kinds.items():
        for name in sorted(names - world.used - file.guesses):
            verb = "read" if what == "variable" else "used"
            yield warning("G302", f"the {what} '{name}' is never {verb}", world.declared[name],
                          help="use it or remove it")


def never_reached(file: rules.GameFile, result: hir.Rules, world: World) -> Iterator[Diagnostic]:
    """Steps that no move continues with, effects that no rule uses, and `aside` variables without a repetition rule."""
    onward = {part.rule for part in hir.walk(result.moves) if isinstance(part, hir.Proceed)}
    for number, rule in enumerate(result.moves):
        if rule.is_step and number not in onward and "move" not in file.guesses:
            yield error("G272", f"no move goes on by the step '{rule.name}'", rule.span,
                        help=f"name it in a move, for instance: then {rule.name}(...), or make it a move")
    if onward and all(rule.is_step for rule in result.moves):
        yield error("G272", "the game has steps alone, expected a move that begins", result.moves[0].span)
    for name, effect in world.effects.items():
        if name not in world.performed and not world.doubtful("effect"):
            yield warning("G302", f"the effect '{name}' is never used", effect.name.span, help="use it or remove it")
    for kind in result.variables:
        if kind.aside and not result.repetition and "repetition" not in file.guesses:
            yield warning("G273", f"'{kind.name}' is left aside by a repetition rule that the game does not have",
                          kind.span, help="add for instance: repetition draws at third")


def impossible_moves(file: rules.GameFile, result: hir.Rules, world: World) -> Iterator[Diagnostic]:
    """Moves and forced rules whose choices or conditions can never be met, whoever moves."""
    onward = {part.rule for part in hir.walk(result.moves) if isinstance(part, hir.Proceed)}
    named: list[tuple[str, hir.Move | hir.Forced]] = [
        # 'then NAME(...)' does not test its condition
        ("step" if rule.is_step else "move", attrs.evolve(rule, when=None) if number in onward else rule)
        for number, rule in enumerate(result.moves)]
    named += [("forced rule", rule) for rule in result.forced]
    for what, rule in named:
        obstacles = [_obstacle(rule, Bounds(result, mover)) for mover in range(len(result.players))]
        if all(obstacle is not None for obstacle in obstacles):
            place = next(obstacle for obstacle in obstacles if obstacle is not None)
            yield error("G303", f"the {what} '{rule.name}' can never apply: this is never so", place,
                        help="the sets or ranges exclude each other")


def _obstacle(rule: hir.Move | hir.Forced, known: Bounds) -> Span | None:
    """The place of a condition or choice that certainly cannot be met; None where there is none."""
    if rule.when is not None and not known.assume(rule.when):
        return rule.when.span
    for choice in rule.choices:
        if not known.choose(choice):
            by_domain = choice.guard is None or not known.held(choice.domain)
            return choice.domain.span if by_domain or choice.guard is None else choice.guard.span
    return None


def no_end(file: rules.GameFile, result: hir.Rules, world: World) -> Iterator[Diagnostic]:
    """A game without an end."""
    broken = {"win", "lose", "draw", "no", "repetition"} & file.guesses
    endless = not result.ends and result.no_moves in ("", "passes") and result.repetition not in ("draws", "loses")
    if endless and not broken:
        yield error("G304", "the game has no end, expected a 'win', 'lose', 'draw' or 'no moves' rule", Span.at(1, 1),
                    help="for instance: draw when no empty")


def ranges_left(file: rules.GameFile, result: hir.Rules, world: World) -> Iterator[Diagnostic]:
    """Effects that give a variable a value that is never in its range."""
    for part in hir.walk_rules(result):
        if not isinstance(part, hir.SetVariable):
            continue
        kind = result.variables[part.number]
        value = part.value.sort
        if isinstance(kind.sort, Integer) and isinstance(value, Integer) and not (
            isinstance(part.value, hir.Literal) and part.value.value is None
        ) and (value.high < kind.sort.low or value.low > kind.sort.high):
            shown = str(value.low) if value.low == value.high else f"{value.low} to {value.high}"
            yield error("G305",
                        f"'{kind.name}' would become {shown}, outside its range {kind.sort.low}..{kind.sort.high}",
                        part.span, labels=[Label(kind.span, DECLARED)])


def ends_in_vain(file: rules.GameFile, result: hir.Rules, world: World) -> Iterator[Diagnostic]:
    """Ends that can never decide: their condition never holds, or an end before them always decides."""
    everyone = [Bounds(result, mover) for mover in range(len(result.players))]
    always: hir.End | None = None
    for number, end in enumerate(result.ends):
        truths = {known.truth(end.condition.term) for known in everyone}
        key = _condition_key(end.condition.term)
        same = next((other for other in result.ends[:number] if _condition_key(other.condition.term) == key), None)
        if truths == {False} and not end.names_param:
            yield error("G311", "this end can never decide: its condition never holds", end.span)
        elif always is not None:
            yield error("G311", "this end can never decide: one before it always does", end.span,
                        labels=[Label(always.span, "this always holds")])
        elif same is not None:
            contradicts = _result(same, result) != _result(end, result)
            yield error("G311", "this end can never decide: one before it has the same condition"
                        + (" and says otherwise" if contradicts else ""), end.span,
                        labels=[Label(same.span, "this decides first")])
        if truths == {True} and always is None:
            always = end


def _condition_key(term: hir.Expr) -> object:
    """A key that is equal for conditions that differ only in the order of the operands of `and` and `or`."""
    if isinstance(term, (hir.All, hir.Any)):
        return type(term), frozenset(_condition_key(operand) for operand in term.operands)
    return term


def _result(end: hir.End, result: hir.Rules) -> object:
    """The result of an end; equal for `win mover` and, with two players, `lose opponent`."""
    player = end.player
    if player is None:
        return None
    who = player.name if isinstance(player, hir.Role) else getattr(player, "value", None)
    if end.kind == "win" or len(result.players) != 2:
        return end.kind, who
    return "win", {"mover": "opponent", "opponent": "mover", 0: 1, 1: 0}.get(who)


def hopeless_effort(file: rules.GameFile, result: hir.Rules, world: World) -> Iterator[Diagnostic]:
    """Nested loops that would not finish in a lifetime."""
    effort = Effort(result, world.cell_count)
    first = result.start[0].span if result.start else result.board.span
    named: list[tuple[str, int, Span, int]] = [
        ("setting up the position", effort.of(result.start), first, MOST_AT_START),
        ("leaving out cells", effort.of(result.board.without), result.board.span, MOST_AT_START),
    ]
    named += [(f"the links of '{layer.name}'", world.cell_count * effort.of(layer.others), layer.span, MOST_AT_START)
              for layer in result.layers]
    costs = list(effort.in_play())
    named += [(cost.what, cost.steps, cost.span, MOST_IN_PLAY) for cost in costs]
    for what, steps, span, most in named:
        if steps > most:
            yield error("G238", f"{what} can take {_rounded(steps)} steps, expected at most {_rounded(most)}", span,
                        help="what goes through sets inside sets multiplies their sizes")
    for cost in costs:
        if LONG_IN_PLAY < cost.steps <= MOST_IN_PLAY:
            yield warning("G324", f"{cost.what} can take {_rounded(cost.steps)} steps in one position, if its sets are "
                          f"large; it is not compiled, and play stops where it takes too many", cost.span,
                          help="go through smaller sets, or through fewer sets in each other; a move with many choices "
                               "can be made in turns")


def _rounded(number: int) -> str:
    """A number rounded down to a power of ten, as text."""
    return f"10^{len(str(number)) - 1}"


def nobody_wins(file: rules.GameFile, found: hir.Rules, world: World) -> Iterator[Diagnostic]:
    """`lose` or `loses` in a game for three or more sides, which does not say who wins; `repetition loses` in teams."""
    if len(found.players) < 3:
        return
    several = len(set(found.sides)) > 2
    places = [("lose", end.span) for end in found.ends if end.kind == "lose" and several]
    for item in file.declarations:
        kinds = (rules.NoMovesRule, rules.Repetition) if several else rules.Repetition
        if isinstance(item, kinds) and item.result.text == "loses":
            places.append(("loses", item.result.span))
    for word, span in places:
        yield error("G239", f"'{word}' among {len(found.players)} players does not say who wins", span,
                    help="say who wins, or that it is a draw")


def networks_of_nothing(file: rules.GameFile, result: hir.Rules, world: World) -> Iterator[Diagnostic]:
    """Links that nothing sets, tiles that nothing lays, and networks over sets that never have a cell."""
    parts = list(hir.walk_rules(result))
    linked = {part.layer for part in parts if isinstance(part, hir.Link) and part.there}
    for number, layer in enumerate(result.layers):
        if number not in linked:
            yield error("G317", f"nothing links by '{layer.name}', expected an effect that does", layer.span,
                        help=f"for instance: link c to n by {layer.name}")
    chosen = {value for part in parts if isinstance(part, hir.Listing) and part.sort == SetOf(PIECE)
              for value in part.values}
    if world.tiles and not chosen & set(world.tiles):
        span = next(item.span for item in file.all(rules.Tiles))
        yield error("G317", "nothing lays a tile, expected a rule that chooses among them", span,
                    help="for instance: move lay(c in empty, t in tiles): c := t")
    everyone = [Bounds(result, mover) for mover in range(len(result.players))]
    for part in parts:
        cells = _network(part)
        if cells is not None and not any(known.held(cells) for known in everyone):
            yield error("G317", "a network over nothing: this set never has a cell", cells.span,
                        help="the sets exclude each other")


def _network(part: object) -> hir.Expr | None:
    """The cells of a network, where they are a set of cells that is not written as empty."""
    cells: hir.Expr | None = None
    if isinstance(part, (hir.Linked, hir.Cut)):
        cells = part.cells
    elif isinstance(part, hir.Apply) and (place := WORDS[part.function].network) is not None:
        cells = part.arguments[place]
    if cells is None or cells.sort != CELLS or (isinstance(cells, hir.CellSet) and not cells.items):
        return None
    return cells


def endless_choices(file: rules.GameFile, result: hir.Rules, world: World) -> Iterator[Diagnostic]:
    """Moves with a choice among all empty cells of an unbounded board."""
    if world.board.bounded:
        return
    for part in hir.walk(result.moves):
        if isinstance(part, hir.Choice) and part.guard is None and _all_empty(part.domain):
            yield error("G241", "found all empty cells of an unbounded board to choose from, expected some of them",
                        part.domain.span, help="for instance those around what stands there: "
                                               "(neighbours(occupied) - occupied if some occupied else origin)")


def _all_empty(cells: hir.Expr) -> bool:
    """Whether a set has all empty cells, or nearly all."""
    match cells:
        case hir.CellsOf(pieces=pieces):
            return 0 in pieces
        case hir.SetArithmetic(operator="+"):
            return _all_empty(cells.left) or _all_empty(cells.right)
        case hir.SetArithmetic(operator="-"):
            return _all_empty(cells.left)
    return False


CHECKS: tuple[Check, ...] = (
    unused, never_reached, impossible_moves,
    no_end, ranges_left, ends_in_vain, hopeless_effort, nobody_wins, networks_of_nothing,
    endless_choices,
)


def run_checks(file: rules.GameFile, result: hir.Rules | None, world: World) -> Iterator[Diagnostic]:
    """Run all checks in order; none where the file could not be resolved."""
    if result is not None:
        for check in CHECKS:
            yield from check(file, result, world)
