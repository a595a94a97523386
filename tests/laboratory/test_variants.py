"""Solved families of games: values, equal instances, caching, processes, limits, and the command."""

from __future__ import annotations

import csv
import io
import json
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dslgame
from dsl.syntax.source import Source
from dslgame.cli.app import app
from dslgame.laboratory import runs
from dslgame.laboratory import variants as variants_module
from dslgame.laboratory.changes import Change
from dslgame.laboratory.claims import Claim, Formula
from dslgame.laboratory.family import Family, FamilyError, Instance, read_range
from dslgame.laboratory.runs import Run
from dslgame.laboratory.solving import Found, Job, Limits, solve
from dslgame.laboratory.store import Store
from dslgame.laboratory.variants import variants
from tests.laboratory.families import MNK, SUBTRACTION


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the files of both families."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mnk.game").write_text(MNK, encoding="utf-8")
    (tmp_path / "subtraction.game").write_text(SUBTRACTION, encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    """Run `variants` in this process, without reading the cache."""
    result = CliRunner(env={"COLUMNS": "100"}).invoke(app, ["variants", *arguments, "--anew", "-j", "1"],
                                                      prog_name="dslgame")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


def instances(**ranges: tuple[int, ...]) -> list[Instance]:
    return list(Family(Source("mnk.game", MNK), ranges).instances())


@pytest.mark.parametrize(("text", "numbers"), [("3", (3,)), ("2..4", (2, 3, 4)), ("2,5", (2, 5)),
                                               ("1..2, 9", (1, 2, 9)), ("-1..1", (-1, 0, 1))])
def test_ranges(text: str, numbers: tuple[int, ...]) -> None:
    """A range is a number, an interval, or several of both."""
    assert read_range(text) == numbers


@pytest.mark.parametrize("text", ["4..2", "a", "", "1..99999999", "1.."])
def test_ranges_that_have_no_numbers(text: str) -> None:
    """Malformed ranges raise FamilyError."""
    with pytest.raises(FamilyError):
        read_range(text)


def test_json_has_exactly_the_fields_of_its_form(folder: Path) -> None:
    """The fields are fixed, and winners are named as by `solve --json`."""
    found = json.loads(run("mnk.game", "-p", "rows=1..2", "-p", "columns=2", "-p", "k=2", "--json").stdout)
    assert list(found) == ["game", "instances"]
    assert [list(item) for item in found["instances"]] == [
        ["params", "with", "value", "positions", "method", "seconds"]] * 2
    one, other = found["instances"]
    assert (one["params"], one["with"], one["value"]) == (
        {"rows": 1, "columns": 2, "k": 2}, [], {"winner": "draw", "remoteness": 2})
    solved = json.loads(CliRunner().invoke(app, ["solve", "mnk.game", "-p", "rows=2", "-p", "columns=2", "-p", "k=2",
                                                 "--json"]).stdout)
    assert other["value"] == {"winner": solved["winner"], "remoteness": solved["remoteness"]} == {
        "winner": "X", "remoteness": 3}
    assert other["positions"] == solved["positions"]


def test_limit_leaves_a_null_with_what_is_known(folder: Path) -> None:
    """Past a limit the value is null, what is known is told, and the exit code is 3."""
    result = run("mnk.game", "--nodes", "50", "--json")
    assert result.exit_code == 3
    (item,) = json.loads(result.stdout)["instances"]
    assert item["value"] is None
    assert item["known"] == {"possible": ["draw", "X", "O"], "reason": "the limit of 50 positions is reached"}


def test_known_draw_bounds_an_open_value() -> None:
    """The known values of first moves are counted."""
    found = Found((-1, 0), None, 0, 5, "alphabeta", 0.0, "", False, ((0, -1, (0,)), (0, None, (1,))))
    (item,) = instances(rows=(1,), columns=(2,))
    assert runs.Result(item, found).openings == {"win": 0, "draw": 1, "lose": 0, "unknown": 1}


def test_alternatives_are_combined_with_params(folder: Path) -> None:
    """Each --with is a choice, --or adds an alternative to it, and --without removes a rule."""
    found = json.loads(run("mnk.game", "-p", "rows=2..3", "-p", "columns=2", "-p", "k=2", "--with", "as it is", "--or",
                           "win to lose", "--without", "draw", "--with", "no moves draws", "--json").stdout)
    assert [(item["params"]["rows"], item["with"]) for item in found["instances"]] == [
        (2, ["without draw", "no moves draws"]), (3, ["without draw", "no moves draws"]),
        (2, ["win to lose", "without draw", "no moves draws"]), (3, ["win to lose", "without draw", "no moves draws"])]
    assert [item["value"]["winner"] for item in found["instances"]] == ["X", "X", "O", "O"]


def test_instances_that_are_one_game_are_solved_once() -> None:
    """Instances that are equal up to a mirror are solved once."""
    family = instances(rows=(2, 3), columns=(2, 3), k=(2,))
    run_ = Run.of(family, Limits())
    assert [item.number for item in run_.different] == [0, 1, 3]
    results = run_.run()
    assert (results[2].same_as, results[2].found) == (1, results[1].found)
    assert results[2].first_moves() is None
    assert results[1].first_moves() is not None


def test_same_rules_as_of_an_image_lead_to_the_game_that_was_solved() -> None:
    """Rules equal to those of a mirrored instance have its moves, not the notation of the solved instance."""
    family = Family(Source("mnk.game", MNK), {"rows": (2, 3), "columns": (2, 3), "k": (2,)},
                    [[Change.of("as it is"), Change.of('show x as "Q"')]], Formula.of("rows != columns"))
    first, image, renamed, renamed_image = Run.of(list(family.instances()), Limits()).run()
    assert (renamed.same_as, renamed.why_same) == (first.instance.number, "names")
    assert (renamed_image.same_as, renamed_image.why_same) == (first.instance.number, image.why_same)
    assert renamed_image.first_moves() is None


def test_what_is_found_is_kept_by_rules_and_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second run solves nothing, a larger limit only the open values; a damaged file is solved again."""
    store, solved = Store(tmp_path / "kept"), []

    def counting(job: Job) -> Found:
        solved.append(dict(job.params))
        return usual(job)

    usual = solve
    monkeypatch.setattr(runs, "solve", counting)
    family = instances(rows=(1, 3), columns=(3,), k=(3,))
    first = Run.of(family, Limits(nodes=40), store=store).run()
    assert [item.found.winner for item in first] == [-1, None]
    assert len(solved) == 2
    Run.of(family, Limits(nodes=40), store=store).run()
    Run.of(family, Limits(nodes=30), store=store).run()
    assert len(solved) == 2
    again = Run.of(family, Limits(nodes=10_000), store=store).run()
    assert len(solved) == 3
    assert again[1].found.winner == -1
    assert again[0].kept
    for path in store.folder.iterdir():
        path.write_text("{", encoding="utf-8")
    Run.of(family, Limits(nodes=40), store=store).run()
    assert len(solved) == 5


@pytest.mark.slow
def test_processes_answer_as_this_one_does() -> None:
    """Results are the same and in order with several processes."""
    family = instances(rows=(1, 2), columns=(2, 3), k=(2,))
    alone, together = (Run.of(family, Limits(), jobs=jobs).run() for jobs in (1, 2))
    assert [(item.found.winner, item.found.remoteness, item.found.positions, item.found.branching) for item in alone] \
        == [(item.found.winner, item.found.remoteness, item.found.positions, item.found.branching)
            for item in together]


def test_process_that_dies_or_takes_too_long_is_an_open_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that exceeds its time leaves an open value, and the next job still runs."""
    monkeypatch.setattr(runs, "_GRACE", -10.0)
    late = Job("mnk.game", MNK, {"rows": 4, "columns": 4, "k": 4}, Limits(seconds=10.2))
    found = dict(runs.in_processes([late, late], 1))
    assert [item.reason for item in found.values()] == ["the limit of 10.2 seconds is reached"] * 2
    assert all(item.winner is None for item in found.values())


def test_process_that_has_ended_after_a_job_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next job is given to a new one, whether or not the end is noticed before the job is written."""
    class Ending(runs._Process):
        def answer(self, job: Job, ended: threading.Event) -> Found | None:
            found = super().answer(job, ended)
            self._process.kill()
            if job.params["k"] == 2:
                self._process.wait()
            return found

    monkeypatch.setattr(runs, "_Process", Ending)
    jobs = [Job("mnk.game", MNK, {"rows": 1, "columns": 3, "k": k}, Limits()) for k in (2, 3, 2, 3)]
    found = dict(runs.in_processes(jobs, 1))
    assert [found[number].winner for number in range(4)] == [0, -1, 0, -1]


def test_subtraction_games_are_periodic(folder: Path) -> None:
    """The heap is lost exactly if it is a multiple of four, confirmed by a claim and found as a period."""
    result = run("subtraction.game", "-p", "stones=0..20", "--claim", "first loses exactly when stones mod 4 = 0",
                 "--claim", "first wins")
    assert "claim 'first loses exactly when stones mod 4 = 0': confirmed (21 confirmed)" in result.stdout
    assert "claim 'first wins': refuted (15 confirmed, 6 refuted)" in result.stdout
    assert "smallest counterexample: stones=0: Second wins" in result.stdout
    assert "period 4 from stones=0 on: Second First First First (seen 5.25 times, which is no proof)" in result.stdout


def test_counterexample_comes_with_a_line_of_best_play() -> None:
    """The principal variation leads to the result that refutes the claim, in as many plies as the value says."""
    found = variants_of(MNK, rows=(3,), columns=(2, 3), k=(3,), claims=["first wins"])
    (judged,) = found.claims
    assert judged.counterexample is not None
    assert judged.counterexample.instance.params["columns"] == 2
    position = dslgame.loads(MNK, rows=3, columns=2, k=3).start()
    for move in judged.line:
        position = position.play(move)
    assert position.outcome == "draw"
    assert len(judged.line) == judged.counterexample.found.remoteness


def variants_of(text: str, *, claims: list[str], **ranges: tuple[int, ...]) -> variants_module.Variants:
    return variants_module.solve_family(Family(Source("x.game", text), ranges),
                                        [Claim.of(claim) for claim in claims], Limits(), jobs=1,
                                        store=None)


def test_frame_and_csv_have_a_row_for_each_instance(folder: Path) -> None:
    """Frame and CSV have the same columns, and a row for each instance."""
    found = variants("mnk.game", rows="1..2", columns=(2,), k=2, store=False)
    frame = found.frame()
    rows = list(csv.DictReader(io.StringIO(found.csv())))
    assert list(frame.columns) == list(rows[0])
    assert [row["winner"] for row in rows] == list(frame["winner"]) == ["draw", "X"]
    assert found._repr_html_().count("<tr>") == 3


@pytest.mark.parametrize(("arguments", "said"), [
    (["-p", "row=2"], "has no param 'row'; did you mean 'rows'"), (["-p", "rows=x"], "expected a number, a range"),
    (["-p", "rows"], "expected NAME=VALUES"),
    (["-p", "rows=1..200", "-p", "columns=1..200"], "expected at most 10,000"),
    (["--or", "win to lose"], "--or gives an alternative to the --with before it"),
    (["--with", "hello"], "is no change of a game"), (["--claim", "first"], "is no claim"),
    (["--claim", "first wins when row > 2"], "there is no param 'row'"), (["--where", "rows > "], "is no condition"),
    (["-p", "rows=10"], "none of the 1 instances is a game: rows=10 is outside 1..9"),
])
def test_wrong_use_is_a_message(folder: Path, arguments: list[str], said: str) -> None:
    """Wrong options end with exit code 2."""
    result = run("mnk.game", *arguments)
    assert (result.exit_code, said in " ".join(result.stderr.split())) == (2, True), result.stderr


def test_what_is_no_game_is_a_row(folder: Path) -> None:
    """An instance whose params are invalid is reported in its row, and the others are solved."""
    result = run("mnk.game", "-p", "rows=9,10", "-p", "columns=1", "--with", "symmetry half turn")
    assert "no game" in result.stdout
    assert "rows=10 is outside 1..9" in result.stdout
    assert result.exit_code == 0


def test_heat_map_is_a_picture(folder: Path) -> None:
    """A heat map is written as SVG and PNG, and a second run gives the same SVG."""
    run("mnk.game", "-p", "rows=1..2", "-p", "columns=1..2", "-p", "k=2", "--svg", "a.svg", "--png", "a.png")
    run("mnk.game", "-p", "rows=1..2", "-p", "columns=1..2", "-p", "k=2", "--svg", "b.svg")
    text = Path("a.svg").read_text(encoding="utf-8")
    assert "X wins" in text
    assert "rows" in text
    assert text == Path("b.svg").read_text(encoding="utf-8")
    assert Path("a.png").read_bytes().startswith(b"\x89PNG")


def test_columns_are_chosen(folder: Path) -> None:
    """Columns can be chosen for text, JSON, CSV and pictures, also measures of random games; others are refused."""
    arguments = ["mnk.game", "-p", "rows=1..2", "-p", "columns=2", "-p", "k=2"]
    head = run(*arguments, "--columns", "plies,value,draws:random").stdout.splitlines()[1:4]
    assert [line.split() for line in head] == [["rows", "plies", "value", "draws"], ["1", "2", "draw", "1.000"],
                                               ["2", "3", "X", "wins", "0.000"]]
    found = json.loads(run(*arguments, "--columns", "plies,length,cells_used:random", "--json").stdout)
    assert [item["columns"] for item in found["instances"]] == [
        {"plies": 2, "length": 2.0, "cells_used:random": 1.0},
        {"plies": 3, "length": 3.0, "cells_used:random": 0.75}]
    assert next(csv.DictReader(io.StringIO(run(*arguments, "--csv").stdout)))["balance:random"] == "1.0"
    run(*arguments, "--svg", "a.svg", "--plot", "positions")
    assert "m,n,k: positions" in Path("a.svg").read_text(encoding="utf-8")
    for wrong, said in [(["--columns", "position"], "did you mean 'positions'?"),
                        (["--plot", "plies"], "--svg or --png"),
                        (["--plot", "value", "--svg", "b.svg"], "expected one of plies")]:
        result = run(*arguments, *wrong)
        assert (result.exit_code, said in " ".join(result.stderr.split())) == (2, True), result.stderr


def test_value_alone_is_searched_for(tmp_path: Path) -> None:
    """The winner is the same; a stored full solution serves `value_only`, but not the other way round."""
    store, family = Store(tmp_path / "kept"), instances(rows=(2,), columns=(3,), k=(2,))
    (alone,) = Run.of(family, Limits(value_only=True), store=store).run()
    (whole,) = Run.of(family, Limits(), store=store).run()
    (again,) = Run.of(family, Limits(value_only=True), store=store).run()
    assert (alone.kept, whole.kept, again.kept) == (False, False, True)
    assert alone.winner == whole.winner == again.winner == "X"
    assert whole.openings["unknown"] == again.openings["unknown"] == 0


@pytest.mark.slow
def test_workers_of_a_cluster_answer_as_this_process_does() -> None:
    """Workers of Dask, here threads, give the same results; without a scheduler the error tells how to start one."""
    import distributed

    from solver.errors import Refused

    family = instances(rows=(1, 2), columns=(2, 3), k=(2,))
    alone = Run.of(family, Limits()).run()
    made = distributed.LocalCluster(  # type: ignore[no-untyped-call]  # as Dask has it
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
    with made as dask:
        together = Run.of(family, Limits(), cluster=dask.scheduler_address).run()
    assert [(item.winner, item.found.positions, item.same_as) for item in together] == [
        (item.winner, item.found.positions, item.same_as) for item in alone]
    with pytest.raises(Refused, match="dask scheduler"):
        Run.of(family, Limits(), cluster="tcp://127.0.0.1:1").run()


def test_games_of_chance_are_worth_what_the_first_player_expects() -> None:
    """Values are expectations, as `solve` gives them, in JSON, as text and as CSV, and claims can use them."""
    result = run("pig", "-p", "goal=2..3", "--claim", "first expects more than 6/7", "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert [item["value"]["exact"] for item in found["instances"]] == ["6/7", "36/43"]
    assert found["instances"][0]["value"] == {
        "winner": None, "remoteness": None, "expected": pytest.approx(6 / 7), "exact": "6/7", "error": 0.0}
    assert found["claims"][0]["verdict"] == "refuted"
    assert "known" not in found["instances"][0]
    table = run("pig", "-p", "goal=2..3").stdout
    assert "One expects 36/43" in table
    assert "2 instances, 2 solved" in table
    rows = list(csv.DictReader(io.StringIO(run("pig", "-p", "goal=2..3", "--csv").stdout)))
    assert [(row["winner"], row["exact"], row["unknown"]) for row in rows] == [("", "6/7", "0"), ("", "36/43", "0")]


def test_hidden_games_are_worth_what_the_first_player_expects() -> None:
    """Values are expected payoffs, for the rules as they are and with a change."""
    pytest.importorskip("scipy")
    found = variants("kuhn_poker", alternatives=[["as it is", "payoff Ann = 3"]], store=False,
                     claims=["first expects less than 0"])
    assert [(item.found.worth and item.found.worth.exact) for item in found.results] == ["-1/18", "3"]
    assert [row["exact"] for row in found.rows()] == ["-1/18", "3"]
    assert found.claims[0].verdicts == ("confirmed", "refuted")


@pytest.mark.parametrize("game", ["pig", "kuhn_poker"])
def test_nobody_forces_a_result_against_chance(game: str) -> None:
    """Claims that a player wins are refused for games with chance, and another form is suggested."""
    result = run(game, "--claim", "first wins")
    assert result.exit_code == 2
    assert "expected a claim such as 'first expects more than 1/2'" in result.stderr


def test_what_a_winner_means_is_expected_too(folder: Path) -> None:
    """In games without chance the expectation is 1 for a win of the first player and a half for a draw."""
    found = variants("mnk.game", rows=2, columns="1..2", k=2, store=False, claims=["first expects more than 1/2"])
    assert [row["expected"] for row in found.rows()] == [1.0 if row["winner"] == "X" else 0.5 for row in found.rows()]
    assert set(found.claims[0].verdicts) == {"confirmed", "refuted"}


def test_puzzle_that_is_not_solved_is_worth_nothing(folder: Path) -> None:
    """A single player expects 0 from everything but a win, as `solve` says, and loses otherwise."""
    (folder / "puzzle.game").write_text(
        'game "Puzzle"\nparam n = 2 in 1..5\nplayers One\nboard square(1, 3)\npieces x\nvar t in 0..9\n'
        "move go(c in empty):\n    c := x\n    t += 1\nwin One when t = 2 and n = 3\ndraw when no empty\n",
        encoding="utf-8")
    found = variants("puzzle.game", n="2..3", store=False, claims=["first expects at least 1/2", "first does not lose"])
    assert [row["expected"] for row in found.rows()] == [0.0, 1.0]
    assert [claim.verdicts for claim in found.claims] == [("refuted", "confirmed"), ("refuted", "confirmed")]


def test_what_is_expected_is_kept(tmp_path: Path) -> None:
    """Expected values are stored like all results."""
    store = Store(tmp_path)
    first, again = (variants("pig", goal=2, store=store).results[0] for _ in range(2))
    assert (first.kept, again.kept) == (False, True)
    value = variants("pig", goal=2, store=store, value_only=True).results[0]
    assert (value.kept, value.found) == (True, first.found)
    assert first.found.worth == again.found.worth
