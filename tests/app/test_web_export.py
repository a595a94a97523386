"""`dslgame export --html`: one file with every position of a game, by the rules and the solver."""

from __future__ import annotations

import base64
import json
import random
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import dslgame
from dslgame.cli.app import app
from dslgame.web import exporting
from interpreter.wording import sentence
from tests.app.test_web_page import CHROMIUM, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]


def exported(folder: Path, *arguments: str) -> Path:
    """Export a game by the command and return the file."""
    path = folder / "game.html"
    run = CliRunner().invoke(app, ["export", *arguments, "--html", "-o", str(path)])
    assert run.exit_code == 0, run.output
    return path


def data_of(path: Path) -> dict[str, Any]:
    """The data embedded in a file."""
    found = re.search(r'id="data">([^<]*)<', path.read_text(encoding="utf-8"))
    assert found
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(found[1])))
    return data


def test_file_has_every_position_with_its_value(tmp_path: Path) -> None:
    path = exported(tmp_path, "tic_tac_toe", "--moves", "b2")
    data = data_of(path)
    game = dslgame.load("tic_tac_toe")
    position = game.start().play("b2")
    assert data["valued"]
    assert data["nodes"][0][6] == [-1, 8]
    chance, node = random.Random(1), 0
    while not position.over:
        moves = data["nodes"][node][5]
        texts = {data["choices"][choice][0]: target for choice, target in zip(moves[::2], moves[1::2], strict=True)}
        assert tuple(texts) == position.moves()
        text = chance.choice(position.moves())
        position, node = position.play(text), texts[text]
        assert data["nodes"][node][1] == (-2 if position.state.outcome is None else position.state.outcome)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", path.read_text(encoding="utf-8"))


def test_pictures_are_those_of_the_positions() -> None:
    """The elements of a position's picture compose the picture that is drawn of it."""
    from dslgame.web.pictures import board_picture

    game = dslgame.load("nex", rows=2, columns=2)
    data = exporting.packed(game, game.start().state, 100)
    states, _ = exporting.reachable(game, game.start().state, 100)
    for state, node in zip(states, data["nodes"], strict=True):
        picture = board_picture(game, state)
        assert "\n".join(data["elements"][line] for line in node[2]) == picture["body"]
        assert data["boxes"][node[3]] == picture["box"]


def test_games_that_are_too_large_are_written_with_their_rules(tmp_path: Path) -> None:
    """Games with too many positions are exported with their rules, as tested in test_web_alone.py."""
    run = CliRunner().invoke(app, ["export", "hex", "--html", "-o", str(tmp_path / "hex.html"), "--positions", "500"])
    assert run.exit_code == 0
    assert "hex.html: its rules, with a search" in run.output
    assert CliRunner().invoke(app, ["export", "hex"]).exit_code == 2


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
@pytest.mark.parametrize(("name", "params"), [("tic_tac_toe", {}), ("nex", {"rows": 2, "columns": 2}),
                                              ("pong_hau_ki", {}), ("three_mens_morris", {})])
def test_game_is_played_from_disk(name: str, params: dict[str, int], browser: Browser, tmp_path: Path) -> None:
    """Clicks play to the end or for some moves, and the position agrees with the rules."""
    path = exported(tmp_path, name, *(word for key, value in params.items() for word in ("-p", f"{key}={value}")))
    page = browser.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    page.on("console", lambda message: problems.append(message.text))
    page.goto(path.as_uri())
    page.wait_for_selector(".cell")
    chance = random.Random(2)
    for _ in range(40):
        targets = page.locator(".cell.target, #chips .chip:not(.cancel)")
        if not targets.count():
            break
        targets.nth(chance.randrange(targets.count())).dispatch_event("click")
    played = [text.strip() for text in page.locator("#moves button").all_text_contents()]
    at = dslgame.load(name, **params).start()
    for move in played:
        at = at.play(move)
    status = page.text_content("#status")
    page.close()
    assert problems == []
    wanted = f"{at.to_move} to move" if at.outcome is None else sentence(at.outcome)
    assert status == wanted
