"""Mutants of all external input, by the thousand: games, patterns and requests of the page.

    python -m tests.mutants --count 100000 --seconds 540

Each mutant is determined by its number, so that a long run can be split into parts (`--first`) and a failing mutant
can be reproduced (`--first N --count 1 --show`). A mutant must end in messages that can be shown, within seconds; any
exception except those for users is a failure, whose place is printed.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec

import dslgame
from dsl.diagnostics import GameFileError, as_json, has_errors, render
from dsl.patterns.writer import format_patterns
from dsl.syntax.formatter import format_text
from dsl.syntax.source import Source
from dslgame import bundled
from dslgame.cli.writing import file_name
from dslgame.web import request_schema
from dslgame.web.answers import Answers
from dslgame.web.worker import answered
from interpreter.errors import RuleError
from interpreter.game import Game, examine
from interpreter.patterns.matching import examine_patterns

SECONDS = 20.0
"""The CPU time that one mutant may take, on a machine under other load."""
MOST_CELLS = 150
"""Larger boards are not played here, as that takes long and other tests do it."""
GAMES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(bundled.FOLDER.glob("*.game"))}
PATTERNS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(bundled.PATTERNS.glob("*.pattern"))}
ODD = [
    "\0", "\x1b[31m", "\u202e", "\u2028", "\x85", "\f", "\t", "\r", "é", "囲", "🎲", "99999999999", "-1",
    *"\"'#()[]{}:=<>+-*,.012acd",
    ":=", "<=", "!=", "..", "if", "else", "not", "and", "or", "then", "each", "some", "every", "no", "where", "when",
    "in", "is", "of", "empty", "mine", "theirs", "own", "mover", "cells", "none", "true", "false", "count", "line",
    "piece", "top", "north", "a1",
]
"""Fragments that typing mistakes, other encodings and other languages put into a text."""


def pieces_of(text: str, chance: random.Random) -> list[str]:
    """The text split into characters, words or lines."""
    kind = chance.randrange(3)
    if kind == 0:
        return list(text)
    if kind == 1:
        return [piece for word in text.split(" ") for piece in (word, " ")]
    return text.splitlines(keepends=True)


def mutant(text: str, others: list[str], chance: random.Random) -> str:
    """A text with some pieces deleted, duplicated, exchanged, replaced, or taken from another text."""
    for _ in range(chance.choice([1, 1, 2, 3, 5])):
        pieces = pieces_of(text, chance)
        if len(pieces) < 2:
            break
        here, there = chance.randrange(len(pieces)), chance.randrange(len(pieces))
        action = chance.randrange(7)
        if action == 0:
            del pieces[here:here + chance.choice([1, 1, 1, 3])]
        elif action == 1:
            pieces.insert(there, pieces[here])
        elif action == 2:
            pieces[here], pieces[there] = pieces[there], pieces[here]
        elif action == 3:
            pieces[here] = chance.choice(ODD)
        elif action == 4:
            pieces.insert(here, chance.choice(ODD))
        elif action == 5:
            pieces.insert(here, chance.choice(pieces_of(chance.choice(others), chance)))
        else:
            del pieces[max(here, len(pieces) // 2):]
        text = "".join(pieces)
    return text


# ---- what is claimed of each kind


def check_game(chance: random.Random) -> str:
    """Check, format and play a mutant of a game; its messages can be shown."""
    games = list(GAMES.values())
    text = mutant(min(chance.choice(games), chance.choice(games), key=len), games, chance)
    source = Source("some.game", text)
    game, found = examine(source)
    assert (game is None) == has_errors(found)
    check_messages(found, source)
    if chance.random() < 0.1:  # which reads the text five times more
        with suppress(GameFileError):
            formatted = format_text(text)
            assert format_text(formatted) == formatted
    if game is None:
        return "refused"
    file_name(game.title)
    if game.board.unbounded or game.board.size > MOST_CELLS:
        return "accepted"
    with suppress(RuleError):
        position = game.start()
        for _ in range(3):
            legal = position.legal()
            if not legal:
                break
            move = chance.choice(legal)
            written = game.notation.write(position.state, move)
            assert written.isprintable(), repr(written)
            position = position.play(move)
            drawing = position.drawing()
            assert all(line.isprintable() for line in drawing.splitlines()), repr(drawing)
            if not position.over:  # an end by repetition is not in a text
                assert game.read_position(position.text).state == position.state
    return "played"


def check_messages(found: list[Any], source: Source) -> None:
    """Check that every diagnostic has a valid place and can be shown on a terminal and as JSON."""
    for item in found:
        shown = render(item, source)
        json.dumps(as_json(item, source))
        assert 1 <= item.span.line <= max(1, len(source.lines)), shown
        assert all(line.isprintable() for line in shown.split("\n")), repr(shown)


@cache
def pattern_game(name: str) -> Game:
    """The game of a pattern file, at a small size."""
    sizes: dict[str, dict[str, int]] = {"twixt": {"rows": 8, "columns": 8}, "hex": {"size": 5}, "gomoku": {"size": 7}}
    return dslgame.load(name, **sizes.get(name, {}))


def check_patterns(chance: random.Random) -> str:
    """Check a mutant of a pattern file, format it in both forms, and match it."""
    name = chance.choice(list(PATTERNS))
    parts = re.split(r"(?m)^(?=offensive|defensive)", PATTERNS[name])
    few = "".join([parts[0], *chance.sample(parts[1:], min(5, len(parts) - 1))])
    text = mutant(few, list(PATTERNS.values()), chance)
    source = Source("some.pattern", text)
    game = pattern_game(name)
    book, found = examine_patterns(source, game)
    assert (book is None) == has_errors(found)
    check_messages(found, source)
    if chance.random() < 0.3:
        with suppress(GameFileError):
            format_patterns(text, form=chance.choice(["", "readable", "classic"]))
    if book is None:
        return "refused"
    position = game.start()
    for _ in range(2):
        before = position.state
        position = position.play(chance.choice(position.moves()))
        with suppress(RuleError):
            book.proposed(position.state, before)
    return "matched"


@cache
def answers() -> Answers:
    """The object that answers the page's requests, as in a worker."""
    return Answers()


FILES = {name: str(bundled.FOLDER / f"{name}.game") for name in ("tic_tac_toe", "nex", "shift_tac_toe", "nim")}
QUICK = [do for do in request_schema.ASKED if do not in ("values", "choose", "treepicture", "variants", "warm")]
"""Requests that need no search, which takes seconds."""


def _odd_value(chance: random.Random, depth: int = 0) -> Any:
    choices: list[Any] = [None, True, 0, -1, 10**9, 10**30, 1.5, "", "a1", "\ud800", "\0", "c0", "k0:a", "☃" * 30,
                          "x" * 3000, "<script>", "../../etc/passwd", "nim", "tic_tac_toe"]
    if depth < 3:
        choices += [[_odd_value(chance, depth + 1) for _ in range(chance.randrange(4))],
                    {str(_odd_value(chance, 3)): _odd_value(chance, depth + 1) for _ in range(chance.randrange(3))}]
    return chance.choice(choices)


def check_page(chance: random.Random) -> str:
    """Send a mutant of a request, which must be refused with a sentence or answered with JSON."""
    do = chance.choice(QUICK)
    if chance.random() < 0.4:
        name = chance.choice(["tic_tac_toe", "nim", "shift_tac_toe", "drop", "hexapawn"])
        text = mutant(GAMES.get(name, GAMES["tic_tac_toe"]), list(GAMES.values()), chance)
        body: dict[str, Any] = {"text": text}
    else:
        body = {"game": chance.choice(list(FILES))}
    if do not in ("game", "check"):
        moves = {"tic_tac_toe": ["a1", "b2"], "nex": ["Ba1?c2"], "shift_tac_toe": ["0", "4"]}
        body["moves"] = moves.get(body.get("game", ""), ["a1"])[: chance.randrange(3)]
    if do == "move":
        body["move"] = chance.choice(["a3", [0, "c0"], [0, "k0:a"], "1-2"])
    if do == "choices":
        body["chosen"] = chance.choice([[0], [0, "c0"], []])
    for _ in range(chance.choice([0, 1, 1, 2])):
        fields = ["game", "text", "moves", "params", "start", "move", "chosen", "play", "nonsense"]
        body[chance.choice(fields)] = _odd_value(chance)
    data = json.dumps(body).encode()
    if chance.random() < 0.3:
        data = mutant(data.decode(), ["[]", "{}", '"moves": ["a1"]'], chance).encode(errors="replace")
    if chance.random() < 0.1:
        place = chance.randrange(len(data) or 1)
        data = data[:place] + bytes([chance.randrange(256)]) + data[place + 1:]
    refusal: request_schema.Refused | None = None
    try:
        job = request_schema.job(do, data, FILES)
    except request_schema.Refused as problem:
        refusal = problem
    if refusal is not None:
        assert 400 <= refusal.status < 500
        json.dumps(refusal.plain())
        return "refused"
    if isinstance(job.asked, request_schema.Checked) and chance.random() >= 0.02:  # trying a game out takes seconds
        job = request_schema.Job(job.do, msgspec.structs.replace(job.asked, play=False), job.path)
    status, answer = answered(answers(), request_schema.Job.decoded(job.encoded()))
    assert status != 500, answer.decode()
    found = json.loads(answer)
    assert (status == 200) == ("error" not in found)
    return "answered" if status == 200 else "refused later"


KINDS: dict[str, Callable[[random.Random], str]] = {"game": check_game, "pattern": check_patterns, "page": check_page}


# ---- running them


class TooSlow(Exception):
    """A mutant takes more CPU time than allowed."""


@contextmanager
def _bounded(seconds: float) -> Iterator[None]:
    """Raise TooSlow after the given CPU time, if the system supports it."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def late(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def check(number: int) -> tuple[str, str]:
    """Check a mutant; return its kind and the result. Raises the exception that it causes."""
    chance = random.Random(number)
    kind = chance.choice(["game", "game", "pattern", "page", "page"])
    with _bounded(SECONDS):
        return kind, KINDS[kind](chance)


def place_of(problem: BaseException) -> str:
    """The origin of an exception, in one line."""
    frame = traceback.extract_tb(problem.__traceback__)[-1]
    text = " ".join(str(problem).split())
    return f"{Path(frame.filename).name}:{frame.lineno}: {type(problem).__name__}: {text[:300]}"


def run(first: int, count: int, *, seconds: float = float("inf")) -> tuple[Counter[str], dict[str, list[int]]]:
    """Check `count` mutants within the time; return the counts of results, and the failing numbers by place."""
    found: Counter[str] = Counter()
    failures: dict[str, list[int]] = {}
    end = time.monotonic() + seconds
    for number in range(first, first + count):
        if time.monotonic() > end:
            break
        try:
            found["{} {}".format(*check(number))] += 1
        except Exception as problem:
            found["failed"] += 1
            failures.setdefault(place_of(problem), []).append(number)
    return found, failures


def main() -> int:
    """Run from the command line; return 1 if a mutant fails."""
    parser = argparse.ArgumentParser(description="Checks mutants of games, patterns and requests of the page.")
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutant")
    parser.add_argument("--count", type=int, default=10_000, help="how many")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--show", action="store_true", help="show the whole traceback of the first that fails")
    options = parser.parse_args()
    if options.show:
        for number in range(options.first, options.first + options.count):
            print(number, *check(number))
        return 0
    found, failures = run(options.first, options.count, seconds=options.seconds)
    done = found.total()
    print(f"{done:,} mutants, numbers {options.first:,} to {options.first + done - 1:,}:")
    for name, many in sorted(found.items()):
        print(f"  {many:>7,} {name}")
    for place, numbers in failures.items():
        print(f"FAILED {len(numbers)} times, as number {numbers[0]}: {place}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
