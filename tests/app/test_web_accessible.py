"""The page checked by axe-core for use with screen readers, keyboards and low vision."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.app.test_web_page import CHROMIUM, Table, browser, url

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")]

__all__ = ["browser", "url"]


def values(page: Page) -> None:
    """Show the values of moves, with the bar and the best lines."""
    page.check("#values")
    page.wait_for_function("document.querySelector('#valued').textContent.includes('to move')")


def chooser(page: Page) -> None:
    """Open the list of games with their pictures."""
    page.click("#browse")
    page.wait_for_selector("#shelves .cover svg")


def editor(page: Page) -> None:
    """Make an error in the rules and open the completions."""
    line = page.locator(".code .line", has_text="win Black")
    box = line.bounding_box()
    assert box is not None
    line.click(position={"x": box["width"] / 2, "y": box["height"] - 5})  # on its last row, where the line wraps
    for key in ("End", "ArrowLeft", "Backspace", "Escape"):
        page.keyboard.press(key)
    page.locator("#diagnostics li", has_text="did you mean").first.wait_for()
    page.keyboard.press("Control+Space")
    page.wait_for_selector("#offers [role=option]")


def explanation(page: Page) -> None:
    """Open the explanation of a code."""
    editor(page)
    page.keyboard.press("Escape")
    page.locator("#diagnostics li button").nth(1).click()
    page.wait_for_selector("#explained[open]")


def tree(page: Page) -> None:
    """Draw the tree and open it in the large view."""
    page.click("#tab-tree")
    page.click("#drawing button")
    page.click("#treepicture")
    page.wait_for_selector("#large[open]")


def shared(page: Page) -> None:
    """Share the game."""
    page.click("#tab-share")
    page.click("#sharegame")
    page.wait_for_selector("#links button")


@pytest.mark.parametrize("scene", [values, chooser, editor, explanation, tree, shared],
                         ids=lambda scene: scene.__name__)
def test_axe_finds_nothing(scene: Callable[[Page], None], browser: Browser, url: str) -> None:
    """axe-core finds no violations, in light and dark, at desktop and phone sizes."""
    for dark, width, height in ((False, 1440, 900), (True, 1024, 768), (False, 390, 844)):
        context = browser.new_context(color_scheme="dark" if dark else "light", reduced_motion="reduce",
                                      viewport={"width": width, "height": height}, bypass_csp=True)
        page = context.new_page()
        Table(page, url, "game=nex&params=rows:2,columns:2")
        if page.is_hidden("#editor"):
            page.click("#fold")
        scene(page)
        found = axe.Axe().run(page).response["violations"]
        context.close()
        assert not found, [(item["id"], [node["html"][:150] for node in item["nodes"]][:4]) for item in found]
