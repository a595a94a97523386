"""Pictures and pages of game trees: the contents of the SVG, and the page in a browser."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import dslgame
from dslgame.cli.app import app
from solver.trees.labels import label
from solver.trees.pruning import prune
from solver.trees.tree import Tree

pytestmark = pytest.mark.skipif(importlib.util.find_spec("igraph") is None, reason="igraph is not installed")


def grown(name: str, levels: int, *, merge: Any = "none", **params: int) -> Tree:
    tree = Tree.of(dslgame.load(name, **params), merge=merge)
    tree.grow(levels, native=False)
    return tree


def boxes(text: str) -> list[tuple[float, float, float, float]]:
    """The left, top, right and bottom of each node's frame in an SVG."""
    found = [item.attrib for item in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}rect")
             if item.attrib.get("rx") == "0.04"]
    return [(float(item["x"]), float(item["y"]), float(item["x"]) + float(item["width"]),
             float(item["y"]) + float(item["height"])) for item in found]


@pytest.mark.parametrize("kind", ["layered", "radial"])
@pytest.mark.parametrize(("name", "levels", "merge", "params", "nodes"), [
    ("nex", 9, "none", {"rows": 2, "columns": 2}, 61), ("hex", 9, "none", {"size": 2}, 53),
    ("tic_tac_toe", 5, "all", {}, 336), ("trax", 2, "all", {}, 7),
])
def test_every_node_is_drawn_and_none_on_another(kind: Any, name: str, levels: int, merge: str, params: dict[str, int],
                                                 nodes: int) -> None:
    from dslgame.treeview.layout import part_of
    from dslgame.treeview.picture import picture

    tree = grown(name, levels, merge=merge, **params)
    found = boxes(picture(tree, part_of(tree, kind=kind), label(tree)))
    assert len(found) == tree.size == nodes
    for place, (left, top, right, bottom) in enumerate(found):
        for other in found[place + 1 :]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


def test_a_picture_is_bounded_and_says_so() -> None:
    from dslgame.treeview.layout import part_of
    from dslgame.treeview.picture import picture

    tree = grown("tic_tac_toe", 4)
    part = part_of(tree, most=300)
    assert len(part.nodes) <= 300
    assert part.further
    text = picture(tree, part)
    assert re.search(r"of 3,610 nodes; cut here: \d+ nodes, marked …, go on", text)


def test_pruned_moves_are_dashed() -> None:
    from dslgame.treeview.layout import part_of
    from dslgame.treeview.picture import picture

    tree = grown("nex", 9, rows=2, columns=2)
    found = label(tree)
    left = prune(tree, found)
    text = picture(tree, part_of(tree, pruned=left), found)
    assert text.count("stroke-dasharray") == int(left.dropped.sum()) == 10
    bare = picture(tree, part_of(tree, pruned=left, show_dropped=False), found)
    assert len(boxes(bare)) == int(left.nodes.sum()) == 11


def test_best_play_goes_to_the_end() -> None:
    from dslgame.treeview.layout import principal_variation

    for name, params, plies in (("nex", {"rows": 2, "columns": 2}, 3), ("tic_tac_toe", {}, 9), ("hex", {"size": 2}, 3)):
        tree = grown(name, 9, merge="translation", **params)
        assert len(principal_variation(tree, label(tree))) == plies + 1


def test_command_draws(tmp_path: Path) -> None:
    """One command writes SVG and HTML, and the page has no external links."""
    svg, html = tmp_path / "t.svg", tmp_path / "t.html"
    result = CliRunner().invoke(app, ["tree", "nex", "-p", "rows=2", "-p", "columns=2", "--depth", "9", "-o", str(svg),
                                      "-o", str(html), "--layout", "radial"])
    assert result.exit_code == 0
    assert len(boxes(svg.read_text(encoding="utf-8"))) == 61
    text = html.read_text(encoding="utf-8")
    links = set(re.findall(r"https?://[^\s\"'\\]+", text))
    assert links == {"http://www.w3.org/2000/svg"}  # an XML namespace, not a link


def test_without_the_library_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "igraph", None)
    result = CliRunner().invoke(app, ["tree", "hex", "-p", "size=2", "--depth", "1", "-o", str(tmp_path / "t.svg")])
    assert result.exit_code == 1
    assert "pip install 'dslgame[pictures]'" in result.output


# ---- in a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The installed Chromium; the test is skipped without it or without Playwright."""
    sync_api = pytest.importorskip("playwright.sync_api")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium is installed")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens a tree's page from disk, without console messages or further requests."""
    from dslgame.treeview.page import page

    views = []

    def of(tree: Tree, **options: Any) -> Any:
        file = tmp_path / "tree.html"
        file.write_text(page(tree, label(tree), **options), encoding="utf-8")
        view = browser.new_page(viewport={"width": 1000, "height": 700})
        view.set_default_timeout(150_000)
        trouble: list[str] = []
        view.on("console", lambda message: trouble.append(message.text))
        view.on("pageerror", lambda error: trouble.append(str(error)))
        view.on("request", lambda request: trouble.append(request.url)
                if not request.url.startswith(("file:", "data:")) else None)
        view.goto(file.as_uri())
        views.append((view, trouble))
        return view

    yield of
    for view, trouble in views:
        view.close()
        assert trouble == []


@pytest.mark.slow
def test_page_shows_boards_and_values_on_hover(opened: Any) -> None:
    view = opened(grown("nex", 9, rows=2, columns=2))
    assert view.locator(".node").count() == 61
    assert view.locator("#hover").is_hidden()
    view.locator(".node[data-node='1']").hover()
    assert view.locator("#hover svg").count() == 1
    assert "White to move: lose in 2 plies" in view.locator("#hover").inner_text()


@pytest.mark.slow
def test_page_pans_and_zooms(opened: Any) -> None:
    view = opened(grown("nex", 9, rows=2, columns=2))
    tree = view.locator("#tree")
    before = tree.get_attribute("viewBox").split()
    view.mouse.move(500, 600)
    view.mouse.wheel(0, -200)
    view.wait_for_function("before => document.querySelector('#tree').getAttribute('viewBox') !== before",
                           arg=" ".join(before))
    zoomed = tree.get_attribute("viewBox").split()
    view.mouse.down()
    view.mouse.move(600, 650, steps=4)
    view.mouse.up()
    moved = tree.get_attribute("viewBox").split()
    assert moved[0] != zoomed[0]
    assert moved[2] == zoomed[2]
    view.click("#fit")
    assert tree.get_attribute("viewBox").split() == before


@pytest.mark.slow
def test_page_folds_and_unfolds(opened: Any) -> None:
    view = opened(grown("nex", 9, rows=2, columns=2))
    view.click(".node[data-node='1']")
    assert view.locator(".node").count() == 57
    assert view.locator(".node[data-node='1']").text_content() == "+"
    view.click(".node[data-node='1']")
    assert view.locator(".node").count() == 61
    view.click("#foldall")
    assert view.locator(".node").count() == 13
    view.click("#unfoldall")
    assert view.locator(".node").count() == 61


@pytest.mark.slow
def test_page_finds_positions_and_lights_the_way(opened: Any) -> None:
    tree = grown("nex", 9, rows=2, columns=2)
    view = opened(tree)
    wanted = tree.game.position_text(tree.state(40))
    view.click("#foldall")
    view.fill("#search", wanted)
    assert view.locator("#found").inner_text() in ("1 found", "2 found")
    assert view.locator(".node.hit").count() >= 1
    assert view.locator(".edge.way").count() >= 2
    view.fill("#search", "no such thing")
    assert view.locator("#found").inner_text() == "0 found"


@pytest.mark.slow
def test_page_shows_best_play(opened: Any) -> None:
    view = opened(grown("nex", 9, rows=2, columns=2))
    view.click("#best")
    assert view.locator(".edge.way").count() == 3
    assert view.locator(".node.way").count() == 4


@pytest.mark.slow
def test_page_of_a_large_tree_is_bounded_and_has_further_parts(opened: Any) -> None:
    """The page shows up to a thousand nodes; clicking a node that continues opens its part, and Back returns."""
    tree = grown("tic_tac_toe", 4)
    view = opened(tree)
    data = json.loads(view.evaluate("document.getElementById('data').textContent"))
    assert len(data["parts"][0]["places"]) <= 1000
    assert "cut here" in view.locator("#about").inner_text()
    view.click("#unfoldall")
    assert view.locator(".node").count() == len(data["parts"][0]["places"])
    further = next(node for node, part in data["parts"][0]["further"].items() if part > 0)
    view.evaluate("""node => document.querySelector(`.node[data-node='${node}']`)
                     .dispatchEvent(new MouseEvent("click", {bubbles: true}))""", further)
    assert view.locator(".node").count() == len(data["parts"][data["parts"][0]["further"][further]]["places"])
    view.click("#back")
    assert view.locator(".node").count() == len(data["parts"][0]["places"])
