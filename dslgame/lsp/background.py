"""Slow work in separate processes: playing a game to check it, and counting the matches of patterns.

`Background` runs this module with a question as JSON on the standard input, and kills the process when the text
changes. The process answers with one line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from dslgame.packages import python_command

if TYPE_CHECKING:
    from interpreter.game import Game, Position

SECONDS = 10.0
"""The most processor time for playing a game to check it."""
POSITIONS = 40
"""The number of positions of random games in which patterns are matched."""
LONGEST_GAME = 200


class Background:
    """The processes that work for documents, at most one for each."""

    def __init__(self) -> None:
        self._running: dict[str, asyncio.subprocess.Process] = {}

    @property
    def running(self) -> int:
        """The number of running processes."""
        return len(self._running)

    async def ask(self, key: str, question: dict[str, str]) -> dict[str, object] | None:
        """Ask a question in a new process, killing the document's previous one; None where it was cancelled or
        failed."""
        self.cancel(key)
        process = await asyncio.create_subprocess_exec(
            *python_command("from dslgame.lsp.background import main; main()"),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
        self._running[key] = process
        try:
            output, _ = await process.communicate(json.dumps(question).encode())
        except asyncio.CancelledError:
            _end(process)
            raise
        finally:
            if self._running.get(key) is process:
                del self._running[key]
        if process.returncode != 0:
            return None
        answer: dict[str, object] = json.loads(output)
        return answer

    def cancel(self, key: str) -> None:
        """Kill the process of a document, if there is one."""
        process = self._running.pop(key, None)
        if process is not None:
            _end(process)

    def close(self) -> None:
        """Kill all processes."""
        for key in list(self._running):
            self.cancel(key)


def _end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()


# ---- in the other process


def main() -> None:
    """Read a question from the standard input, and write its answer as JSON."""
    question = json.loads(sys.stdin.read())
    answer = matches(question) if question["what"] == "patterns" else played(question)
    sys.stdout.write(json.dumps(answer))


def played(question: dict[str, str]) -> dict[str, object]:
    """The diagnostics found by playing a game, in the form of `dslgame check --json`."""
    from dsl.diagnostics import as_json
    from dsl.syntax.source import Source
    from interpreter.analysis.dynamic_checks import try_out
    from interpreter.game import examine

    source = Source(question["name"], question["text"])
    game, _ = examine(source)
    result = [] if game is None else try_out(game, seconds=SECONDS)
    return {"diagnostics": [as_json(item, source) for item in result]}


def matches(question: dict[str, str]) -> dict[str, object]:
    """The number of matches of each pattern in positions of random games, in the order of the file."""
    from dsl.diagnostics import has_errors
    from dsl.syntax.source import Source
    from interpreter.game import examine
    from interpreter.patterns.matching import Book

    game, _ = examine(Source(question["game_name"], question["game"]))
    if game is None:
        return {"counts": [], "positions": 0}
    book = Book.of(Source(question["name"], question["text"]), game)
    if has_errors(book.warnings):
        return {"counts": [], "positions": 0}
    result: Counter[int] = Counter()
    positions = random_positions(game, POSITIONS)
    for at in positions:
        before = at.history[-1] if at.history else None
        result.update(match.pattern.number for match in book.matches(at.state, before))
    return {"counts": [[pattern.rule.span.line, result[pattern.number]] for pattern in book.patterns],
            "positions": len(positions)}


def random_positions(game: Game, count: int) -> list[Position]:
    """Positions of random games, the same each time."""
    chance = random.Random(0)
    result: list[Position] = []
    while len(result) < count:
        position = game.start()
        for _ in range(LONGEST_GAME):
            if position.over or len(result) >= count:
                break
            result.append(position)
            position = position.play(chance.choice(position.moves()))
    return result
