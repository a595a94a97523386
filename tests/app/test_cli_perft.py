"""`dslgame perft` with each of its methods: all give the same counts."""

from __future__ import annotations

import json
from typing import Any

import pytest

import dslgame
from dslgame.cli import perft, perft_count
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.kernel import kernel
from solver.game_space import GameSpace
from solver.perft import PerftCount
from tests.app.test_cli import run
from tests.discovery import GameCase, found_games, one_in

EVERY = pytest.mark.parametrize("arguments", [
    ("tic_tac_toe", "-d", "5"),
    ("tic_tac_toe", "-d", "4", "--divide", "-m", "a1 b2"),
    ("hex", "-p", "size=2", "-d", "4", "--ignore-ends"),
    ("reversi", "-p", "half=2", "-d", "5"),
    ("kayles", "-d", "3", "--divide"),
], ids=" ".join)


def found(*arguments: str) -> dict[str, Any]:
    """The JSON output of the command, without its times and method."""
    result = run("perft", *arguments, "--json")
    assert result.exit_code == 0, result.output
    made: dict[str, Any] = json.loads(result.stdout)
    for name in ("seconds", "counting_seconds", "by"):
        del made[name]
    return made


@EVERY
def test_every_method_counts_the_same(arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """All methods give the same sequences, finished games and counts of first moves; the kernel is plain Python."""
    monkeypatch.setattr(perft_count, "find_spec", lambda name: None)
    assert found(*arguments, "--method", "kernel") == found(*arguments, "--method", "interpreter") == found(*arguments)


@pytest.mark.parametrize("path", one_in(6, found_games(), 1, rest=2))
def test_kernel_counts_the_ends_of_every_game(path: Any) -> None:
    """Two plies deep the kernel counts like the interpreter in every game, also with ends ignored."""
    game = GameCase(path).load()
    for ignore_ends in (False, True):
        position = game.start()
        space = GameSpace(game, position.state, symmetry=False, ignore_ends=ignore_ends)
        if len(space.successors(space.start())) > 24:
            continue
        made = [perft_count.count(position, space, 2, method="interpreter", divide=True, memo=True, tell=None),
                perft_count._by_kernel(plain_kernel(position, space), space, 2, True, None)]
        assert (made[0].counts, made[0].shares) == (made[1].counts, made[1].shares)


def plain_kernel(position: Any, space: GameSpace) -> kernel.Kernel:
    """The counting kernel as plain Python."""
    import attrs

    return kernel.Kernel.of(attrs.evolve(position.game, engine=space.engine), native=False)


def test_auto_goes_on_with_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """`auto` switches to the kernel when the interpreter's time is over, but not for too many sequences."""
    asked: list[int] = []

    def by_kernel(kernel: Any, space: Any, depth: int, divide: bool, tell: Any) -> Any:
        asked.append(depth)
        return plain(kernel, space, depth, divide, tell)

    plain = perft_count._by_kernel
    monkeypatch.setattr(perft_count, "_by_kernel", by_kernel)
    monkeypatch.setattr(perft_count, "PATIENCE", -1.0)
    game = dslgame.load("tic_tac_toe")
    space = GameSpace(game, symmetry=False)

    def counted(depth: int) -> Any:
        return perft_count.count(game.start(), space, depth, method="auto", divide=False, memo=True, tell=None,
                                 patience=-1.0).counts

    assert counted(7).counts[-1] == 148176
    assert asked == [7]
    monkeypatch.setattr(perft_count, "MOST", 1000)
    assert counted(7).counts[-1] == 148176
    assert asked == [7]


def test_auto_leaves_the_interpreter_as_soon_as_it_would_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter is left when the growth from ply to ply predicts that the last would take hours."""
    lengths: list[int] = []

    def by_interpreter(space: Any, depth: int, *_: Any) -> Any:
        lengths.append(depth)
        return perft_count.Counting(PerftCount((1,), 2, 0), [], 0.01 * 20.0**depth, "the interpreter")

    monkeypatch.setattr(perft_count, "_by_interpreter", by_interpreter)
    space = GameSpace(dslgame.load("tic_tac_toe"), symmetry=False)
    told: list[Any] = []
    assert perft_count._in_time(space, 7, False, True, None, 1.0, told.append) is None
    assert lengths == [1, 2]
    assert len(told) == 2


@pytest.mark.parametrize(("growth", "lengths"), [(20.0, [1, 2, 3, 4, 5, 6]), (2.0, [1, 2, 4, 6]), (1.0, [1, 2])])
def test_smaller_depths_are_little_work_beside_the_full_one(growth: float, lengths: list[int]) -> None:
    """Smaller depths are counted first; not all of them where a ply more is hardly more work."""
    told: list[int] = []

    def counted(depth: int) -> Any:
        return perft_count.Counting(PerftCount((1,) * depth, 2, 0), [], growth**depth, "the kernel")

    result = perft_count._deepening(counted, 0, 7, lambda found: told.append(len(found.counts.counts)))
    assert told == lengths
    assert len(result.counts.counts) == 7


@pytest.mark.parametrize("how", [(), ("--json",)])
def test_depths_that_were_counted_are_kept_at_an_interruption(how: tuple[str, ...],
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    """Each depth is printed when it is counted; Ctrl-C in the fourth leaves three, and the exit code 130."""
    def by_interpreter(space: Any, depth: int, *rest: Any) -> Any:
        if depth == 4:
            raise KeyboardInterrupt
        return plain(space, depth, *rest)

    plain = perft_count._by_interpreter
    monkeypatch.setattr(perft_count, "_by_interpreter", by_interpreter)
    monkeypatch.setattr(perft, "PATIENCE", -1.0)
    result = run("perft", "tic_tac_toe", "-d", "9", "--divide", "--method", "interpreter", *how)
    assert result.exit_code == 130
    if how:
        made = json.loads(result.stdout)
        assert (made["depth"], made["counts"]) == (3, [9, 72, 504])
    else:
        lines = result.stdout.splitlines()
        assert [line.split() for line in lines[2:5]] == [["1", "9"], ["2", "72"], ["3", "504"]]
        assert len({len(line) for line in lines[1:5]}) == 1
        assert lines[5].startswith("586 positions in the tree with the first one, 0 finished games, ")


def test_kernel_takes_the_hooks_of_the_game() -> None:
    """Counts are the same with the game's hooks and with --no-hooks."""
    by = []
    for arguments in ([], ["--no-hooks"]):
        result = run("perft", "chess", "-d", "3", "--method", "kernel", "--json", *arguments)
        made = json.loads(result.stdout)
        assert made["counts"] == [20, 400, 8902]
        by.append(made["by"])
    assert by == ["the kernel with hooks", "the kernel"]


def test_game_without_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a kernel, `--method kernel` is an error and `auto` counts by the interpreter."""
    def refuse(*_: Any, **__: Any) -> Any:
        raise NotLowered("this and that")

    monkeypatch.setattr(kernel.Kernel, "of", refuse)
    result = run("perft", "tic_tac_toe", "-d", "2", "--method", "kernel")
    assert result.exit_code == 1
    assert "the game has no kernel: the compiler cannot translate this and that; count with --method interpreter" in (
        " ".join(result.output.split()))
    game = dslgame.load("tic_tac_toe")
    space = GameSpace(game, symmetry=False)
    made = perft_count.count(game.start(), space, 6, method="auto", divide=False, memo=False, tell=None, patience=-1)
    assert made.counts.counts[-1] == 54720
