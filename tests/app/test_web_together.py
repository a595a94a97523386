"""Two people on two machines, as two contexts of Chromium: a shared game, a spectator, and a server that dies.

The tests are skipped without Playwright or Chromium.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.app.test_web_page import CHROMIUM, Table, sync_api
from tests.app.test_web_sharing import started

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
OF_THE_NETWORK = ("net::ERR_", "Failed to load resource")
"""The browser's own console messages when a server does not answer, which the page reports too."""


@pytest.fixture
def sit() -> Iterator[Callable[[str], Table]]:
    """Opens an address in a context of its own; the test fails on an error in any page."""
    problems: list[str] = []
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)

        def open_(address: str) -> Table:
            page = browser.new_context(reduced_motion="reduce", bypass_csp=True).new_page()
            page.on("pageerror", lambda problem: problems.append(str(problem)))
            page.on("console", lambda message: problems.append(message.text)
                    if message.type == "error" and not any(word in message.text for word in OF_THE_NETWORK) else None)
            page.set_default_timeout(60_000)
            url, _, fragment = address.partition("#")
            return Table(page, url, fragment)

        yield open_
        browser.close()
    assert problems == []


def shared(table: Table) -> list[str]:
    """Share the game from the first player's seat and return the links for the others and for spectators."""
    table.page.click("#tab-share")
    table.page.click("#sharegame")
    table.page.wait_for_selector("#links li")
    table.wait()
    links: list[str] = table.page.eval_on_selector_all("#links button", "all => all.map((one) => one.dataset.link)")
    return links


def reaches(table: Table, ply: str) -> None:
    """Wait until a page shows a given ply."""
    table.page.wait_for_function(f"document.querySelector('#ply').textContent === '{ply}'")
    table.wait()


@pytest.mark.slow
def test_a_game_is_played_from_two_machines_and_goes_on_when_the_server_dies(
        sit: Callable[[str], Table], tmp_path: Path) -> None:
    file = str(tmp_path / "games.sqlite")
    with started("--shared", file) as (_, port):
        first = sit(f"http://127.0.0.1:{port}/#game=tic_tac_toe")
        second, watcher = map(sit, shared(first))
        assert "key=" in second.page.url
        assert "key=" not in watcher.page.url
        first.page.wait_for_function("document.querySelectorAll('.there')[1].textContent === 'here'")
        assert first.page.title().startswith("● Your move")
        assert first.page.locator(".cell.target").count() == 9
        assert second.page.locator(".cell.target").count() == watcher.page.locator(".cell.target").count() == 0
        assert second.text("#prompt") == "Waiting for X …"
        assert not second.page.is_visible("#values")
        assert not second.page.is_visible("#go")
        first.click("b2")
        for table in (second, watcher):
            reaches(table, "1 / 1")
        assert watcher.text("#prompt") == "You watch this game."
        second.click("a1")
        reaches(first, "2 / 2")
        first.press("Home")
        assert first.ply == "0 / 2"
        assert first.page.locator(".cell.target").count() == 0  # the past can only be viewed
        first.press("End")
    for table in (first, second, watcher):
        table.page.wait_for_selector("#lost:not([hidden])")
    with started("--shared", file, port=port):
        for table in (first, second, watcher):
            table.page.wait_for_selector("#lost", state="hidden")
        first.click("a2")
        reaches(second, "3 / 3")
        second.page.reload()
        second.wait()
        assert second.played == ["b2", "a1", "a2"]
        second.click("b1")
        reaches(first, "4 / 4")
        first.click("c2")
        for table in (first, second, watcher):
            reaches(table, "5 / 5")
            assert table.text("#status") == "X won."
        assert second.page.is_visible("#values")
        second.page.click("#tab-share")
        second.page.click("#leave")
        second.wait()
        second.press("ArrowLeft")
        assert second.page.locator(".cell.target").count() == 5
        assert "moves=b2;a1;a2;b1;c2" in second.page.url


@pytest.mark.slow
def test_a_link_that_leads_nowhere_is_said(sit: Callable[[str], Table], tmp_path: Path) -> None:
    with started("--shared", str(tmp_path / "games.sqlite")) as (_, port):
        table = sit(f"http://127.0.0.1:{port}/#shared=nothing")
        assert "no such shared game" in table.text("#problem")
        assert table.page.locator(".cell.target").count()


@pytest.mark.slow
def test_the_other_sees_what_forced_rules_did(sit: Callable[[str], Table], tmp_path: Path) -> None:
    with started("--shared", str(tmp_path / "games.sqlite")) as (_, port):
        first = sit(f"http://127.0.0.1:{port}/#game=connect_four")
        second = sit(shared(first)[0])
        first.click("d1")
        reaches(second, "1 / 1")
        assert second.played == first.played
        assert second.position == first.position
