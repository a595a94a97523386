"""`dslgame export --html` with rules: the file plays like the interpreter, and its search answers."""

from __future__ import annotations

import io
import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from click.testing import CliRunner
from matplotlib.image import imread

import dslgame
from dslgame.cli.app import app
from dslgame.web import exporting, pictures, playing_alone
from dslgame.web.choosing import Chooser
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.game import Game, Position
from interpreter.wording import sentence
from tests.app.test_web_page import CHROMIUM, browser
from tests.discovery import few_of, found_games, one_in
from tests.kernel.test_javascript import NODE, Player, needs_node

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]

SCRIPT = Path(__file__).parents[1] / "alone_player.mjs"
PLIES = 25
FIRST = ("dvonn", "hexplode", "sim", "tic_tac_toe")
"""Games of the default tests: with piles, numbers on cells, links, and none of these."""


@pytest.fixture(scope="module")
def player() -> Iterator[Player]:
    """A process of Node for all tests."""
    assert NODE is not None
    with subprocess.Popen([NODE, str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          encoding="utf-8") as process:
        yield Player(process)
        assert process.stdin is not None
        process.stdin.close()


def written(game: Game, folder: Path, at: Position | None = None) -> Path:
    """Write the data and modules of an exported file for a position into a folder, and return it."""
    for name in ("painter", "sources", "searching"):
        source = resources.files("dslgame.web").joinpath("alone", f"{name}.js")
        (folder / f"{name}.js").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    data, module = playing_alone.packed(game, (at or game.start()).state)
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (folder / "data.json").write_text(json.dumps(data), encoding="utf-8")
    (folder / "game.js").write_text(module, encoding="utf-8")
    return folder


def texts_of(body: str) -> Counter[str]:
    """The texts in a picture, with their counts."""
    return Counter(re.findall(r"<text[^>]*>([^<]*)</text>", re.sub(r"&#39;|&#x27;", "'", body)))


def hold(game: Game, player: Player, folder: Path, plies: int = PLIES) -> None:
    """Play a random game in the file's modules and compare each position with the interpreter's."""
    random = Random(game.title)
    choices = [random.randrange(1 << 30) for _ in range(plies)]
    chooser, at = Chooser(game), game.start()
    known = {number for number, whole in enumerate(written_whole(folder)) if whole}
    for choice, now in zip([*choices, 0], player.ask(folder=str(folder), plies=choices, search=0), strict=False):
        compare(game, chooser, at, now, known)
        legal = at.legal()
        if at.over:
            return
        at = at.play(legal[choice % len(legal)])


def written_whole(folder: Path) -> list[bool]:
    """For each rule, whether the module writes its moves in the game's own notation."""
    text = (folder / "game.js").read_text(encoding="utf-8")
    found = re.search(r'^  "rules": (.*),$', text, flags=re.MULTILINE)
    assert found
    return [rule["notation"] is not None for rule in json.loads(found[1])]


def compare(game: Game, chooser: Chooser, at: Position, now: dict[str, Any], known: set[int]) -> None:
    """Compare what the file tells of a position with the interpreter."""
    state = at.state
    assert now["outcome"] == state.outcome
    assert now["mover"] == (None if at.over else state.to_move)
    legal = [] if at.over else list(at.legal())
    assert [paths for _, paths in now["moves"]] == [chooser.paths(move) for move in legal]
    for move, (text, _) in zip(legal, now["moves"], strict=True):
        assert move.rule in known or move.rule < 0 or text
        if move.rule in known or move.rule < 0:
            assert text == game.notation.write(state, move)
    assert now["cells"] == json.loads(json.dumps(pictures.cells(game, state)))
    picture = pictures.board_picture(game, state)
    assert now["picture"]["box"] == pytest.approx(picture["box"], abs=0.2)  # pieces overhang
    assert texts_of(now["picture"]["body"]) == texts_of(picture["body"])


@needs_node
@pytest.mark.parametrize("path", [
    *(pytest.param(path, id=path.stem) for path in found_games() if path.stem in FIRST),
    *one_in(8, [path for path in found_games() if path.stem not in FIRST], 3, rest=2)])
def test_files_play_as_the_interpreter(path: Path, player: Player, tmp_path: Path) -> None:
    """Moves and paths, outcomes with repetition, labels of cells and texts of pictures agree in random games."""
    game = dslgame.load(path)
    hold(game, player, written(game, tmp_path), 8 if game.board.unbounded else PLIES)


@needs_node
def test_files_show_numbers_past_what_javascript_holds(player: Player, tmp_path: Path) -> None:
    """They are BigInts on the page, and texts in the page's data."""
    game = dslgame.loads("""game "Far"
players A, B
board square(2, 2)
pieces a of A, b of B
var big in 0..900000000 * 900000000 or none
var of_cell[cell] in 0..999999999 * 999999999
var of_kind[piece] in 0..999999999 * 999999999 = 900000000 * 900000000 + 1
move place(c in empty):
    c := own
    big := of_kind[own] - 900000000 * 899999999
    of_cell[c] := of_kind[own]
    of_kind[own] += 1
draw when no empty
""")
    hold(game, player, written(game, tmp_path))


@needs_node
def test_files_begin_at_a_position(player: Player, tmp_path: Path) -> None:
    """A file begins at a later position, here with numbers on its cells."""
    game = dslgame.load("hexplode")
    at = game.start()
    for _ in range(4):
        at = at.play(at.legal()[0])
    [now] = player.ask(folder=str(written(game, tmp_path, at)), plies=[], search=0)
    assert not at.over
    compare(game, Chooser(game), at, now, set(range(len(game.rules.moves))))


@needs_node
def test_further_steps_of_moves_are_written_as_the_game_does(tmp_path: Path) -> None:
    """The module writes moves of several steps in the game's notation, but not where that needs the position."""
    assert written_whole(written(dslgame.load("english_draughts"), tmp_path)) == [True, True]
    assert not all(written_whole(written(dslgame.load("euclid"), tmp_path)))


@needs_node
def test_search_wins_where_it_can_and_draws_where_it_must(player: Player, tmp_path: Path) -> None:
    """The search wins at once, draws a whole game, and proves both results."""
    game = dslgame.load("tic_tac_toe")
    at = game.start().play("a1").play("b2").play("a3").play("c1")
    [now, _, *_] = player.ask(folder=str(written(game, tmp_path, at)), plies=[0], search=2000)
    assert (now["best"], now["proven"]) == ("a2", 0)
    found = player.ask(folder=str(written(game, tmp_path)), plies=[0] * 9, search=1500)
    assert found[-1]["outcome"] == -1
    assert found[2]["proven"] == -1


THREE = """
game "Three"
players A, B, C
board square(2, 3)
pieces a of A, b of B, c of C
move place(x in empty):
    x := own
win mover when line(mine, 2)
draw when no empty
"""


@needs_node
def test_search_plays_for_each_of_three(player: Player, tmp_path: Path) -> None:
    """With three players the search completes A's line at once."""
    game = dslgame.loads(THREE)
    found = player.ask(folder=str(written(game, tmp_path)), plies=[0] * 6, search=600)
    assert found[-1]["outcome"] == 0
    assert found[3]["proven"] == 0
    assert len(found) == 5


@needs_node
def test_search_plays_for_one_who_is_alone(player: Player, tmp_path: Path) -> None:
    """For one player the search offers legal moves to the end."""
    game = dslgame.load("leapfrog")
    found = player.ask(folder=str(written(game, tmp_path)), plies=[0] * 80, search=200)
    assert found[-1]["outcome"] in (0, -1)
    assert all(now["best"] in [text for text, _ in now["moves"]] for now in found if "best" in now)


def test_what_the_compiler_does_not_know_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names what the compiler lacks; a game with few positions is exported with all of them."""
    def refused(*_: object, **__: object) -> None:
        raise NotLowered("the function dance")

    monkeypatch.setattr("interpreter.kernel.kernel.Kernel.of", refused)
    path = tmp_path / "game.html"
    run = CliRunner().invoke(app, ["export", "hex", "--html", "--rules", "-o", str(path)])
    assert run.exit_code == 3
    assert "Hex cannot be written with its rules: the compiler does not know the function dance yet" in run.output
    assert list(tmp_path.iterdir()) == []
    game = dslgame.load("pong_hau_ki")
    monkeypatch.setattr(exporting, "solved", lambda *_: None)
    assert exporting.exported(game, game.engine.start(), 5_000).kernel is None
    with pytest.raises(exporting.CannotExport, match="it has more than 5 positions from here on"):
        exporting.exported(game, game.engine.start(), 5)


def test_file_needs_nothing_else(tmp_path: Path) -> None:
    """The file has no external links, nothing ends its script early, and it is no module."""
    game = dslgame.loads(CLOSING)
    data, module = playing_alone.packed(game, game.engine.start())
    script = playing_alone.script(module)
    assert "</" not in script
    assert "<!--" not in script
    assert script.startswith("const kernel = (() => {\n")
    assert not re.search(r"^(export|import)\b", script, flags=re.MULTILINE)
    path = exported(tmp_path, "hex", "-p", "size=4")
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", path.read_text(encoding="utf-8"))
    assert data["title"] == game.title


CLOSING = """
game "A </script><!-- game"
players Red, Blue
board square(2, 2)
pieces red of Red, blue of Blue
move place(c in empty):
    c := own
draw when no empty
"""


def exported(folder: Path, *arguments: str) -> Path:
    """Export a game with its rules by the command and return the file."""
    path = folder / "game.html"
    run = CliRunner().invoke(app, ["export", *arguments, "--html", "--rules", "-o", str(path)])
    assert run.exit_code == 0, run.output
    assert "its rules, with a search" in run.output
    return path


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
@pytest.mark.parametrize("name", ["breakthrough", "connect_four", "dvonn", "english_draughts", "hexplode", "leapfrog",
                                  "pong_hau_ki", "shift_tac_toe", "sim", "tic_tac_toe",
                                  "trax"])
def test_game_is_played_from_disk_against_the_search(name: str, browser: Browser, tmp_path: Path) -> None:
    """Clicks play against the search, to the end or for some moves, to the position that the rules give."""
    path = exported(tmp_path, name)
    page = browser.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    page.on("console", lambda message: problems.append(message.text))
    page.on("request", lambda request: problems.append(request.url) if request.url != path.as_uri() else None)
    page.goto(path.as_uri())
    page.wait_for_selector(".cell")
    game = dslgame.load(name)
    if len(game.players) > 1:
        page.select_option("#seat1", "search")
    chance = Random(3)
    for _ in range(24):
        targets = page.locator(".cell.target, #chips .chip:not(.cancel)")
        if not targets.count():
            break
        targets.nth(chance.randrange(targets.count())).dispatch_event("click")
        page.wait_for_function(
            "() => document.querySelector('#status').dataset.over === 'true' || document.querySelectorAll('#seat1')"
            ".length === 0 || !document.querySelectorAll('.side')[1].classList.contains('turn')", timeout=60_000)
    played = [text.strip() for text in page.locator("#moves button").all_text_contents()]
    status = page.text_content("#status")
    page.close()
    at = game.start()
    for move in played:
        at = at.play(move)
    assert problems == []
    assert played
    assert status == (f"{at.to_move} to move" if at.outcome is None else sentence(at.outcome))


@needs_node
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
@pytest.mark.parametrize("name", few_of([(name,) for name in (
    "hackgammon", "hexplode", "chess", "dots_and_boxes", "dvonn", "hackenbush", "mu_torere", "twixt", "oware",
    "quoridor", "shift_tac_toe", "sim", "surakarta", "trax")], 3))
def test_pictures_look_as_those_of_the_server(name: str, browser: Browser, player: Player, tmp_path: Path) -> None:
    """Nearly all pixels are the same, at the start and after some random moves; neither marks the last move."""
    game, random = dslgame.load(name), Random(5)
    choices = [random.randrange(1 << 30) for _ in range(10)]
    at = game.start()
    for choice in choices:
        if at.over:
            break
        at = at.play(at.legal()[choice % len(at.legal())])
    for position in (game.start(), at):
        [now] = player.ask(folder=str(written(game, tmp_path, position)), plies=[], search=0)
        wanted = pictures.board_picture(game, position.state)
        one, other = (shot(browser, body, wanted["box"]) for body in (now["picture"]["body"], wanted["body"]))
        assert one.shape == other.shape
        assert (abs(one - other).max(axis=2) > 0.25).mean() < 0.004


def shot(browser: Browser, body: str, box: list[float]) -> np.ndarray[Any, np.dtype[Any]]:
    """The pixels of a picture: float[rows, columns, 3] from 0 to 1."""
    page = browser.new_page(viewport={"width": 600, "height": 600})
    page.set_content(f'<svg xmlns="http://www.w3.org/2000/svg" width="580" height="580" font-family="DejaVu Sans" '
                     f'viewBox="{" ".join(map(str, box))}">{body}</svg>')
    found = imread(io.BytesIO(page.screenshot()), format="png")[..., :3]
    page.close()
    return found
