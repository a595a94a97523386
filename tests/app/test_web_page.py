"""The page of `dslgame web` in Chromium: playing by clicks and keys, editing rules, sharing positions.

The tests are skipped without Playwright or Chromium (`chromium`, `chromium-browser`, `google-chrome`).
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import dslgame
from interpreter.wording import sentence
from tests.discovery import FOLDER, GameCase, found_cases, found_games, one_in_slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
ROOT = Path(__file__).parents[2]
MOST_PLIES = 260
"""From this ply on `play_on` lets the solver move, so that a random game ends."""


@contextmanager
def served(*files: Path) -> Iterator[str]:
    """Start a server for some files and yield its address."""
    folder = tempfile.TemporaryDirectory()
    process = subprocess.Popen([sys.executable, "-m", "dslgame", "web", *map(str, files), "--port", "0", "--workers",
                                "1", "--shared", f"{folder.name}/games.sqlite"], cwd=ROOT, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()
        folder.cleanup()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Start a server and return its address."""
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield found
        found.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page without animations; the test fails on an uncaught error or an error on the console."""
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 1400, "height": 900},
                                  permissions=["clipboard-read", "clipboard-write"],
                                  bypass_csp=True)  # Playwright evaluates strings, which the page's policy forbids
    found = context.new_page()
    problems: list[str] = []
    found.on("pageerror", lambda problem: problems.append(str(problem)))
    found.on("console", lambda message: problems.append(message.text)
             if message.type == "error" and "status of 4" not in message.text else None)
    found.set_default_timeout(30_000)
    yield found
    context.close()
    assert problems == []


class Table:
    """A page on which a game is open."""

    def __init__(self, page: Page, url: str, fragment: str) -> None:
        self.page = page
        page.goto("about:blank")
        page.goto(f"{url}#{fragment}")
        self.wait()

    def wait(self) -> None:
        """Wait until the page is settled and waits for a person."""
        self.page.wait_for_function("document.body.dataset.settled === 'true'")

    def text(self, selector: str) -> str:
        """The text of the element that a selector matches."""
        return (self.page.text_content(selector) or "").strip()

    @property
    def ply(self) -> str:
        """The current ply and the length of the game as shown: `3 / 5`."""
        return self.text("#ply")

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.page.get_attribute("#status", "data-over") == "true"

    @property
    def position(self) -> str:
        """The position as text."""
        return self.page.input_value("#position")

    @property
    def played(self) -> list[str]:
        """The moves in the move list."""
        return [text.strip() for text in self.page.locator("#moves button").all_text_contents()]

    def click(self, cell: str) -> None:
        """Click a cell."""
        self.page.locator(f'.cell[data-cell="{cell}"]').click(force=True)
        self.wait()

    def choose(self, chip: str) -> None:
        """Click a choice below the board."""
        self.page.locator("#chips .chip", has_text=chip).first.click()
        self.wait()

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)
            self.wait()

    def play_on(self, chance: random.Random, most: int = 10_000) -> None:
        """Click random targets until the game is over or has `most` plies."""
        while not self.over and int(self.ply.split()[0]) < most:
            if int(self.ply.split()[0]) >= MOST_PLIES:
                self.page.click("#go")
                self.wait()
                continue
            cells = self.page.locator(".cell.target")
            chips = self.page.locator("#chips .chip:not(.cancel)")
            number, others = cells.count(), chips.count()
            assert number + others, f"nothing can be clicked after {self.played}"
            pick = chance.randrange(number + others)
            if pick < number:
                cells.nth(pick).dispatch_event("click")
            else:
                chips.nth(pick - number).click()
            self.wait()


def smallest(path: Path) -> GameCase:
    """The case of a game whose params make its smallest board."""
    cases = [case for case in found_cases() if case.path == path]
    return min(cases, key=lambda case: (case.load().board.size, len(case.params)))


def fragment(case: GameCase) -> str:
    """The fragment of the page's address that opens a game with its params."""
    params = ",".join(f"{name}:{value}" for name, value in case.params)
    return f"game={case.path.stem}" + (f"&params={params}" if params else "")


def check_game(table: Table, case: GameCase) -> None:
    """Check that the moves on the page lead to the position and the outcome that the page shows."""
    at = case.load().start()
    if not at.game.observer.sees_all:  # the page does not have the moves
        return
    for move in table.played:
        at = at.play(move)
    assert at.text == table.position
    assert at.over == table.over
    if at.outcome is not None:
        assert table.text("#status") == sentence(at.outcome)


@pytest.mark.parametrize("path", one_in_slow(12, found_games(), 7))
def test_every_game_is_played_by_clicks(path: Path, page: Page, url: str) -> None:
    """Every bundled game can be played by clicks alone, to its end or for sixty plies."""
    case = smallest(path)
    table = Table(page, url, fragment(case))
    table.play_on(random.Random(path.stem), most=60)
    assert table.over or int(table.ply.split()[0]) >= 60
    check_game(table, case)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "params"), [
    ("nex", {}), ("shift_tac_toe", {}), ("nim", {"d": 3}), ("trax", {"line": 4}), ("dodgem", {}), ("quarto", {}),
])
def test_games_of_each_kind_are_played_by_clicks(name: str, params: dict[str, int], page: Page,
                                                url: str) -> None:
    """Clicks play cells, rows and columns, numbers, tiles, pieces and moves of several choices in the first plies."""
    case = GameCase(FOLDER / f"{name}.game", tuple(params.items()))
    table = Table(page, url, fragment(case))
    table.play_on(random.Random(1), most=8)
    assert table.played
    check_game(table, case)


@pytest.mark.slow
def test_page_keeps_to_its_own_policy(browser: Browser, url: str) -> None:
    """The page violates nothing in its own content security policy, for example by inline styles."""
    page = browser.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.goto(f"{url}#game=nex")
    page.locator(".cell.target").first.click()
    page.locator(".cell.target").first.click()
    page.locator("#moves button").first.wait_for()
    page.close()
    assert problems == []


# ---- clicking and keys


@pytest.mark.slow
def test_move_of_several_choices_shows_its_targets(page: Page, url: str) -> None:
    table = Table(page, url, "game=nex&moves=Ba1%3Fc2;Wa2%3Fb2")
    table.click("b2")
    assert page.locator(".cell.chosen").get_attribute("data-cell") == "b2"
    assert [cell.get_attribute("data-cell") for cell in page.locator(".cell.target").all()] == ["c2"]  # neutral too
    assert table.text("#prompt") == "b2: choose a cell"
    table.click("b2")  # takes it back
    assert page.locator(".cell.chosen").count() == 0
    for cell in ("b2", "c2", "a1"):
        table.click(cell)
    assert table.played[-1] == "Bb2Bc2?a1"
    assert "neutral" in (page.locator('.cell[data-cell="a1"]').get_attribute("aria-label") or "")


@pytest.mark.slow
def test_cell_that_stands_for_several_choices_asks_which(page: Page, url: str) -> None:
    table = Table(page, url, "game=shift_tac_toe")
    table.click("b2")
    assert page.locator("#chips .chip").all_text_contents() == ["drop (1)", "left (5)", "right (6)", "Cancel"]
    table.choose("right (6)")
    assert table.played == ["6"]


@pytest.mark.slow
def test_game_is_played_with_the_keyboard_alone(page: Page, url: str) -> None:
    table = Table(page, url, "game=tic_tac_toe")
    page.locator('.cell[tabindex="0"]').focus()
    table.press("ArrowRight", "ArrowDown", "Enter")
    assert table.played == ["b2"]
    assert "played b2" in table.text("#announce")
    table.press("ArrowLeft", " ")
    assert table.played == ["b2", "a2"]
    table.press("Control+z")
    assert table.ply == "1 / 2"
    table.press("Control+Shift+z")
    assert table.ply == "2 / 2"
    page.fill("#move", "c3")
    table.press("Enter")
    assert table.played == ["b2", "a2", "c3"]


@pytest.mark.slow
def test_cells_say_what_they_are(page: Page, url: str) -> None:
    """A screen reader hears each cell's name, its piece and whether it can be chosen; every control has a name."""
    Table(page, url, "game=tic_tac_toe&moves=b2")
    labels = [cell.get_attribute("aria-label") for cell in page.locator(".cell").all()]
    assert labels[0] == "a3, empty, can be chosen"
    assert labels[4] == "b2, x"
    assert page.locator(".cell[tabindex='0']").count() == 1
    unnamed = page.evaluate("""[...document.querySelectorAll('button, input, select, textarea, [role=button]')].filter(
        (item) => !(item.getAttribute('aria-label') || item.textContent.trim() || item.labels?.length)).length""")
    assert unnamed == 0


# ---- back and forth, and others that play


@pytest.mark.slow
def test_undo_redo_and_jumps(page: Page, url: str) -> None:
    table = Table(page, url, "game=tic_tac_toe&moves=a1;b1;a2;b2;a3")
    assert table.text("#status") == "X won."
    for button, ply in (("undo", "4 / 5"), ("first", "0 / 5"), ("redo", "1 / 5"), ("last", "5 / 5")):
        page.click(f"#{button}")
        table.wait()
        assert table.ply == ply
    page.locator("#moves button").nth(2).click()
    table.wait()
    assert table.ply == "3 / 5"
    table.click("c3")  # a move other than the one played before
    assert table.ply == "4 / 4"
    assert [text.strip() for text in page.locator("#moves .vary button").all_text_contents()] == ["c3"]
    assert table.played == ["a1", "b1", "a2", "b2", "c3", "a3"]  # the old continuation is kept


@pytest.mark.slow
def test_solver_answers_and_does_not_lose(page: Page, url: str) -> None:
    table = Table(page, url, "game=tic_tac_toe")
    page.select_option("#seat1", "solver")
    chance = random.Random(5)
    while not table.over:
        targets = page.locator(".cell.target")
        targets.nth(chance.randrange(targets.count())).dispatch_event("click")
        page.wait_for_function("document.body.dataset.settled === 'true'"
                               " && !document.querySelectorAll('.side')[1].classList.contains('turn')")
    assert table.text("#status") in ("O won.", "The game is a draw.")


@pytest.mark.slow
def test_values_of_moves_are_shown(page: Page, url: str) -> None:
    table = Table(page, url, "game=tic_tac_toe&start=XX./OO./...%20X")
    page.check("#values")
    page.wait_for_selector(".cell.win")
    assert page.locator(".cell.win").get_attribute("aria-label") == "c3, empty, can be chosen, wins in 1 ply, best"
    assert page.locator(".cell.loss").count() == 3
    assert table.text("#valued").startswith("X to move: win in 1 ply")


@pytest.mark.slow
def test_tree_opens_level_by_level_and_leads_there(page: Page, url: str) -> None:
    table = Table(page, url, "game=tic_tac_toe&start=XX./OO./...%20X")
    page.click("#tab-tree")
    page.wait_for_selector("#branches li")
    assert page.locator("#branches > ul > li").first.locator(".link, .note").all_text_contents() == ["c3", "X won"]
    page.locator("#branches .open").nth(1).click()
    page.locator("#branches .below li .link").first.click()
    table.wait()
    assert table.ply == "2 / 2"


@pytest.mark.slow
def test_forced_rules_are_shown_step_by_step(browser: Browser, url: str) -> None:
    """In slow motion the steps of forced rules are shown one after the other, and the rule that acts is marked."""
    page = browser.new_page(bypass_csp=True)
    table = Table(page, url, "game=trax&moves=@0%2F;B1%2F;B0%5C;@2%5C;A3%2F;A4%5C")
    page.check("#slow")
    page.fill("#move", "C3+")
    page.keyboard.press("Enter")
    page.wait_for_selector(".line.marked")
    assert "fill" in page.wait_for_function("document.getElementById('prompt').textContent.includes('fill')"
                                            " && document.getElementById('prompt').textContent").json_value()
    table.wait()
    assert table.text("#status") == "White won."
    page.close()


@pytest.mark.slow
def test_forced_rules_take_six_tenths_of_a_second_in_all(browser: Browser, url: str) -> None:
    """The pauses between the steps of forced rules add up to 600 ms, however many steps there are."""
    page = browser.new_page(bypass_csp=True)
    table = Table(page, url, "game=trax&moves=@0%2F;B1%2F;B0%5C;@2%5C;A3%2F;A4%5C")
    page.evaluate("""() => {
        window.pauses = [];
        const before = window.setTimeout;
        window.setTimeout = (what, time) => { window.pauses.push(time); return before(what, time); };
    }""")
    page.fill("#move", "C3+")
    page.keyboard.press("Enter")
    page.wait_for_function("document.getElementById('status').textContent === 'White won.'")
    table.wait()
    pauses = [pause for pause in page.evaluate("window.pauses") if pause < 1000]  # without polling pauses
    assert len(pauses) > 1
    assert sum(pauses) == pytest.approx(600)
    page.close()


# ---- rules, params, sharing


@pytest.mark.slow
def test_rules_are_changed_and_played_at_once(page: Page, url: str) -> None:
    """An error is marked on its line; mended rules are played at once, and reverting restores the old ones."""
    table = Table(page, url, "game=tic_tac_toe&moves=b2")
    line = page.locator(".code .line", has_text="win mover when")
    line.click()
    table.press("End")
    for _ in range(2):
        page.keyboard.press("Backspace")
    page.keyboard.type("4")
    page.wait_for_selector(".line.error")
    assert page.locator(".line.error").first.get_attribute("data-found")
    assert "error" in table.text("#checked")
    page.keyboard.type(")")
    page.wait_for_function("location.hash.includes('rules=') && document.querySelector('.line.error') === null")
    assert page.is_visible("#edited")
    assert table.played == ["b2"]
    page.reload()
    table.wait()
    assert line.inner_text().strip() == "win mover when line(mine, 4)"
    page.click("#revert")
    table.wait()
    assert line.inner_text().strip() == "win mover when line(mine, 3)"


@pytest.mark.slow
def test_editor_keeps_the_text_that_is_typed(page: Page, url: str) -> None:
    """Lines are split, joined, pasted and undone as in any editor."""
    Table(page, url, "game=tic_tac_toe")
    lines = "() => [...document.querySelectorAll('.line')].map((line) => line.textContent)"
    before = page.evaluate(lines)
    assert "\n".join(before) == (FOLDER / "tic_tac_toe.game").read_text(encoding="utf-8")
    at = before.index("players X, O")
    page.locator(".code .line").nth(at).click()
    page.keyboard.press("Home")
    page.keyboard.type("# one")
    page.keyboard.press("Enter")
    page.keyboard.type("# two")
    page.keyboard.press("Delete")
    assert page.evaluate(lines)[at : at + 2] == ["# one", "# twolayers X, O"]
    page.keyboard.press("Home")
    page.keyboard.press("Backspace")
    assert page.evaluate(lines)[at] == "# one# twolayers X, O"
    for _ in range(4):
        page.keyboard.press("Control+z")
    assert page.evaluate(lines) == [*before[:at], "# one" + before[at], *before[at + 1 :]]
    page.keyboard.press("Control+Shift+z")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert page.evaluate(lines) == before
    page.keyboard.press("Control+a")
    page.evaluate("navigator.clipboard.writeText('game \"A\"\\n\\nplayers X')")
    page.keyboard.press("Control+v")
    assert page.evaluate(lines) == ['game "A"', "", "players X"]


@pytest.mark.slow
def test_editor_helps_to_write(page: Page, url: str) -> None:
    """The editor completes and explains words, offers fixes, goes to declarations and explains codes."""
    table = Table(page, url, "game=nex")
    page.locator(".code .line", has_text="b := neutral").first.click()
    page.keyboard.press("End")
    for _ in range(4):
        page.keyboard.press("Backspace")
    page.wait_for_selector("#offers [role=option]")
    assert page.locator("#offers b").first.inner_text() == "neutral"
    page.keyboard.press("Tab")
    assert page.is_hidden("#offers")
    assert page.locator(".code .line", has_text="b := neutral").first.inner_text() == "    b := neutral"
    page.keyboard.press("F1")
    page.wait_for_selector("#aboutword:not([hidden])")
    assert "piece neutral" in table.text("#aboutword")
    page.click("#aboutword button")
    assert page.evaluate("getSelection().anchorNode.parentElement.closest('.line').textContent").startswith("pieces")
    page.locator(".code .line", has_text="win Black when").click()
    for key in ("End", "ArrowLeft", "Backspace", "Escape"):
        page.keyboard.press(key)
    page.locator("#diagnostics li", has_text="did you mean").first.wait_for()
    page.locator("#diagnostics button", has_text="G").first.click()
    page.wait_for_selector("#explained[open]")
    assert table.text("#explanation h3") == "What"
    page.keyboard.press("Escape")
    page.locator("#diagnostics button", has_text="Change to").first.click()
    table.wait()
    assert not page.is_visible("#edited")


@pytest.mark.slow
def test_params_are_set_and_their_mistakes_told(page: Page, url: str) -> None:
    table = Table(page, url, "game=hex")
    page.fill("#params input[name=size]", "3")
    page.keyboard.press("Tab")
    page.wait_for_function("document.querySelectorAll('.cell').length === 9")
    table.wait()
    assert page.evaluate("location.hash") == "#game=hex&params=size:3"
    Table(page, url, "game=hex&params=size:99")
    assert table.text("#problem") == "size=99 is outside 1..26. The game is shown with its usual params."
    assert page.evaluate("location.hash") == "#game=hex"
    Table(page, url, "game=nim&params=nosuch:3&moves=a1")
    assert table.text("#problem") == "the game has no param 'nosuch'. The game is shown with its usual params."
    Table(page, url, "game=hex&params=size:many")
    assert "size" in table.text("#problem")


@pytest.mark.slow
def test_position_is_shared_saved_and_loaded(page: Page, url: str, tmp_path: Path) -> None:
    table = Table(page, url, "game=nex&params=rows:2,columns:2&moves=Ba1%3Fa2")
    page.click("#tab-share")
    wanted = table.position
    assert wanted == dslgame.load("nex", rows=2, columns=2).start().play("Ba1?a2").text
    page.click("#copylink")
    link = page.evaluate("navigator.clipboard.readText()")
    with page.expect_download() as download:
        page.click("#save")
    saved = tmp_path / "game.json"
    download.value.save_as(saved)
    Table(page, url, "game=tic_tac_toe")
    page.set_input_files("#load", saved)
    page.wait_for_function("document.title.startsWith('Nex')")
    table.wait()
    assert table.position == wanted
    other = Table(page, *link.split("#"))
    assert other.position == wanted
    page.click("#tab-share")
    page.fill("#position", wanted.replace("White", "Black"))
    page.click("#goto button")
    page.wait_for_function("document.getElementById('status').textContent === 'Black to move'")
    page.fill("#position", "nonsense")
    page.click("#goto button")
    page.wait_for_function("document.getElementById('problem').textContent.includes('impossible position')")


@pytest.mark.slow
def test_moves_that_new_rules_do_not_have_are_dropped(page: Page, url: str) -> None:
    table = Table(page, url, "game=tic_tac_toe&moves=b2;a1;b2;c3")
    assert table.played == ["b2", "a1"]
    assert "illegal move 'b2'" in table.text("#problem")


@pytest.mark.slow
def test_later_moves_that_changed_rules_do_not_have_are_dropped(page: Page, url: str) -> None:
    table = Table(page, url, "game=tic_tac_toe&moves=a1;b2;c3;a2")
    table.press("Home")
    page.locator(".code .line", has_text="board square").click()
    table.press("End")
    for _ in "(3, 3)":
        page.keyboard.press("Backspace")
    page.keyboard.type("(2, 2)")
    page.locator(".code .line", has_text="win mover when").click()
    table.press("End")
    for _ in "3)":
        page.keyboard.press("Backspace")
    page.keyboard.type("2)")
    page.locator(".code .line", has_text="symmetry").click()
    page.keyboard.press("Home")
    page.keyboard.type("# ")
    page.wait_for_function("document.querySelector('#ply').textContent === '0 / 2'")
    assert "c3" in table.text("#problem")
    page.click("#last")
    table.wait()
    assert table.played == ["a1", "b2"]
    table.click("a2")
    assert table.ply == "3 / 3"


@pytest.mark.slow
def test_params_changed_beside_rules_with_errors_leave_the_errors_shown(page: Page, url: str) -> None:
    table = Table(page, url, "game=connect_four")
    page.locator(".code .line", has_text="win mover when").click()
    table.press("End")
    page.keyboard.type(" &")
    page.wait_for_selector(".line.error")
    page.locator("#params input").first.fill("5")
    table.press("Tab")
    page.wait_for_function("location.hash.includes('params=')")
    table.wait()
    assert "1 error" in table.text("#checked")
    assert page.locator(".line.error").count() == 1


@pytest.mark.slow
def test_page_stays_at_its_position_while_the_server_is_away(browser: Browser, url: str) -> None:
    page = browser.new_context(reduced_motion="reduce", viewport={"width": 1400, "height": 900},
                               bypass_csp=True).new_page()
    table = Table(page, url, "game=tic_tac_toe&moves=a1;c3;b2;a3")
    page.route("**/api/position", lambda route: route.abort())
    for _ in range(2):
        page.click("#undo")
        page.wait_for_function("document.querySelector('#problem').textContent.includes('does not answer')")
        table.wait()
    page.unroute("**/api/position")
    assert table.ply == "4 / 4"
    table.click("c1")
    assert table.ply == "5 / 5"
    assert table.played == ["a1", "c3", "b2", "a3", "c1"]
    page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 768, 1280, 1900])
def test_page_fits_its_window(width: int, page: Page, url: str) -> None:
    """At any width only a large board scrolls sideways, never the page."""
    page.set_viewport_size({"width": width, "height": 800})
    Table(page, url, "game=twixt&params=rows:12,columns:12")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


WINDOWS = [(1440, 900), (1024, 768), (390, 844)]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tic_tac_toe", "twixt", "hex", "kalah"])
@pytest.mark.parametrize("size", WINDOWS, ids=lambda size: f"{size[0]}x{size[1]}")
def test_board_is_as_large_as_fits(size: tuple[int, int], game: str, page: Page, url: str) -> None:
    """The board fills its frame in width or height, needs no scrolling where there is room, and has no tiny cells."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    Table(page, url, f"game={game}")
    frame, svg = (page.locator(place).bounding_box() for place in ("#board", "#board > svg"))
    cell = page.locator(".cell > polygon").first.bounding_box()
    assert frame is not None
    assert svg is not None
    assert cell is not None
    assert cell["width"] >= 23
    if size[0] >= 860:
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1]
        assert frame["width"] * frame["height"] > 0.4 * size[0] * size[1]
    whole = svg["width"] <= frame["width"] + 1 and svg["height"] <= frame["height"] + 1
    assert whole or cell["width"] < 26, "a board is larger than its frame only where cells would be too small"
    if whole:
        fills = svg["width"] >= frame["width"] - 3, svg["height"] >= frame["height"] - 3
        assert any(fills) or cell["width"] > 250


@pytest.mark.slow
def test_board_is_turned_and_zoomed(page: Page, url: str) -> None:
    """Cells keep their places on the turned board, texts stay upright, and arrow keys follow what is seen."""
    table = Table(page, url, "game=tic_tac_toe&moves=b2")

    def places() -> list[float]:
        boxes = [page.locator(f'.cell[data-cell="{name}"]').bounding_box() for name in ("a1", "c1")]
        return [box[way] for box in boxes if box is not None for way in ("x", "y")]

    before = places()
    assert before[0] < before[2]
    page.keyboard.press("t")
    turned = places()
    assert abs(turned[0] - turned[2]) < 1
    assert turned[1] < turned[3]
    page.locator('.cell[data-cell="a1"]').focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.cell") == "b1"
    for _ in range(3):
        page.click("#turn")
    assert places() == pytest.approx(before, abs=1)
    table.click("a1")
    assert table.played == ["b2", "a1"]
    width = page.locator("#board > svg").bounding_box()
    page.keyboard.press("+")
    larger = page.locator("#board > svg").bounding_box()
    page.keyboard.press("0")
    again = page.locator("#board > svg").bounding_box()
    assert width is not None
    assert larger is not None
    assert again is not None
    assert larger["width"] > 1.3 * width["width"]
    assert again["width"] == pytest.approx(width["width"], abs=1)


@pytest.mark.slow
def test_games_are_found_by_words(page: Page, url: str) -> None:
    """Games are found by words of their title or genre; Enter opens the first."""
    table = Table(page, url, "game=tic_tac_toe")
    page.click("#browse")
    page.type("#find", "nex")
    shown = "document.querySelectorAll('#shelves section:not([hidden]) .card:not([hidden])').length"
    assert page.evaluate(shown) == 1
    assert table.text("#nothing") == "1 game"
    page.fill("#find", "puzzle")
    assert page.evaluate(shown) > 5
    page.fill("#find", "no such game")
    assert page.evaluate(shown) == 0
    page.fill("#find", "nex")
    page.keyboard.press("Enter")
    page.wait_for_function("location.hash.includes('game=nex')")
    table.wait()
    page.click("#tab-about")
    assert "neutral" in table.text("#about")
    assert "rows = 3, 2 to 12" in table.text("#about")
    Table(page, url, "game=hex")
    page.click("#tab-about")
    assert "Piet Hein, 1942" in table.text("#about")


@pytest.mark.slow
def test_the_game_of_that_title_is_found_first(page: Page, url: str) -> None:
    """Text in the pictures is not searched; a genre can be selected and deselected."""
    Table(page, url, "game=tic_tac_toe")
    page.click("#browse")
    page.locator("#shelves .cover svg").first.wait_for()
    titles = page.locator("#shelves section:not([hidden]) .card:not([hidden]) > span:last-child")
    page.fill("#find", "go")
    assert titles.all_text_contents()[0] == "Go"
    assert all("go" in title.lower() for title in titles.all_text_contents())
    page.fill("#find", "")
    everything = titles.count()
    page.locator("#kinds .chip", has_text="Territory").click()
    assert "Go" in titles.all_text_contents()
    assert "Hex" not in titles.all_text_contents()
    assert titles.count() < everything
    page.locator("#kinds .chip", has_text="Territory").click()
    assert titles.count() == everything


@pytest.mark.slow
@pytest.mark.parametrize("size", WINDOWS[:2], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_current_move_is_in_sight(size: tuple[int, int], page: Page, url: str) -> None:
    """The current move is scrolled into view in a long game, also after jumps."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    position = dslgame.load("hex").start()
    for _ in range(90):
        position = position.play(position.moves()[0])
    table = Table(page, url, f"game=hex&moves={';'.join(position.played)}")

    def seen() -> bool:
        move, frame = page.locator("#moves [aria-current]").bounding_box(), page.locator("#side").bounding_box()
        assert move is not None
        assert frame is not None
        return frame["y"] <= move["y"] and move["y"] + move["height"] <= frame["y"] + frame["height"]

    assert seen()
    page.click("#undo")
    table.wait()
    assert seen()


@pytest.mark.slow
def test_tools_are_in_sight_with_six_players(page: Page, url: str) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    Table(page, url, "game=chinese_checkers")
    frame = page.locator("#play").bounding_box()
    assert frame is not None
    for tool in ("#seat5", "#first", "#go", "#values"):
        box = page.locator(tool).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= frame["y"] + frame["height"], tool


@pytest.mark.slow
def test_a_board_on_which_nothing_stands_is_not_shown(page: Page, url: str) -> None:
    """A board without pieces is hidden and replaced by cards and bets; texts equal to the move are not repeated."""
    table = Table(page, url, "game=kuhn_poker&moves=deal:2-1")
    assert not page.is_visible("#board")
    table.choose("Show what Ann sees")
    assert "card" in table.text("#beside")
    assert [text.strip() for text in page.locator("#chips .chip").all_text_contents()] == ["pass", "bet"]
    Table(page, url, "game=tic_tac_toe")
    assert page.is_visible("#board")


@pytest.mark.slow
def test_values_stand_below_pieces(page: Page, url: str) -> None:
    """Values are drawn in the lower half of a cell, so that its piece stays visible."""
    Table(page, url, "game=breakthrough")
    page.keyboard.press("v")
    low = page.wait_for_function("""() => {
        const found = document.querySelector(".cell.target:has(.worth)");
        const [label, cell] = [".worth rect", "polygon"].map((part) => found?.querySelector(part));
        if (!label || !cell) return null;
        const [inner, outer] = [label.getBoundingClientRect(), cell.getBoundingClientRect()];
        return String(inner.top > outer.top + outer.height / 2);
    }""")
    assert low.json_value() == "true"


@pytest.mark.slow
def test_marks_are_faint_where_nearly_every_cell_can_be_chosen(page: Page, url: str) -> None:
    """Hints are faint where nearly every cell is a target, and plain where few are or under the pointer."""
    shade = "getComputedStyle(document.querySelector('.cell.target > .hint')).opacity"
    Table(page, url, "game=tic_tac_toe")
    plain = float(page.evaluate(shade))
    Table(page, url, "game=go&params=size:19")
    assert float(page.evaluate(shade)) < plain / 2
    page.locator(".cell.target").first.hover()
    assert float(page.evaluate(shade)) == plain


@pytest.mark.slow
def test_letters_and_arrows_work_the_tools(page: Page, url: str) -> None:
    """Keys work the tools, but not while typing in a field; folded rules stay folded after a reload."""
    table = Table(page, url, "game=tic_tac_toe&moves=b2;a1;c3")
    table.press("ArrowLeft")
    assert table.ply == "2 / 3"
    table.press("ArrowRight")
    assert table.ply == "3 / 3"
    assert page.is_visible("#editor")
    page.keyboard.press("r")
    assert not page.is_visible("#editor")
    page.reload()
    table.wait()
    assert not page.is_visible("#editor")
    page.fill("#move", "")
    page.type("#move", "r")
    assert not page.is_visible("#editor")


@pytest.mark.slow
def test_bar_shows_who_is_better(page: Page, url: str) -> None:
    """The bar shows each player's chance in the players' colours, with a label for screen readers."""
    table = Table(page, url, "game=tic_tac_toe&moves=a1;b1;a2;b2")
    assert not page.is_visible("#bar")
    page.keyboard.press("v")
    page.wait_for_selector("#bar", state="visible")
    page.wait_for_function("document.querySelector('#bar').getAttribute('aria-label') === 'X 100 %, O 0 %'")
    page.keyboard.press("v")
    assert not page.is_visible("#bar")
    assert table.ply == "4 / 4"


@pytest.mark.slow
def test_players_and_params_are_behind_a_button_on_phones(page: Page, url: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    Table(page, url, "game=hex")
    assert not page.is_visible("#seat0")
    assert page.evaluate("document.querySelector('header').offsetHeight") < 64, "one row"
    page.click("#browse")
    page.locator("#kinds .chip").first.wait_for()
    assert page.evaluate("document.querySelector('#kinds').offsetHeight") < 64, "one row"
    close = page.locator("#games form button").bounding_box()
    assert close is not None
    assert close["x"] + close["width"] <= 390
    page.keyboard.press("Escape")
    page.click("#settings")
    assert page.is_visible("#seat0")
    assert page.is_visible("#params input")
    assert page.get_attribute("#settings", "aria-expanded") == "true"


@pytest.mark.slow
def test_page_follows_a_file_that_is_saved(browser: Browser, tmp_path: Path) -> None:
    """A saved file changes the rules of the game, the page names the changed lines, and edits on the page survive."""
    path = tmp_path / "mine.game"
    text = (FOLDER / "tic_tac_toe.game").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    with served(path) as url:
        context = browser.new_context(bypass_csp=True, viewport={"width": 1400, "height": 900})
        page = context.new_page()
        table = Table(page, url, "moves=b2")
        table.click("a1")
        path.write_text(text.replace("line(mine, 3)", "line(mine, 2)"), encoding="utf-8")
        page.wait_for_function("document.querySelector('#checked').textContent.startsWith('Saved: line ')")
        assert "line(mine, 2)" in table.text("#editor")
        assert table.played[-1] == "a1"
        page.locator(".code .line").first.click()
        page.keyboard.press("End")
        page.keyboard.type("!")
        path.write_text(text, encoding="utf-8")
        page.wait_for_function(
            "/^The file was saved: .* by it. 1 warning/.test(document.querySelector('#checked').textContent)")
        assert "line(mine, 2)" in table.text("#editor")
        page.click("#revert")
        page.wait_for_function("!document.querySelector('#checked').textContent.includes('saved')")
        assert "line(mine, 3)" in table.text("#editor")
        page.locator(".code .line", has_text="win mover when").click()  # an error: what is typed is not played yet
        page.keyboard.press("End")
        page.keyboard.type(" &")
        page.wait_for_selector(".line.error")
        path.write_text(text.replace("line(mine, 3)", "line(mine, 2)"), encoding="utf-8")
        page.wait_for_function("/^The file was saved: .* error/.test(document.querySelector('#checked').textContent)")
        assert "line(mine, 3) &" in table.text("#editor")
        for _ in range(2):
            page.keyboard.press("Backspace")
        page.wait_for_function("!document.querySelector('#checked').textContent.includes('saved')")
        assert "line(mine, 2)" in table.text("#editor")
        context.close()


@pytest.mark.slow
def test_no_move_is_made_by_rules_that_are_not_shown(browser: Browser, tmp_path: Path) -> None:
    """A click just after the file was saved shows the new rules and plays nothing."""
    path = tmp_path / "mine.game"
    text = (FOLDER / "tic_tac_toe.game").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    with served(path) as url:
        page = browser.new_context(bypass_csp=True, viewport={"width": 1400, "height": 900}).new_page()
        table = Table(page, url, "game=mine")
        path.write_text(text.replace("square(3, 3)", "square(4, 4)"), encoding="utf-8")
        page.locator('.cell[data-cell="a1"]').click(force=True)
        page.wait_for_function("document.querySelectorAll('#board .cell').length === 16")
        assert table.played == []
        page.context.close()


@pytest.mark.slow
def test_pieces_move_turn_over_and_are_heard(browser: Browser, url: str) -> None:
    """Moved pieces slide, stones flip and appear; sounds are off until switched on; the chosen look is kept."""
    page = browser.new_context(viewport={"width": 1400, "height": 900}, bypass_csp=True).new_page()
    page.add_init_script("""window.motions = []; window.tones = 0;
        const own = Element.prototype.animate;
        Element.prototype.animate = function (steps, options) {
          motions.push([this.dataset.cell ?? "", steps.map((step) => step.transform ?? "").join(">"), options]);
          return own.call(this, steps, options); };
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (at) { tones += 1; return start.call(this, at); };""")
    table = Table(page, url, "game=english_draughts")
    table.click("c3")
    table.click("d4")
    (one,) = page.evaluate("motions")
    assert one[1] == "translate(-1px, 1px)>translate(0, 0)"
    assert page.evaluate("tones") == 0
    page.check("#sound")
    page.select_option("#look", "wood")
    page.evaluate("motions.length = 0")
    table = Table(page, url, "game=reversi")
    assert page.get_attribute("html", "data-look") == "wood"
    page.locator(".cell.target").first.click(force=True)
    page.wait_for_function("motions.length >= 3")
    steps = [motion[1] for motion in page.evaluate("motions")]
    assert {"scale(1.3)>scale(1)", "scaleX(1)>scaleX(0)", "scaleX(0)>scaleX(1)"} <= set(steps)
    assert page.evaluate("motions.every(([, , options]) => options.duration + (options.delay ?? 0) <= 600)")
    assert page.evaluate("tones") > 0
    page.uncheck("#sound")
    table = Table(page, url, "game=shift_tac_toe&moves=0;1")
    page.evaluate("motions.length = 0")
    page.fill("#move", "8")
    page.press("#move", "Enter")
    page.wait_for_function("motions.length >= 3")  # the pieces and the row under them move by one cell in one motion
    table.wait()
    row = [motion for motion in page.evaluate("motions") if motion[1].startswith("translate")]
    assert sorted(motion[1].replace("none", "translate(0, 0)") for motion in row) == \
        ["translate(-1px, 0px)>translate(0, 0)"] * 3
    page.click("#undo")
    table.wait()
    page.wait_for_function("motions.some(([, steps]) => steps === 'translate(1px, 0px)>translate(0, 0)')")
    page.context.close()


@pytest.mark.slow
def test_hands_stand_by_the_board(page: Page, url: str) -> None:
    """Pieces in hand are listed by player beside the board, not inside its picture, which they would shrink."""
    Table(page, url, "game=dobutsu_shogi&moves=b2b3")
    assert " ".join((page.text_content("#beside") or "").split()) == "Sentehand Cchick ×1Gotehand –"
    assert page.locator("#beside .held").count() == 1
    assert page.locator("#board .below").count() == 0
    Table(page, url, "game=onitama&moves=tiger;frog;horse;boar;rooster")
    said = page.locator("#beside > div").all_text_contents()
    assert [" ".join(text.split()) for text in said] == [
        "Redholder tigerhorse", "Blueholder frogboar", "Allspare rooster"]


@pytest.mark.slow
def test_first_board_takes_few_bytes(browser: Browser, url: str) -> None:
    """Everything that the browser loads until the first board is shown stays below 150 KiB on the wire."""
    page = browser.new_context(bypass_csp=True).new_page()
    sizes: list[float] = []
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    for name in ("hex", "chess"):
        sizes.clear()
        Table(page, url, f"game={name}")
        assert 20_000 < sum(sizes) < 150 * 1024, name
    page.context.close()


@pytest.mark.slow
def test_light_and_dark_follow_the_system_and_the_button(page: Page, url: str) -> None:
    page.emulate_media(color_scheme="dark")
    Table(page, url, "game=tic_tac_toe")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.click("#theme")
    assert page.evaluate(ground) != dark
    page.reload()
    page.wait_for_selector(".cell")
    assert page.evaluate(ground) != dark


# ---- families of games


@pytest.mark.slow
def test_variants_are_solved_and_opened_by_a_click(page: Page, url: str) -> None:
    """Each row opens a game with its params and, where rules were changed, with the changed rules."""
    table = Table(page, url, "game=misere_tic_tac_toe")
    page.click("#tab-variants")
    page.fill("#varyranges", "size=1..2 length=2")
    page.fill("#varychanges", "lose to win")
    page.fill("#varyclaim", "first wins")
    page.press("#varyclaim", "Enter")
    page.wait_for_selector("#variantrows tbody tr:nth-child(4)")
    assert table.text("#varied") == "4 games, 4 solved; the claim is refuted, as size=1 length=2 shows: a1"
    assert page.locator("#variantrows tbody tr").nth(3).locator("td").all_text_contents() == [
        "size=2 lose to win", "X", "3", "4 of 4", "29", "confirmed"]
    page.locator("#variantrows button").nth(1).click()
    table.wait()
    assert page.locator(".cell[data-cell]").count() == 4
    page.locator("#variantrows button").nth(3).click()
    table.wait()
    for cell in ("a1", "b1", "a2"):
        table.click(cell)
    assert table.over
    assert "X won" in table.text("#status")
    page.fill("#varyranges", "size=x")
    page.press("#varyranges", "Enter")
    page.wait_for_function("document.querySelector('#varied').textContent.startsWith('Found “x”')")


# ---- trees as pictures, searches


@pytest.mark.slow
def test_tree_is_drawn_and_shown_large(page: Page, url: str) -> None:
    """The tree can be opened with the keyboard, folded and searched; another position has another picture."""
    table = Table(page, url, "game=nex&params=rows:2,columns:2")
    page.click("#tab-tree")
    page.fill("#drawdepth", "3")
    page.select_option("#drawmerge", "none")
    page.press("#drawdepth", "Enter")
    page.wait_for_selector("#treepicture img")
    assert table.text("#drawn").startswith("61 nodes, 3 moves ahead, coloured by the solution. Save it")
    first = page.get_attribute("#treepicture img", "src")
    page.focus("#treepicture")
    page.keyboard.press("Enter")
    page.wait_for_selector("#large[open]")
    page.wait_for_function("document.querySelector('#largepicture').shadowRoot.querySelectorAll('.node').length === 61")
    page.locator("#largepicture #foldall").click()
    assert page.locator("#largepicture .node").count() == 13
    page.locator("#largepicture #unfoldall").click()
    page.locator("#largepicture #search").fill("Ba1?a2")
    assert page.locator("#largepicture .node.hit").count() > 0
    page.locator("#largepicture #best").click()
    assert page.locator("#largepicture .edge.way").count() == 3
    before = page.locator("#largepicture #tree").get_attribute("viewBox")
    page.locator("#largepicture #tree").hover()
    page.mouse.wheel(0, -300)
    page.wait_for_function("before => document.querySelector('#largepicture').shadowRoot.querySelector('#tree')"
                           ".getAttribute('viewBox') !== before", arg=before)
    page.keyboard.press("Escape")
    page.wait_for_selector("#large", state="hidden")
    page.click("#tab-record")
    page.fill("#move", "Ba1?a2")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelectorAll('#moves li').length === 1")
    page.click("#tab-tree")
    page.click("#drawing button")
    page.wait_for_function("document.querySelector('#drawn').textContent.startsWith('5 nodes')")
    assert page.get_attribute("#treepicture img", "src") != first


@pytest.mark.slow
def test_search_plays_changed_rules(page: Page, url: str) -> None:
    """A side played by a search uses the edited rules."""
    table = Table(page, url, "game=tic_tac_toe")
    page.locator("#editor textarea, #editor [contenteditable]").first.focus()
    text = (ROOT / "games" / "tic_tac_toe.game").read_text(encoding="utf-8").replace("win mover", "lose mover")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)
    table.wait()
    assert page.is_visible("#edited")
    page.select_option("#seat1", "quick")
    page.set_default_timeout(90_000)
    table.click("b2")
    page.wait_for_function("document.querySelectorAll('#moves li').length === 2")
    assert page.is_hidden("#problem")


@pytest.mark.slow
def test_patterns_are_offered_where_there_are_some(page: Page, url: str) -> None:
    for game, there in (("tic_tac_toe", 0), ("twixt", 1)):
        Table(page, url, f"game={game}")
        assert page.locator("#seat0 option[value=patterns]").count() == there


@pytest.mark.slow
def test_a_game_is_chosen_by_its_picture_from_the_shelf_of_its_genre(page: Page, url: str) -> None:
    """Every game is on a shelf, and pictures are loaded for the shelves in view."""
    table = Table(page, url, "game=nim")
    page.click("#browse")
    assert page.locator("#games .card").count() == len(found_games())
    shelf = page.locator("#games section", has=page.locator("h2", has_text="Connection"))
    shelf.locator('[data-game="hex"]').scroll_into_view_if_needed()
    shelf.locator('[data-game="hex"] .cover svg').wait_for()
    shelf.locator('[data-game="hex"]').click()
    page.wait_for_function("document.getElementById('game').value === 'hex'")
    table.wait()
    assert not page.locator("#games").is_visible()
    assert page.input_value("#game") == "hex"


@pytest.mark.slow
def test_variations_are_kept_promoted_and_deleted(page: Page, url: str) -> None:
    """Another move at an earlier ply begins a variation; the address holds the whole tree with its comments."""
    table = Table(page, url, "game=tic_tac_toe&moves=b2;a1;c3")
    table.press("ArrowLeft", "ArrowLeft")
    table.click("b1")
    table.click("a2")
    assert table.ply == "3 / 3"
    assert [text.strip() for text in page.locator("#moves .vary button").all_text_contents()] == ["b1", "a2"]
    page.fill("#comment", "a trap (perhaps!)")
    page.locator("#moves button", has_text="b1").click()
    table.wait()
    table.click("c1")  # a variation within the variation
    assert [text.strip() for text in page.locator("#moves .vary .vary button").all_text_contents()] == ["c1"]
    address = page.url
    assert "moves=b2;a1;(;b1;a2;!a%20trap" in address
    page.goto("about:blank")
    page.goto(address)
    table.wait()
    assert page.url == address
    assert table.text("#moves .comment") == "a trap (perhaps!)"
    assert table.text("#moves [aria-current]") == "c1"
    page.click("#promote")
    table.wait()
    page.click("#promote")
    table.wait()
    assert page.locator("#moves > li:not(.aside) button").all_text_contents() == ["b2", "b1", "c1"]
    assert page.is_disabled("#promote")
    page.click("#delete")
    table.wait()
    assert page.locator("#moves > li:not(.aside) button").all_text_contents() == ["b2", "b1", "a2"]
    assert table.ply == "2 / 3"
    page.click("#delete")
    table.wait()
    assert table.played == ["b2", "a1", "c3"]
    assert page.locator("#moves .aside").count() == 0


@pytest.mark.slow
def test_a_saved_game_has_its_variations(page: Page, url: str, tmp_path: Path) -> None:
    table = Table(page, url, "game=tic_tac_toe&moves=b2;(;a1;!corner;);c3")
    page.click("#tab-share")
    with page.expect_download() as download:
        page.click("#save")
    path = tmp_path / "saved.json"
    download.value.save_as(path)
    page.goto(f"{url}#game=nex")
    table.wait()
    page.set_input_files("#load", path)
    assert table.text("#moves .vary .comment") == "corner"
    assert table.played == ["b2", "a1", "c3"]  # the move in the middle is the variation
    assert page.locator("#moves > li:not(.aside) button").all_text_contents() == ["b2", "c3"]


@pytest.mark.slow
def test_back_leads_through_the_game(page: Page, url: str) -> None:
    """The browser's Back button goes to the previous position with a person to move and skips those of others."""
    table = Table(page, url, "game=tic_tac_toe")
    page.select_option("#seat1", "random")
    table.wait()
    for ply in ("2 / 2", "4 / 4"):
        page.locator(".cell.target").first.dispatch_event("click")
        page.wait_for_function(f"document.querySelector('#ply').textContent === '{ply}'")
        table.wait()
    for ply, back in (("2 / 2", True), ("0 / 0", True), ("2 / 2", False)):
        (page.go_back if back else page.go_forward)()
        page.wait_for_function(f"document.querySelector('#ply').textContent === '{ply}'")
        table.wait()
    page.select_option("#game", "nex")
    page.wait_for_function("location.hash.startsWith('#game=nex')")
    table.wait()
    page.go_back()
    page.wait_for_function("location.hash.startsWith('#game=tic_tac_toe')")
    table.wait()
    assert table.ply == "2 / 2"


@pytest.mark.parametrize(("game", "start", "keys", "way"), [
    ("hex&params=size:5", "", "ArrowDown " * 3, None), ("hexplode", "", "ArrowRight " * 2 + "ArrowLeft " * 2, None),
    ("tic_tac_toe", "a1", "ArrowUp ArrowRight ArrowDown", ["a2", "b2", "b1"])])
def test_arrows_follow_the_grid(game: str, start: str, keys: str, way: list[str] | None, page: Page, url: str) -> None:
    """Each arrow key leads to a neighbour, also where rows are shifted, and the opposite keys lead back."""
    Table(page, url, f"game={game}")
    cell = page.locator(f'.cell[data-cell="{start}"]') if way else page.locator(".cell").nth(9)
    cell.focus()
    passed = []
    here = "(() => { const box = document.activeElement.getBBox(); return [box.x, box.y, box.width]; })()"
    x, y, width = page.evaluate(here)
    begun = (x, y)
    for key in keys.split():
        page.keyboard.press(key)
        passed.append(page.evaluate("document.activeElement.dataset.cell"))
        last, (x, y, width) = (x, y), page.evaluate(here)
        distance = ((x - last[0]) ** 2 + (y - last[1]) ** 2) ** 0.5
        assert 0 < distance < 1.3 * width, (passed, distance)
    if way:
        assert passed == way
    elif "ArrowLeft" in keys:
        assert (x, y) == pytest.approx(begun)


@pytest.mark.slow
def test_best_lines_lead_into_variations(page: Page, url: str) -> None:
    """Values show the principal variations of the best moves; clicking one of their moves opens it as a variation."""
    table = Table(page, url, "game=tic_tac_toe&moves=a1;b1;c1&ply=2")
    page.check("#values")
    page.wait_for_selector("#lines li:nth-child(3)")
    line = page.locator("#lines li").first.locator("button").all_text_contents()
    page.locator("#lines li").first.locator("button").nth(1).click()
    page.wait_for_function("document.querySelector('#ply').textContent.startsWith('4 /')")
    table.wait()
    assert [text.strip() for text in page.locator("#moves .vary button").all_text_contents()] == line[:2]


@pytest.mark.slow
def test_cells_are_warm_where_moves_are_good(page: Page, url: str) -> None:
    """On a large board few moves have labels, but all are coloured by value until values are switched off."""
    Table(page, url, "game=hex&params=size:9")
    page.check("#values")
    warm = "[...document.querySelectorAll('.cell > :first-child')].filter((shape) => shape.style.fill).length"
    page.wait_for_function(f"{warm} > 40", timeout=120_000)
    assert page.locator(".worth").count() < 30
    page.uncheck("#values")
    assert page.evaluate(warm) == 0


@pytest.mark.slow
def test_a_click_on_a_border_places_a_wall(page: Page, url: str) -> None:
    """Clicking a border places the wall there; borders without a legal wall cannot be clicked."""
    table = Table(page, url, "game=quoridor")
    assert page.locator(".wall").count() == 128
    box = page.locator('.cell[data-cell="e1"]').bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"], box["y"] + 0.1 * box["height"])  # right of e1, near its upper corner
    page.wait_for_function("document.querySelector('#ply').textContent === '1 / 1'")
    table.wait()
    assert table.played == ["e1v"]
    assert page.locator('.wall[data-move="e1h"]').count() == 0  # it would cross
    assert page.locator('.wall[data-move="e3h"]').count() == 1


# ---- what is hidden


@pytest.mark.slow
def test_a_person_plays_against_a_computer_and_sees_one_side(page: Page, url: str) -> None:
    """With one person the page shows that side; with two, each in turn, and between them what both may see; with none
    everything, and it says so."""
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))  # Playwright sets attributes of the function
    card = re.compile("card [123]")
    table = Table(page, url, "game=kuhn_poker")
    assert table.text("#status") == "Ann to move"
    assert not card.findall(table.text("#beside"))
    table.choose("Show what Ann sees")
    assert len(card.findall(table.text("#beside"))) == 1
    table.choose("bet")
    table.choose("Hide what Ann sees")
    assert not card.findall(table.text("#beside"))
    page.select_option("#seat1", "random")
    page.wait_for_function("document.querySelector('#status').textContent === 'Ann (you) to move'")
    table.wait()
    assert not page.is_visible("#tab-tree")
    own = card.findall(table.text("#beside"))
    assert len(own) == 1
    table.choose("pass")
    page.wait_for_function("document.querySelector('#status').dataset.over === 'true' || "
                           "document.querySelector('#status').textContent.startsWith('Ann')")
    table.wait()
    assert own[0] in card.findall(table.text("#beside"))
    sent = [answer.text() for answer in answers if "/shared/" in answer.url and "/events" not in answer.url]
    assert len(sent) > 5
    assert "deal:" not in "".join(sent)
    assert not page.is_visible("#allshown")
    page.select_option("#seat0", "random")
    page.wait_for_function("document.querySelector('#status').dataset.over === 'true'")
    table.wait()
    assert page.is_visible("#allshown")
    assert table.played[0].startswith("deal:")


# ---- messages


SHIFTS = """window.shifts = []; new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shifts.push(value);
}).observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_a_message_moves_nothing(width: int, height: int, page: Page, url: str) -> None:
    """An illegal move is told in room that is kept for messages, in sight: there is no layout shift."""
    page.set_viewport_size({"width": width, "height": height})
    table = Table(page, url, "game=go")
    page.evaluate(SHIFTS)
    page.wait_for_timeout(100)
    before = page.evaluate("window.shifts.length")
    page.fill("#move", "zz99")
    table.press("Enter")
    page.wait_for_selector("#problem:visible")
    page.wait_for_timeout(300)
    assert sum(page.evaluate("window.shifts")[before:]) < 0.001
    box = page.locator("#problem").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < height / 2


@pytest.mark.slow
def test_an_address_of_no_game_leads_to_one(page: Page, url: str) -> None:
    """Where the address names no game, the page says so and shows another one."""
    table = Table(page, url, "game=nosuch")
    assert table.text("#problem") == "There is no game 'nosuch' here. Choose one at the top, or press Browse."
    assert page.locator(".cell.target").count() > 0
    assert "nosuch" not in page.url
    page.select_option("#game", "nim")
    page.wait_for_selector("#problem", state="hidden")


@pytest.mark.slow
def test_variants_are_brought_into_view(page: Page, url: str) -> None:
    """The rows are in sight as soon as they are solved."""
    Table(page, url, "game=nex")
    page.click("#tab-variants")
    page.fill("#varyranges", "rows=2..3 columns=2")
    page.click("#varying-form button")
    page.wait_for_selector("#variantrows table")
    panel, rows = (page.locator(place).bounding_box() for place in ("#side", "#variantrows tbody"))
    assert panel is not None
    assert rows is not None
    assert panel["y"] < rows["y"] < rows["y"] + rows["height"] < panel["y"] + panel["height"]
