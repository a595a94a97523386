"""The site: it builds without broken links and external requests, and the playground works."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from dslgame import bundled
from tests.app.test_web_page import CHROMIUM, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def scripts() -> Iterator[dict[str, ModuleType]]:
    """The scripts of docs/ that build the site."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "docs"))
        yield {name: import_module(name) for name in ("make_site", "make_playground", "site_pages")}


def test_broken_links_and_outside_requests_are_found(scripts: dict[str, ModuleType], tmp_path: Path) -> None:
    """Missing pages and anchors, external scripts and external fonts are found."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "index.html").write_text('<h1 id="here">A</h1><a href="../b/">B</a><a href="#there"></a>'
                                               '<a href="#here"></a><a href="https://example.org">out</a>')
    (tmp_path / "index.html").write_text('<a href="a/#here"></a><a href="a/#nowhere"></a>'
                                         '<script src="https://cdn.example.org/x.js"></script>')
    (tmp_path / "x.css").write_text("@font-face { src: url('//fonts.example.org/x.woff') }")
    found = scripts["make_site"].problems(tmp_path)
    assert found == [
        "a/index.html links to ../b/, which is not there", "a/index.html links to #there, which is not there",
        "index.html loads https://cdn.example.org/x.js from another place",
        "index.html links to a/#nowhere, which is not there",
        "x.css loads //fonts.example.org/x.woff from another place"]


def test_pages_are_translated(scripts: dict[str, ModuleType], tmp_path: Path) -> None:
    """Links are rewritten to pages of the site or to copies, blocks get their language, and code stays unchanged."""
    text = ("[rules](../games/hex.game) [counts](../games/hex.perft) [home](../README.md#install) `[a](b)`\n"
            "[second](../tests/reference/hex.py) [book](language.md#moves)\n"
            "```game file x.game error G203\n[c](d)\n```\n")
    made = scripts["site_pages"]._translated(text, ROOT / "docs", tmp_path)
    assert made == ("[rules](games/hex.md) [counts](games/hex.md#counts) [home](index.md#install) `[a](b)`\n"
                    "[second](files/tests/reference/hex.py) [book](language.md#moves)\n"
                    '```game title="x.game"\n[c](d)\n```\n')
    assert (tmp_path / "files" / "tests" / "reference" / "hex.py").exists()


@pytest.fixture(scope="module")
def site(scripts: dict[str, ModuleType], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site, without its playground."""
    folder = tmp_path_factory.mktemp("site")
    scripts["make_site"].build(folder, playground=False)
    return folder


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_site_has_every_game_and_is_searched(site: Path) -> None:
    """Each game has a page with its picture and highlighted file and is in the gallery; the search index is filled."""
    gallery = (site / "gallery" / "index.html").read_text(encoding="utf-8")
    for name in bundled.names():
        page = (site / "games" / name / "index.html").read_text(encoding="utf-8")
        assert f"gallery/{name}.svg" in page, name
        assert f'href="../games/{name}/"' in gallery, name
        assert '<span class="k' in page, f"{name}: the file is not highlighted"
    assert "a draw in 9 plies" in (site / "games" / "tic_tac_toe" / "index.html").read_text(encoding="utf-8")
    assert "perft 5" in (site / "games" / "hex" / "index.html").read_text(encoding="utf-8")
    assert 'id="g203"' in (site / "diagnostics" / "index.html").read_text(encoding="utf-8")
    assert 'id="dslgame.load"' in (site / "reference" / "dslgame" / "index.html").read_text(encoding="utf-8")
    found = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    titles = {document["title"] for document in found["docs"]}
    assert {"Hex", "G203", "Gallery", "Changelog"} <= titles


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_playground_checks_and_plays_in_the_browser(scripts: dict[str, ModuleType], tmp_path: Path,
                                                    browser: Browser) -> None:
    """In the browser an error is reported at its line, the corrected game is played, and no other site is requested."""
    playground = scripts["make_playground"]
    try:
        playground.write(tmp_path)
    except playground.Missing as problem:
        pytest.skip(str(problem))
    handler = functools.partial(_Quiet, directory=str(tmp_path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        page = browser.new_context(bypass_csp=True).new_page()
        home = f"http://127.0.0.1:{server.server_address[1]}/"
        outside: list[str] = []
        page.on("request", lambda request: None if request.url.startswith((home, "data:", "about:", "blob:"))
                else outside.append(request.url))
        page.goto(f"{home}play.html#tic_tac_toe")
        page.wait_for_function("document.body.dataset.playing === '1'", timeout=300_000)
        page.click(".code .line:nth-child(1)")
        page.keyboard.press("Control+A")
        page.keyboard.insert_text('game "Mine"\nplayers X, O\nboard square(2, 2)\npieces x of X, o of O\n'
                                  "move place(c in emty):\n    c := own\nwin mover when line(mine, 2)\n")
        page.wait_for_selector('.line[data-found*="did you mean"]', timeout=120_000)
        assert page.is_disabled("#play")
        page.keyboard.press("Control+A")
        page.keyboard.insert_text('game "Mine"\nplayers X, O\nboard square(2, 2)\npieces x of X, o of O\n'
                                  "move place(c in empty):\n    c := own\nwin mover when line(mine, 2)\n")
        page.wait_for_function("!document.querySelector('#play').disabled", timeout=120_000)
        page.click("#play")
        page.wait_for_function("document.body.dataset.playing === '2'", timeout=120_000)
        board = page.frame_locator("#board")
        assert board.locator("h1").inner_text() == "Mine"
        assert "X to move" in board.locator("#status").inner_text()
        assert outside == []
    finally:
        server.shutdown()
        server.server_close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without logging."""

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


def test_no_two_genres_are_one_with_two_names() -> None:
    """No two genres differ only by case or a plural."""
    genres = [genre.casefold().rstrip("s") for genre in bundled.by_genre()]
    assert sorted(set(genres)) == sorted(genres)
