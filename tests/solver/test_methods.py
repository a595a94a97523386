"""The registry of methods: each method is one file, from which the command, `auto`, messages and the docs take it."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dslgame
from dslgame import packages
from dslgame.cli.app import app
from interpreter.errors import RuleError
from interpreter.game import Game
from solver import methods
from solver.budget import Budget
from solver.choice import named, ranked, solve_task
from solver.errors import Refused
from solver.game_space import GameSpace, solve_game
from solver.methods import AUTO
from solver.methods import methods as all_methods
from solver.solve import solve
from solver.task import Task

ROOT = Path(packages.HOME)
CIRCLING = """\
game "Circling"
players A, B
board square(1, 4)
pieces x of A, o of B
start:
    "a1" := x
    "d1" := o
move step(c in mine, d in neighbours(c) where d is empty):
    carry c to d
no moves loses
repetition loses
notation step "{c}-{d}"
"""
TOY = '''\
"""Method toy: counts the first moves, and calls every game a draw."""

import attrs

from solver.methods import Fit, Method
from solver.report import Report
from solver.solve import unknown


def _fit(task):
    never = float("inf")
    return Fit(1, "toys come first") if task.game and task.game.title == "Tic-Tac-Toe" else Fit(never, "no toy")


def _solve(task, why):
    answer = unknown(task.space, 1, why, "toy")
    return attrs.evolve(answer, winner=-1, complete=True, report=Report("toy", len(answer.moves), 0.5))


METHOD = Method("toy", "plays with the first moves", "called Tic-Tac-Toe", _fit, _solve, "nothing",
                takes=frozenset({"save"}))
'''


def run(*arguments: object) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments], prog_name="dslgame")


def words(text: str) -> str:
    """The text with runs of white space replaced by single spaces."""
    return " ".join(text.split())


def task_of(game: Game, **options: object) -> Task:
    """The task of solving a game, as `auto` gets it."""
    space = GameSpace(game)
    return Task(space, Budget(), game_space=space, **options)  # type: ignore[arg-type]


LONG = ("carriers", "connections", "proof")
"""Methods whose kernels take seconds to compile; they have tests of their own."""


# ---- a method is one file


@pytest.mark.slow
def test_a_method_is_one_file(tmp_path: Path) -> None:
    """A new file beside the other methods is known to the command, its help, `auto`, messages, JSON and the report."""
    (tmp_path / "toy.py").write_text(TOY)

    def toy(*arguments: str) -> subprocess.CompletedProcess[str]:
        code = (f"import solver.methods; solver.methods.__path__.append({str(tmp_path)!r}); "
                "from dslgame.__main__ import main; main()")
        return subprocess.run([*packages.python_command(code), *arguments], capture_output=True, text=True,
                              cwd=tmp_path, timeout=300)

    shown = words(toy("solve", "--help").stdout)
    assert "|regret|shallow|strong|toy]" in shown
    assert "toy plays with the first moves" in shown
    listed = "--method [auto|alphabeta|carriers|connections|expected|linear|proof|regret|shallow|strong|toy]"
    assert listed in words(toy("openings", "--help").stdout)
    assert "Did you mean 'toy'?" in words(toy("solve", "nex", "--method", "toys").stderr)
    chosen = toy("solve", "tic_tac_toe", "--report")
    assert "X to move: draw" in chosen.stdout
    assert "method toy: toys come first" in chosen.stdout
    assert "nodes 9 (18 a second)" in words(chosen.stdout)
    assert re.search(r"^toy \(taken\) +1 positions +toys come first$", chosen.stdout, re.MULTILINE)
    asked = json.loads(toy("solve", "tic_tac_toe", "--method", "toy", "--json", "--report").stdout)
    assert (asked["method"], asked["reason"], asked["report"]["method"]) == ("toy", "as asked for", "toy")
    refused = toy("solve", "nex", "--method", "toy").stderr
    assert "method toy cannot solve Nex: no toy; expected auto, strong," in refused
    assert "--save is for --method linear or regret or strong or toy" in words(
        toy("solve", "nex", "--method", "proof", "--save", "x.solution").stderr)


def test_nothing_else_names_the_methods() -> None:
    """Only the registry lists the methods, not the code of the solver, the command or the page."""
    known = set(all_methods())
    for path in [*(ROOT / "solver").rglob("*.py"), *(ROOT / "dslgame").rglob("*.py")]:
        if path.parent.name == "methods" or path.name == "judge.py":  # names of searches of players coincide there
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.List | ast.Tuple | ast.Set):
                listed = {item.value for item in node.elts if isinstance(item, ast.Constant)}
                assert len(listed & known) < 2, f"{path}:{node.lineno} lists methods: {listed & known}"


@pytest.mark.parametrize("name", [name for name, method in all_methods().items() if not method.chance])
def test_every_record_is_whole(name: str) -> None:
    """A method's record has its module's name and texts that fit into sentences."""
    method = named(name)
    assert sys.modules[f"solver.methods.{name}"].METHOD is method
    for text in (method.summary, method.games):
        assert text
        assert text[0].islower()
        assert text[-1] != "."
    assert method.takes <= {"save", "patterns"}


def test_docs_have_a_row_for_each_method() -> None:
    """The table in docs/command.md has the texts of the records, in their order."""
    page = (ROOT / "docs" / "command.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]*) \|$", page, re.MULTILINE)
    assert rows == [
        (name, method.summary, f"games {method.games}", " ".join(f"`--{word}`" for word in sorted(method.takes)))
        for name, method in all_methods().items()]


# ---- the choice of `auto`


@pytest.mark.parametrize(("name", "params", "method", "why"), [
    ("hex", {"size": 3}, "connections", "what players can join whatever the opponent does"),
    ("y", {"size": 4}, "carriers", "only one player can join his sides"),
    ("connect_four", {}, "alphabeta", "games can be drawn and no position comes back"),
    ("snort", {}, "proof", "no game is drawn, so that one question is enough"),
    ("nine_mens_morris", {}, "proof", "can prove a draw where positions may come back"),
    ("peg_solitaire", {}, "alphabeta", "looks for a solution of the puzzle"),
], ids=str)
def test_auto_prefers_a_search_by_the_rules(name: str, params: dict[str, int], method: str, why: str) -> None:
    """`auto` tries strong solving first, then the search that suits the rules."""
    first, second, *_ = ranked(task_of(dslgame.load(name, **params)))
    assert first[0].name == "strong"
    assert second[0].name == method
    assert why in second[1].why


def test_value_alone_is_looked_for_a_few_plies_ahead_first() -> None:
    """For the value alone a shallow proof comes first, then all positions, or a search above half a million."""
    order = [(method.name, fit.cost) for method, fit in ranked(task_of(dslgame.load("connect_four"), value_only=True))]
    assert [name for name, _ in order] == ["shallow", "strong", "alphabeta", "proof"]
    assert order[2][1] == methods.FEW_FOR_VALUE


@pytest.mark.slow
def test_answer_says_what_gave_way_and_what_was_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason and the report tell the rejected and the taken method, also where a limit was reached."""
    monkeypatch.setattr("solver.pace.seconds_of_compiling", lambda kernel: 0.0)
    found = solve_game(dslgame.load("connect_four"), nodes=20_000)
    too_many = r"there are too many positions to value, about 10\^\d+"
    assert re.fullmatch(too_many + "; alpha-beta search takes least where games can be drawn and no position comes "
                        "back; the limit of 20,000 positions is reached", found.reason)
    assert found.report is not None
    said = {item.method: item for item in found.report.considered}
    assert set(said) == set(all_methods())
    assert said["strong"].cost is said["carriers"].cost is None
    assert re.fullmatch(too_many, said["strong"].why)
    assert "alphabeta (taken)" in found.report.text()


def test_small_games_are_valued_whole_with_a_report() -> None:
    """The report lists every method, with the reason why it was not used."""
    found = solve_game(dslgame.load("tic_tac_toe"))
    assert found.report is not None
    assert (found.report.method, found.report.nodes) == ("strong", 765)
    assert "strong (taken)" in found.report.text()
    assert "it finds the value alone" in found.report.text()


def test_every_method_says_what_its_answers_rest_on() -> None:
    """Record, docs and report say how positions are identified, also for games with hidden information or chance."""
    page = (ROOT / "docs" / "solutions.md").read_text(encoding="utf-8")
    section = page.split("## What an answer rests on")[1].split("\n## ")[0]
    for name, method in all_methods().items():
        assert re.search("no hash|as keys", method.rests_on), name
        assert f"`{name}`" in section, f"docs/solutions.md does not say what answers of {name} rest on"
    for game in ("tic_tac_toe", "kuhn_poker", "pig"):
        options = ("-p", "goal=5") if game == "pig" else ()
        report = json.loads(run("solve", game, *options, "--report", "--json").stdout)["report"]
        assert report["rests_on"] == all_methods()[report["method"]].rests_on
        printed = run("solve", game, *options, "--report").stdout
        assert printed.count(f"rests on {report['rests_on']}") == 1


# ---- a method by name


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ())
                                  for name, method in all_methods().items()
                                  if not method.hides and not method.chance])
def test_every_method_agrees_with_all_values(name: str) -> None:
    """On 3x3 Hex after one stone every method finds the winner; a shallow proof may leave it open."""
    game = dslgame.load("hex", size=3)
    state = game.start().play("b2").state
    exact = solve_game(game, state, method=methods.ALL)
    found = solve_game(game, state, method=name)
    assert found.method == name
    assert found.winner == exact.winner or (found.winner is None and not all_methods()[name].decides)
    assert found.complete == (found.winner is not None)


def test_shallow_says_how_far_it_looked() -> None:
    """Without a forced end within the limit the value is unknown with exit code 3; a mate is found."""
    result = run("solve", "tic_tac_toe", "--method", "shallow", "--nodes", "300")
    assert result.exit_code == 3
    assert re.search(r"method shallow: no end can be forced within [2-5] plies, and deeper", result.stdout)
    assert "draw in 9 plies" not in result.stdout
    mate = run("solve", "tic_tac_toe", "--moves", "a1 b1 a2 b2", "--method", "shallow")
    assert "X to move: win for X in 1 ply, best move a3" in mate.stdout
    over = run("solve", "tic_tac_toe", "--moves", "a1 b1 a2 b2 a3", "--method", "shallow")
    assert "the game is over: X won" in over.stdout


@pytest.mark.slow
def test_shallow_looks_as_far_as_it_is_told_on_compiled_rules() -> None:
    """Where values depend on history, the answer tells within how many plies no win or end can be forced."""
    bounds = [run("solve", "gardners_chess", "--method", "shallow", *limit) for limit in ((), ("--nodes", "1000"))]
    assert [result.exit_code for result in bounds] == [3, 3]
    found = [re.search(r"positions in .*method shallow: no (win|end) can be forced within (\d+) plies", result.stdout)
             for result in bounds]
    assert found[0]
    assert found[1]
    assert (found[0][1], found[1][1]) == ("win", "end")
    assert int(found[0][2]) > 5 > int(found[1][2])
    assert "(--nodes N sets how far)" in bounds[0].stdout


@pytest.mark.parametrize(("method", "why"), [
    ("carriers", "the rules do not show that exactly one player joins his sides"),
    ("connections", "the rules do not show that each player is to join two regions"),
    ("nonsense", "there is no method 'nonsense'; expected auto, alphabeta"),
    ("alphabet", "there is no method 'alphabet'; did you mean 'alphabeta'?"),
])
def test_a_method_that_cannot_be_used_is_refused(method: str, why: str) -> None:
    """The refusal gives the reason and the methods that can be used."""
    with pytest.raises(ValueError, match=re.escape(why)):
        solve_game(dslgame.load("tic_tac_toe"), method=method)


@pytest.mark.parametrize("method", ["alphabeta", "proof", "carriers", "connections"])
def test_searches_are_refused_where_values_depend_on_the_moves_before(tmp_path: Path, method: str) -> None:
    """With `repetition loses` searches are refused with a hint to method strong, which follows lines of play."""
    file = tmp_path / "c.game"
    file.write_text(CIRCLING)
    result = run("solve", file, "--method", method)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (f"error: method {method} cannot solve Circling: 'repetition loses' makes values depend on "
                             "the moves before, which method strong follows; expected auto or strong\n")


def test_a_space_of_ones_own_has_no_rules_to_compile() -> None:
    """Methods that need rules refuse a space without a game."""

    class Coin:
        players, acyclic = 2, True

        def start(self) -> int:
            return 1

        def successors(self, state: int) -> list[tuple[str, int]]:
            return [("take", 0)] if state else []

        def outcome(self, state: int) -> int | None:
            return None if state else 0

        def to_move(self, state: int) -> int:
            return 1 - state

        def canonical(self, state: int) -> int:
            return state

        def orbit_size(self, state: int) -> int:
            return 1

    assert solve(Coin()).winner == solve(Coin(), method="alphabeta").winner == 0
    with pytest.raises(Refused, match="method proof cannot solve this: it searches on the compiled rules of a game"):
        solve(Coin(), method="proof")


def test_only_what_finds_all_values_is_saved(tmp_path: Path) -> None:
    """Saving with a method that finds no values of all positions is refused, by the command before it begins."""
    target = tmp_path / "x.solution"
    result = run("solve", "tic_tac_toe", "--method", "alphabeta", "--save", target)
    able = "--save is for --method linear or regret or strong"
    assert f"{able}, and --method alphabeta was asked for" in words(result.stderr)
    with pytest.raises(Refused, match="method alphabeta does not find the values of all positions"):
        solve_game(dslgame.load("tic_tac_toe"), method="alphabeta", save=target)
    assert not target.exists()


def test_patterns_are_for_methods_that_take_them() -> None:
    """`--patterns` with another method is refused, with the methods that take it."""
    result = run("solve", "hex", "--method", "proof", "--patterns")
    assert "--patterns is for --method alphabeta, and --method proof was asked for" in words(result.stderr)


def test_auto_gives_way_to_the_next_and_tells_of_a_rule_that_fails() -> None:
    """A rule that fails ends the work with RuleError, and no other method is tried."""
    game = dslgame.loads("""\
game "Stuck"
players A, B
board square(1, 2)
pieces x of A, o of B
move place(c in empty where count(occupied) < 1):
    c := own
win mover when count(mine) > 1
""")
    with pytest.raises(RuleError):
        solve_task(task_of(game, method=AUTO))


def test_why_no_method_can_be_used_is_said() -> None:
    """For a game with chance and more than two players the reasons of the nearest methods are given."""
    with pytest.raises(Refused, match="no method solves Ludo: expected: it is for one or two players"):
        solve_game(dslgame.load("ludo"))
