"""Patterns: the two file formats, mistakes in files, and matching compared with the definition and with kernels."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dslgame
from dsl.diagnostics import Diagnostic, GameFileError, render
from dsl.patterns.parser import parse_patterns
from dsl.patterns.writer import format_patterns
from dsl.syntax.source import Source
from dslgame import bundled
from interpreter.boards import build, members
from interpreter.compiler import verify
from interpreter.game import Game, Position
from interpreter.kernel.kernel import Kernel
from interpreter.patterns.examples import try_examples
from interpreter.patterns.frames import frames_of, heading_for
from interpreter.patterns.matching import Book, examine_patterns
from tests.discovery import few_of
from tests.language.test_diagnostics import expectations
from tests.reference.twixt_patterns import Board

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "patterns").glob("*.pattern"))
SMALL = {"twixt": {"rows": 9, "columns": 9}, "gomoku": {"size": 8}, "hex": {"size": 6}, "connect_four": {}}
"""The params at which patterns are tested in random games."""
every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)

# ---- long lines


def test_long_lines_of_patterns_become_several() -> None:
    """Each part keeps its share of the conditions; a quantifier keeps everything that follows it."""
    long = "count(occupied + empty + mine + theirs) > 0"
    head = 'patterns for "Hex"\n\noffensive "long" at any cell:\n'
    spots = ", ".join(f"({number}, {number})" for number in range(18))
    text = f"{head}    own {spots}\n    where {long} and {long} and {long}  # why\n    play (0, 0)\n"
    after = format_patterns(text)
    assert after == (
        head + "    own " + ", ".join(f"({n}, {n})" for n in range(9)) + "\n"
        + "    own " + ", ".join(f"({n}, {n})" for n in range(9, 18)) + "\n"
        + f"    where {long}\n" * 2 + f"    where {long}  # why\n    play (0, 0)\n")
    assert format_patterns(after) == after
    kept = f"{head}    where {long} and some c in empty: {long} and {long}\n    play (0, 0)\n"
    assert format_patterns(kept) == kept


# ---- what is wrong


def blocks() -> Iterator[tuple[str, str, str]]:
    """The blocks of tests/diagnostics/patterns, each with its place and the sentence above it."""
    for path in sorted((ROOT / "tests" / "diagnostics" / "patterns").glob("*.md")):
        start, sentence = 0, ""
        rows = path.read_text(encoding="utf-8").splitlines()
        for number, row in enumerate(rows, start=1):
            if row == "```pattern":
                start = number
            elif row == "```":
                yield f"{path.stem}:{start}", sentence, "\n".join(rows[start : number - 1]) + "\n"
                start = 0
            elif not start and row.strip():
                sentence = row


@cache
def small_twixt() -> Game:
    return dslgame.load("twixt", rows=8, columns=8)


@pytest.mark.parametrize(("sentence", "text"), [pytest.param(*rest, id=place) for place, *rest in blocks()])
def test_a_block_gives_the_findings_it_marks_and_no_other(sentence: str, text: str) -> None:
    """Each marked finding is at its place, and no error is unmarked."""
    source = Source("test.pattern", text)
    rest: list[Diagnostic] = examine_patterns(source, small_twixt())[1]
    shown = "\n".join(render(item, source) for item in rest)
    for expected in expectations(text):
        met = next((item for item in rest if expected.meets(item)), None)
        assert met is not None, f"{sentence}\nnot found: {expected}\n{shown}"
        rest.remove(met)
    assert not rest, f"{sentence}\nnot marked:\n{shown}"


@settings(max_examples=40)
@given(words=st.lists(st.sampled_from(
    ["abc", "(", ")", ",", ":", '"', "#", "0", "-9", "\n", "\n    ", "\t", "play", "own", "offensive", "where", "Set",
     "Off"]), max_size=20))
def test_no_text_raises(words: list[str]) -> None:
    """Mistakes in any text become findings, never exceptions."""
    text = " ".join(words)
    for head in ("", "patterns\nanchor own piece\noffensive \"x\":\n    ", "Off 1\n"):
        examine_patterns(Source("any.pattern", head + text), small_twixt())


# ---- the two forms

CLASSIC = """# Two patterns that everybody knows.
Off 2  # coign
Own 3 3
Set 2 1
BPoss 0 0 2 1
BPoss 3 3 2 1

# The enemy's, as it is.
DefS far
Free 0 4
Free 0 3  # and before it
NStrong 0 0
Set 0 4
"""


def test_classic_file_becomes_readable_and_comes_back() -> None:
    """Comments, names and the order of lines survive the round trip."""
    readable = format_patterns(CLASSIC, form="readable")
    assert 'offensive "2":  # coign' in readable
    assert "    no bridge exists (0, 0)" in readable
    assert "# The enemy's, as it is.\ndefensive \"far\" symmetric:" in readable
    assert format_patterns(readable, form="classic").removeprefix("# patterns\n\n") == CLASSIC
    assert format_patterns(CLASSIC) == CLASSIC
    assert format_patterns(readable) == readable


_place = st.tuples(st.integers(-9, 9), st.integers(-9, 9)).map(lambda place: f"{place[0]} {place[1]}")
_ends = st.tuples(st.integers(-5, 5), st.integers(-5, 5), st.sampled_from([(1, 2), (2, 1), (-1, 2), (2, -1)])).map(
    lambda e: f"{e[0]} {e[1]} {e[0] + e[2][0]} {e[1] + e[2][1]}")
_line = st.one_of(
    st.tuples(st.sampled_from(["Free", "own", "OPP", "Strong", "nStrong", "Set"]), _place).map(" ".join),
    st.tuples(st.sampled_from(["BPoss", "bexist"]), _ends).map(" ".join),
)
_comment = st.sampled_from(["", "", "# a remark", "#no space", '# group "edges"'])


@st.composite
def classic_files(draw: st.DrawFn) -> str:
    """A random classic file."""
    rows = []
    for number in range(draw(st.integers(1, 4))):
        rows += [draw(_comment), f"{draw(st.sampled_from(['Off', 'def', 'OFFS', 'DefS']))} n{number} {draw(_comment)}"]
        rows += [f"{draw(_line)}  {draw(_comment)}" for _ in range(draw(st.integers(0, 5)))]
    return "\n".join(rows) + "\n"


@settings(max_examples=40)
@given(text=classic_files())
def test_any_classic_file_is_written_both_ways(text: str) -> None:
    """A round trip through the readable form keeps patterns and comments, and formatting is idempotent."""
    classic = format_patterns(text)
    assert format_patterns(classic) == classic
    readable = format_patterns(text, form="readable")
    assert format_patterns(readable) == readable
    again = format_patterns(readable, form="classic")
    assert format_patterns(again, form="readable") == readable
    for form in (classic, readable, again):
        assert form.count("# a remark") == text.count("# a remark")


@pytest.mark.parametrize("line", [
    "    where (0, 1) is empty", "    outside (0, 1)", "    own or empty (0, 1)", "    not own (0, 1)",
    "    no bridge exists (0, 0) (1, 2)",
])
def test_what_the_classic_form_cannot_say_is_told(line: str) -> None:
    text = f'patterns\nanchor offensive own chain end toward goal\noffensive "x":\n{line}\n    play (1, 2)\n'
    assert line in format_patterns(text)
    with pytest.raises(GameFileError, match="G613"):
        format_patterns(text, form="classic")


# ---- frames


@pytest.mark.parametrize(("board", "many"), [("square", 8), ("rhombus", 12), ("hexagon", 12)])
def test_frames_are_the_maps_of_the_lattice(board: str, many: int) -> None:
    """Each frame maps neighbours to neighbours; half of them are reflections, and two lead straight to a side."""
    made = build(board, (5, 5) if board != "hexagon" else (3,))
    frames = frames_of(made)
    assert len(set(frames)) == many
    assert sum(frame.mirrored for frame in frames) == many // 2
    side = made.regions["top" if board != "hexagon" else "left"]
    if board != "hexagon":
        ahead = heading_for(made, side)
        assert [frame.mirrored for frame in ahead] == [False, True]
        middle = made.cell_at(2, 2)
        row, column = made.points[middle]
        for frame in ahead:
            down, across = frame.offset(0, 1)
            assert made.points.index((row + down, column + across)) in members(made.rows[1])
    assert frames_of(build("graph", (), paths=(("a", "b"),))) == ()


# ---- three players


THREE = """
game "Three"
players A, B, C
board square(4, 4)
pieces a of A, b of B, c of C
move place(x in empty):
    x := own
win A when joined(a, top, bottom)
win B when joined(b, left, right)
win C when joined(c, left, right)
draw when no empty
"""


def test_an_enemy_piece_heads_for_the_goals_of_its_player() -> None:
    """A's piece on a1 heads for the top, B's on b2 for the sides; the other way round it would be b1, b3 and b1."""
    game = dslgame.loads(THREE)
    book = Book.of(Source("e.pattern", 'patterns\noffensive "e" at enemy piece toward goal:\n    play (0, 1)\n'), game)
    position = game.start().play("a1").play("b2")
    found = {game.notation.write(position.state, item.move) for item in book.proposed(position.state)}
    assert found == {"a2", "c2"}


def test_findings_show_no_place_in_the_game_file() -> None:
    game = dslgame.loads(THREE)
    source = Source("p.pattern", 'patterns\noffensive "p" at cell in {a in empty where a is empty}:\n    play (0, 0)\n')
    with pytest.raises(GameFileError) as caught:
        Book.of(source, game)
    assert [(item.code, item.labels) for item in caught.value.diagnostics] == [("G204", ())]


# ---- the bundled files


def game_of(path: Path, **params: int) -> Game:
    named = parse_patterns(Source(path.name, path.read_text(encoding="utf-8"))).file.title
    assert named is not None
    found = bundled.named(named)
    assert found is not None
    return dslgame.load(found, **params)


@cache
def book_of(path: Path, small: bool = True) -> Book:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    return Book.of(source, game_of(path, **(SMALL.get(path.stem, {}) if small else {})))


@every_file
def test_a_file_has_no_findings_and_is_laid_out(path: Path) -> None:
    """At the game's own params; `dslgame fmt` leaves the file unchanged."""
    assert book_of(path, small=False).warnings == ()
    text = path.read_text(encoding="utf-8")
    assert format_patterns(text, path.name) == text


@every_file
def test_examples_hold(path: Path) -> None:
    """Each file has at least ten examples, and all hold."""
    source = Source(path.name, path.read_text(encoding="utf-8"))
    many, found = try_examples(source, game_of(path).rules.source, {})
    assert many >= 10
    assert not found, "\n".join(render(item, source) for item in found)


def test_there_are_as_many_situations_as_the_first_programs_had() -> None:
    """At least 60 in total, and at least 20 each of offensive and defensive ones."""
    kinds = [pattern.rule.kind for pattern in book_of(ROOT / "patterns" / "twixt.pattern").patterns]
    assert len(kinds) >= 60
    assert min(kinds.count("offensive"), kinds.count("defensive")) >= 20


# ---- matching


def random_positions(game: Game, seed: int, plies: int) -> Iterator[Position]:
    """The positions of a random game."""
    dice = random.Random(seed)
    position = game.start()
    while not position.over and len(position.played) < plies:
        yield position
        position = position.play(dice.choice(position.legal()))


@cache
def plain_kernel(path: Path) -> Kernel:
    """The kernel with the game's hooks, which may find the ends of chains."""
    book = book_of(path)
    return Kernel.of(book.game, native=False, patterns=book, hooks=bundled.hooks_of(book.game))


def compare(kernel: Kernel, book: Book, position: Position) -> None:
    """Check that the kernel proposes what the definition does: legal moves, each once."""
    before = position.history[-1] if position.history else None
    expected = book.proposed(position.state, before)
    assert kernel.proposed(position.state, before) == expected, str(position)
    moves = [item.move for item in expected]
    assert len(set(moves)) == len(moves)
    assert set(moves) <= set(position.legal())


@every_file
@settings(max_examples=6)
@given(seed=st.integers(0, 10**6), plies=st.integers(1, 40))
def test_kernel_proposes_what_the_definition_does(path: Path, seed: int, plies: int) -> None:
    """In plain Python, at the end of random games."""
    position = list(random_positions(book_of(path).game, seed, plies))[-1]
    compare(plain_kernel(path), book_of(path), position)


@every_file
def test_kernel_with_patterns_is_sound(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the game's own params, where sets are vectors, the verifier accepts the kernel's IR."""
    monkeypatch.setenv(verify.ASKED, "1")
    book = book_of(path, small=False)
    Kernel.of(book.game, native=False, patterns=book, kept=False)


@pytest.mark.parametrize("path", few_of([(path,) for path in FILES]), ids=lambda path: path.stem)
def test_native_kernel_proposes_what_the_definition_does(path: Path) -> None:
    """Compiled, with and without hooks, during random games."""
    book = book_of(path)
    for found in (None, bundled.hooks_of(book.game)):
        kernel = Kernel.of(book.game, patterns=book, hooks=found)
        for seed in range(3):
            for position in random_positions(book.game, seed, 30):
                compare(kernel, book, position)


REFERENCE = CLASSIC + """
Off steep
BPoss 0 0 1 2
Set 1 2
Def tilt
Opp 1 3
Set 2 1
Def beside
Strong 0 0
Set 1 1
Off linked
BExist 0 0 1 -2
NStrong 2 1
Set 0 2
DefS ahead
Set 0 2
"""


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), plies=st.integers(1, 30), rows=st.integers(6, 8), columns=st.integers(6, 8))
def test_classic_patterns_match_as_by_hand(seed: int, plies: int, rows: int, columns: int) -> None:
    """Compared with an independent implementation that reads the classic text."""
    book = classic_book(rows, columns)
    game = book.game
    position = list(random_positions(game, seed, plies))[-1]
    holes = list(zip(game.board.row_of, game.board.column_of, strict=True))
    pegs = tuple({holes[cell] for cell in members(position.state.pieces[piece])} for piece in (1, 2))
    layer = game.board.layers[0]
    links = {frozenset(holes[cell] for cell in layer.pairs[link]) for link in members(position.state.links[0])}
    board = Board(rows, columns, (pegs[0], pegs[1]), links)
    patterns: list[tuple[str, list[str]]] = []
    for row in REFERENCE.splitlines():
        code = row.split("#")[0].strip()
        if code[:3].lower() in ("off", "def"):
            patterns.append((code, []))
        elif code:
            patterns[-1][1].append(code)
    found = {holes[item.move.values[0]] for item in book.proposed(position.state)}
    assert found == board.proposed(patterns, position.state.to_move), str(position)


@cache
def classic_book(rows: int, columns: int) -> Book:
    return Book.of(Source("classic.pattern", REFERENCE), dslgame.load("twixt", rows=rows, columns=columns, swap=0))
