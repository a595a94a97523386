"""The page's server: its answers, its refusals, and that neither rules nor users can disturb it."""

from __future__ import annotations

import asyncio
import http.client
import itertools
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import dslgame
from dslgame import bundled
from dslgame.web import answers, request_schema
from dslgame.web.answers import Answers
from dslgame.web.choosing import MOST_LISTED
from dslgame.web.page_files import PAGE, modules
from dslgame.web.pool import Limits, Part, Pool, Worker
from dslgame.web.request_schema import Asked, Job, Playing, Valuing, ended
from dslgame.web.server import application, catalogue
from dslgame.web.thinking import Thinker
from interpreter.game import Position
from tests.discovery import one_in
from tests.web import QUICK, Client, serving

ROOT = Path(__file__).parents[2]
FILES = catalogue([])
DROP = """game "Drop"

players X, O
board square(3, 3)
pieces x of X, o of O

move drop(k in columns where cell(0, k) is empty):
    cell(0, k) := own

forced fall(c in occupied where c.south is empty):
    carry c to c.south

win mover when line(mine, 3)
draw when no empty
"""


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with serving() as found:
        yield found


class Direct:
    """Asks `Answers` directly, without a server in between."""

    def __init__(self) -> None:
        self.answers = Answers()

    def ask(self, what: str, **fields: object) -> dict[str, Any]:
        """The answer to a question."""
        return self.answers.answer(request_schema.job(what, json.dumps(fields).encode(), FILES))

    def refused(self, what: str, **fields: object) -> request_schema.Refused:
        """Why a question is refused."""
        with pytest.raises(request_schema.Refused) as caught:
            self.ask(what, **fields)
        return caught.value


@pytest.fixture(scope="module")
def direct() -> Direct:
    return Direct()


# ---- the page and the list


def test_page_and_its_parts_are_served(client: Client) -> None:
    """Every file that the page names is served, and nothing is loaded from elsewhere."""
    page = client.client.get("/")
    assert page.status_code == 200
    assert "default-src 'self'" in page.headers["content-security-policy"]
    named = set(re.findall(r'(?:href|src)="(/[^"]+)"', page.text))
    for path in PAGE.glob("*.js"):
        named |= {f"/page/{name}" for name in re.findall(r'from "\./([^"]+)"', path.read_text(encoding="utf-8"))}
    assert {f"/page/{path.name}" for path in PAGE.iterdir()} - {"/page/index.html"} <= named
    for name in named:
        assert client.client.get(name).status_code == 200, name
    for path in PAGE.iterdir():
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", path.read_text(encoding="utf-8")), path


def test_modules_are_asked_for_at_once(client: Client) -> None:
    """The page's head preloads every module, first those that the first request needs."""
    text = client.client.get("/").text
    named = re.findall(r'"/page/(\w+\.js)"', text)
    assert sorted(named) == sorted(path.name for path in PAGE.glob("*.js"))
    assert set(named[: named.index("early.js") + 1]) == set(modules("early.js"))
    assert 'data-usual="' in text
    assert "<!-- " not in text


def test_files_are_compressed_and_known_by_their_tags(client: Client) -> None:
    found = client.client.get("/page/board.js", headers={"accept-encoding": "gzip"})
    assert (found.headers["content-encoding"], found.text) == ("gzip", (PAGE / "board.js").read_text(encoding="utf-8"))
    plain = client.client.get("/page/board.js", headers={"accept-encoding": "identity"})
    assert ("content-encoding" in plain.headers, plain.text) == (False, found.text)
    again = client.client.get("/page/board.js", headers={"if-none-match": found.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_game_is_opened_with_its_position(client: Client) -> None:
    """One answer holds the game and its position, which is None where a move is illegal."""
    found = client.ask("game", game="tic_tac_toe", moves=["a1"], position=True)
    assert found["position"] == client.ask("position", game="tic_tac_toe", moves=["a1"])
    assert client.ask("game", game="tic_tac_toe")["position"] is None
    assert client.ask("game", game="tic_tac_toe", moves=["z9"], position=True)["position"] is None


def test_question_about_a_file_that_was_saved_since_is_refused(tmp_path: Path) -> None:
    """A move is made by the rules that the page has; without their stamp, by the file as it is."""
    mine = tmp_path / "mine.game"
    text = bundled.path_of("tic_tac_toe").read_text(encoding="utf-8")
    mine.write_text(text, encoding="utf-8")
    with serving([mine]) as client:
        def ask(what: str, **fields: object) -> Any:
            return client.client.post(f"/api/{what}", json={"game": "mine", **fields})

        saved = ask("game").json()["saved"]
        assert saved == client.client.get("/api/saved/mine").json()["saved"]
        assert ask("move", move=[0, "c6"], saved=saved).json()["move"] == "a1"
        mine.write_text(text.replace("square(3, 3)", "square(4, 4)"), encoding="utf-8")
        refused = ask("move", move=[0, "c6"], saved=saved)
        assert refused.status_code == 409
        assert refused.json()["error"]["kind"] == "saved"
        assert ask("move", move=[0, "c6"]).json()["move"] == "c3"
        assert ask("game").json()["saved"] != saved


def test_files_outside_of_the_page_are_not_served(client: Client) -> None:
    for path in ("/page/../server.py", "/page/%2e%2e/server.py", "/page//etc/passwd", "/nothing", "/api/nothing"):
        assert client.client.get(path).status_code == 404, path


def test_all_bundled_games_are_listed_after_the_files_that_were_named(tmp_path: Path) -> None:
    mine = tmp_path / "drop.game"
    mine.write_text(DROP, encoding="utf-8")
    with serving([mine]) as client:
        found = client.client.get("/api/games").json()
        assert [game["name"] for game in found["games"]] == ["drop", *bundled.names()]
        assert found["games"][0] == {"name": "drop", "title": "Drop", "genre": bundled.OTHER, "own": True}
        genres = {game["name"]: game["genre"] for game in found["games"]}
        assert genres["hex"] == "Connection"
        assert client.ask("game", game="drop")["game"]["title"] == "Drop"
        mine.write_text(DROP.replace("Drop", "Fall"), encoding="utf-8")
        assert client.ask("game", game="drop")["game"]["title"] == "Fall"
        mine.unlink()
        assert client.ask("game", game="drop")["diagnostics"][0]["code"] == "G001"
        assert client.refused("position", game="drop")[:2] == (400, "game")


def test_every_game_has_a_picture_to_choose_it_by(direct: Direct) -> None:
    """The picture shows a position in play; a file with errors has none."""
    found = direct.ask("picture", game="hex")["picture"]
    assert "<" in found["body"]
    assert len(found["box"]) == 4
    assert direct.ask("picture", game="hex")["picture"] == found
    assert direct.refused("picture", text='game "X"').status == 400


# ---- games and positions


def test_game_is_described(client: Client) -> None:
    found = client.ask("game", game="nex", params={"rows": 2})
    assert found["text"] == (bundled.FOLDER / "nex.game").read_text(encoding="utf-8")
    assert found["params"] == [
        {"name": "rows", "value": 2, "default": 3, "low": 2, "high": 12, "help": ""},
        {"name": "columns", "value": 3, "default": 3, "low": 2, "high": 12, "help": ""},
    ]
    assert [player["name"] for player in found["game"]["players"]] == ["Black", "White"]
    assert [piece["name"] for piece in found["game"]["pieces"]] == ["black", "white", "neutral"]
    assert len(found["game"]["shape"]) == 6
    assert found["diagnostics"] == []


def test_position_is_that_of_the_api(client: Client) -> None:
    moves = ["Ba1?c2", "Wa2?b2"]
    position = dslgame.load("nex").start()
    for move in moves:
        position = position.play(move)
    found = client.ask("position", game="nex", moves=moves)
    assert found["position"] == position.text
    assert [text for text, _ in found["moves"]] == list(position.moves())
    assert found["count"] == len(position.moves())
    assert (found["to_move"], found["over"], found["outcome"]) == (0, False, None)
    assert found["board"] == position.drawing()
    assert {cell[1]: cell[4] for cell in found["cells"] if cell[4]} == position.pieces


def test_position_begins_where_it_is_said(client: Client) -> None:
    found = client.ask("position", game="tic_tac_toe", start="XX./OO./... X", moves=["c3"])
    assert (found["outcome"], found["winner"], found["over"], found["moves"]) == ("X", 0, True, [])


@pytest.mark.parametrize("name", one_in(3, bundled.names(), 2))
def test_every_path_of_a_move_plays_it(name: str, direct: Direct) -> None:
    """In the first plies of each game, every path of choices plays the move that it is listed for."""
    chance = random.Random(name)
    moves: list[str] = []
    for _ in range(4):
        found = direct.ask("position", game=name, moves=moves)
        chosen = [0]
        while found.get("moves") is None:
            chosen = chance.choice(found["next"])
            found = direct.ask("choices", game=name, moves=moves, chosen=chosen)
        if not found["moves"]:
            break
        text, paths = chance.choice(found["moves"])
        for path in paths[:3]:
            assert direct.ask("move", game=name, moves=moves, move=path)["move"] == text
        moves.append(text)


def test_viewers_are_sent_their_own_moves_only(direct: Direct) -> None:
    """A player who is not to move and a spectator see the position without moves, and cannot move."""
    everything = direct.ask("position", game="tic_tac_toe", moves=["b2"])
    assert direct.ask("position", game="tic_tac_toe", moves=["b2"], viewer=1) == everything
    for viewer in (0, request_schema.SPECTATOR):
        found = direct.ask("position", game="tic_tac_toe", moves=["b2"], viewer=viewer)
        assert (found["count"], found["moves"]) == (0, [])
        assert {key for key in found if found[key] != everything[key]} == {"count", "moves"}
        refused = direct.refused("move", game="tic_tac_toe", moves=["b2"], move="a1", viewer=viewer)
        assert (refused.status, refused.kind, refused.message) == (403, "turn", "O is to move")
    assert direct.ask("move", game="tic_tac_toe", moves=["b2"], move="a1", viewer=1)["move"] == "a1"


def test_the_page_says_how_a_game_ended(direct: Direct) -> None:
    """A sentence for a winner, and for a player alone, who has lost what is not won; stepping back is no end."""
    def result(name: str, moves: str, **params: int) -> object:
        found = direct.ask("position", game=name, params=params, moves=moves.split())
        return found["outcome"], found["result"]

    assert result("tic_tac_toe", "a1 a2 b1 b2") == (None, None)
    assert result("tic_tac_toe", "a1 a2 b1 b2 c1") == ("X", "X won.")
    assert result("n_queens", "a4 c3", size=4) == ("lost", "The game is lost.")
    assert result("sokoban", "f4 f3") == (None, None)
    [lost] = [child for child in direct.ask("tree", game="n_queens", params={"size": 4}, moves=["a4"])["children"]
              if child["move"] == "c3"]
    assert (lost["outcome"], lost["result"]) == ("lost", "lost")


def test_choices_lead_to_all_moves_where_there_are_many(direct: Direct) -> None:
    game = dslgame.load("amazons")
    wanted = game.start().moves()
    assert len(wanted) > MOST_LISTED
    found = direct.ask("position", game="amazons")
    assert found["moves"] is None
    assert found["count"] == len(wanted)
    texts = [text for chosen in found["next"]
             for text, _ in direct.ask("choices", game="amazons", chosen=chosen)["moves"]]
    assert sorted(texts) == sorted(wanted)


def test_choices_in_any_order_have_a_path_each(direct: Direct) -> None:
    moves = ["Ba1?c2", "Wa2?b2"]
    found = direct.ask("position", game="nex", moves=moves)
    paths = dict(found["moves"])["Bb2Bc2?a1"]
    assert len(paths) == 2
    assert paths[0][1:3] == paths[1][2:0:-1]
    for path in paths:
        assert direct.ask("move", game="nex", moves=moves, move=path)["move"] == "Bb2Bc2?a1"


def test_rows_and_columns_are_choices_of_their_own(direct: Direct) -> None:
    found = dict(direct.ask("position", game="shift_tac_toe")["moves"])
    assert found["0"] == [[0, "k0:a"]]
    assert found["3"] == [[1, "r0:3"]]


def test_move_shows_its_forced_rules(direct: Direct) -> None:
    moves = ["@0/", "B1/", "B0\\", "@2\\", "A3/", "A4\\"]
    found = direct.ask("move", game="trax", moves=moves, move="C3+")
    assert [frame["rule"] for frame in found["frames"]] == ["place", *["fill"] * found["forced"]]
    assert found["forced"] == 2
    assert found["after"]["played"] == [*moves, "C3+"]
    assert found["after"]["outcome"] == "White"


def test_long_cascades_are_shown_in_few_steps(direct: Direct) -> None:
    text = ('game "March"\nplayers A, B\nboard square(1, 150)\npieces a of A, b of B\nmove go(c in left and empty):\n'
            "    c := a\nforced step(c in a where c.east is empty):\n    carry c to c.east\nno moves loses\n")
    found = direct.ask("move", text=text, move="a1")
    assert found["forced"] == 149
    assert len(found["frames"]) <= 61


def test_tree_says_what_moves_lead_to(direct: Direct) -> None:
    found = direct.ask("tree", game="tic_tac_toe", start="XX./OO./... X")
    assert found["children"][0] == {
        "move": "c3", "outcome": "X", "winner": 0, "result": "X won", "to_move": 1, "replies": 0}
    assert found["children"][1]["replies"] == 4


# ---- thinking


def in_rounds(client: Client, **asked: Any) -> dict[str, Any]:
    """Ask for the values of moves round by round, as the page does, until the server has no more to tell."""
    for number in itertools.count():
        found: dict[str, Any] = client.ask("values", **asked, round=number)
        if not found["more"]:
            return found
    raise AssertionError


def test_values_are_those_of_the_solver(client: Client) -> None:
    found = in_rounds(client, game="tic_tac_toe", moves=["a1"])
    game = dslgame.load("tic_tac_toe")
    at = game.start().play("a1")
    solution = dslgame.solve(game, at.state)
    wanted = {game.notation.write(at.state, item.move): (item.winner, item.remoteness) for item in solution.moves}
    assert {item["move"]: (item["winner"], item["plies"]) for item in found["values"]} == wanted
    assert found["exact"]
    assert (found["basis"], found["proven"], found["best"]) == ("proven draw in 8 plies", True, "b2")
    assert found["method"] == {"name": "strong", "summary": "values every position that can occur"}
    assert client.ask("values", game="connect_four", moves=list("414141"), round=0)["method"]["name"] == "shallow"
    assert in_rounds(client, game="tic_tac_toe", moves=["a1", "b2"])["exact"]
    assert client.refused("values", game="tic_tac_toe", round="two")[:2] == (400, "request")


@pytest.mark.slow
def analysed(client: Client, **asked: Any) -> list[dict[str, Any]]:
    """The parts of an analysis, in order."""
    response = client.client.post("/api/analyse", json=asked)
    assert response.status_code == 200, response.text
    return [json.loads(line) for line in response.text.splitlines()]


def test_an_analysis_is_told_in_parts(client: Client) -> None:
    """First parts tell what is known at once, the last all values and the principal variations of the best moves."""
    found = analysed(client, game="tic_tac_toe", moves=["b1", "c1"])
    assert len(found) > 1
    assert found[-1]["exact"]
    assert [part["more"] for part in found] == [True] * (len(found) - 1) + [False]
    assert found[-1]["values"] == in_rounds(client, game="tic_tac_toe", moves=["b1", "c1"])["values"]
    lines = found[-1]["lines"]
    assert lines[0]["move"] == found[-1]["best"]
    assert len(lines) == 3
    position = dslgame.load("tic_tac_toe").start().play("b1").play("c1")
    values = {item["move"]: item for item in found[-1]["values"]}
    for line in lines:
        here = position
        for move in line["line"]:
            here = here.play(move)
        assert here.over
        assert len(line["line"]) == line["plies"] == values[line["line"][0]]["plies"]
        assert line["winner"] == values[line["move"]]["winner"]
    assert client.refused("analyse", game="tic_tac_toe", moves=["z9"])[:2] == (400, "move")
    assert client.refused("analyse", game="tic_tac_toe", moves=["a1", "b1", "a2", "b2", "a3"])[:2] == (400, "move")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["connect_four", "chess"])
def test_the_best_lines_are_told_where_nothing_is_solved(client: Client, game: str) -> None:
    """Three moves are told, the best first, each with its value, its depth or number of games, and a legal line."""
    found = [part["lines"] for part in analysed(client, game=game)]
    while not found[0]:  # moves have no estimates until the rules are compiled
        del found[0]
    start = dslgame.load(game).start()
    for lines in found:
        assert len(lines) == 3
        assert len({line["move"] for line in lines}) == 3
        for line in lines:
            assert (line["score"] is None) != (line["estimate"] is None)
            assert line["depth"] or line["games"]
            assert line["line"][0] == line["move"]
            here = start
            for move in line["line"]:
                here = here.play(move)
    scores = [line["score"] for line in found[-1]]
    if None not in scores:
        assert scores == sorted(scores, reverse=True)


@pytest.mark.skipif(os.name != "posix", reason="lists processes")
def test_an_analysis_that_nobody_waits_for_ends_and_its_worker_goes_on() -> None:
    process, url = start("--port", "0")
    try:
        port = int(url.rstrip("/").rpartition(":")[2])
        for game, enough in (("tic_tac_toe", "solved"), ("go", "sampled"), ("tic_tac_toe", "solved")):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("POST", "/api/analyse", json.dumps({"game": game}), {"content-type": "application/json"})
            response = connection.getresponse()
            lines = []
            for line in response:  # nothing compiles once games are sampled, so the worker soon notices the end
                lines.append(json.loads(line))
                if lines[-1]["basis"].startswith(enough):
                    break
            response.close()
            connection.close()
            now = {pid for pid in children(process.pid) if _patient(pid)}
            if game == "go":
                before = now
        assert lines[-1]["exact"]
        assert before & now
    finally:
        process.kill()
        process.communicate(timeout=20)


def _patient(pid: int) -> bool:
    """Whether a process runs at a lower priority, as workers that search do."""
    shown = subprocess.run(["ps", "-o", "ni=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return shown.stdout.strip() not in ("", "0")


@pytest.mark.parametrize(("game", "why"), [
    ("einstein", "chance makes the next move"), ("kuhn_poker", "chance makes the next move"),
    ("phantom_tic_tac_toe", "do not see everything, so that no move has a value")])
def test_moves_have_no_values_where_chance_or_hidden_things_decide(game: str, why: str, direct: Direct) -> None:
    for do in ("values", "analyse"):
        refused = direct.refused(do, game=game)
        assert (refused.status, refused.kind) == (400, "values")
        assert why in refused.message


def test_moves_have_values_after_the_dice_are_thrown(direct: Direct) -> None:
    """After a roll moves have values by random games, and later parts rest on at least as many games."""
    begun = dslgame.load("einstein").start()
    moves = [begun.moves()[0]]
    parts: list[dict[str, Any]] = []
    asked = request_schema.job("analyse", json.dumps({"game": "einstein", "moves": moves}).encode(), FILES)

    def take(part: dict[str, Any]) -> bool:
        parts.append(part)
        return True

    direct.answers.answer(asked, take)
    last = direct.ask("values", game="einstein", moves=moves)
    assert not begun.play(moves[0]).by_chance
    assert all(value["estimate"] is not None for value in last["values"])
    assert parts[-1]["games"] >= parts[0]["games"] > 0


SIZES = {"size", "rows", "columns", "side"}
"""Params whose names explain themselves."""


@pytest.mark.slow
def test_players_are_told_how_every_game_is_played_and_what_its_params_are(direct: Direct) -> None:
    """Every bundled file begins with a comment on how to play, and every other param has a help text."""
    untold = []
    for name in sorted(bundled.names()):
        found = direct.ask("game", game=name)
        if not found["text"].startswith("# "):
            untold.append(name)
        untold += [f"{name}: {param['name']}" for param in found["params"]
                   if param["name"] not in SIZES and not param["help"]]
    assert untold == []


@pytest.mark.slow
def test_values_say_what_they_rest_on(client: Client) -> None:
    """Losing moves are proven; a move that is not proven has the score of a search or an estimate by random games."""
    found = in_rounds(client, game="connect_four", moves=["4", "4", "3"])
    worth = {item["move"]: item for item in found["values"]}
    assert {move for move, item in worth.items() if item["winner"] == 0} >= {"1", "3", "4", "6", "7"}
    assert found["best"] in ("2", "5")
    assert found["proven"] or re.fullmatch(r"searched to depth \d+|sampled from [\d,]+ games.*", found["basis"])
    assert found["proven"] or worth["2"]["score"] is not None or worth["2"]["estimate"] is not None
    move = client.ask("choose", game="connect_four", moves=["4", "4", "3"], player="solver")
    assert move["move"] in ("2", "5")
    assert re.fullmatch(r"proven.*|searched to depth \d+|sampled from [\d,]+ games.*", move["remark"])


def test_solver_plays_the_winning_move(client: Client) -> None:
    found = client.ask("choose", game="tic_tac_toe", start="XX./OO./... X", player="solver")
    assert found["move"] == "c3"
    found = client.ask("choose", game="tic_tac_toe", player="random")
    assert found["move"] in dslgame.load("tic_tac_toe").start().moves()
    assert client.refused("choose", game="tic_tac_toe", start="XXX/OO./... O", player="solver")[1] == "move"
    assert client.refused("choose", game="tic_tac_toe", player="nobody")[1] == "request"


# ---- rules from the page


def test_checking_rules_with_many_moves_ends_in_time(direct: Direct, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check by play that runs out of time returns what it found so far instead of a refusal."""
    monkeypatch.setattr(answers, "CHECKING", 1e-6)
    text = (ROOT / "games" / "amazons.game").read_text(encoding="utf-8")
    found = direct.ask("check", text=text, play=True)
    assert [item["code"] for item in found["diagnostics"]] == ["G320"]
    assert found["playable"]
    assert not found["errors"]


def test_rules_from_the_page_are_checked_and_played(client: Client) -> None:
    found = client.ask("check", text=DROP.replace("is empty", "is emty"))
    assert not found["playable"]
    assert found["diagnostics"][0]["span"]["line"] == 7
    assert found["diagnostics"][0]["suggestion"] == "empty"
    found = client.ask("check", text=DROP, play=True)
    assert [item["code"] for item in found["diagnostics"]] == ["G316"]
    assert found["playable"]
    played = client.ask("move", text=DROP, moves=["0"], move=[0, "k0:a"])
    assert played["forced"] == 1
    assert client.ask("game", text="nonsense")["game"] is None
    assert client.refused("position", text="nonsense")[:2] == (400, "game")


def test_params_out_of_range_are_said(client: Client) -> None:
    found = client.ask("game", game="hex", params={"size": 1000})
    assert found["game"] is None
    assert found["diagnostics"][0]["code"] == "G502"
    assert [item["name"] for item in found["params"]] == ["size"]


def test_text_of_a_bundled_game_has_no_hooks(monkeypatch: pytest.MonkeyPatch, direct: Direct) -> None:
    """Playing a move loads no hooks, which are Python, neither for a text from the page nor for a bundled game."""
    import interpreter.hooks

    monkeypatch.setattr(interpreter.hooks, "load", lambda path: pytest.fail("hooks were loaded"))
    text = (bundled.FOLDER / "trax.game").read_text(encoding="utf-8")
    direct.ask("move", text=text, move="@0/")
    direct.ask("move", game="trax", moves=[], move="@0/")


# ---- what is refused


def test_illegal_moves_are_refused_with_how_far_the_game_is_legal(direct: Direct) -> None:
    refused = direct.refused("position", game="tic_tac_toe", moves=["a1", "b2", "a1", "c3"])
    assert (refused.status, refused.kind, refused.legal) == (400, "move", 2)
    assert refused.message.startswith("illegal move 'a1': not among the 7 legal moves")
    assert direct.refused("move", game="tic_tac_toe", move=[0, "c9"]).kind == "move"
    assert direct.refused("move", game="tic_tac_toe", move=[7, "c1"]).kind == "move"
    assert direct.refused("move", game="tic_tac_toe", move=[-1]).kind == "move"
    assert direct.refused("position", game="tic_tac_toe", start="XX").kind == "position"


def test_rules_that_fail_in_play_are_told(direct: Direct) -> None:
    stuck = DROP.replace("draw when no empty\n", "").replace("3, 3", "3, 1")
    assert direct.refused("move", text=stuck, moves=["0", "0"], move="0").kind == "rule"
    endless = DROP.replace("    carry c to c.south\n", "    carry c to c.south\n\nforced rise(c in occupied where "
                                                       "c.north is empty):\n    carry c to c.north\n")
    refused = direct.refused("move", text=endless, move="0")
    assert "never ends" in refused.message


MALFORMED = [
    b"", b"null", b"[]", b"{", b"\xff\xfe", b"[" * 100_000, b'{"game": "hex"', b'{"game": 1}', b'{"game": null}',
    b'{"game": "hex", "text": "x"}', b'{"game": "no such game"}', b'{"game": "../games/hex"}',
    b'{"game": "/etc/passwd"}', b'{"game": "hex", "params": []}', b'{"game": "hex", "params": {"size": "5"}}',
    b'{"game": "hex", "params": {"size": NaN}}', b'{"game": "hex", "params": {"size": 1e400}}',
    b'{"game": "hex", "params": {"size": true}}',
    b'{"game": "hex", "params": {"a b": 1}}', b'{"game": "hex", "params": {"size": ' + b"9" * 5000 + b"}}",
    b'{"game": "hex", "moves": "a1"}', b'{"game": "hex", "moves": [1]}', b'{"game": "hex", "moves": {"0": "a1"}}',
    b'{"game": "hex", "moves": [' + b'"a1",' * 6000 + b'"a1"]}', b'{"game": "hex", "moves": ["\\ud800"]}',
    b'{"text": "\\udfff"}', b'{"game": "hex", "start": 5}', b'{"game": "hex", "start": ""}',
    b'{"game": "hex", "nonsense": 1}', b'{"game": "hex", "moves": ["' + b"a" * 500 + b'"]}',
]


@pytest.mark.parametrize("body", MALFORMED, ids=lambda body: repr(body[:40]))
def test_malformed_requests_are_refused(body: bytes, client: Client) -> None:
    status, found = client.send("position", body)
    assert status in (400, 404), found


@pytest.mark.parametrize(("what", "fields", "message"), [
    ("position", {"moves": ["a1", 5]}, "item 2 of 'moves' is '5', expected a list of at most 5,000 moves, each a text"),
    ("position", {"moves": ["a1"] * 5001}, "'moves' is a list of 5,001, expected a list of at most 5,000 moves"),
    ("position", {"params": {"size": "5"}}, "'size' of 'params' is the text '5', expected a whole number of at most"),
    ("position", {"params": {"a b": 5}}, "'params' has the name 'a b', expected a word"),
    ("position", {"path": "/etc/passwd"},
     "the request has a field 'path', expected game, moves, params, saved, start, text"),
    ("move", {}, "the request has no 'move', expected a text of at most 400 characters, or a list"),
    ("move", {"move": [0, "x"]}, "item 2 of 'move' is the text 'x', expected"),
    ("move", {"move": ["c0"]}, "'move' is no move, expected a list of at most 400: a rule's number, then choices"),
    ("treepicture", {"depth": 12, "merge": "all"}, "'depth' is '12', expected a whole number from 1 to 9"),
    ("treepicture", {"depth": 2, "merge": "al"}, "'merge' is the text 'al', expected one of none, translation"),
    ("check", {"play": 1}, "'play' is '1', expected true or false"),
    ("variants", {"ranges": {"size": [2, "3"]}}, "'ranges' is an object, expected an object of at most 50 lists"),
    ("variants", {"changes": ["win to lose", 3]}, "item 2 of 'changes' is '3', expected a list of at most 12 changes"),
])
def test_refusals_name_the_field_its_value_and_what_was_expected(what: str, fields: dict[str, Any], message: str,
                                                                 direct: Direct) -> None:
    refused = direct.refused(what, game="hex", **fields)
    assert (refused.status, refused.kind) == (400, "request")
    assert refused.message.startswith(message)


def test_bodies_too_large_or_of_another_kind_are_refused(client: Client) -> None:
    assert client.send("position", b" " * (request_schema.MOST_BYTES + 1))[0] == 413
    assert client.send("position", b'{"game": "hex"}', {"content-type": "text/plain"})[0] == 415
    assert client.client.get("/api/position").status_code == 405
    assert client.client.get("/", headers={"host": "evil.example"}).status_code == 400


ROW = """game "Row"
players A, B
board square(1, 5)
pieces stone, chip of B
move put(a in empty):
    a := stone
win mover when count(stone) = 3
draw when no moves
"""


def fuzzed(chance: random.Random) -> tuple[str, bytes]:
    """A request close to a valid one: some values replaced, some bytes corrupted."""
    def odd(depth: int = 0) -> Any:
        choices: list[Any] = [
            None, True, 0, -1, 10**9, 10**30, 1.5, "", "a1", "\ud800", "\0", "c0", "k0:a", "☃" * 30, "x" * 3000,
            "__import__('os')", "<script>", "../../etc/passwd", DROP, "hex", "tic_tac_toe"]
        if depth < 3:
            choices += [[odd(depth + 1) for _ in range(chance.randrange(4))],
                        {str(odd(3)): odd(depth + 1) for _ in range(chance.randrange(3))}]
        return chance.choice(choices)

    what = chance.choice([*request_schema.ASKED, "share"])
    game = chance.choice(["tic_tac_toe", "nex", "shift_tac_toe"])
    moves = {"tic_tac_toe": ["a1", "b2"], "nex": ["Ba1?c2", "Wa2?b2"], "shift_tac_toe": ["0", "4"]}[game]
    body: dict[str, Any] = {"game": game, "moves": moves[: chance.randrange(3)]}
    if chance.random() < 0.3:
        lines = DROP.splitlines()
        lines[chance.randrange(len(lines))] = chance.choice([*lines, "board square(99999, 3)", "  \t", "move ("])
        body = {"text": "\n".join(lines), "moves": ["0"]}
    if what in ("game", "check", "picture"):
        body.pop("moves", None)
    further: dict[str, tuple[str, list[Any]]] = {
        "move": ("move", ["a3", [0, "c0"], [0, "k0:a"]]), "choose": ("player", ["random"]),
        "choices": ("chosen", [[0, "c0"], [0]])}
    if what in further:
        name, values = further[what]
        body[name] = chance.choice(values)
    if what == "variants":
        body |= {"ranges": {"rows": [2, 3]}, "claim": chance.choice(["first wins", "first wins when rows > 2", "x"])}
        del body["moves"]
    if what == "treepicture":
        body |= {"depth": chance.choice([1, 2]), "merge": chance.choice(["none", "all"])}
    if what in ("complete", "word"):
        body.pop("moves", None)
        body |= {"line": chance.randrange(1, 30), "column": chance.randrange(1, 20)}
    for _ in range(chance.choice([0, 1, 1, 2])):
        fields = ["game", "text", "moves", "params", "start", "move", "chosen", "player", "play", "depth", "merge",
                  "viewer", "nonsense"]
        body[chance.choice(fields)] = odd()
    data = json.dumps(body).encode()
    if chance.random() < 0.2:
        place = chance.randrange(len(data))
        data = data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]
    return what, data


def fuzz(client: Client, number: int, seed: int) -> int:
    """Send many malformed requests and return how many were answered; `Client.send` checks each answer."""
    chance = random.Random(seed)
    answered = 0
    for _ in range(number):
        what, body = fuzzed(chance)
        if what == "analyse" or (what == "values" and b"tic_tac_toe" not in body):
            what = "position"  # searches take seconds
        status, _ = client.send(what, body)
        answered += status == 200
    return answered


@pytest.mark.slow
def test_odd_requests_never_break_the_server(client: Client) -> None:
    """Each of hundreds of requests is answered or refused with a sentence, and the server still works afterwards."""
    assert 30 < fuzz(client, 300, 1) < 200
    assert client.ask("position", game="tic_tac_toe")["count"] == 9


@pytest.mark.slow
def test_many_more_odd_requests_never_break_the_server(client: Client) -> None:
    assert fuzz(client, 3_000, 2) > 200
    assert client.ask("position", game="tic_tac_toe")["count"] == 9


# ---- help with rules


def test_rules_are_completed_explained_and_mended(client: Client) -> None:
    """The server completes words, explains them, finds declarations, suggests fixes and explains codes."""
    found = client.ask("complete", text=ROW, line=6, column=12)
    assert found["start"] == 10
    assert found["items"][0]["fits"]
    assert {"text": "stone", "kind": "piece", "detail": "piece", "fits": True} in found["items"]
    word = client.ask("word", text=ROW, line=6, column=11)
    assert word["about"].startswith("piece `stone`")
    assert [(span["line"], span["column"]) for span in word["declared"]] == [(4, 8)]
    assert client.ask("word", text=ROW, line=5, column=3)["about"].startswith("keyword `move`")
    assert client.ask("word", game="nex", line=3, column=1)["about"].startswith("keyword `game`")
    mistake = client.ask("check", text=ROW.replace("win mover", "win mver"))["diagnostics"][0]
    assert mistake["fix"] == {"title": "Change to 'mover'", "text": "mover"}
    explained = client.client.get(f"/api/explain/{mistake['code']}").json()
    assert explained["code"] == mistake["code"]
    assert explained["what"]
    assert client.refused("word", text=ROW, line=1, column=900)[1] == "place"
    assert client.client.get("/api/explain/G000").status_code == 404


# ---- families of games


def test_family_is_solved_as_rows_that_can_be_opened(client: Client) -> None:
    """Rows have their params, the text of changed rules and the verdict on a claim."""
    found = client.ask("variants", game="misere_tic_tac_toe", params={"length": 2}, ranges={"size": [1, 2]},
                       changes=["lose to win"], claim="first wins")
    assert [(row["params"]["size"], row["changes"], row["winner"], row["claim"]) for row in found["rows"]] == [
        (1, [], "draw", "refuted"), (2, [], "O", "refuted"), (1, ["lose to win"], "draw", "refuted"),
        (2, ["lose to win"], "X", "confirmed")]
    assert [row["text"] is None for row in found["rows"]] == [True, True, False, False]
    assert client.ask("position", text=found["rows"][3]["text"], params=found["rows"][3]["params"])["count"] == 4
    assert found["claim"] == {"verdict": "refuted", "counterexample": 0, "line": ["a1"]}
    assert found["varied"] == ["size"]
    pig = client.ask("variants", game="pig", ranges={"goal": [2, 3]}, claim="first expects more than 1/2")
    assert [(row["winner"], row["worth"]) for row in pig["rows"]] == [
        (None, "One expects 6/7"), (None, "One expects 36/43")]
    assert pig["claim"]["verdict"] == "confirmed"


@pytest.mark.parametrize(("fields", "said"), [
    ({"ranges": {"size": list(range(1, 60))}}, "these are 59 games, expected at most 49"),
    ({"ranges": {"rows": [2]}}, "has no param 'rows'"), ({"changes": ["hello"]}, "is no change of a game"),
    ({"claim": "first"}, "is no claim"), ({"ranges": {"size": [99]}}, "none of the 1 instances is a game"),
])
def test_family_that_cannot_be_is_refused(client: Client, fields: dict[str, Any], said: str) -> None:
    """An impossible family is refused with the same sentence as the command prints."""
    status, kind, message = client.refused("variants", game="misere_tic_tac_toe", **fields)
    assert (status, kind, said in message) == (400, "variants", True), message


# ---- trees as pictures, searches for rules from the page


@pytest.mark.slow
def test_tree_is_drawn_as_a_picture(client: Client) -> None:
    """Any position has a tree; one that is too large is cut at a whole level, and the answer says so."""
    found = client.ask("treepicture", game="tic_tac_toe", moves=["b2"], depth=2, merge="all")
    assert found["picture"].startswith("<svg ")
    assert (found["nodes"], found["drawn"], found["depth"], found["cut"]) == (11, 11, 2, "")
    whole = client.ask("treepicture", game="nex", params={"rows": 2, "columns": 2}, depth=9, merge="none")
    assert whole["nodes"] == 61
    large = client.ask("treepicture", game="hex", depth=3, merge="none")
    assert large["cut"]
    assert large["drawn"] <= 150
    assert client.ask("treepicture", text=DROP, depth=1, merge="none")["nodes"] > 1
    for depth, merge in ((0, "all"), (1, "some"), (1, None), (99, "all"), ("1", "all")):
        refused = client.refused("treepicture", game="tic_tac_toe", depth=depth, merge=merge)
        assert refused[:2] == (400, "request")


def test_a_tree_is_coloured_by_the_solution(client: Client) -> None:
    """Nodes that the tree alone cannot label have the values of the solved game; a game too large to solve has none."""
    found = client.ask("treepicture", game="tic_tac_toe", moves=["a1", "b1"], depth=1, merge="none")
    nodes = found["viewer"]["nodes"]
    assert found["solved"]
    judged = in_rounds(client, game="tic_tac_toe", moves=["a1", "b1"])["values"]
    values = {item["move"]: item["winner"] for item in judged}
    for source, target, moves, _ in found["viewer"]["parts"][0]["edges"]:
        assert source == 0
        wanted = {0: "lose", 1: "win", -1: "draw"}[values[moves]]  # O is to move after the move
        assert nodes[str(target)]["label"] == wanted, moves
    far = client.ask("treepicture", game="hex", params={"size": 7}, depth=1, merge="all")
    assert not far["solved"]
    assert {node["label"] for node in far["viewer"]["nodes"].values()} == {"unknown"}


@pytest.mark.slow
def test_searches_play_rules_from_the_page_and_leave_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules from the page are compiled in memory: the cache gets no kernel files."""
    monkeypatch.setenv("DSLGAME_CACHE", str(tmp_path / "cache"))
    lanes = {**QUICK, "draft": Limits(1, 120, 10, jobs=2)}
    with serving(lanes=lanes) as client:
        client.ask("choose", game="tic_tac_toe", player="quick")
        before = sorted(path.name for path in (tmp_path / "cache").iterdir())
        for player in ("quick", "ahead", "strong"):
            assert client.ask("choose", text=DROP, player=player)["move"] in ("0", "1", "2")
        estimates = client.ask("values", text=DROP.replace("3, 3", "6, 7"), round=2)
        assert any(item["estimate"] is not None for item in estimates["values"]) or estimates["exact"]
    kept = {path.name for path in (tmp_path / "cache").iterdir()} - {*before}
    assert not [name for name in kept if re.fullmatch("[0-9a-f]{32}", name)]


def test_patterns_play_games_that_have_some(client: Client) -> None:
    assert client.ask("game", game="tic_tac_toe")["game"]["patterns"] is False
    assert client.ask("game", game="twixt")["game"]["patterns"] is True
    status, kind, message = client.refused("choose", game="tic_tac_toe", player="patterns")
    assert (status, kind) == (400, "player")
    assert "no patterns come with Tic-Tac-Toe" in message


@pytest.mark.slow
def test_searches_are_made_ready_when_the_server_starts() -> None:
    """The server compiles its searches at the start and tells the page when they are ready."""
    with TestClient(application(lanes=QUICK, warm=True)) as client:
        assert client.get("/api/games").json()["ready"] is False
        for _ in range(1200):
            if client.get("/api/ready").json()["ready"]:
                break
            time.sleep(0.1)
        assert client.get("/api/games").json()["ready"] is True


# ---- bounds


HOPELESS = """game "Hopeless"
players A, B
board square(60, 60)
pieces a of A, b of B
move m(c in empty, d in empty, e in empty where c = d and d = e and e = a1):
    c := own
define a1 = cell(0, 0)
no moves loses
"""
SHORT = {**QUICK, "text": Limits(1, 1.0, 1), "think": Limits(1, 1.0, 10)}


@pytest.mark.slow
def test_rules_that_take_too_long_are_cut_and_disturb_nobody() -> None:
    """Slow rules are cut off while bundled games are played as before; other rules can be played afterwards."""
    with serving(lanes=SHORT) as client, ThreadPoolExecutor() as threads:
        assert client.ask("position", text=DROP)["count"] == 3
        slow = threads.submit(client.refused, "position", text=HOPELESS)
        started = time.monotonic()
        assert client.ask("position", game="tic_tac_toe")["count"] == 9
        assert not slow.done()
        status, kind, message = slow.result()
        assert (status, kind) == (503, "limit")
        assert "takes longer than the 1 s" in message
        assert time.monotonic() - started < 20
        assert client.ask("position", text=DROP)["count"] == 3


@pytest.mark.slow
def test_searches_that_take_too_long_are_cut_and_games_go_on() -> None:
    """The answer is what was found until then, or says that nothing was; meanwhile games are played."""
    with serving(lanes=SHORT) as client, ThreadPoolExecutor() as threads:
        slow = threads.submit(client.send, "values", json.dumps({"game": "hex", "round": 2}))
        for _ in range(5):
            assert client.ask("position", game="hex", moves=["a1"])["count"] == 120
        status, found = slow.result()
        assert found["error"]["kind"] == "limit" if status == 503 else (status, found["more"]) == (200, False)


@pytest.mark.slow
def test_too_many_waiting_requests_are_refused() -> None:
    with serving(lanes=SHORT) as client, ThreadPoolExecutor(8) as threads:
        client.ask("position", text=DROP)
        asked = [threads.submit(client.refused, "position", text=HOPELESS) for _ in range(6)]
        kinds = [task.result()[1] for task in asked]
        assert set(kinds) == {"busy", "limit"}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited where the system can do that")
def test_memory_of_a_worker_is_limited() -> None:
    """The worker refuses what takes too much memory."""
    code = ("from dslgame.web import worker; worker.MEMORY = 400 << 20; worker.limit_memory()\n"
            "from dslgame.web.answers import Answers\nclass Hungry(Answers):\n    def _position(self, job):\n"
            "        return {'x': [0] * (1 << 30)}\nhere = Hungry()\n"
            "from dslgame.web.request_schema import At, Job\njob = Job('position', At(text=''))\n"
            "print(worker.answered(here, job))")
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "(503," in run.stdout
    assert "more memory than the page allows" in run.stdout


def test_games_of_two_people_are_not_mixed(client: Client) -> None:
    """Interleaved games with the same or different rules do not affect each other."""
    chance = random.Random(3)
    games: list[tuple[str, Position, list[str]]] = [
        ("tic_tac_toe", dslgame.load("tic_tac_toe").start(), []) for _ in range(6)]
    texts = [dslgame.loads(DROP.replace("3, 3", f"3, {width}")).start() for width in (3, 4)]
    for _ in range(5):
        for number, (name, position, moves) in enumerate(games):
            if position.over:
                continue
            move = chance.choice(position.moves())
            found = client.ask("move", game=name, moves=moves, move=move)
            after = position.play(move)
            assert found["after"]["position"] == after.text
            games[number] = name, after, [*moves, move]
        for width, position in zip((3, 4), texts, strict=True):
            found = client.ask("position", text=DROP.replace("3, 3", f"3, {width}"))
            assert found["count"] == len(position.moves())


# ---- the command


def start(*arguments: str) -> tuple[subprocess.Popen[str], str]:
    """Start a server in its own process and return the process and the first line that it prints, its address."""
    process = subprocess.Popen([sys.executable, "-m", "dslgame", "web", "--workers", "1", *arguments], cwd=ROOT,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def children(pid: int) -> list[int]:
    """The ids of the child processes of a process."""
    listing = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in listing.stdout.split()]


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_interrupting_the_server_ends_it_and_its_workers() -> None:
    process, url = start("--port", "0")
    try:
        assert re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/", url)
        until = time.monotonic() + 20
        while not (started := children(process.pid)) and time.monotonic() < until:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == 0
    assert errors.splitlines()[-1] == "ended"
    assert "Traceback" not in errors
    time.sleep(0.2)
    assert not [pid for pid in started if Path(f"/proc/{pid}").exists()]


def test_bundled_games_are_searched_with_hooks_and_patterns() -> None:
    """Bundled games are searched with hooks and patterns, edited rules without either, as these may not fit them."""
    path = bundled.FOLDER / "hex.game"
    game, thinker = dslgame.load("hex", size=4), Thinker()
    known = thinker.analyst(Job("values", Valuing(game="hex", params={"size": 4}), path=str(path)), game)
    assert known.hooks is not None
    assert known.patterns is not None
    drafted = thinker.analyst(Job("values", Valuing(text=path.read_text(encoding="utf-8"))), game)
    assert (drafted.hooks, drafted.patterns, drafted.kept) == (None, None, False)


def test_port_in_use_is_said() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        run = subprocess.run([sys.executable, "-m", "dslgame", "web", "--port", port], cwd=ROOT, capture_output=True,
                             text=True, check=False)
    assert run.returncode == 1
    assert run.stderr == f"Error: port {port} is in use: give another one with --port, or 0 for any that is free\n"


def test_file_that_is_not_there_is_said() -> None:
    run = subprocess.run([sys.executable, "-m", "dslgame", "web", "hexx"], cwd=ROOT, capture_output=True, text=True,
                         check=False)
    assert run.returncode == 1
    assert "there is no file hexx; did you mean 'hex'?" in run.stderr


# ---- chance


def test_chance_is_drawn_by_the_server(direct: Direct) -> None:
    """At a chance node the server draws a move by its probability and tells players no moves."""
    found = direct.ask("position", game="pig", moves=["roll"])
    assert (found["nature"], found["to_move"], found["count"]) == (True, 0, 6)
    assert [text for text, _ in found["moves"]] == ["1", "2", "3", "4", "5", "6"]
    thrown = {direct.ask("choose", game="pig", moves=["roll"], player="nature")["move"] for _ in range(60)}
    assert thrown == {"1", "2", "3", "4", "5", "6"}
    assert direct.ask("position", game="pig", moves=["roll", "3"])["nature"] is False
    assert direct.ask("position", game="pig", moves=["roll"], viewer=0)["count"] == 0


def test_a_player_whose_time_is_over_moves_with_what_it_has_found() -> None:
    """A move is never refused for its time: the last one that was found is made, and one is found before anything is
    compiled."""
    found: list[dict[str, Any]] = []
    moves = ["e2e4", "e7e5", "g1f3", "g8f6", "d2d4", "h8g8", "b1c3"]
    asked = Playing(game="chess", moves=moves, player="solver")
    job: Job[Asked] = Job("choose", asked, str(bundled.path_of("chess")))

    def stop(result: dict[str, Any]) -> bool:
        found.append(result)
        return False

    Answers().answer(job, stop)
    position = dslgame.load("chess").start()
    for move in moves:
        position = position.play(move)
    assert [item["move"] in position.moves() for item in found] == [True]

    async def ask() -> tuple[int, bytes]:
        pool = Pool({"think": Limits(1, 0.0, 10)})

        async def endless(self: Worker, body: bytes, part: Part | None = None) -> tuple[int, bytes]:
            assert part is not None
            part(b'{"move":"a"}')
            part(b'{"move":"b"}')
            await asyncio.Event().wait()
            raise AssertionError

        async def nothing(self: Worker) -> None:
            pass

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Worker, "ask", endless)
            for name in ("ready", "anew"):
                patch.setattr(Worker, name, nothing)
            return await pool.ask(job)

    assert asyncio.run(ask()) == (200, b'{"move":"b"}')
    job = Job("values", Valuing(game="chess", moves=moves), job.path)
    assert asyncio.run(ask()) == (200, b'{"move":"b"}')
    assert ended(b'{"best":"b","more":true}') == b'{"best":"b","more":false}'  # nothing more is asked for
