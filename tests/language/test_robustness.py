"""Checking a file of any content ends soon, with messages that can be shown and never with an exception.

Inputs are random texts, random words of the language, mutated and truncated bundled games, texts far too long or too
deep, and files that are not text. `check_survival` is the one property; everything else generates texts.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsl.diagnostics import GameFileError, as_json, has_errors, render
from dsl.diagnostics.catalogue import ENTRIES
from dsl.syntax.foreign_syntax import EFFECTS, NAMES
from dsl.syntax.formatter import format_text
from dsl.syntax.grammar import DECLARATIONS, spellings
from dsl.syntax.source import Source, Unreadable, read
from interpreter.errors import RuleError
from interpreter.game import Game, examine
from tests.discovery import few_of, one_in
from tests.mutants import pieces_of

FOLDER = Path(__file__).parents[2] / "games"
GAMES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.game"))}
HEAD = 'game "T"\nplayers A, B\nboard square(3, 3)\npieces a of A, b of B\n'
MOVE = "move p(c in empty):\n    c := own\n"
TAIL = MOVE + "win mover when line(mine, 3)\ndraw when no empty\n"
SECONDS = 6.0
"""The CPU time that checking one text may take; the slowest takes about two seconds."""

QUICK = settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
LONG = settings(max_examples=800, deadline=None, suppress_health_check=list(HealthCheck))


def check_survival(text: str, params: Mapping[str, int] | None = None, *, seconds: float = SECONDS) -> Game | None:
    """Check that a text gives a game or errors within the time, and that every finding can be shown."""
    started = time.process_time()
    source = Source("some.game", text)
    game, found = examine(source, params)
    assert (game is None) == has_errors(found)
    for item in found:
        shown = render(item, source)
        json.dumps(as_json(item, source))
        assert item.code in ENTRIES
        assert item.phrase.strip()
        assert 1 <= item.span.line <= len(source.lines), shown
        assert 1 <= item.span.column <= len(source.line(item.span.line)) + 20, shown  # a tab counts four
        assert all(character.isprintable() or character in "\n" for character in shown), repr(shown)
        assert max(map(len, shown.splitlines())) < 2000
    assert len(found) < 3000
    assert time.process_time() - started < seconds
    return game


def check_play(game: Game, seed: int) -> None:
    """Check that an accepted game can be started and that its rules fail only with a RuleError."""
    chance = random.Random(seed)
    position = game.start()
    with suppress(RuleError):
        for _ in range(4):
            legal = position.legal()
            if not legal:
                break
            position = position.play(chance.choice(legal))
            assert str(position)


# ---- random texts

WORDS = sorted({
    *DECLARATIONS, *spellings().values(), *EFFECTS, *NAMES, *NAMES.values(),
    "at least", "at most", "win", "lose", "mover", "mine", "theirs", "own", "empty", "cells", "top", "left", "rows",
    "columns", "square", "rhombus", "hexagon", "graph", "half turn", "players", "joined", "line", "count", "sum",
    "c", "d", "x", "Red", "Blue", "red", "blue", "0", "1", "2", "3", "99999999999", '"a1"', '"', "'", "#",
    "\n", "\n    ", "\n        ", "\n  ", "\t", ":\n    ", "==", "&&", "->", ";", "!",
    "<", "<=", "!=", "+=", "-=", "*", "mod", "div", "-", "+", "🎲", "é", "\u202e", "\x00", "\r", "\f", "\u2028",
})  # fmt: skip
SOUP = st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)
LINES = st.lists(
    st.tuples(
        st.sampled_from([*DECLARATIONS, "    c", "    each", "    if", "        c", "    then"]),
        SOUP.filter(lambda t: len(t) < 200),
    ).map(" ".join),
    max_size=15,
).map("\n".join)


@QUICK
@given(st.text(max_size=300))
def test_random_text_ends_in_messages(text: str) -> None:
    """Texts of any characters."""
    check_survival(text)


@QUICK
@given(SOUP | LINES)
def test_the_words_of_the_language_in_any_order_end_in_messages(text: str) -> None:
    """Texts that look like sentences of the language but are mostly not."""
    game = check_survival(text)
    if game is not None:
        check_play(game, 1)


@QUICK
@given(SOUP)
def test_expressions_of_any_words_end_in_messages(text: str) -> None:
    """A random expression inside a complete game, so that all stages after the parser see it."""
    words = text.replace("\n", " ").replace("#", " ")
    game = check_survival(HEAD + TAIL + f"win mover when {words}\nvalue {words}\n")
    if game is not None:
        check_play(game, 1)


@QUICK
@given(st.binary(max_size=400))
def test_random_bytes_are_read_or_refused(data: bytes) -> None:
    """A file of any bytes is read as a source or refused with a reason."""
    path = Path(_scratch) / "bytes.game"
    path.write_bytes(data)
    source = read(path)
    if isinstance(source, Source):
        check_survival(source.text)
    else:
        assert source.code in ENTRIES


_scratch = ""


@pytest.fixture(autouse=True, scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Make one folder for the files of random bytes, as Hypothesis runs one test function many times."""
    global _scratch
    _scratch = str(tmp_path_factory.mktemp("bytes"))


# ---- mutations of the bundled games

Edit = Callable[[str, random.Random], str]


def mutated(text: str, chance: random.Random) -> str:
    """Delete, duplicate, swap or replace a few pieces of the text."""
    for _ in range(chance.randrange(1, 5)):
        pieces = pieces_of(text, chance)
        if len(pieces) < 2:
            break
        here, there = chance.randrange(len(pieces)), chance.randrange(len(pieces))
        action = chance.randrange(5)
        if action == 0:
            del pieces[here]
        elif action == 1:
            pieces.insert(here, pieces[here])
        elif action == 2:
            pieces[here], pieces[there] = pieces[there], pieces[here]
        elif action == 3:
            pieces[here] = chance.choice(WORDS)
        else:
            pieces[here], pieces[here - 1] = pieces[here - 1], pieces[here]
        text = "".join(pieces)
    return text


def test_a_side_that_a_broken_line_may_define_is_no_side() -> None:
    """Names that broken lines may have declared are not reported, but a tile's track still cannot join them."""
    text = GAMES["trax"].replace("north east, south west", "north east, slant west") + "\ndefine slant = (\n"
    check_survival(text)


@QUICK
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 2**32))
def test_mutated_games_end_in_messages(name: str, seed: int) -> None:
    """Bundled games with a few random edits."""
    game = check_survival(mutated(GAMES[name], random.Random(seed)))
    if game is not None:
        check_play(game, seed)


@pytest.mark.slow
@LONG
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 2**32))
def test_many_mutated_games_end_in_messages(name: str, seed: int) -> None:
    """The same with more examples."""
    game = check_survival(mutated(GAMES[name], random.Random(seed)))
    if game is not None:
        check_play(game, seed)


@pytest.mark.slow
@LONG
@given(SOUP | LINES)
def test_many_words_in_any_order_end_in_messages(text: str) -> None:
    """The same with more examples."""
    check_survival(text)
    check_survival(HEAD + TAIL + text)


@pytest.mark.parametrize("name", one_in(3, sorted(GAMES), 1))
def test_truncated_games_end_in_messages(name: str) -> None:
    """Bundled games cut at every 83rd character, as if still being typed."""
    text = GAMES[name]
    for end in range(0, len(text), 83):
        check_survival(text[:end])


@pytest.mark.parametrize("name", few_of([(name,) for name in sorted(GAMES)]))
def test_games_truncated_in_many_places_end_in_messages(name: str) -> None:
    """Cuts at twenty places; both parts are checked."""
    check_cuts(GAMES[name], 1 + len(GAMES[name]) // 20)


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(GAMES))
def test_games_truncated_anywhere_end_in_messages(name: str) -> None:
    """Cuts at every character; both parts are checked."""
    check_cuts(GAMES[name], 1)


def check_cuts(text: str, every: int) -> None:
    """Cut a text at every `every`-th character and check both parts."""
    for end in range(0, len(text), every):
        check_survival(text[:end])
        check_survival(text[end:])


@pytest.mark.parametrize("name", one_in(8, sorted(GAMES), 0, rest=2))
def test_the_line_ends_of_other_systems_change_nothing(name: str) -> None:
    """CR, CRLF, a byte order mark and extra or missing final newlines give the same rules."""
    text = GAMES[name]
    for other in (
        text.replace("\n", "\r\n"),
        text.replace("\n", "\r"),
        "\ufeff" + text,
        text.rstrip("\n"),
        text + "\n\n\n",
    ):
        game = check_survival(other)
        assert game is not None
        assert game.rules == Game.of(Source("x", text)).rules


# ---- texts that no person would write


def condition(text: str) -> str:
    """A game with an additional end condition."""
    return HEAD + TAIL + f"lose mover when {text}\n"


def value(text: str) -> str:
    """A game with a `value`."""
    return HEAD + TAIL + f"value {text}\n"


def board(text: str) -> str:
    """A game on the given board."""
    return (HEAD + TAIL).replace("board square(3, 3)", f"board {text}")


def blocks(depth: int) -> str:
    """A game with nested blocks of the given depth."""
    conditions = "".join(" " * (k + 1) + "if some mine:\n" for k in range(depth))
    return HEAD + "move p(c in empty):\n" + conditions + " " * (depth + 1) + "c := own\n"


def definitions(count: int, body: str, first: str = "1") -> str:
    """A game with a chain of definitions: `{}` in the body stands for the previous one."""
    lines = [f"define d0 = {first}", *(f"define d{k} = {body.format(f'd{k - 1}')}" for k in range(1, count + 1))]
    return HEAD + "\n".join(lines) + "\n" + TAIL


def grow(rest: str, times: int) -> str:
    """Repeat a line, with the index inserted for `{}`."""
    return "".join(rest.format(k) for k in range(times))


MONSTERS: dict[str, Callable[[], str]] = {
    # many lines
    "100,000 lines": lambda: "x\n" * 100_000,
    "100,000 blank lines": lambda: "\n" * 100_000,
    "100,000 rules": lambda: HEAD + "draw when no empty\n" * 100_000,
    "19,000 values": lambda: HEAD + TAIL + "value 1\n" * 19_000,
    "19,000 unknown params": lambda: HEAD + TAIL + grow("param p{0} = q{0}\n", 19_000),
    "900 unknown names": lambda: HEAD + TAIL + grow("define d{0} = u{0}\n", 900),
    "900 moves": lambda: HEAD + TAIL + grow("move m{}(c in empty):\n    c := own\n", 900),
    "900 pieces": lambda: HEAD + TAIL + grow("pieces q{}\n", 900),
    "900 symmetries": lambda: HEAD + TAIL + "symmetry half turn\n" * 900,
    "900 variables on 10,000 cells": lambda: board("square(100, 100)") + grow("var v{}[cell] in 0..9\n", 900),
    "a block of 19,000 lines": lambda: HEAD + MOVE + "    c := own\n" * 19_000,
    "a block of 900 wrong lines": lambda: HEAD + MOVE + "    c = own\n" * 900,
    "900 long definitions": lambda: HEAD + TAIL + grow("define d{} = " + "1 + " * 240 + "1\n", 900),
    # long lines
    "a line of 1 MiB": lambda: value("1 + " * (1 << 18) + "1"),
    "a word of 900,000 letters": lambda: value("x" * 900_000),
    "900,000 digits": lambda: value("9" * 900_000),
    "a text of 900,000 characters": lambda: f'game "{"x" * 900_000}"\n',
    "a comment of 900,000 characters": lambda: "#" + "x" * 900_000,
    "a word of 900 letters": lambda: value("x" * 900),
    "900 digits": lambda: value("9" * 900),
    "a sum of 10,000": lambda: value(" + ".join("a" * 10_000)),
    "a sum of 200,000 over lines": lambda: value("(" + ("1 + " * 240 + "\n") * 900 + "1)"),
    "a sum of 10,000 over lines": lambda: value("(" + ("1 + " * 200 + "\n") * 50 + "1)"),
    # deep
    "10,000 '('": lambda: value("(" * 10_000),
    "10,000 '['": lambda: value("a[" * 10_000),
    "10,000 '{'": lambda: value("{" * 10_000),
    "10,000 '-'": lambda: value("-" * 10_000),
    "10,000 '(' closed": lambda: value("(" * 10_000 + "1" + ")" * 10_000),
    "9,000 '(' in lines of their own": lambda: value("(\n" * 9000 + "1" + ")\n" * 9000),
    "900 '-'": lambda: value("-" * 900 + "1"),
    "comparisons in 50 brackets": lambda: condition("(" * 50 + "a" + " = a)" * 50),
    "10,000 'not'": lambda: condition("not " * 10_000 + "some mine"),
    "200 'not'": lambda: condition("not " * 200 + "some mine"),
    "10,000 'if ... else'": lambda: value("1 if some mine else " * 10_000 + "1"),
    "40 'if ... else'": lambda: value("1 if some mine else " * 40 + "1"),
    "10,000 'some c in S:'": lambda: condition("some c in mine: " * 10_000 + "true"),
    "18 'some c in S:'": lambda: condition(grow("some c{} in cells: ", 18) + "true"),
    "100 steps": lambda: condition("some c in mine: c" + ".north" * 100 + " in mine"),
    "10,000 blocks in each other": lambda: blocks(10_000),
    "900 blocks in each other": lambda: blocks(900),
    "50 blocks in each other": lambda: blocks(50) + "draw when no empty\n",
    "450 'else if'": lambda: HEAD + MOVE + "    if some mine:\n        c := own\n"
    + "    else if some mine:\n        c := own\n" * 450,
    "50 'then' in each other": lambda: HEAD + "move z(c in cells):\n"
    + "".join("    " * (k + 1) + f"then c{k} in empty:\n" for k in range(50)) + "    " * 51 + "c := own\n" + TAIL,
    "stairs up": lambda: "move x:\n" + "".join(" " * k + "x := 1\n" for k in range(1, 900)),
    "stairs down": lambda: "move x:\n" + "".join(" " * (900 - k) + "x := 1\n" for k in range(899)),
    "10,000 lines in any column": lambda: HEAD + "move x:\n"
    + "".join(" " * (k * 7 % 40) + "c := own\n" for k in range(10_000)),
    # definitions
    "2,000 definitions in a chain": lambda: definitions(2000, "{}"),
    "900 definitions in a chain": lambda: definitions(900, "{}"),
    "90 definitions in a chain": lambda: definitions(90, "{}"),
    "40 definitions that double": lambda: definitions(40, "{0} + {0}"),
    "40 definitions that square": lambda: definitions(40, "{0} * {0}", "99999"),
    "40 sets that double": lambda: definitions(40, "{0} + {0}", "mine"),
    "40 conditions that double": lambda: definitions(40, "{0} and {0}", "some mine"),
    "40 comparisons that double": lambda: definitions(40, "{0} = {0}", "some mine"),
    "13 conditions that double": lambda: definitions(13, "{0} and {0}", "some mine"),
    "40 functions that double": lambda: HEAD + "define d0(x) = x\n"
    + "".join(f"define d{k + 1}(x) = d{k}(x) + d{k}(x)\n" for k in range(40)) + TAIL,
    "a circle of 50": lambda: HEAD + "".join(f"define r{k} = r{(k + 1) % 50}\n" for k in range(50)) + TAIL,
    "450 cases": lambda: HEAD + grow("param q{0} = {0}\ndefine z[q{0}] = {0}\n", 450) + TAIL,
    # large
    "a board of 10^10 cells": lambda: board("square(100000, 100000)"),
    "a board of 999999999 rows": lambda: board("square(999999999, 1)"),
    "a board of a million cells": lambda: board("square(1000, 1000)"),
    "a board of 10,000 cells": lambda: board("square(100, 100)") + "symmetry all turns and mirrors\n",
    "a strip of 10,000 cells": lambda: board("square(1, 10000)") + "symmetry half turn\n",
    "a hexagon of 10^8 cells": lambda: board("hexagon(9999)"),
    "a hexagon of 9919 cells": lambda: board("hexagon(58)") + "symmetry all turns and mirrors\n",
    "a graph of 900 cells": lambda: board("graph:\n" + grow("    n{0}\n", 900)) + "symmetry all symmetries\n",
    "a graph of 72,000 cells": lambda: board("graph:\n" + "".join(
        "    " + " - ".join(f"n{k}x{n}" for n in range(80)) + "\n" for k in range(900))),
    "a complete graph": lambda: board("graph:\n" + "".join(f"    n{k} - n{n}\n" for k in range(30) for n in range(k)))
    + "symmetry all symmetries\n",
    "120 players": lambda: HEAD.replace("A, B", "A, B, " + ", ".join(f"P{k}" for k in range(120))) + TAIL,
    "80 choices": lambda: HEAD + "move z(" + ",\n".join(f"c{k} in cells" for k in range(80)) + "):\n    c0 := own\n",
    "40 choices": lambda: HEAD + "move z(" + ",\n".join(f"c{k} in cells" for k in range(40)) + "):\n    c0 := own\n",
    "10^9 numbers to choose from": lambda: HEAD + "move z(n in 0..999999999):\n    top := own\n" + TAIL,
    "10^9 numbers at the start": lambda: HEAD + TAIL
    + "var x in 0..3\nstart:\n    each n in 0..999999999:\n        x := 1\n",
    "three loops at the start": lambda: board("square(100, 100)") + "start:\n" + "".join(
        "    " * (k + 1) + f"each c{k} in cells:\n" for k in range(3)) + "    " * 4 + "c0 := a\n",
    "three loops for the board": lambda: board(
        "square(100, 100) without {c in cells where some d in cells: some e in cells: false}"),
    "a line of 10^9 cells": lambda: condition("line(mine, 999999999)"),
    "300 fields in a notation": lambda: HEAD + TAIL + f'notation p "{"{c}" * 300}"\n',
    "brackets in a notation": lambda: HEAD + TAIL + f'notation p "{{{"(" * 300}c{")" * 300}}}"\n',
    "100 fields in coordinates": lambda: HEAD + f'coordinates "{"{row:a}" * 100}"\n' + TAIL,
    # odd
    "brackets open in every line": lambda: "(\n" * 19_999,
    "texts open in every line": lambda: '"\n' * 19_999,
    "brackets and texts open in a block": lambda: "move x:\n" + '    ("\n' * 19_900,
    "tabs in every line": lambda: "move x:\n" + "\tx := 1\n" * 19_900,
    "tabs and spaces": lambda: "move x:\n" + "\t \tx := 1\n" * 900,
    "NUL bytes": lambda: "\0" * 1000,
    "control characters": lambda: HEAD + TAIL + "\x1b[31m\x07\x0b\x1c\x85\u2028\n",
    "control characters in a text": lambda: HEAD.replace('"T"', '"\x1b[31m\x07"') + TAIL + 'show a as "\x1b"\n',
    "bidirectional marks": lambda: HEAD.replace('"T"', '"\u202e\u2066abc"') + TAIL + "define \u202eabc = 1\n",
    "emoji": lambda: HEAD.replace('"T"', '"🎲👩‍👩‍👧"') + TAIL + 'define 🎲 = 1\nshow a as "👩‍👩‍👧"\n',
    "wide letters": lambda: HEAD + TAIL + "define 棋盤 = ＸＹ\n",
    "half a surrogate": lambda: HEAD.replace('"T"', '"\ud800"') + TAIL + "define \ud800 = 1\n",
    "other spaces": lambda: HEAD + "\u00a0\u00a0x\n\u3000y\n" + TAIL + "    \u00a0\n\f\n",
    "no line end": lambda: HEAD + TAIL.rstrip("\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", one_in(3, MONSTERS, 0))
def test_monsters_end_in_messages(name: str) -> None:
    """Texts that are too long, too deep, too large or too odd give messages within seconds."""
    text = MONSTERS[name]()
    check_survival(text)


@pytest.mark.parametrize(
    "name", ["50 blocks in each other", "13 conditions that double", "a board of 10,000 cells", "no line end"]
)
def test_the_largest_that_is_allowed_is_a_game(name: str) -> None:
    """Texts just within the limits are accepted and have legal moves."""
    game = check_survival(MONSTERS[name]())
    assert game is not None
    assert game.start().moves()


@pytest.mark.parametrize("digits", [0, 6, 9, 12, 100, 5000])
@pytest.mark.parametrize("sign", [1, -1])
def test_params_of_any_size_end_in_messages(sign: int, digits: int) -> None:
    """Params from outside may have any number of digits."""
    amount = sign * (10**digits - 1)
    for text in (
        "param size = 3\nboard square(size, size)\n",
        "param size = 3 in 1..9\nboard square(size, 3)\n",
        "param size = 3\nboard square(3, 3)\nvar x in 0..size\nvalue x * size\n",
    ):
        check_survival('game "T"\nplayers A, B\npieces a of A, b of B\n' + text + TAIL, {"size": amount})


def test_unknown_params_of_any_name_end_in_messages() -> None:
    """Param names from outside may be any text."""
    for name in ("", " ", "x" * 10_000, "\x1b[31m", "size "):
        check_survival("param size = 3\n" + HEAD + TAIL, {name: 3})


@pytest.mark.parametrize(
    "name",
    ["a sum of 10,000", "10,000 blocks in each other", "NUL bytes", "half a surrogate", "texts open in every line"],
)
def test_the_formatter_survives_too(name: str) -> None:
    """Formatting such a text raises at most a GameFileError; else the result is formatted."""
    with suppress(GameFileError):
        text = format_text(MONSTERS[name]())
        assert format_text(text) == text


# ---- files


def test_a_missing_file_is_a_reason(tmp_path: Path) -> None:
    """The message contains the file name."""
    found = read(tmp_path / "none.game")
    assert isinstance(found, Unreadable)
    assert found.code == "G001"
    assert "none.game" in found.phrase


def test_a_directory_is_a_reason(tmp_path: Path) -> None:
    """A directory has an error code different from that of a missing file."""
    found = read(tmp_path)
    assert isinstance(found, Unreadable)
    assert found.code == "G002"


def test_a_file_without_permission_is_a_reason(tmp_path: Path) -> None:
    """An unreadable file has its own error code."""
    path = tmp_path / "secret.game"
    path.write_text("game", encoding="utf-8")
    path.chmod(0)
    found = read(path)
    if isinstance(found, Source):
        pytest.skip("this user may read everything")
    assert found.code == "G003"


@pytest.mark.parametrize("name", ["\0", "a\0b.game", "x" * 5000, "none/none/none.game", "\ud800.game"])
def test_an_impossible_name_is_a_reason(name: str) -> None:
    """File names that the operating system refuses give a reason."""
    found = read(name)
    assert isinstance(found, Unreadable)
    assert found.code in ("G001", "G003")


@pytest.mark.parametrize(
    "data", [b"\xff\xfeg\x00a\x00", b'game "Caf\xe9"\n', b"\x89PNG\r\n\x1a\n\x00\x00", b"\n\n\xc3("]
)
def test_a_file_that_is_not_utf8_is_a_reason(data: bytes, tmp_path: Path) -> None:
    """UTF-16, Latin-1, a PNG image and a truncated sequence."""
    path = tmp_path / "other.game"
    path.write_bytes(data)
    found = read(path)
    assert isinstance(found, Unreadable)
    assert found.code == "G004"
    assert found.line == data[: data.find(b"\xc3") if b"\xc3" in data else 0].count(b"\n") + 1


def test_a_file_too_large_is_a_reason_before_it_is_read(tmp_path: Path) -> None:
    """A sparse file of 8 GiB is refused within a second."""
    path = tmp_path / "large.game"
    with path.open("wb") as stream:
        stream.truncate(1 << 33)
    started = time.perf_counter()
    found = read(path)
    assert isinstance(found, Unreadable)
    assert found.code == "G005"
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize("text", ["", "\n", "   \n\t\n", "# only\n# comments\n", "\ufeff"])
def test_a_file_without_rules_is_a_finding(text: str) -> None:
    """Empty and blank files, comments only, and a byte order mark only."""
    _, found = examine(Source("empty.game", text))
    assert [item.code for item in found] == ["G006"]


def test_control_characters_never_reach_the_terminal() -> None:
    """Neither the text nor the name of a file can send escape sequences or change the text direction."""
    source = Source("\x1b[2J.game", 'game "\x1b]0;title\x07" \x1b[31m\u202e\nplayers \x9b31m\n')
    _, found = examine(source)
    assert found
    assert all(character.isprintable() or character == "\n" for item in found for character in render(item, source))


@pytest.mark.slow
def test_the_bundled_games_are_checked_quickly() -> None:
    """Checking takes less than 0.05 s per game once the grammar is loaded; it takes about a tenth of that."""
    sources = [Source(name, text) for name, text in GAMES.items()]
    examine(sources[0])
    started = time.process_time()
    for source in sources:
        examine(source)
    assert time.process_time() - started < 0.05 * len(sources)
