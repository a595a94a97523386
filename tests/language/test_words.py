"""Function words: each has one record in `dsl.words` and a complete meaning, and no other module lists the words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from dsl import hir
from dsl.words import CALLED, WORDS, Form
from interpreter.analysis.symmetry_proof import suspects
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.model.board_maps import BoardMap
from interpreter.model.state_maps import StateMap, state_map
from interpreter.semantics.evaluate import Evaluator
from interpreter.semantics.functions import Function
from interpreter.words import AGGREGATIONS, CLOSURES, MEANINGS
from interpreter.words.meaning import Meaning, Unbounded
from tests.language.test_language_values import ASKED
from tests.language.test_reads import asked
from tests.walking import Walk

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("dsl", "interpreter", "solver", "dslgame", "docs", "bench")
ONE_WORD = {
    # the resolver makes these calls for other constructs of the language
    "dsl/resolve/cuts.py": {"border", "count", "neighbours", "next", "opposite", "step", "the"},  # of a board's cuts
    "dsl/resolve/expressions.py": {"track_cells"},  # of a track, where a set of cells is wanted
    "dsl/resolve/kinds.py": {"owner", "piece_of"},  # of `p is mine` and of `kind(p)[mover]`
    "dsl/resolve/names.py": {"from_border", "from_vertex", "side", "step"},  # of `b.north`, `t.north` and `c.north`
    # patterns have their own lines for links and chains, which become calls
    "dsl/patterns/resolver.py": {"distance", "linked_to"},
    "interpreter/patterns/matching.py": {"arrivals"},
    "interpreter/patterns/checks.py": {"free", "linked"},  # which of the two a test asks decides what contradicts it
    # the module recognises a rule or set of one form, which uses exactly these words
    "interpreter/analysis/gravity.py": {"step"},  # what falls to `c.south`
    "interpreter/analysis/sliding_attacks.py": {"ray", "union"},  # rays in all directions
    "interpreter/analysis/knowledge.py": {"coordinate_column", "coordinate_row", "min"},  # a column below how many
    "solver/counters.py": {"min"},  # a number that grows up to a limit
    # a message about one word
    "interpreter/analysis/unreachable.py": {"spans"},
    "dsl/syntax/foreign_syntax.py": {"opposite"},  # of `c.opposite`
}
"""Modules that handle single words, where a record would only repeat the name, with the reason."""
ORDINARY = {"cell", "row", "column", "piece", "side", "step", "count", "line", "lines", "min", "max", "sum", "abs",
            "free", "loop", "group", "union", "next", "around", "height", "below", "copies", "owner", "kind",
            "border", "vertex", "beside", "reached", "linked", "neighbours"}
"""Words with other uses too, such as sorts, keywords and JSON keys: they count only where compared with a call."""
RUNTIME = {"put", "define"}
"""Methods that take names of runtime functions, some of which equal words."""


def asked_of_calls(tree: ast.AST) -> Iterator[str]:
    """The strings that are compared or matched with a call's function or an aggregate's kind, or passed as one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute) and node.left.attr == "function":
            for other in node.comparators:
                yield from texts(other)
        elif isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Attribute):
            for name, pattern in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
                if (node.cls.attr, name) in {("Apply", "function"), ("Aggregate", "kind")}:
                    yield from texts(pattern)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "Apply":
            yield from texts(node.args[0])


def texts(tree: ast.AST) -> Iterator[str]:
    """All string constants in a syntax tree, except the names of runtime functions."""
    for node in ast.iter_child_nodes(tree):
        runtime = isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) and tree.func.attr in RUNTIME
        if not (runtime and isinstance(node, ast.Constant)):
            yield from texts(node)
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield tree.value


def test_no_module_lists_words_again() -> None:
    """Only the modules that define the meaning of words name them; others ask the records."""
    found: dict[str, set[str]] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if name != "dsl/words.py" and not name.startswith("interpreter/words/"):
                tree = ast.parse(path.read_text(encoding="utf-8"))
                named = {text for text in texts(tree) if text in WORDS and text not in ORDINARY}
                named |= {text for text in asked_of_calls(tree) if text in WORDS}
                if named:
                    found[name] = named
    assert found == ONE_WORD


def test_each_word_has_its_meaning() -> None:
    """Each word has a `Meaning` or `Aggregation`, which cannot be instantiated without value, bounds and lowering."""
    ways = {word.name for word in WORDS.values() if word.form is Form.WAY}
    assert {*MEANINGS, *AGGREGATIONS, *CLOSURES, *ways} == set(WORDS)
    assert set(AGGREGATIONS) == {word.name for word in WORDS.values() if word.form in (Form.AGGREGATE, Form.COUNT)}
    for part in ("value", "bounds", "lowered"):
        assert part in Meaning.__abstractmethods__


def test_a_word_without_a_part_is_an_error() -> None:
    """The error occurs when the module is imported, and names the missing part."""
    class Half(Unbounded):
        def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
            return evaluator.compile(term)

    with pytest.raises(TypeError, match="lowered"):
        Half()  # type: ignore[abstract]


@pytest.mark.parametrize("word", WORDS)
def test_each_word_is_lowered(word: str) -> None:
    """The kernel of a game that uses the word agrees with the interpreter."""
    game, condition = asked(ASKED[word])
    parts = list(hir.walk(condition.term))
    assert any(part.function == word if isinstance(part, hir.Apply) else
               (isinstance(part, hir.Aggregate) and part.kind == word)
               or (isinstance(part, hir.Closure) and word == "reached")
               or (isinstance(part, hir.Cheapest) and word == "cheapest") for part in parts)
    Walk(game, Kernel.of(game, native=False), may_fail=True).walk(2, 0.05, plies=4)


@pytest.mark.parametrize("word", WORDS)
def test_each_word_has_an_image(word: str) -> None:
    """A symmetry that is the identity makes no rule suspect."""
    game, _ = asked(ASKED[word])
    mirror = game.board.symmetry("left right mirror")[0]
    assert suspects(game.rules, game.board, _map(game, mirror.then(mirror.inverse()))) == []


@pytest.mark.parametrize(("text", "same"), [
    ("abs(c.row - 1) = 1", True), ("abs(c.row) = 2", True), ("abs(c.column) = 2", False),
    ("cheapest(y.row for x to y in neighbours(x) from c to top) = 3", True),
    ("cheapest(y.column for x to y in neighbours(x) from c to top) = 3", False),
    ("cheapest(1 for x to y in neighbours(x) where x.column < 2 from c to top) = 3", False),
    ("min(c.column, 1) = 1", False), ("min(c.row, 1) = 1", True), ("some leap(c, c.column, 2)", False),
])
def test_numbers_of_rows_and_columns_are_calculated_with_in_one_order(text: str, same: bool) -> None:
    """A mirror changes the number of a column, whatever function the number is passed to."""
    game, condition = asked(f"some c in cells: {text}")
    mirror = _map(game, game.board.symmetry("left right mirror")[0])
    assert (condition in suspects(game.rules, game.board, mirror)) is not same


def _map(game: Game, cells: BoardMap) -> StateMap:
    return state_map(game.rules, game.board, cells, swapping=False, reversing=())


def test_each_record_is_whole() -> None:
    """Records agree with their sorts, and alternative names lead to one word."""
    others = [other for word in CALLED.values() for other in word.also.split()]
    assert len(others) == len(set(others))
    for word in WORDS.values():
        assert word.example
        assert word.least <= len(word.arguments)
        first, stop = word.unordered
        assert first <= stop
        assert len(set(word.arguments[first:stop])) <= 1
