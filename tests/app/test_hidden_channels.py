"""For every bundled game with hidden information, what a player is sent does not depend on what is hidden.

Two games are played side by side. The player sees and does the same in both, while the others and chance act
differently wherever the player does not see it. Then the page, the terminal, the environments and the adapters must
tell the player the same. Channels that tell all of a game must refuse such a game, or be for a user who plays all
sides.
"""

from __future__ import annotations

import io
import json
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

import attrs
import pytest

import dslgame
from dslgame.cli import play
from dslgame.cli.play import _Match
from dslgame.env import Environment
from dslgame.planes import Planes
from dslgame.programs.channels import Deadline
from dslgame.programs.protocols.lines import LinesEngine
from dslgame.programs.referee import Clock
from dslgame.programs.seen import Following
from dslgame.web import views
from dslgame.web.choosing import Chooser
from dslgame.web.positions import Reached
from dslgame.web.request_schema import SPECTATOR
from interpreter.game import Game, Position
from interpreter.kernel.many import Batch
from interpreter.model.state import Move, State
from interpreter.unknown import seen_by
from solver.players.choice import Choice
from solver.players.levels import Level
from tests.app.test_cli import run
from tests.discovery import FOLDER
from tests.language.test_hidden import PHANTOM

HIDING = sorted(path.stem for path in FOLDER.glob("*.game")
                if any(line.startswith(("hidden ", "players move together"))
                       for line in path.read_text(encoding="utf-8").splitlines()))
SLOW = {"battleship", "dark_chess", "dark_hex", "goofspiel", "leduc_poker", "stratego"}
GAMES = [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in HIDING]
PLIES, SEEDS = 10, 4


@attrs.frozen
class Alike:
    """Two games that a player cannot tell apart."""

    player: int
    games: tuple[Position, Position]
    moves: tuple[Move, Move]
    """The last move of each game."""

    @property
    def by_chance(self) -> bool:
        """Whether chance moves next in one of them; such positions are passed through and shown to nobody."""
        return any(position.by_chance for position in self.games)


def alike(game: Game, player: int, dice: random.Random) -> Iterator[Alike]:
    """A random game and a second one that differs wherever the player does not see it, ply by ply."""
    real = other = game.start()
    for _ in range(PLIES):
        if real.over:
            return
        move = dice.choice(real.legal())
        after = real.play(move)
        seen = game.observer.view(after.state, player)
        own = real.state.to_move == player and not real.by_chance
        legal = other.legal()
        ways = [item for item in legal if item == move] if own else sorted(legal, key=lambda item: (
            item == move, dice.random()))
        follower = next(((way, there) for way in ways for there in [other.play(way)]
                         if game.observer.view(there.state, player) == seen), None)
        if follower is None:
            return
        real, other = after, follower[1]
        yield Alike(player, (real, other), (move, follower[0]))


def pairs(game: Game) -> Iterator[Alike]:
    """Pairs of different positions that a player cannot tell apart, for each player and seed."""
    for seed in range(SEEDS):
        for player in range(len(game.players)):
            for found in alike(game, player, random.Random(seed)):
                if found.games[0].state != found.games[1].state and not found.by_chance:
                    yield found


@pytest.mark.parametrize("name", GAMES)
def test_the_page_sends_the_same(name: str) -> None:
    """Both positions have the same view, steps and number of noticed moves, for the player and for a spectator."""
    game = dslgame.load(name)
    chooser, compared = Chooser(game), 0
    for found in pairs(game):
        compared += 1
        for viewer in (found.player, SPECTATOR):
            sent = {json.dumps([views.view(chooser, Reached(position, move), viewer),
                                views.steps(position, move, viewer), len(views.noticed(position, viewer))])
                    for position, move in zip(found.games, found.moves, strict=True)}
            assert len(sent) == 1, [position.played for position in found.games]
    assert compared


class _Scripted:
    """Makes the moves of a recorded game."""

    def __init__(self, played: tuple[str, ...]) -> None:
        self.played = played

    def choose(self, position: Position) -> Choice:
        """The next recorded move."""
        text = self.played[len(position.played)]
        return Choice(position.find(text), text)


def terminal(position: Position, player: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the terminal shows a person on one side up to a position."""
    game = position.game
    levels = [None if side == player else Level.of("random") for side in range(len(game.players))]
    match = _Match(game, levels, random.Random(0), None, colour=False, report=True)
    script = _Scripted(position.played)
    match.players = [None if side == player else script for side in range(len(game.players))]
    match.nature = script  # type: ignore[assignment]
    own = iter([text for text, state in zip(position.played, position.history, strict=True)
                if state.to_move == player and not game.engine.chance.decides(state)])
    monkeypatch.setattr(_Match, "_read", staticmethod(lambda prompt: next(own, None)))
    shown = io.StringIO()
    with redirect_stdout(shown), suppress(IndexError):  # the other sides have no more moves
        match.run(game.start())
    return shown.getvalue()


@pytest.mark.parametrize("name", GAMES)
def test_the_terminal_shows_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal shows the player the same in both games, including its messages about the others' moves."""
    game, compared = dslgame.load(name), 0
    for found in pairs(game):
        shown = {terminal(position, found.player, monkeypatch) for position in found.games}
        assert len(shown) == 1, [position.played for position in found.games]
        compared += 1
    assert compared


def test_the_terminal_says_nothing_of_a_try_that_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The output does not tell whether the opponent's move failed before, nor the report of the opponent's search."""
    game = dslgame.loads(PHANTOM)
    shown = []
    for moves in (("b1", "a1"), ("b1", "b1", "a1")):
        position = game.start()
        for move in moves:
            position = position.play(move)
        shown.append(terminal(position, 0, monkeypatch))
    assert shown[0] == shown[1]
    assert shown[0].count("O moved") == 1


def test_people_at_one_terminal_look_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the turns of two people the terminal is cleared, and shows nothing until the next one is there."""
    game = dslgame.load("kuhn_poker")
    match = _Match(game, [None, None], random.Random(0), None, colour=False, report=False)
    shown, said = io.StringIO(), []
    answers = iter(["", "bet", "", "", None])

    def read(prompt: str) -> str | None:
        said.append((prompt, shown.getvalue()))
        return next(answers)

    class Keyboard(io.StringIO):
        """An input that is a terminal."""

        def isatty(self) -> bool:
            """True."""
            return True

    monkeypatch.setattr(_Match, "_read", staticmethod(read))
    monkeypatch.setattr(sys, "stdin", Keyboard())
    monkeypatch.setattr(play, "_wipe", lambda: (shown.seek(0), shown.truncate()))
    with redirect_stdout(shown):
        match.run(game.start().play("deal:2-3"))
    (_, before), (ann, first), (_, after), (_, between), (bob, second) = said
    assert "card: Ann=?, Bob=?" in before
    assert (ann, bob) == ("Ann> ", "Bob> ")
    assert "card: Ann=2, Bob=?" in first
    assert "card: Ann=2, Bob=?" in after
    assert between == ""
    assert "card: Ann=?, Bob=3" in second
    assert "Ann=2" not in second.replace("bet: Ann=2", "")


@pytest.mark.parametrize("name", GAMES)
def test_unknown_values_are_marked_by_the_view_alone(name: str) -> None:
    """What is marked is the same in both games, and of a value that is marked the view does not hold the real one
    unless by chance."""
    game, compared = dslgame.load(name), 0
    for found in pairs(game):
        for player in (found.player, None):
            told = {game.drawing(seen_by(game, position.state, player)) for position in found.games}
            assert len(told) == 1
        compared += 1
    assert compared


def test_a_value_that_is_hidden_is_a_question_mark() -> None:
    """Texts, rows beside the board, and the page show a question mark in place of a hidden value, not its first one."""
    game = dslgame.loads("""\
game "Skull"
players Ann, Bob
board square(1, 2)
pieces a of Ann, b of Bob
var skull_at[player] in 0..3
hidden skull_at[p] from others of p
move put(n in 1..3) when skull_at[mover] = 0:
    skull_at[mover] := n
draw when skull_at[Ann] > 0 and skull_at[Bob] > 0
""")
    position = game.start().play(game.start().moves()[1])
    seen = seen_by(game, position.state, 1)
    assert "skull_at: Ann=?, Bob=0" in game.drawing(seen)
    assert seen == game.observer.view(position.state, 1)  # a mark is no other value
    shown = views.view(Chooser(game), Reached(position), 1)
    rows = {block["player"]: block["rows"][0]["entries"][0]["value"] for block in shown["beside"]}
    assert rows == {0: "?", 1: "0"}
    assert "skull_at: Ann=2, Bob=0" in game.drawing(position.state)


@pytest.mark.parametrize("name", GAMES)
def test_environments_and_pettingzoo_give_the_same(name: str) -> None:
    """Planes, observations and legal moves of the player are the same in both games."""
    pytest.importorskip("pettingzoo")
    from dslgame.adapters.pettingzoo import ImperfectRecall, raw_env

    game = dslgame.load(name)
    batch = Batch.of(game)
    with pytest.warns(ImperfectRecall, match="has to remember it"):
        adapter = raw_env(game)
    planes, environment = Planes.of(batch), Environment(game, 1)
    adapter.reset(seed=1)
    compared = 0
    for found in pairs(game):
        given: list[tuple[bytes, ...]] = []
        for position in found.games:
            row = batch.rows([position.state])
            parts = [planes.of_states(row, [found.player]).tobytes()]
            if not position.over:
                for inside in (environment, adapter._env):
                    inside.reset(states=row)
                adapter.agent_selection = position.to_move
                seen = adapter.observe(game.players[found.player])
                parts += [seen["observation"].tobytes(), seen["action_mask"].tobytes(), str(adapter.infos).encode()]
                if position.state.to_move == found.player:
                    parts += [environment.observe().tobytes(), environment.legal.tobytes()]
            given.append(tuple(parts))
        assert given[0] == given[1], [position.played for position in found.games]
        compared += 1
    assert compared


def spiel_state(game: Any, position: Position) -> Any:
    """OpenSpiel's state after the moves of a position."""
    state = game.new_initial_state()
    for text in position.played:
        player = state.current_player()
        state.apply_action(next(action for action in state.legal_actions()
                                if state.action_to_string(player, action) == text))
    return state


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_gives_the_same(name: str) -> None:
    """Information states, observations as text and tensors, and legal actions are the same in both games."""
    pyspiel = pytest.importorskip("pyspiel")
    from dslgame.adapters.openspiel import register

    game, spiel = dslgame.load(name), pyspiel.load_game(register(name))
    compared = 0
    for found in pairs(game):
        given = []
        for position in found.games:
            state = spiel_state(spiel, position)
            moves = state.legal_actions() if state.current_player() == found.player else []
            given.append((state.information_state_string(found.player), state.observation_string(found.player),
                          tuple(state.observation_tensor(found.player)), state.current_player(), moves))
        assert given[0] == given[1], [position.played for position in found.games]
        compared += 1
    assert compared


@pytest.mark.parametrize(("name", "why"), [
    ("kuhn_poker", "do not see everything"), ("dark_hex", "do not see everything"),
    ("matching_pennies", "move together")])
def test_what_tells_all_of_a_game_refuses_it(name: str, why: str, tmp_path: Path) -> None:
    """Protocols that tell every move, exports with all positions, GTP engines and levels refuse hidden information,
    and say whether a file declares it or players move together."""
    for protocol in ("lines", "gtp", "contest", "tcp", "http"):
        more = ("--connect", "127.0.0.1:9") if protocol == "tcp" else ()
        found = run("engine", name, "random", "--protocol", protocol, *more)
        assert found.exit_code == 1
        assert why in found.output
    out = tmp_path / "game.html"
    found = run("export", name, "--html", "-o", str(out))
    assert found.exit_code == 1
    assert why in found.output
    assert not out.exists()
    found = run("match", name, f"gtp {sys.executable}", "random", "--games", "2")
    assert found.exit_code == 1
    assert why in found.output
    found = run("match", name, "mcts", "random", "--games", "2")
    assert found.exit_code == 1
    assert why in found.output


class _Recorded(LinesEngine):
    """An engine that records the lines that its program would get."""

    def __init__(self) -> None:
        super().__init__("recorded", ["true"])
        self.lines: list[str] = []

    @property
    def program(self) -> Any:
        """The engine itself, as it takes the lines and answers."""
        return self

    def send(self, line: str) -> None:
        """Record a line."""
        self.lines.append(line)

    def answer(self, deadline: Deadline) -> str:
        """The answer to `start` or `go`."""
        return "ready" if self.lines[-1] == "start" else "move x"


def told(position: Position, player: int) -> list[str]:
    """The lines sent to a program that plays one side up to a position, with a request for its move there if due."""
    game, engine = position.game, _Recorded()
    reached = game.start()
    engine.begin(reached, player, Clock(), 0)
    for text, state in zip(position.played, position.history, strict=True):
        own = state.to_move == player and not reached.by_chance
        if own:
            engine.choose(reached, Deadline(None))
        reached = reached.play(text)
        engine.notify(reached, own=own)
    if not position.over and position.state.to_move == player and not position.by_chance:
        engine.choose(reached, Deadline(None))
    return engine.lines


@pytest.mark.parametrize("name", GAMES)
def test_the_line_protocol_says_the_same(name: str) -> None:
    """All lines are the same in both games, and a client rebuilds the player's view from them."""
    game, compared = dslgame.load(name), 0
    for found in pairs(game):
        lines = [told(position, found.player) for position in found.games]
        assert lines[0] == lines[1], [position.played for position in found.games]
        following = Following(game)
        for line in lines[0]:
            if line.startswith("sees "):
                following.sees(line.removeprefix("sees "))
        seen = following.position()
        assert seen.state._replace(outcome=None) == game.observer.view(
            found.games[0].state, found.player)._replace(outcome=None)
        compared += 1
    assert compared


def test_a_failed_try_of_another_is_no_line() -> None:
    """A failed try of the opponent adds no line."""
    game = dslgame.loads(PHANTOM)
    lines = []
    for moves in (("b1", "a1"), ("b1", "b1", "a1")):
        position = game.start()
        for move in moves:
            position = position.play(move)
        lines.append(told(position, 0))
    assert lines[0] == lines[1]
    assert not any(line.startswith("played") for line in lines[0])


@pytest.mark.slow
def test_players_in_files_play_hidden_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Players in files decide by what they see and the offered moves; one that asks for more forfeits."""
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "mine.py"
    mine.write_text("""\
from dslgame.programs import player

@player
def careful(position):
    cards = position.variables["card"]
    assert sum(card is not None for card in cards) == 1, cards
    assert len(position.history) >= 1 and position.to_move in ("Ann", "Bob")
    return position.moves()[0]

@player
def peeking(position):
    return position.legal()[0]
""")
    found = run("match", "kuhn_poker", "mine.py:careful", "mine.py:peeking", "--games", "2", "--json")
    assert found.exit_code == 0, found.output
    careful, peeking = json.loads(found.stdout)["players"]
    assert (careful["forfeits"], peeking["forfeits"]) == (0, 2)
    assert "position.legal() would need what is hidden" in found.stderr


def test_positions_that_differ_are_compared() -> None:
    """The states of a pair differ, and the player's views of them are equal."""
    game = dslgame.load("phantom_tic_tac_toe")
    view: Callable[[State, int], State] = game.observer.view
    found = list(pairs(game))
    assert len(found) > 10
    for pair in found:
        real, other = (position.state for position in pair.games)
        assert real != other
        assert view(real, pair.player) == view(other, pair.player)
