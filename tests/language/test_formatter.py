"""The formatter: each rule as text before and after, and that formatting never changes the meaning of a file."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dsl.diagnostics import GameFileError
from dsl.syntax import rules
from dsl.syntax.formatter import format_text
from dsl.syntax.parser import DECLARATIONS, parse
from dsl.syntax.source import Source, normalise

GAMES = sorted((Path(__file__).parents[2] / "games").glob("*.game"))

EVERYTHING = """\
# Every kind of rule, in the layout that the formatter gives. It need not make a game.
game "Everything"

param size = 4 in 1..9                 # how far it goes
param more = 2 in 2..                  # no upper end
param less = -1

players Red, Blue
board square(size + 1, 2 * size) without corners + edges
coordinates "{column:a}{row:1 up}"     # "#" inside a text begins no comment
pieces red of Red, blue of Blue, man of each, neutral
links bridge between c and leap(c, 1, 2) - top never crossing
links rope between c and (neighbours(c))
track lap = "a1" to "c1", "c2", (cell(0, size - 1)) to "a3" to "a2" cyclic
piles up to (size + 1) * 2
values phase = placing, moving
var count[cell] in 0..size - 1 = 0
var held in cells and not_top or none
var clock in 0..9 = 1 aside

board graph:
    a - b - c
    1 - 2

tiles with a track of each player:
    "/" joins north west, south east   # as it lies
    "+" joins north south, east west

start:
    # both corners
    "a1" := red
    count["a1"] := 1 if size > 2 else 2

define far(c, d) = c.row - d.row > 1 or -c.column < -(d.column - 1)
define goal[Red] = top + bottom - {"a1", "b2"}
define goal[Blue] = {c in left where c.east is not empty}
define near = neighbours(c.south.east)
define crowded = count(near) > 2
    # and not at all
    or c in top                        # the top is always full
    - corners
define twice(c) = let e = c.south: e is not empty and let f = e.south: f is e
define free = (
    some c in empty where not far(c, "b2")  # a comment inside
    : exactly one n in neighbours(c): n is red
)

move place(c in empty, {a, b} in mine and top where a.row != b.row, let e = a.south where e is red)
        when not (some i in 1..3: i = 2):
    c := own
    count[c] += 1 if c in top
    count[c] -= 2 * (size - 1) div 3 mod 2
    if some mine:
        let f = c.south
        carry c to (c.south if free else c.north)
        carry c onto (c.south)
        carry (size - 1) from c under d
        put -own under (c)
        put own on c
        remove 1 from c
        remove -1 from under (c)
        slide row(r - 1) west
        slide row(r) towards (west if free else east)
        turn row(r) + top clockwise
        link c to (c.south) by bridge
        unlink (c) to d by bridge
    else if no theirs and true:
        each n in neighbours(c) where n is empty:  # beyond the usual column
            # a comment of its own
            n := that t
            # one more at the end
    else:
        c := none
        c := kind(p)[mover]
    then d in empty:
        d := own
        then place(c, d) or stop if some mine

step again(a in mine):
    then b in empty when a in top:
        take(b, {c in mine where true})

effect take(a, s):
    a := empty
    reset()

effect reset:
    held := none

after every move:
    clock += 1

forced fall(c in {x.south for x in mine} where at least 2 n in near: n in top)
        when free until at most 3 d in top: free:
    c := empty

illegal when every c in mine: no moves for anyone
only moves with most count(mine)
pass when no moves
pie rule after turn 1 when false
pie rule after turn 2 by seats

chance gust(c in empty, d in orthogonals) weight 1 + c.row when no moves:
    c := stone

players move together

turn again when no n in neighbours(c): n is red
turn passes when some top
turn order red then blue, red
team Both = red, blue
win Red    when sum(count[c] for c in mine where c in top) >= 3
win Blue   when joined(blue linked by bridge, left, right) or loop(track[mover])
win mover  when loop((red + top) cut by wall)
lose mover when count[c] <= 0
draw when exactly 2 c in cells where c is empty
no moves loses
repetition draws
payoff Red = won[Red] - 1
payoff each = count[mover]

hidden held[p] from others of p        # a hand
hidden c in theirs where not found[c] as man from Red when clock = 0
hidden clock from everyone

symmetry diagonal mirror swapping players and goals reversing rows, columns
symmetry half turn when size > 2
notation place "{a}-{b}" or "{b}-{a}"
value cheapest(1 for x to y in neighbours(x) where y is empty from top to left) - count(theirs)
show red as "X" in "#ff0000"
show blue in blue
"""


def tidy(before: str, after: str) -> None:
    """Check that the formatter turns one text into the other, keeps its declarations, and is idempotent."""
    before, after = dedent(before).lstrip("\n"), dedent(after).lstrip("\n")
    assert format_text(before) == after
    assert format_text(after) == after
    assert parse(Source("before", normalise(before))).file.declarations == declarations(after)


def declarations(text: str) -> tuple[rules.Declaration, ...]:
    """The declarations of a text without errors."""
    parsed = parse(Source("text", normalise(text)))
    assert not parsed.diagnostics
    return parsed.file.declarations


# ---- whole files


def test_text_with_everything_has_every_kind_of_rule() -> None:
    """The sample text contains every class of rule object, so that the tests below cover them all."""
    kinds = {type(node) for declaration in declarations(EVERYTHING) for node in rules.walk(declaration)}
    abstract = {rules.Node, rules.Expression, rules.Effect, rules.Declaration}
    known = {kind for kind in vars(rules).values() if isinstance(kind, type) and issubclass(kind, rules.Node)}
    assert kinds == known - abstract


def test_text_with_everything_is_formatted() -> None:
    """The sample text, which shows the layout of every rule, is left unchanged."""
    assert format_text(EVERYTHING) == EVERYTHING


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_bundled_game_is_formatted(path: Path) -> None:
    """`dslgame fmt` leaves every bundled game unchanged."""
    text = path.read_text(encoding="utf-8")
    assert format_text(text) == text


# ---- spaces inside a line


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('game"A"', 'game "A"'),
        ("players  A ,B", "players A, B"),
        ("param size=3 in 1 .. 9", "param size = 3 in 1..9"),
        ("param size=- 3 in 2 ..", "param size = -3 in 2.."),
        ("var count [ cell ]in 0..size-1=0", "var count[cell] in 0..size - 1 = 0"),
        ("board square (3,n*2)without(top+left)", "board square(3, n * 2) without (top + left)"),
        ("define far( c,d )=c . row-d.row>1", "define far(c, d) = c.row - d.row > 1"),
        ("define goal [Red]={a ,b}-{ c }", "define goal[Red] = {a, b} - {c}"),
        ("define x=a-1<-1 and b!=-( 2 )", "define x = a - 1 < -1 and b != -(2)"),
        ("define x=a- -1", "define x = a - -1"),
        ("define x=- - a", "define x = --a"),
        ("define x=f( )*g(-1,- a) div(b)mod(c)", "define x = f() * g(-1, -a) div (b) mod (c)"),
        ("define x=not(a)and(b)or some(c)", "define x = not (a) and (b) or some (c)"),
        ("define x=c in(a)or c is not(b)", "define x = c in (a) or c is not (b)"),
        ("define x=(a)if(b)else(c)", "define x = (a) if (b) else (c)"),
        ("define x=c in{a}", "define x = c in {a}"),
        ("define x=some c in(top)where(c<3) :c=2", "define x = some c in (top) where (c < 3): c = 2"),
        ("define x=at   least 2 c in top : -c=d", "define x = at least 2 c in top: -c = d"),
        ("define x = {c in top   where  c=2}", "define x = {c in top where c = 2}"),
        ('define x="a  ,b" . south', 'define x = "a  ,b".south'),
        ("illegal   when(a)", "illegal when (a)"),
        ("value(a)-b", "value (a) - b"),
        ("value -a", "value -a"),
        ('notation place"{a} - {b}"or"{b}"', 'notation place "{a} - {b}" or "{b}"'),
        ("pass #nothing", "pass                                   #nothing"),
    ],
)
def test_spaces_inside_a_line(before: str, after: str) -> None:
    """One space around operators and after commas, none inside brackets; string literals are unchanged."""
    tidy(before, after + "\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a:=b", "a := b"),
        ("a[ i ]+=1", "a[i] += 1"),
        ("a-=- 1 if(b)", "a -= -1 if (b)"),
        ("carry(a)to(b.south)", "carry (a) to (b.south)"),
        ("carry -a to to", "carry -a to to"),
        ("a := to (b)-1", "a := to(b) - 1"),
        ("slide(row (r)+top)west", "slide (row(r) + top) west"),
        ("link(c)to(c . south)by rope", "link (c) to (c.south) by rope"),
        ("unlink f (c)to d  by rope", "unlink f(c) to d by rope"),
        ("a := link (b)-1", "a := link(b) - 1"),
    ],
)
def test_spaces_in_effects(before: str, after: str) -> None:
    """A bracket after a name is a call and follows without a space; after a keyword it gets a space."""
    tidy(f"start:\n    {before}\n", f"start:\n    {after}\n")


def test_line_of_a_graph_board_is_a_path() -> None:
    """A dash between names or numbers of a graph board is a link, not a minus sign."""
    tidy("board graph:\n  a-b -c\n  1-2\n", "board graph:\n    a - b - c\n    1 - 2\n")


# ---- indentation


def test_blocks_are_indented_by_four() -> None:
    """Blocks are indented by four, whatever their indentation was and even if it differed from block to block."""
    tidy(
        """
        start:
          if a:
               b := 1
          else if c:
             d := 2
          else:
           each n in e:
            n := 3
        """,
        """
        start:
            if a:
                b := 1
            else if c:
                d := 2
            else:
                each n in e:
                    n := 3
        """,
    )


def test_lines_inside_brackets_keep_their_breaks() -> None:
    """They are indented below the line that opens the bracket; a leading closing bracket aligns with that line."""
    tidy(
        """
        define x = (a and
              b
        and -c
                  - d)
        define y = f(
          g(
          1,
              2
        ), {
            c
            in d }
          )
        move p(
        a in b,
        c in d
        ):
          a := (b
          +c)
        """,
        """
        define x = (a and
            b
            and -c
            - d)
        define y = f(
            g(
                1,
                2
            ), {
                c
                in d}
        )

        move p(
            a in b,
            c in d
        ):
            a := (b
                + c)
        """,
    )


def test_line_goes_on_where_it_is_indented_and_nothing_else_can_follow() -> None:
    """It continues after an operator, comma or word that needs more, or before one; above a block it indents twice."""
    tidy(
        """
        players X,
         O
        define x = a and
         b
           or c             # why
         # because
         - d
        move p(c in empty)
          when a
              and f(
            b
          ):
          a := 1 if b
             else
               2
          c := own
        """,
        """
        players X,
            O
        define x = a and
            b
            or c                               # why
            # because
            - d

        move p(c in empty)
                when a
                and f(
                    b
                ):
            a := 1 if b
                else
                2
            c := own
        """,
    )


LONG = "the_first_of_them, the_second_of_them, the_third_of_them"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"define x = joined(s, {LONG}) or joined(t, {LONG}) and joined(u, a, b, c)",
         f"define x = joined(s, {LONG})\n    or joined(t, {LONG}) and joined(u, a, b, c)"),
        (f"define x = joined(s, {LONG}) and not joined(t, {LONG}) # why",
         f"define x = joined(s, {LONG})\n    and not joined(t, {LONG})  # why"),
        (f"define function_of_them(c) = count({LONG}, {LONG})",
         f"define function_of_them(c) = count({LONG},\n    {LONG})"),
        (f"define a_function_of_them(c) = union({LONG}, the_last_of_them) = 1",
         f"define a_function_of_them(c) =\n    union({LONG}, the_last_of_them) = 1"),
        (f"define x = {{c in empty where some n in top: joined(s, {LONG})}}",
         f"define x = {{c in empty\n    where some n in top: joined(s, {LONG})}}"),
        (f"define x = {{c in empty where some n in neighbours(c): n in theirs and joined(s, {LONG})}}",
         f"define x = {{c in empty\n    where some n in neighbours(c):\n    n in theirs and joined(s, {LONG})}}"),
        (f"pieces {LONG}, {LONG.replace('of', 'for')}",
         f"pieces {LONG}, the_first_for_them,\n    the_second_for_them, the_third_for_them"),
        (f"define {'x' * 110} = a.b", f"define {'x' * 110} = a.b"),
        (f"value {'x' * 110}", f"value {'x' * 110}"),
        ("start:\n  counted[c.south] := the_first_of_all(c) + the_second(d) * 2 if a_condition(c) and other(d)"
         " else other(c)",
         "start:\n    counted[c.south] := the_first_of_all(c) + the_second(d) * 2 if a_condition(c) and other(d)\n"
         "        else other(c)"),
        (f"move p(c in empty where free(c, {LONG})) when not taken[c] or free(c):\n  c := own",
         f"move p(c in empty where free(c, {LONG}))\n        when not taken[c] or free(c):\n    c := own"),
    ],
)
def test_long_lines_are_broken_where_least_is_bound(before: str, after: str) -> None:
    """Breaks go outside brackets first: before `when`, `where`, `or`, `and`, after commas; other long lines stay."""
    tidy(before + "\n", after + "\n")


def test_brackets_that_close_together_stand_under_the_outer_one() -> None:
    """Such brackets align with the line that opened the outermost one."""
    tidy(
        """
        define x = f(
            g(
                a
                ))
        """,
        """
        define x = f(
            g(
                a
        ))
        """,
    )


# ---- lines


def test_line_ends_and_odd_spaces() -> None:
    """CRLF, a byte order mark, trailing spaces and tabs are removed; the file ends with exactly one newline."""
    tidy('\ufeffgame  "A"  \r\nillegal\twhen\ta  \r\r\n# b\tc \r\n\r\n', 'game "A"\nillegal when a\n\n# b c\n')


def test_tab_in_the_indentation_is_repaired() -> None:
    """The parser reads a tab as four spaces, and the formatter writes it so."""
    assert format_text("start:\n\tif a:\n\t\tb := 1\n") == "start:\n    if a:\n        b := 1\n"


def test_blank_lines() -> None:
    """None at either end or under a header, at most one elsewhere, and one around a declaration with a block."""
    tidy(
        """


        game "A"


        pass
        start:

            a := 1


            b := 2
        turn again when a
        define x = (

            a

            and b

        )
        move p:
            a := 1
        move q:
            b := 1
        value 1

        """,
        """
        game "A"

        pass

        start:
            a := 1

            b := 2

        turn again when a
        define x = (
            a

            and b
        )

        move p:
            a := 1

        move q:
            b := 1

        value 1
        """,
    )


# ---- comments


def test_comment_goes_with_the_line_below_it() -> None:
    """A comment takes the indentation of the next line; the blank line before a declaration goes above its comments."""
    tidy(
        """
          # the title
        game "A"
           # one
        # two
        start:
        # three
            a := 1
        # four
            b := 2
        # five
        pass
        # six
        """,
        """
        # the title
        game "A"

        # one
        # two
        start:
            # three
            a := 1
            # four
            b := 2

        # five
        pass
        # six
        """,
    )


def test_comment_at_the_end_of_a_block_stays_in_the_block_it_is_indented_for() -> None:
    """The first comment that is indented less leaves the block, and the comments after it stay outside."""
    tidy(
        """
        start:
          if a:
              b := 1
                # deeper than the block
              # in the inner block
            # between the two
          # in the outer block
              # after that
          else:
              c := 1
         # less than the block
          # after that
        pass
        start:
          d := 1

          # at the end
        # below
        """,
        """
        start:
            if a:
                b := 1
                # deeper than the block
                # in the inner block
            # between the two
            # in the outer block
            # after that
            else:
                c := 1

        # less than the block
        # after that
        pass

        start:
            d := 1

            # at the end

        # below
        """,
    )


def test_comment_inside_brackets() -> None:
    """It is indented like the other lines inside the brackets."""
    tidy(
        """
        define x = ( # why
        # because
          a
                # and
        ) # that is all
        """,
        """
        define x = (                           # why
            # because
            a
            # and
        )                                      # that is all
        """,
    )


def test_comments_at_line_ends_begin_in_one_column() -> None:
    """They begin in the same column in the whole file, where the code leaves enough room."""
    tidy(
        """
        param a = 1 # one
        param bc = 2    # two

        pass when a # three
        """,
        """
        param a = 1                            # one
        param bc = 2                           # two

        pass when a                            # three
        """,
    )


def test_comments_of_consecutive_lines_give_way_to_the_longest() -> None:
    """They align past the longest line; a blank line, a comment line or a line without a comment ends the run."""
    tidy(
        """
        define ab = some c in empty where c in top # one
        define cd = 1 # two
        define ef = 1
        define gh = 1 # three
        start:
            a := some c in empty where c in top + bottom: c = 1 # four
            b := 1 # five
            # six
            b := 1 # seven
        """,
        """
        define ab = some c in empty where c in top  # one
        define cd = 1                               # two
        define ef = 1
        define gh = 1                          # three

        start:
            a := some c in empty where c in top + bottom: c = 1  # four
            b := 1                                               # five
            # six
            b := 1                             # seven
        """,
    )


@pytest.mark.parametrize(("length", "gaps"), [(61, (28, 26)), (62, (4, 2)), (85, (4, 2)), (86, (2, 2)), (120, (2, 2))])
def test_comments_are_not_lined_up_past_column_100(length: int, gaps: tuple[int, int]) -> None:
    """The usual column is given up first, then the common column."""
    lines, comment = ("pass when a", "pass when abc"), "#".ljust(length, "x")
    after = "".join(f"{line}{' ' * gap}{comment}\n" for line, gap in zip(lines, gaps, strict=True))
    tidy("".join(f"{line} {comment}\n" for line in lines), after)


def test_comment_text_stays_as_it_is() -> None:
    """Only tabs and trailing spaces in a comment change; `#` inside a string literal starts no comment."""
    tidy("#!a  b:=c   \n#\npass\n## x\n#\ty\n", "#!a  b:=c\n#\npass\n## x\n# y\n")
    tidy('game "# a  b"#c"d\n', 'game "# a  b"                          #c"d\n')


# ---- ends


def test_when_stands_in_one_column_in_consecutive_ends() -> None:
    """Consecutive `win` and `lose` lines align their `when`; `draw` has no name to align."""
    tidy(
        """
        win Red when a
        win   Blue   when b # why
        lose X when (c
          or d)
        draw when e
        win Red when f

        win Blue when g
        # h
        win mover when i
        """,
        """
        win Red  when a
        win Blue when b                        # why
        lose X   when (c
            or d)
        draw when e
        win Red when f

        win Blue when g
        # h
        win mover when i
        """,
    )


# ---- what is not formatted


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ["G006"]),
        ("# only this\n", ["G006"]),
        ("game Hex\nplayers A B\npass\n", ["G101", "G101"]),
        ("start:\n\ta = 1\n", ["G110", "G115"]),
        ("define x = (a\n", ["G104"]),
    ],
)
def test_text_with_syntax_errors_is_refused(text: str, codes: list[str]) -> None:
    """Formatting raises all syntax errors, under the given file name."""
    with pytest.raises(GameFileError) as caught:
        format_text(text, "mine.game")
    assert [item.code for item in caught.value.diagnostics] == codes
    assert (caught.value.source.name, caught.value.source.text) == ("mine.game", text)


def test_line_that_would_grow_too_long_is_refused() -> None:
    """A line that would become too long for the parser is refused."""
    text = f'game "{"long" * 246}"#comment\n'
    assert declarations(text)
    with pytest.raises(GameFileError, match="G008"):
        format_text(text)


# ---- any layout


TOKEN = re.compile(r'"[^"]*"|#.*|\w+|:=|[-+<>!]=|\.\.|\S')
COMMENTS = ("#", "# a comment", "#( not a bracket", '# "', "# c:=own  # and more", "#\u00fc", "#" + " long" * 16)
GOING_ON = frozenset({"and", "or", "where", "when", "until", "+", "*", "!=", "is"})
TEXTS = [EVERYTHING, *(path.read_text(encoding="utf-8") for path in GAMES)]


def tokens_of(text: str) -> list[str]:
    """The tokens of a text, without comments."""
    return [token for line in text.split("\n") for token in TOKEN.findall(line) if not token.startswith("#")]


def comments_of(text: str) -> list[str]:
    """The comments of a text, in order."""
    return [token for line in text.split("\n") for token in TOKEN.findall(line) if token.startswith("#")]


def words_touch(left: str, right: str) -> bool:
    """Whether two tokens need a space between them."""
    return all(character.isalnum() or character == "_" for character in (left[-1], right[0]))


def respaced(line: str, chance: random.Random, breaks: float) -> str:
    """Randomly change the spaces in a line of code, and break it with probability `breaks` at each possible place."""
    tokens: list[str] = TOKEN.findall(line)
    text, depth = tokens[0], int(tokens[0] in "([{")
    for left, right in pairwise(tokens):
        if right.startswith("#"):
            text += " " * chance.choice((0, 1, 2, 30)) + right
            continue
        if depth > 0 and left not in (":", "at") and chance.random() < breaks:
            text += chance.choice(("", "  ", " " + chance.choice(COMMENTS)))
            text += chance.choice(("\n", "\n\n", "\n  \n", "\n" + chance.choice(COMMENTS) + "\n"))
            text += " " * chance.randint(right in DECLARATIONS, 12)
        elif depth == 0 and (right in GOING_ON or left == ",") and chance.random() < breaks:
            text += chance.choice(("", "  ", " " + chance.choice(COMMENTS)))
            text += chance.choice(("\n", "\n\n", "\n" + chance.choice(COMMENTS) + "\n")) + " " * chance.randint(40, 50)
        else:
            text += chance.choice(("", " ", " ", "   ")) or " " * words_touch(left, right)
        text += right
        depth += (right in "([{") - (right in ")]}")
    return text + chance.choice(("", "", " ", "   "))


def perturbed(text: str, chance: random.Random, *, extra: float = 0.0) -> str:
    """Randomly change a text's layout; `extra` is the probability of added comments, breaks and blank lines."""
    lines: list[str] = []
    width, inside = 4, 0
    for line in text.removesuffix("\n").split("\n"):
        code = line.lstrip(" ")
        level, odd = divmod(len(line) - len(code), 4)
        assert odd == 0
        if not line:
            lines += [chance.choice(("", "   "))] * chance.randint(1, 3)
            continue
        if level == 0 and not inside:
            width = chance.randint(1, 7)
        while chance.random() < extra:
            lines.append(chance.choice(("", "   ", " " * chance.randint(0, 12) + chance.choice(COMMENTS))))
        if code.startswith("#"):
            lines.append(" " * width * level + code)
            continue
        code = respaced(code, chance, extra)
        if not comments_of(code.split("\n")[-1]) and chance.random() < extra:
            code += chance.choice(COMMENTS)
        lines.append(" " * width * level + code)
        brackets = "".join(tokens_of(code))
        inside += sum(brackets.count(b) for b in "([{") - sum(brackets.count(b) for b in ")]}")
    return chance.choice(("\n", "\r\n")).join("\n".join(lines).split("\n")) + chance.choice(("", "\n", "\n\n \n"))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TEXTS), st.integers(0, 2**32))
def test_any_spacing_of_a_formatted_text_is_formatted_back(text: str, seed: int) -> None:
    """Formatting undoes any change of spaces, indentation, line ends and the number of blank lines."""
    assert format_text(perturbed(text, random.Random(seed))) == text


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(TEXTS), st.integers(0, 2**32), st.sampled_from([0.05, 0.2, 0.5]))
def test_formatting_keeps_rules_and_comments_and_is_stable(text: str, seed: int, extra: float) -> None:
    """Formatting keeps rules and comments and is idempotent, also with comments and breaks in odd places."""
    before = perturbed(text, random.Random(seed), extra=extra)
    after = format_text(before)
    assert format_text(after) == after
    assert declarations(after) == declarations(before) == declarations(text)
    assert tokens_of(after) == tokens_of(text)
    assert comments_of(after) == [comment.rstrip() for comment in comments_of(normalise(before))]
    assert not re.search(r"[ \t]\n|\t|\r|\n\n\n|^\n|\n\n$", after)
    assert after.endswith("\n")
    assert all((len(line) - len(line.lstrip(" "))) % 4 == 0 for line in after.split("\n"))
