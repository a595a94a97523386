"""Text drawings of boards, each compared with the complete picture."""

from __future__ import annotations

import doctest
from itertools import cycle, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter import drawing
from interpreter.boards import Board, build
from interpreter.drawing import draw


def check(board: Board, glyphs: str, picture: str) -> None:
    """Draw a board with glyphs, separated by spaces and repeated as needed, and compare the picture."""
    assert f"\n{draw(board, list(islice(cycle(glyphs.split()), board.size)))}\n" == picture


def test_square_has_column_labels_below_when_rows_count_up() -> None:
    """Labels are placed as in chess diagrams."""
    check(
        build("square", (3, 4)),
        ". X O . .",
        """
3 . X O .
2 . . X O
1 . . . X
  a b c d
""",
    )


def test_square_has_column_labels_above_when_rows_count_down() -> None:
    """Column labels are next to the first row."""
    check(
        build("square", (2, 3), coordinates="{row:a}{column:1}"),
        ". X",
        """
  1 2 3
a . X .
b X . X
""",
    )


def test_square_widens_for_long_glyphs_and_labels() -> None:
    """Cells are centred, and row labels are right-aligned."""
    check(
        build("square", (10, 3)),
        ". R3 . B12",
        """
10  .  R3   .
 9 B12  .  R3
 8  .  B12  .
 7 R3   .  B12
 6  .  R3   .
 5 B12  .  R3
 4  .  B12  .
 3 R3   .  B12
 2  .  R3   .
 1 B12  .  R3
    a   b   c
""",
    )
    check(
        build("square", (1, 11), coordinates="{row:1}.{column:1}"),
        ". X",
        """
  1  2  3  4  5  6  7  8  9  10 11
1 .  X  .  X  .  X  .  X  .  X  .
""",
    )


def test_cells_left_out_are_blank() -> None:
    """A row without cells keeps its label."""
    check(
        build("square", (4, 4), without=frozenset({0, 3, 4, 5, 6, 7, 12, 15})),
        ".",
        """
4   . .
3
2 . . . .
1   . .
  a b c d
""",
    )


def test_rhombus_is_slanted() -> None:
    """Each row starts half a cell further right, and column labels lie along the columns."""
    check(
        build("rhombus", (3, 5)),
        ". X O .",
        """
 a b c d e
1 . X O . .
 2 X O . . X
  3 O . . X O
""",
    )
    check(
        build("rhombus", (3, 4), coordinates="{column:A}{row:1 up}"),
        ". X O",
        """
3 . X O .
 2 X O . X
  1 O . X O
     A B C D
""",
    )


def test_rhombus_with_two_digits() -> None:
    """Row labels have equal width, so that the slant is even."""
    check(
        build("rhombus", (11, 2)),
        ".",
        """
  a b
 1 . .
  2 . .
   3 . .
    4 . .
     5 . .
      6 . .
       7 . .
        8 . .
         9 . .
         10 . .
          11 . .
""",
    )


def test_rhombus_with_long_glyphs_keeps_its_slant() -> None:
    """The width of a cell is rounded up to an even number of characters."""
    check(
        build("rhombus", (3, 3), coordinates="{row:a}{column:1}"),
        ". B2 W1",
        """
 1   2   3
a  .   B2  W1
  b  .   B2  W1
    c  .   B2  W1
""",
    )


def test_hexagon_has_half_steps_between_columns() -> None:
    """Column labels are above the columns, row labels before the first cells of their rows."""
    check(
        build("hexagon", (2,)),
        ". R B . . R B",
        """
      b
   a     c
      B
   .     R
1     .
   R     B
2     .
   3
""",
    )
    check(
        build("hexagon", (3,)),
        ".",
        """
         c
      b     d
   a     .     e
      .     .
   .     .     .
1     .     .
   .     .     .
2     .     .
   .     .     .
3     .     .
   4     .
      5
""",
    )


def test_triangle_stands_on_its_longest_row() -> None:
    """Row labels are before the first cells, column labels below the last row, also if rows count up."""
    check(build("triangle", (3,)), "R . B . . R", """
  1 R
 2 . B
3 . . R
 a b c
""")
    check(build("triangle", (3,), coordinates="{column:A}{row:1 up}"), "R . B . . R", """
  3 R
 2 . B
1 . . R
 A B C
""")


def test_hexagon_that_counts_up_is_labelled_below() -> None:
    """Rows bend the other way, and the labels with them."""
    check(
        build("hexagon", (2,), coordinates="{column:a}{row:1 up}"),
        ". R1 B2 . . R1 B2",
        """
    3
2      B2
   .       R1
1      .
   R1      B2
       .
   a       c
       b
""",
    )


def test_hexagon_labels_lie_on_the_lines_of_their_rows() -> None:
    """Cells that show their row number make the lines of the rows visible."""
    check(
        build("hexagon", (3,)),
        "1 2 3 1 2 3 4 1 2 3 4 5 1 2 3 4 1 2 3",
        """
         c
      b     d
   a     1     e
      1     1
   1     2     1
1     2     2
   2     3     2
2     3     3
   3     4     3
3     4     4
   4     5
      5
""",
    )
    check(
        build("hexagon", (3,), coordinates="{column:a}{row:1 up}"),
        "3 2 1 4 3 2 1 5 4 3 2 1 4 3 2 1 3 2 1",
        """
      5
   4     5
3     4     4
   3     4     3
2     3     3
   2     3     2
1     2     2
   1     2     1
      1     1
   a     1     e
      b     d
         c
""",
    )


def test_graph_is_a_list_of_links() -> None:
    """Each line has the name, content and neighbours of a cell, in board order."""
    board = build("graph", (), paths=[("a1", "a4", "a7"), ("a1", "d1"), ("mid",), ("a4", "d1", "a10")])
    check(
        board,
        ". X",
        """
a1  . - a4 d1
a4  X - a1 a7 d1
a7  . - a4
d1  X - a1 a4 a10
mid .
a10 X - d1
""",
    )


def test_graph_on_a_grid_is_drawn_with_its_links() -> None:
    """If names are coordinates and links are straight, links are drawn; crossing links meet in a plus."""
    check(
        build("graph", (), paths=[("a4", "d4", "d1", "a1", "a4"), ("b3", "c3", "c2", "b2", "b3")]),
        ". W B",
        """
4 .-----------W
  |           |
3 |   W---B   |
  |   |   |   |
2 |   W---.   |
  |           |
1 .-----------B
  a   b   c   d
""",
    )
    check(
        build("graph", (), paths=[("a1", "c3"), ("a3", "c1", "a1"), ("c3", "c10"), ("b9", "d9")]),
        "X . R10",
        """
10              .
                |
 9       R10----+---- X
                |
                |
                |
                |
                |
                |
                |
                |
                |
                |
                |
 3 R10          .
       \\     /
          +
       /     \\
 1  X --------- X
    a     b     c     d
""",
    )


def test_graph_with_a_link_over_a_cell_is_a_list() -> None:
    """A line from a1 over a2 to a3 would look like a link to a2, so the board is listed."""
    check(
        build("graph", (), paths=[("a1", "a3"), ("a2", "b2")]),
        ". X",
        """
a1 . - a3
a3 X - a1
a2 . - b2
b2 X - a2
""",
    )


def test_style_changes_cells_and_not_their_places() -> None:
    """`style` is called once per cell with its padded text; labels are not styled."""
    board = build("square", (2, 2))
    assert draw(board, ["X", ".", "ooo", "."], style=lambda cell, text: f"<{cell}{text}>" if cell != 3 else text) == (
        "2 <0 X > <1 . >\n1 <2ooo>  .\n   a   b"
    )


def test_one_text_for_each_cell() -> None:
    """Any other number of texts is a ValueError."""
    with pytest.raises(ValueError, match="3 texts for a board of 4 cells"):
        draw(build("square", (2, 2)), ["."] * 3)


@given(
    st.sampled_from(
        [
            build("square", (3, 4)),
            build("square", (12, 11), coordinates="{column:0}/{row:0}", without=frozenset({0, 1, 17, 131})),
            build("rhombus", (10, 3)),
            build("hexagon", (1,)),
            build("hexagon", (6,), coordinates="{column:1}.{row:1 up}"),
            build("graph", (), paths=["abca", "d"]),
        ]
    ),
    st.integers(1, 7),
    st.data(),
)
def test_every_glyph_is_shown_once_without_trailing_spaces(board: Board, width: int, data: st.DataObject) -> None:
    """Every glyph appears once, for any board and any widths."""
    widths = data.draw(st.lists(st.integers(1, width), min_size=board.size, max_size=board.size))
    text = draw(board, ["#" * k for k in widths])
    runs = "".join(character if character == "#" else " " for character in text).split()
    assert sorted(map(len, runs)) == sorted(widths)
    assert all(line == line.rstrip() for line in text.split("\n"))
    assert draw(board, ["#" * k for k in widths], style=lambda cell, shown: shown) == text


def test_examples_in_the_docstrings_run() -> None:
    """The doctests pass."""
    failed, attempted = doctest.testmod(drawing)
    assert (failed, attempted > 0) == (0, True)
