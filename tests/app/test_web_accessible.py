"""The page by the rules of axe-core: nothing that people with screen readers, keyboards or weak eyes stumble over."""

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
    """The values of moves, with the bar and the best lines."""
    page.check("#values")
    page.wait_for_function("document.querySelector('#valued').textContent.includes('to move')")


def chooser(page: Page) -> None:
    """The games with their pictures."""
    page.click("#browse")
    page.wait_for_selector("#shelves .cover svg")


def editor(page: Page) -> None:
    """Completions and a mistake."""
    line = page.locator(".code .line", has_text="win Black")
    box = line.bounding_box()
    assert box is not None
    line.click(position={"x": box["width"] / 2, "y": box["height"] - 5})  # in its last row, where it is broken
    for key in ("End", "ArrowLeft", "Backspace", "Escape"):
        page.keyboard.press(key)
    page.locator("#diagnostics li", has_text="did you mean").first.wait_for()
    page.keyboard.press("Control+Space")
    page.wait_for_selector("#offers [role=option]")


def explanation(page: Page) -> None:
    """What a code means."""
    editor(page)
    page.keyboard.press("Escape")
    page.locator("#diagnostics li button").nth(1).click()
    page.wait_for_selector("#explained[open]")


def tree(page: Page) -> None:
    """The tree, drawn and shown large."""
    page.click("#tab-tree")
    page.click("#drawing button")
    page.click("#treepicture")
    page.wait_for_selector("#large[open]")


def shared(page: Page) -> None:
    """A game with others."""
    page.click("#tab-share")
    page.click("#sharegame")
    page.wait_for_selector("#links button")


@pytest.mark.parametrize("scene", [values, chooser, editor, explanation, tree, shared],
                         ids=lambda scene: scene.__name__)
def test_axe_finds_nothing(scene: Callable[[Page], None], browser: Browser, url: str) -> None:
    """In light and dark, on a desk and on a phone, in one page after another."""
    for dark, width, height in ((False, 1440, 900), (True, 1024, 768), (False, 390, 844)):
        context = browser.new_context(color_scheme="dark" if dark else "light", reduced_motion="reduce",
                                      viewport={"width": width, "height": height}, bypass_csp=True)
        page = context.new_page()
        table = Table(page, url, "game=nex&params=rows:2,columns:2")
        if page.is_hidden("#editor"):
            page.click("#fold")
        scene(page)
        found = axe.Axe().run(page).response["violations"]
        context.close()
        assert table
        assert not found, [(item["id"], [node["html"][:150] for node in item["nodes"]][:4]) for item in found]
