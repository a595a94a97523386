"""Random games per second of kernels and hooks, against hand-written C, the interpreter and OpenSpiel.

    python -m bench.kernels [--rounds N] [--seconds S] [--only NAME] [--json | --markdown]

All sides that have a game play it in alternating rounds in one process. `yardstick.c` is compiled by this program if
there is a C compiler; OpenSpiel is called from Python, action by action. A missing side is named and left out. The
published figures of Regular Boardgames are shown for orientation: they were measured on another machine.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import attrs

import dslgame
from bench.command import options_of, report, title_of
from bench.measure import Side, Spread, rates, ratios, short, table
from dslgame import bundled, measuring
from interpreter.hooks import load as load_hooks
from interpreter.kernel.kernel import Kernel, NotLowered

ROUNDS, SECONDS = 5, 0.3
MOST_MOVES = 1000
"""The number of moves after which every side abandons a random game."""
SURE = 5.0
"""The distance of two averages, in standard errors, above which the two sides play different games."""
CHECKED_GAMES = 20_000
"""Random games that kernel and yardstick each play, to check that both play the same game."""
KERNEL, HOOKS, YARDSTICK, INTERPRETER, OPENSPIEL = "kernel", "hooks", "yardstick", "interpreter", "OpenSpiel"
SOURCE = Path(__file__).parent / "yardstick.c"
OPENSPIEL_FOLDER = Path(__file__).parent.parent / "tests" / "openspiel"
ACTIONS_OF_A_MOVE = {"amazons": 3}
"""Games of which OpenSpiel splits a move into several actions, with their number."""


@attrs.frozen
class Case:
    """A game and its params."""

    name: str
    params: Mapping[str, int] = attrs.field(factory=dict)
    yardstick: str = ""
    """The function of yardstick.c that plays the game; '' if there is none."""
    published: tuple[int, int | None] | None = None
    """Playouts per second of Regular Boardgames on its authors' machine: of the plain game, and of its variant for
    monotonic games or split moves."""

    @property
    def title(self) -> str:
        """The name with the params."""
        return title_of(self.name, self.params)


CASES = (
    Case("tic_tac_toe", {}, "tic_tac_toe", (2_000_000, 2_400_000)),
    Case("connect_four", {}, "connect_four", (630_000, 923_000)),
    Case("hex", {"size": 5}, "", (187_000, 315_000)),
    Case("hex", {"size": 9}, "", (28_000, 65_000)),
    Case("hex", {"size": 11}, "hex", (15_000, 39_000)),
    Case("breakthrough", {}, "breakthrough", (32_000, None)),
    Case("knightthrough", {}, "", (52_000, None)),
    Case("reversi", {}, "", (15_000, None)),
    Case("amazons", {}, "", (2_800, 19_000)),
    Case("gomoku", {}, "", (11_000, 170_000)),
    Case("yavalath", {}, "", (165_000, 961_000)),
    Case("pentago", {}, "", (14_000, 52_000)),
    Case("nine_mens_morris", {}, "", (30_000, None)),
    Case("english_draughts", {}, "", (45_000, None)),
    Case("twixt", {"rows": 8, "columns": 8, "swap": 1}),
    Case("twixt", {"rows": 24, "columns": 24, "swap": 1}),
)
PERFT = {"connect_four": (9, "30 M"), "breakthrough": (6, "51 to 58 M")}
"""The perft depth, and the positions per second that Regular Boardgames published."""


def cases(only: str | None = None) -> list[Case]:
    """The cases above, then all other games that OpenSpiel has or that come with hooks, at their default params."""
    named = {case.name for case in CASES}
    shared = {path.stem for path in OPENSPIEL_FOLDER.glob("*.py")
              if "class OpenSpiel(" in path.read_text(encoding="utf-8")}
    hooked = {path.stem for path in bundled.FOLDER.glob("*.py")} & set(bundled.names())
    others = sorted((shared | hooked) - named)
    return [case for case in (*CASES, *(Case(name) for name in others)) if only in (None, case.name)]


# ---- the sides


@attrs.define
class Playing:
    """A side that plays random games in batches, which double until a batch takes 0.01 s, long enough to measure."""

    play: Callable[[int, int], tuple[int, int]]
    """Plays a number of games with a seed; returns the moves of all games, and the number of unfinished games."""
    games: int = 0
    moves: int = 0
    left: int = 0
    batch: int = 1

    def __call__(self, random: Random) -> int:
        before = time.process_time()
        moves, left = self.play(self.batch, random.getrandbits(32))
        done = self.batch
        self.games, self.moves, self.left = self.games + done, self.moves + moves, self.left + left
        if time.process_time() - before < 0.01:
            self.batch *= 2
        return done

    @property
    def length(self) -> float:
        """The average number of moves of a game."""
        return self.moves / self.games


def of_way(way: measuring.Way) -> Playing:
    """The side of one of our ways to play: the interpreter or a kernel."""

    def play(games: int, seed: int) -> tuple[int, int]:
        played = way.play(games, seed, MOST_MOVES)
        return played.moves, played.unfinished

    return Playing(play)


class NoYardstick(Exception):
    """There is no yardstick; the message says why."""


@attrs.frozen
class Yardstick:
    """The functions of yardstick.c."""

    library: Any

    @classmethod
    def compiled(cls, folder: Path) -> Yardstick:
        """Compile yardstick.c into a folder and load it. Raises NoYardstick where that fails."""
        compiler = next(filter(None, map(shutil.which, [os.environ.get("CC", "cc"), "gcc", "clang"])), None)
        if compiler is None:
            raise NoYardstick("there is no C compiler")
        target = folder / "yardstick.so"
        command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", str(target), str(SOURCE)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise NoYardstick(f"{' '.join(command)} fails: {done.stderr.strip()[-300:]}")
        try:
            return cls(ctypes.CDLL(str(target)))
        except OSError as problem:
            raise NoYardstick(str(problem)) from None

    def play(self, name: str, games: int, seed: int) -> tuple[int, list[int], float]:
        """Play random games; return the moves of all games, the counts of results, and the variance of the lengths."""
        function = getattr(self.library, name)
        function.restype = ctypes.c_int64
        results, squares = (ctypes.c_int64 * 3)(), ctypes.c_int64()
        moves = int(function(ctypes.c_int64(games), ctypes.c_uint64(seed), results, ctypes.byref(squares)))
        return moves, list(results), squares.value / games - (moves / games) ** 2


def apart(kernel: Kernel, yardstick: Yardstick, name: str) -> float:
    """The largest distance between kernel and yardstick, over lengths and outcomes, in standard errors."""
    games = CHECKED_GAMES
    moves, results, variance = yardstick.play(name, games, 1)
    ours, outcomes = kernel.play_outs(games, 1, limit=MOST_MOVES)
    found = [abs(ours - moves) / games / sqrt(2 * variance / games)]
    for mine, other in zip(outcomes, results, strict=False):
        share = (mine + other) / (2 * games)
        if 0 < share < 1:
            found.append(abs(mine - other) / games / sqrt(2 * share * (1 - share) / games))
    return max(found)


@attrs.define
class Spiel:
    """Plays an OpenSpiel game from Python and records the length of each game."""

    game: Any
    actions_of_a_move: int
    lengths: list[int] = attrs.field(factory=list)

    @classmethod
    def of(cls, case: Case) -> Spiel | None:
        """Load the game as its test adapter does; None without an adapter, or where OpenSpiel lacks the params.

        Raises ImportError where OpenSpiel is not installed.
        """
        if not (OPENSPIEL_FOLDER / f"{case.name}.py").exists():
            return None
        importlib.import_module("pyspiel")
        adapter: Any = importlib.import_module(f"tests.openspiel.{case.name}")
        with suppress(ValueError, RuntimeError):  # params that OpenSpiel does not have
            return cls(adapter.OpenSpiel(**case.params).game, ACTIONS_OF_A_MOVE.get(case.name, 1))
        return None

    def __call__(self, games: int, seed: int) -> tuple[int, int]:
        choose = Random(seed).random
        all_moves = left = 0
        most = MOST_MOVES * self.actions_of_a_move
        for _ in range(games):
            state, count = self.game.new_initial_state(), 0
            while count < most and not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(choose() * len(actions))])
                count += 1
            left += count >= most
            length = count // self.actions_of_a_move
            self.lengths.append(length)
            all_moves += length
        return all_moves, left

    def apart(self, other: Playing) -> float:
        """The distance between the average lengths of both sides, in standard errors."""
        many = len(self.lengths)
        mean = sum(self.lengths) / many
        variance = sum((length - mean) ** 2 for length in self.lengths) / max(many - 1, 1)
        difference = abs(mean - other.length)
        return difference / sqrt(variance * (1 / many + 1 / other.games)) if variance else difference * 1e9


# ---- measuring


def measured(case: Case, yardstick: Yardstick | None, *, rounds: int, seconds: float) -> dict[str, Any]:
    """Measure the playouts per second of all sides that have a game, and the ratios of kernel and hooks to the others.

    Raises SystemExit where kernel and yardstick play different games.
    """
    game = dslgame.load(case.name, **case.params)
    row: dict[str, Any] = {"game": case.name, "params": dict(case.params), "missing": {}}
    playing = {INTERPRETER: of_way(measuring.interpreted(game))}
    kernels: dict[str, Kernel] = {}
    try:
        started = time.process_time()
        kernels[KERNEL] = Kernel.of(game)
        kernels[KERNEL].play_outs(1, 0, limit=1)
        row["compile_seconds"] = time.process_time() - started
        row["cached"] = measuring.from_disk(kernels[KERNEL], "play_outs")
        hooks = bundled.hooks_file(bundled.find(case.name))
        if hooks is not None:
            kernels[HOOKS] = Kernel.of(game, hooks=load_hooks(hooks))
    except NotLowered as problem:
        row["missing"][KERNEL] = f"the compiler does not know {problem}"
    playing = {**{name: of_way(measuring.kernel_way(name, kernel)) for name, kernel in kernels.items()}, **playing}
    if case.yardstick and yardstick is not None:
        for name, kernel in kernels.items():
            if (errors := apart(kernel, yardstick, case.yardstick)) > SURE:
                raise SystemExit(f"{name} and yardstick play {case.title} differently: lengths or outcomes are "
                                 f"{errors:.1f} standard errors apart")
        playing[YARDSTICK] = Playing(lambda games, seed: (yardstick.play(case.yardstick, games, seed)[0], 0))
    spiel = None
    try:
        spiel = Spiel.of(case)
        if spiel is not None:
            playing[OPENSPIEL] = Playing(spiel)
    except ImportError as problem:
        row["missing"][OPENSPIEL] = str(problem)
    sides: dict[str, Side] = dict(playing)
    found = rates(sides, rounds=rounds, seconds=seconds)
    row["sides"] = {
        name: {"playouts_per_second": attrs.asdict(Spread.of(values)),
               "moves_per_second": Spread.of(values).median * playing[name].length,
               "moves_per_playout": playing[name].length, "unfinished": playing[name].left / playing[name].games}
        for name, values in found.items()
    }
    if spiel is not None and KERNEL in playing:
        row["same_lengths"] = spiel.apart(playing[KERNEL]) < SURE
    if KERNEL in found:
        row["kernel_over"] = {name: attrs.asdict(ratios(found[KERNEL], values))
                              for name, values in found.items() if name != KERNEL}
        row["kernel_over_in_moves"] = {
            name: row["kernel_over"][name]["median"] * playing[KERNEL].length / max(playing[name].length, 1e-9)
            for name in row["kernel_over"]}
        if HOOKS in found:
            row["hooks_over"] = {name: attrs.asdict(ratios(found[HOOKS], values))
                                 for name, values in found.items() if name != HOOKS}
        if case.published is not None:
            row["published"] = {"playouts_per_second": case.published[0], "variant": case.published[1]}
    return row


def counted(name: str, *, rounds: int, seconds: float) -> dict[str, Any]:
    """Measure perft of a kernel in positions per second: playing every move, and only counting the last moves."""
    kernel = Kernel.of(dslgame.load(name))
    depth, published = PERFT[name]

    def side(bulk: bool) -> Side:
        kernel.perft(1, bulk=bulk)
        return lambda random: sum(kernel.perft(depth if bulk else depth - 1, bulk=bulk)[0])

    found = rates({"played": side(False), "counted": side(True)}, rounds=rounds, seconds=seconds)
    return {"game": name, "depth": depth, "published": published,
            **{key: attrs.asdict(Spread.of(values)) for key, values in found.items()}}


# ---- telling


def shown(rows: Sequence[Mapping[str, Any]], counts: Sequence[Mapping[str, Any]],
          drawn: Callable[[Sequence[Sequence[str]]], str] = table) -> str:
    """Draw the rows as four tables: against C, against all other sides, against published figures, and perft."""
    beside_c: list[tuple[str, ...]] = [("game", "kernel playouts/s", "kernel / C", "hooks / C")]
    beside_all: list[tuple[str, ...]] = [("game", "kernel playouts/s", "moves each", "/ interpreter", "/ OpenSpiel",
                                          "moves / its actions", "same lengths", "hooks / kernel")]
    beside_published: list[tuple[str, ...]] = [("game", "kernel playouts/s", "hooks playouts/s", "published")]
    counting: list[tuple[str, ...]] = [("perft", "every move played", "last moves counted", "published")]
    problems = []
    for row in rows:
        name, sides = title_of(row["game"], row["params"]), row["sides"]
        if KERNEL not in sides:
            problems.append(f"{name}: no kernel: {row['missing'][KERNEL]}")
            continue
        ours, over, hooked = sides[KERNEL], row["kernel_over"], row.get("hooks_over", {})
        rate = short(ours["playouts_per_second"]["median"])
        if YARDSTICK in over:
            beside_c.append((name, rate, _spread(over, YARDSTICK), _spread(hooked, YARDSTICK)))
        spiel = OPENSPIEL in over
        left = f", {ours['unfinished']:.1%} left" if ours["unfinished"] > 0.0005 else ""
        beside_all.append((
            name, rate, short(ours["moves_per_playout"]) + left, short(over[INTERPRETER]["median"]),
            _spread(over, OPENSPIEL), short(row["kernel_over_in_moves"][OPENSPIEL]) if spiel else "",
            ("yes" if row["same_lengths"] else "no") if spiel else "", _spread(hooked, KERNEL)))
        if "published" in row:
            beside_published.append((
                name, rate, short(sides[HOOKS]["playouts_per_second"]["median"]) if HOOKS in sides else "",
                published(row)))
    for count in counts:
        counting.append((count["game"], short(count["played"]["median"]), short(count["counted"]["median"]),
                         str(count["published"])))
    tables = [drawn(texts) for texts in (beside_c, beside_all, beside_published, counting) if len(texts) > 1]
    return "\n\n".join([*tables, *problems])


def _spread(ratios_of: Mapping[str, Any], name: str) -> str:
    return str(Spread(**ratios_of[name])) if name in ratios_of else ""


def published(row: Mapping[str, Any]) -> str:
    """Format the published figures, the variant's in parentheses: `15,000 (39,000)`."""
    if "published" not in row:
        return ""
    plain, variant = row["published"]["playouts_per_second"], row["published"]["variant"]
    return f"{plain:,}" + (f" ({variant:,})" if variant else "")


def main() -> None:
    """Measure every game and print it."""
    parser = options_of("kernels", __doc__, rounds=ROUNDS, seconds=SECONDS, pages=True)
    parser.add_argument("--only", metavar="NAME", help="only this game")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    missing: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        yardstick = None
        try:
            yardstick = Yardstick.compiled(Path(folder))
        except NoYardstick as problem:
            missing[YARDSTICK] = str(problem)
        for case in cases(options.only):
            if sys.stderr.isatty():
                print(case.title, end="\033[K\r", file=sys.stderr)
            rows.append(measured(case, yardstick, rounds=options.rounds, seconds=options.seconds))
    counts = [counted(name, rounds=options.rounds, seconds=options.seconds)
              for name in PERFT if options.only in (None, name)]
    for row in rows:
        missing.update({name: reason for name, reason in row["missing"].items() if name != KERNEL})
    absent = [f"no {name}: {reason}" for name, reason in missing.items()]
    report("kernels", options, rows, lambda drawn: "\n".join([shown(rows, counts, drawn), *absent]),
           missing=missing, perft=counts)


if __name__ == "__main__":
    main()
