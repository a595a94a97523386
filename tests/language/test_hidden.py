"""What players see and know: `hidden`, `players move together` and `payoff`."""

from __future__ import annotations

import random

import pytest

import dslgame
from dsl.syntax.source import Source
from interpreter.analysis.leaks import leaks
from interpreter.game import Game, Position, examine
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import State
from interpreter.semantics.hidden import Knowledge
from solver.game_space import solve_game
from tests.probe import played as reached

PHANTOM = """\
game "Phantom"
players X, O
board square(2, 2)
pieces x of X, o of O
var found[cell] in boolean
var failed in boolean
hidden c in theirs where not found[c]
hidden found[c] when c is not theirs
hidden failed from everyone
move try(c in cells - mine where not (c is theirs and found[c])):
    failed := c is theirs
    if failed:
        found[c] := true
    else:
        c := own
turn again when failed
lose mover when line(mine, 2)
draw when no empty
"""
CARDS = """\
game "Cards"
players Ann, Bob
board square(1, 2)
pieces chip of each, back
var card[player] in 1..3
var deck in 1..3
hidden card[p] from others of p
hidden deck
hidden c in chip[Ann] as back from Bob
start:
    card[Ann] := 2
    card[Bob] := 3
    deck := 2
    "a1" := chip[Ann]
move wait(c in empty):
    c := own
draw when no empty
payoff Ann = card[Ann] - card[Bob]
"""
CLASH = """\
game "Clash"
players Red, Blue
board square(1, 3)
pieces red of Red, blue of Blue, rock
players move together
move claim(c in empty, n in 0..2):
    c := own if c is empty else rock
    carried += n
after every move:
    rounds += 1
var carried in 0..20
var rounds in 0..9
win Red when no empty and count(red) > count(blue)
draw when no empty
payoff each = count(mine) - count(theirs)
"""


def made(text: str) -> Game:
    return Game.of(Source("test.game", text))


def knowledge(position: Position, player: int) -> Knowledge:
    """The knowledge of a player after the moves of a game."""
    game = position.game
    states = [*position.history, position.state]
    known = Knowledge.begun(game.observer, player, states[0])
    at = game.start()
    for before, text, after in zip(states, position.played, states[1:], strict=False):
        known = known.after(game.observer, before, at.find(text), after)
        at = at.play(text)
    return known


def played(game: Game, moves: str) -> Position:
    position = game.start()
    for text in moves.split():
        position = position.play(text)
    return position


def seen(game: Game, state: State, player: int) -> str:
    return game.position_text(game.observer.view(state, player))


def test_a_hidden_piece_looks_like_nothing_until_it_is_found() -> None:
    """X sees X's stone, and O's only after trying its cell."""
    game = made(PHANTOM)
    position = played(game, "b2 a1")
    assert seen(game, position.state, 0).startswith(".X/.. ")
    assert seen(game, position.state, 1).startswith("../O. ")
    position = position.play("a1")
    assert position.to_move == "X"
    assert seen(game, position.state, 0).startswith(".X/O. ")
    assert seen(game, position.state, 1).startswith("../O. ")


def test_nobody_counts_the_tries_of_an_opponent() -> None:
    """O's knowledge is the same whether X tried once or twice; X's own differs."""
    game = made(PHANTOM)
    once, twice = played(game, "b2 a1 a2"), played(game, "b2 a1 a1 a2")
    assert knowledge(once, 1) == knowledge(twice, 1)
    assert knowledge(once, 0) != knowledge(twice, 0)


def test_values_are_hidden_by_index_and_by_player() -> None:
    """Each player sees only their own card, and nobody the deck; a hidden piece looks like another one."""
    game = made(CARDS)
    state = game.start().state
    assert game.variable_values(state, 0) == (2, 3)
    start = game.observer.view(state, 0)
    assert game.observer.view(state, 0).pieces == state.pieces
    assert game.observer.view(state, 1).pieces != state.pieces
    assert game.glyphs(game.observer.view(state, 1))[0] == game.rules.pieces[3].glyph
    other = state._replace(values=(2, 1, 3))
    assert game.observer.view(other, 0) == start
    assert game.observer.view(other, 1) != game.observer.view(state, 1)


@pytest.mark.parametrize("player", [0, 1])
def test_views_do_not_depend_on_what_is_hidden(player: int) -> None:
    """Moving unseen pieces of the opponent does not change a player's view."""
    game = made(PHANTOM)
    chance = random.Random(1)
    for _ in range(60):
        position = game.start()
        while not position.over:
            state = position.state
            theirs = state.pieces[2 - player]
            found = state.values[:4]
            unseen = [cell for cell in range(4) if theirs >> cell & 1 and not found[cell]]
            free = [cell for cell in range(4) if state.pieces[0] >> cell & 1]
            if unseen and free:
                cell, other = chance.choice(unseen), chance.choice(free)
                pieces = list(state.pieces)
                pieces[0] ^= 1 << cell | 1 << other
                pieces[2 - player] ^= 1 << cell | 1 << other
                moved = state._replace(pieces=tuple(pieces))
                assert game.observer.view(moved, player) == game.observer.view(state, player)
            position = position.play(chance.choice(position.moves()))


def test_players_who_move_together_choose_in_the_same_position() -> None:
    """The second player's moves do not depend on the first player's choice, and neither sees the other's."""
    game = made(CLASH)
    start = game.start()
    after = start.play("a1-2")
    assert after.moves() == start.moves()
    assert after.to_move == "Blue"
    other = start.play("b1-0")
    assert game.observer.view(after.state, 1) == game.observer.view(other.state, 1)
    assert game.observer.view(after.state, 0) != game.observer.view(other.state, 0)
    assert knowledge(after, 1) == knowledge(other, 1)


def test_moves_are_carried_out_when_all_have_chosen() -> None:
    """Moves are carried out in player order, each with its own mover; `after every move` runs once."""
    game = made(CLASH)
    position = played(game, "a1-2 b1-1")
    assert position.pieces == {"a1": "red", "b1": "blue"}
    assert position.variables["carried"] == 3
    assert position.variables["rounds"] == 1
    assert position.variables["chosen"] == (0, 0)
    met = played(game, "a1-0 a1-0")
    assert met.pieces == {"a1": "rock"}


@pytest.mark.parametrize("text", [PHANTOM, CLASH])
def test_kernels_play_games_with_hidden_things_as_the_interpreter_does(text: str) -> None:
    """Kernels work on the full state."""
    game = made(text)
    kernel = Kernel.of(game, native=False)
    chance = random.Random(2)
    for _ in range(5):
        state = game.engine.start()
        while state.outcome is None:
            moves = game.engine.legal(state)
            assert kernel.legal(state) == moves
            move = chance.choice(moves)
            assert kernel.after(state, move) == game.engine.apply(state, move)
            after = game.engine.apply(state, move)
            assert after is not None
            state = after


def test_payoffs_are_of_each_player() -> None:
    """Payoffs follow the declaration; one player's loss is the other's gain; the default is 1 for a win."""
    cards = made(CARDS)
    assert cards.payoffs.of(cards.start().play("b1").state) == (-1, 1)
    clash = made(CLASH)
    over = played(clash, "a1-0 b1-0 c1-0 c1-0")
    assert clash.payoffs.of(over.state) == (0, 0)
    plain = made(PHANTOM)
    lost = played(plain, "b2 a1 a2")
    assert plain.payoffs.of(lost.state) == (-1, 1)


@pytest.mark.parametrize("worth", [
    "count(mine) - count(theirs)", "2 * count({c in occupied where piece(c) = own}) - 3",
    "lead + (0 if mover = Ann else 9)", "count(mine) - count({c in cells where piece(c) is theirs})",
    "lead if opponent = Bob else 9"])
def test_the_mover_in_the_payoff_of_one_player_is_that_player(worth: str) -> None:
    """Of X O X Ann has two and Bob one, so that it is worth 1 to Ann and -1 to Bob, in interpreter, kernel and solver.
    """
    game = made("""\
game "Counted"
players Ann, Bob
board square(1, 3)
pieces x of Ann, o of Bob
var rolled in 0..2
define lead = count(mine) - count(theirs)
chance roll(k in 1..2) when rolled = 0:
    rolled := k
move place(c in empty):
    c := own
draw when no empty
payoff Ann = """ + worth + "\n")
    over = played(game, "roll:1 place:a1 place:b1 place:c1").state
    kernel = Kernel.of(game, native=False)
    assert game.payoffs.of(over) == kernel.payoffs(over) == (1, -1)
    answer = solve_game(game, engine="interpreter").expected
    assert answer is not None
    assert answer.exact == 1


def test_moves_that_tell_what_is_hidden_are_said() -> None:
    """Choosing among cells that are really empty leaks where the opponent is."""
    assert leaks(made(PHANTOM)) == []
    assert leaks(made(CLASH)) == []
    told = leaks(made(PHANTOM.replace("c in cells - mine where not (c is theirs and found[c])", "c in empty")))
    assert [item.code for item in told] == ["G335"]
    assert "cannot tell apart" in told[0].phrase


@pytest.mark.parametrize(("line", "code"), [
    ("hidden card", "G203"), ("hidden rounds[p] from Red", "G296"), ("hidden rounds as rock", "G296"),
    ("hidden c in theirs from anybody", "G203"), ("payoff Red = 3", "G298"), ("payoff Green = 3", "G203"),
    ("win mover when no empty", "G297"), ("illegal when count(red) = 3", "G297"), ("pass", "G297"),
    ("turn again when no empty", "G297"), ("no moves passes", "G297"), ("symmetry swapping players", "G297"),
    ("move two(a in empty):\n    a := own\n    then b in empty:\n        b := own", "G297"),
    ("players move together", "G219"), ("pie rule after turn 1 by seats", "G297"),
])
def test_what_cannot_be_said_is_refused(line: str, code: str) -> None:
    """Each mistake gives its error code."""
    _, found = examine(Source("test.game", CLASH + line + "\n"))
    assert code in {item.code for item in found if item.severity == "error"}


SEATS = """
game "Seat Pay"
players Red, Blue
board square(1, 3)
pieces red of Red, blue of Blue
var bonus in 0..9
var thrown in 0..2

move place(c in empty) when count(occupied) < 2:
    c := own
    bonus := 7 if c.column = 0 else bonus

chance throw(d in 1..2) when count(occupied) = 2 and thrown = 0:
    thrown := d

turn passes when true
pie rule after turn 1 by seats
win Red when thrown = 1 and count(occupied) = 2
win Blue when thrown = 2
no moves draws
"""


@pytest.mark.parametrize("payoffs", [
    "payoff Red = bonus + thrown", "payoff Red = bonus + thrown\npayoff Blue = 0 - bonus - thrown",
    "payoff each = (bonus + thrown) * (1 if mover = Red else 0 - 1)"])
def test_payoffs_are_of_the_sides_after_an_exchange_of_seats(payoffs: str) -> None:
    """Who plays Red after the exchange gets the payoff of Red, by the interpreter and by the kernel."""
    game = dslgame.loads(SEATS + payoffs)
    kernel = Kernel.of(game, native=False)
    for moves, expected in (("place:a1 place:b1 throw:1", (8, -8)), ("place:a1 swap place:b1 throw:1", (-8, 8))):
        position = reached(game.start(), moves)
        assert game.payoffs.of(position.state) == expected
        assert kernel.payoffs(position.state) == expected
    assert game.payoffs.limits_of(0) == (-11, 11) or payoffs == "payoff Red = bonus + thrown"
    solution = solve_game(game)
    assert solution.expected is not None
    assert solution.expected.fraction == "-3/2"


PILES = """
game "Hidden piles"
players Red, Blue
board square(1, 4)
pieces red of Red, blue of Blue, back
piles up to 3
start:
    "a1" := red
    put blue under "a1"
    "b1" := blue
    put red under "b1"
hidden theirs
move go(c in cells where height(c) < 3):
    put own on c
draw when count(occupied) = 4
no moves draws
"""


def test_hidden_piles_show_no_covered_pieces() -> None:
    """A hidden cell looks empty, or as if it held one piece: neither its height nor what is covered is seen."""
    game = dslgame.loads(PILES)
    seen = Position(game, game.observer.view(game.start().state, 0))
    assert seen.piles == {"a1": ("blue", "red")}
    backs = dslgame.loads(PILES.replace("hidden theirs", "hidden theirs as back"))
    seen = Position(backs, backs.observer.view(backs.start().state, 0))
    assert seen.piles == {"a1": ("blue", "red"), "b1": ("back",)}
    assert backs.observer.view(reached(backs.start(), "c1 b1").state, 0).pieces[3].bit_count() == 1


def test_hidden_variables_look_like_their_first_values_whatever_the_start_sets() -> None:
    """What `start:` gives a player is hidden as well."""
    game = dslgame.loads("""
game "Cards"
players Ann, Bob
board square(1, 2)
pieces a of Ann, b of Bob
var card[player] in 1..2 or none
start:
    card[Ann] := 2
    card[Bob] := 1
hidden card[p] from others of p
move put(c in empty):
    c := own
draw when no empty
""")
    views = [game.observer.view(game.start().state, player).values for player in (0, 1)]
    assert views == [(2, None), (None, 1)]
