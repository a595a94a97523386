"""The board view on the terminal: where cells are drawn, and games played by clicks, keys and typed lines."""

from __future__ import annotations

import asyncio
import os
import random
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

import dslgame
from dslgame import bundled
from dslgame.terminal.app import WORTH, BoardView, GameApp
from dslgame.terminal.choices import Choices
from dslgame.terminal.drawn import drawn, rounds
from dslgame.terminal.sheet import Drawn
from dslgame.terminal.shelves import Shelves
from dslgame.terminal.table import Table
from interpreter.game import Game, Position
from solver.players.analysis import Analyst
from solver.players.choice import Choice
from solver.players.levels import Level
from tests.app.test_cli import run
from tests.discovery import found_games, one_in, one_in_slow

Script = Callable[[GameApp, Pilot[None]], Awaitable[None]]


def playing(game: Game, script: Script, *, moves: tuple[str, ...] = (), levels: tuple[str, ...] = ("", ""),
            size: tuple[int, int] = (110, 34)) -> Table:
    """Run a script in the board view of a game and return the table at its end; sides without a level are persons."""
    position = game.start()
    for move in moves:
        position = position.play(move)
    players = [Level.of(level).player(game, seed=1) if level else None for level in levels]
    table = Table(position, players, Analyst(game))
    app = GameApp(table, game.title, "people")

    async def do() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(do())
    return table


async def click(app: GameApp, pilot: Pilot[None], name: str) -> None:
    """Click a cell by its name."""
    cell = app.table.game.board.names.index(name)
    row, column = next((row, (start + stop) // 2) for found, row, start, stop in app.board.drawn.places()
                       if found == cell)
    await pilot.click(BoardView, offset=(column + 2, row + 1))
    await pilot.pause()


async def typed(app: GameApp, pilot: Pilot[None], text: str) -> None:
    """Enter a line in the input field."""
    line = app.query_one("#line", Input)
    line.focus()
    line.value = text
    await pilot.press("enter")
    await pilot.pause()


async def until(pilot: Pilot[None] | Pilot[str], holds: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    for _ in range(400):
        if holds():
            return
        await pilot.pause(0.02)
    raise AssertionError("it did not come")


def text_of(app: GameApp, name: str) -> str:
    """The text of a part of the view."""
    return str(app.query_one(f"#{name}", Static).render())


# ---- places of cells


@pytest.mark.parametrize("path", one_in(4, found_games(), 0))
def test_cells_of_every_game_are_found_where_they_are_drawn(path: Path) -> None:
    """With room and without, each drawn cell is found at its place, and some arrow leads from the first to another."""
    position = dslgame.load(path.stem).start()
    for columns, rows in ((200, 100), (10, 5)):
        board = drawn(position.game, position.state, columns=columns, rows=rows)
        places = list(board.places())
        assert len({cell for cell, *_ in places}) == len(places) > 0
        for cell, row, start, stop in places:
            assert board.cell_at(row, (start + stop - 1) // 2) == cell
        if len(places) > 1:
            cell = places[0][0]
            assert any(board.next(cell, *step) != cell for step in ((1, 0), (0, 1), (-1, 0), (0, -1)))


def test_discs_are_round_and_have_their_colours() -> None:
    """The disc of the lighter colour is hollow; pieces with a letter of their own keep it."""
    position = dslgame.load("reversi").start()
    board = drawn(position.game, position.state, columns=80, rows=40)
    signs = {piece.cell: piece.text.strip() for line in board.lines for piece in line if piece.cell >= 0}
    shown = {position.game.board.names[cell]: sign for cell, sign in signs.items() if sign}
    assert shown == {"d5": "●", "e4": "●", "d4": "○", "e5": "○"}
    assert rounds(dslgame.load("chess")) == rounds(dslgame.load("tic_tac_toe")) == {}


def large(name: str, *moves: str, **params: int) -> Drawn:
    """A board after some moves, drawn with plenty of room."""
    position = dslgame.load(name, **params).start()
    for move in moves:
        position = position.play(move)
    return drawn(position.game, position.state, columns=200, rows=100)


def lines(board: Drawn) -> list[str]:
    """The lines of a drawn board as text."""
    return ["".join(piece.text for piece in line).rstrip() for line in board.lines]


def test_cells_have_their_outlines_where_there_is_room() -> None:
    """With room, squares, hexagons of either orientation, points with lines, and tiles with tracks have outlines."""
    assert lines(large("tic_tac_toe", "a1"))[-4:] == ["  ├───┼───┼───┤", "1 │ X │   │   │", "  └───┴───┴───┘",
                                                      "    a   b   c"]
    assert lines(large("hex", "a1", "b2", size=2)) == [
        "  a   b", "   ╱ ╲ ╱ ╲", "1 ┃ ● │   ┃", "   ╲ ╱ ╲ ╱ ╲", "  2 ┃   │ ○ ┃", "     ╲ ╱ ╲ ╱"]
    assert lines(large("havannah", "a1", size=2))[2:4] == ["   ___╱   ╲___", "  ╱ ○ ╲___╱   ╲"]
    assert lines(large("alquerque"))[:3] == ["5  ●───●───●───●───●", "   │ ╲ │ ╱ │ ╲ │ ╱ │", "4  ●───●───●───●───●"]
    assert "│╯ ╭│" in "".join(lines(large("trax", "@0/")))
    assert [line[4:11] for line in lines(large("tower_of_hanoi"))[1:6:2]] == ["   =   ", "  ===  ", " ===== "]
    hexagons = dslgame.load("hex")
    assert drawn(hexagons, hexagons.engine.start(), columns=40, rows=30).width <= 40  # the plain form


def test_borders_that_a_player_joins_have_the_player_s_colour() -> None:
    """Borders, links, walls and the lines about hands have the colours of their players."""
    def coloured(board: Drawn) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for line in board.lines:
            for piece in line:
                if piece.colour:
                    found.setdefault(piece.colour, set()).update(piece.text)
        return found

    ends, sides = coloured(large("hex")).values()
    assert (ends, sides) == ({"╱", "╲"}, {"┃", "╲"})
    assert any("╲" in signs for signs in coloured(large("twixt", "c3", "g3", "d5")).values())
    walls = [move for move in dslgame.load("quoridor").start().moves() if not move[-1].isdigit()]
    assert coloured(large("quoridor", walls[0])).keys() - coloured(large("quoridor")).keys()
    board = large("nine_mens_morris")
    assert lines(board)[-2:] == ["● White  hand: 9", "● Black  hand: 9"]
    assert len(coloured(board)) == 2


@pytest.mark.parametrize("name", ["nex", "trax", "connect_four", "english_draughts", "quarto", "shift_tac_toe"])
def test_every_move_is_reached_by_its_choices(name: str) -> None:
    """In some positions of a random game, the choices lead to all legal moves and to no others."""
    position, chance = dslgame.load(name).start(), random.Random(3)
    for _ in range(3):
        wanted = set(position.moves())
        found: set[str] = set()
        stack: list[list[str]] = [[]]
        while stack:
            chosen = stack.pop()
            choices = Choices(position)
            choices.chosen = chosen
            situation = choices.situation()
            found |= {*situation.complete}
            stack += [[*chosen, option] for option in situation.options]
        assert found == wanted
        position = position.play(chance.choice(position.moves()))


# ---- playing


def test_game_is_played_by_clicks() -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        for cell in ("a1", "b1", "b1", "a2", "b2"):
            await click(app, pilot, cell)
        assert "b1 cannot be chosen here" not in text_of(app, "info")
        await click(app, pilot, "a3")
        assert "The game is over: X won." in text_of(app, "status")
        await click(app, pilot, "c3")

    assert playing(dslgame.load("tic_tac_toe"), script).moves == ["a1", "b1", "a2", "b2", "a3"]


def test_move_of_several_choices_is_clicked_choice_by_choice() -> None:
    """Escape or a second click takes a choice back; the list shows the moves that remain."""
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await click(app, pilot, "a1")
        assert "Black: a1, and?" in text_of(app, "status")
        assert app.query_one("#choices", OptionList).option_count == 8
        await pilot.press("escape")
        assert app.choices.chosen == []
        await click(app, pilot, "b2")
        await click(app, pilot, "b2")
        assert app.choices.chosen == []
        await click(app, pilot, "b2")
        await click(app, pilot, "b3")

    assert playing(dslgame.load("nex"), script).moves == ["Bb2?b3"]


@pytest.mark.slow
def test_columns_and_choices_that_are_no_cells() -> None:
    """A click anywhere in a column drops there; a tile is chosen from the list."""
    async def column(app: GameApp, pilot: Pilot[None]) -> None:
        await click(app, pilot, "d6")

    async def tile(app: GameApp, pilot: Pilot[None]) -> None:
        await click(app, pilot, "A2")
        choices = app.query_one("#choices", OptionList)
        assert choices.option_count == 3
        choices.focus()
        choices.highlighted = 1
        await pilot.press("enter")
        await pilot.pause()

    assert playing(dslgame.load("connect_four"), column).moves == ["4"]
    assert playing(dslgame.load("trax"), tile, moves=("@0/",)).moves[1][:2] == "A2"


@pytest.mark.slow
def test_keys_alone_play_a_game() -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press("right", "enter", "right", "enter", "down", "space")
        await pilot.pause()

    assert playing(dslgame.load("tic_tac_toe"), script).moves == ["a3", "b3", "b2"]


def test_moves_and_commands_are_typed() -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press("slash")
        assert app.query_one("#line", Input).has_focus
        await typed(app, pilot, "b2")
        await typed(app, pilot, "z9")
        assert "illegal move 'z9'" in text_of(app, "info")
        await typed(app, pilot, "undo")
        assert app.table.at == 0
        await typed(app, pilot, "redo")
        await typed(app, pilot, "moves")
        assert "a3  b3  c3" in text_of(app, "info")
        await typed(app, pilot, "help")
        assert "Click a cell" in text_of(app, "info")
        await typed(app, pilot, "")
        assert app.board.has_focus

    assert playing(dslgame.load("tic_tac_toe"), script).moves == ["b2"]


def test_keys_work_again_after_a_typed_move() -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        for keys in ("b2", "a1"):
            await pilot.press("slash", *keys, "enter")
        await typed(app, pilot, "/c3")
        assert app.board.has_focus
        await pilot.press("u")
        assert app.table.at == 2

    assert playing(dslgame.load("tic_tac_toe"), script).moves == ["b2", "a1", "c3"]


@pytest.mark.parametrize("size", [(120, 40), (60, 10)])
def test_board_fits_the_size_that_the_terminal_has_now(size: tuple[int, int]) -> None:
    def height(app: GameApp) -> int:
        return len(list(app.board.drawn.lines))

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        space = app.query_one("#left").size
        expected = drawn(app.table.game, app.table.position.state, columns=max(10, space.width - 5),
                         rows=max(5, space.height - 5))
        heights.append(len(expected.lines))

    async def resizing(app: GameApp, pilot: Pilot[None]) -> None:
        for other in ((60, 30), (120, 9), size):
            await pilot.resize_terminal(*other)
            await pilot.pause()
        heights.append(height(app))

    heights: list[int] = []
    playing(dslgame.load("tic_tac_toe"), script, size=size)
    playing(dslgame.load("tic_tac_toe"), resizing, size=(60, 10))
    assert heights[0] == heights[1]


@pytest.mark.slow
def test_any_ply_is_looked_at_and_played_on_from() -> None:
    """Earlier plies can be viewed; later moves are kept until another move is made there."""
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press("pageup", "pageup")
        assert app.table.at == 1
        assert "(after 1 of 3 moves)" in text_of(app, "status")
        await pilot.press("home")
        assert app.table.at == 0
        await pilot.press("end", "pageup")
        played = app.query_one("#played", OptionList)
        assert (played.option_count, played.highlighted) == (4, 2)
        played.highlighted = 1
        played.focus()
        await pilot.press("enter")
        await pilot.pause()
        assert app.table.at == 1
        await click(app, pilot, "b1")
        assert app.table.moves == ["a1", "b1", "c1"]
        await pilot.press("u")
        await click(app, pilot, "c3")

    assert playing(dslgame.load("tic_tac_toe"), script, moves=("a1", "b1", "c1")).moves == ["a1", "c3"]


def test_player_answers_and_undo_goes_back_to_the_person() -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await click(app, pilot, "b2")
        await until(pilot, lambda: len(app.table.moves) == 2)
        assert f"O played {app.table.moves[1]}" in text_of(app, "info")
        await pilot.press("u")
        await pilot.pause()
        assert (app.table.at, len(app.table.moves)) == (0, 2)
        await pilot.press("r")
        assert app.table.at == 2
        await pilot.press("m")
        await until(pilot, lambda: len(app.table.moves) == 4)

    table = playing(dslgame.load("tic_tac_toe"), script, levels=("", "solver"))
    assert not table.position.over


@pytest.mark.slow
def test_slow_player_does_not_stop_the_view() -> None:
    """The view stays usable while a player thinks, and its move is dropped if the person has gone elsewhere."""
    wanted, done = threading.Event(), threading.Event()

    class Slow:
        def choose(self, position: Position) -> Choice:
            wanted.wait(20)
            done.set()
            return Level.of("random").player(position.game).choose(position)

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        app.table.players[1] = Slow()
        await click(app, pilot, "b2")
        assert "O thinks ..." in text_of(app, "status")
        await click(app, pilot, "a1")
        await typed(app, pilot, "a1")
        assert "Thinking for O" in text_of(app, "info")
        app.action_undo()
        wanted.set()
        await until(pilot, done.is_set)
        await pilot.pause(0.1)

    assert playing(dslgame.load("tic_tac_toe"), script).moves == ["b2"]


def test_hint_says_what_moves_lead_to() -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press("h")
        await until(pilot, lambda: "best: " in text_of(app, "info"))
        assert text_of(app, "info").startswith("best: a3 (proven win in 1 ply)\na3 ")
        assert "win for X in 1" in text_of(app, "info")
        names = app.table.game.board.names
        grounds = {names[cell]: style.bgcolor.name for cell, style in app.board._styles.items() if style.bgcolor}
        assert (grounds["a3"], grounds["b3"]) == (WORTH["win"], WORTH["draw"])

    playing(dslgame.load("tic_tac_toe"), script, moves=("a1", "b1", "a2", "b2"))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 24), (30, 10), (200, 60)])
def test_view_fits_any_terminal(size: tuple[int, int]) -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press("right", "enter", "question_mark")
        await pilot.pause()

    assert len(playing(dslgame.load("tic_tac_toe"), script, size=size).moves) == 1


@pytest.mark.parametrize("path", one_in_slow(12, found_games(), 0))
def test_every_game_is_played_some_moves_by_clicks_and_lists(path: Path) -> None:
    game = dslgame.load(path.stem)
    chance = random.Random(1)

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        for _ in range(12):
            if app.table.position.over:
                return
            options = list(app.situation.options)
            if options:
                app.choose(chance.choice(options))
            elif app.situation.complete:
                app.play(app.situation.complete[0])
            await pilot.pause()
        assert app.table.moves

    playing(game, script, levels=("",) * len(game.players))


# ---- the command


def test_a_game_is_chosen_from_the_shelf_of_its_genre() -> None:
    """Keys move from the genre's heading to a game and show its picture; Enter chooses it, q leaves."""
    async def do(*keys: str) -> tuple[str, str | None]:
        app = Shelves()
        async with app.run_test(size=(110, 40)) as pilot:
            await pilot.pause()
            shelf = next(iter(bundled.by_genre()))
            assert shelf in str(app.query_one(OptionList).get_option_at_index(0).prompt)
            await until(pilot, lambda: "dslgame play" in str(app.query_one("#picture", Static).render()))
            text = str(app.query_one("#picture", Static).render())
            await pilot.press(*keys)
            await pilot.pause()
        return text, app.return_value

    first = next(iter(bundled.by_genre().values()))
    text, name = asyncio.run(do("down", "enter"))
    assert dslgame.load(first[0]).title in text
    assert name == first[1]
    assert asyncio.run(do("q"))[1] is None


def test_play_without_a_game_and_without_a_terminal_says_what_to_do() -> None:
    result = run("play")
    assert result.exit_code == 2
    assert "there is no FILE" in result.stderr


def test_pipe_is_played_line_by_line() -> None:
    result = run("play", "tic_tac_toe", "--as", "X=person", "--as", "O=person", "--plain", stdin="a1\n")
    assert result.stdout.endswith("so far: a1\n")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_command_shows_the_board_on_a_terminal() -> None:
    """The view opens on a terminal, and leaves it restored with the moves so far."""
    import pty

    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS="100", LINES="30",
                          PYTHONPATH=str(Path(__file__).parents[2]))
        os.execv(sys.executable, [sys.executable, "-m", "dslgame", "play", "tic_tac_toe", "--as", "X=person",
                                  "--as", "O=person"])
    output = b""
    sent = 0
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            output += os.read(terminal, 4096)
        except OSError:
            break
        if b"X to move" in output and sent == 0:
            os.write(terminal, b"\x1b[C\r")
            sent = 1
        if b"O to move" in output and sent == 1:
            os.write(terminal, b"q")
            sent = 2
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert sent == 2
    assert b"\x1b[?1049l" in output
    assert output.rstrip().endswith(b"so far: a3")
