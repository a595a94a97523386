"""Reading perft files; `test_conformance` checks their counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from dslgame.perft_files import Expected, PerftFileError, parse, read

TEXT = """
# Where the numbers are from.
perft 1 9                   # a comment behind a count
nodes 2 1_000

params rows=2 columns=-3
moves Ba1#?c2 b1;b2
positions 37
ignore ends
positions merged 19
moves
perft 3 0
params
perft 4 16
"""


def test_settings_hold_for_the_counts_below_them() -> None:
    """`params` resets all settings and `moves` the earlier moves; a `#` inside a move is part of it."""
    sized = (("rows", 2), ("columns", -3))
    moved = ("Ba1#?c2", "b1", "b2")
    assert parse(TEXT) == (
        Expected("perft", 1, 9),
        Expected("nodes", 2, 1000),
        Expected("positions", 0, 37, sized, moved),
        Expected("positions merged", 0, 19, sized, moved, True),
        Expected("perft", 3, 0, sized, (), True),
        Expected("perft", 4, 16),
    )
    assert [item.line for item in parse(TEXT)] == [3, 4, 8, 10, 12, 14]


def test_count_says_what_it_counts() -> None:
    """An expectation's text names its settings and count, for reports and names of tests."""
    assert [str(item) for item in parse(TEXT)] == [
        "perft 1",
        "nodes 2",
        "rows=2 columns=-3 after Ba1#?c2 b1 b2 positions",
        "rows=2 columns=-3 after Ba1#?c2 b1 b2 ignore ends positions merged",
        "rows=2 columns=-3 ignore ends perft 3",
        "perft 4",
    ]


@pytest.mark.parametrize(
    ("line", "phrase"),
    [
        ("prft 1 9", "found 'prft', expected params, position, moves, ignore, perft, nodes, positions or a comment"),
        ("perft 1", "found '1', expected perft DEPTH COUNT"),
        ("perft 1 9 3", "found '1 9 3', expected perft DEPTH COUNT"),
        ("perft one 9", "expected perft DEPTH COUNT"),
        ("perft -1 9", "expected perft DEPTH COUNT"),
        ("nodes 4 3.5", "expected nodes DEPTH COUNT"),
        ("positions", "expected positions COUNT or positions merged COUNT"),
        ("positions merged", "expected positions COUNT or positions merged COUNT"),
        ("positions merged3", "expected positions COUNT or positions merged COUNT"),
        ("ignore", "found 'ignore ', expected 'ignore ends'"),
        ("ignore wins", "found 'ignore wins', expected 'ignore ends'"),
        ("params rows", "found 'rows', expected a param and its value, such as rows=2"),
        ("params rows=", "found 'rows=', expected a param and its value"),
        ("params rows=x", "found 'rows=x', expected a param and its value"),
        ("params rows=2 rows=3", "the param 'rows' is given twice, expected it once"),
    ],
)
def test_mistake_is_reported_with_file_and_line(line: str, phrase: str) -> None:
    """The error tells the file, the line, what was found and what was expected."""
    with pytest.raises(PerftFileError) as caught:
        parse(f"# comment\n\n{line}\n", name="games/x.perft")
    assert str(caught.value).startswith("games/x.perft:3: ")
    assert phrase in str(caught.value)
    assert (caught.value.name, caught.value.line) == ("games/x.perft", 3)


def test_file_is_read(tmp_path: Path) -> None:
    """UTF-8 files with Windows line ends and a byte order mark are read; other bytes are refused."""
    path = tmp_path / "x.perft"
    path.write_bytes(b"\xef\xbb\xbfperft 1 9\r\nperft 2 72\r\n")
    assert [item.count for item in read(path)] == [9, 72]
    path.write_bytes(b"perft 1 9 # \xff\n")
    with pytest.raises(PerftFileError, match="not UTF-8"):
        read(path)
    with pytest.raises(OSError, match=r"missing\.perft"):
        read(tmp_path / "missing.perft")
