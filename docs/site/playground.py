"""What the playground's worker asks: bundled games, diagnostics of rules, and a page on which they are played.

It runs in Pyodide, where neither NumPy nor Numba is: the language, the interpreter and the compiler to JavaScript need
neither.
"""

from __future__ import annotations

import json
import sys

sys.path.insert(0, "/lib/dslgame")

from dsl.diagnostics import as_json
from dsl.syntax.source import Source
from dslgame import bundled
from dslgame.editing.vocabulary import page_words
from dslgame.web import exporting
from interpreter.errors import RuleError
from interpreter.game import examine

NAME = "rules.game"
MOST_POSITIONS = 800
"""A game with so few positions is shown with the values of all moves."""


def begin() -> dict[str, object]:
    """The bundled games with their titles, and the words of the language."""
    games = [{"name": name, "title": heading.title} for name, heading in bundled.headings().items()]
    return {"games": sorted(games, key=lambda game: game["title"]), "words": page_words()}


def text(name: str) -> str:
    """The rules of a bundled game."""
    return bundled.path_of(name).read_text(encoding="utf-8")


def check(rules: str) -> dict[str, object]:
    """What is wrong with rules, and whether they can be played."""
    source = Source(NAME, rules)
    game, found = examine(source)
    return {"diagnostics": [as_json(item, source) for item in found], "playable": game is not None}


def play(rules: str) -> dict[str, str]:
    """The page of a game, or why there is none."""
    game, _ = examine(Source(NAME, rules))
    if game is None:
        return {"problem": "The rules have errors."}
    try:
        return {"page": exporting.exported(game, game.start().state, MOST_POSITIONS).page()}
    except (exporting.CannotExport, RuleError) as problem:
        return {"problem": f"These rules cannot be played here: {problem}"}


def answer(name: str, given: str) -> str:
    """The answer to a question, both as JSON."""
    return json.dumps({"begin": begin, "text": text, "check": check, "play": play}[name](*json.loads(given)))
