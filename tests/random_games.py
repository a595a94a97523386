"""Small random rule files for Hypothesis: moves that place, step and take, forced rules, ends, extra turns, repetition.

`rule_files()` gives texts that the checker accepts, with few enough positions for every method, some of which can
repeat positions. `brute_force` values a game from its history alone, by playing all lines through
`dslgame.Position`, which knows the repetition rule; it shares no code with the solvers.
"""

from __future__ import annotations

from hypothesis import strategies as st

from interpreter.game import Position
from tests.expressions import Drawing

MOST_POSITIONS = 6_000
"""The number of positions after which `brute_force` gives up."""
LONGEST = 150
"""The number of moves in a line after which it gives up."""

_BOARDS = ("square(1, 3)", "square(1, 4)", "square(2, 2)", "square(2, 3)", "rhombus(2, 2)", "rhombus(2, 3)",
           "triangle(2)", "triangle(3)")
_SMALL = ("square(1, 3)", "square(1, 4)", "square(2, 2)", "rhombus(2, 2)", "triangle(2)")
"""Boards that are also used with piles."""
_PLACING = (
    "move place(c in empty):\n    c := own\n",
    "move place(c in empty where c.west is not empty or c.west = none):\n    c := own\n",
    "move place(c in empty):\n    c := own\n    if c.east is theirs:\n        c.east := empty\n",
)
_MOVING = (
    "move step(c in mine, d in neighbours(c) and empty):\n    d := own\n    c := empty\n",
    "move take(c in mine, d in neighbours(c) and theirs):\n    d := own\n    c := empty\n",
    "move turn(c in theirs where some (neighbours(c) and mine)):\n    c := own\n",
    "move hop(c in mine, d in {WAYS}, let e = c.d, let f = e.d where e is not empty and f is empty,\n"
    "        let p = piece(e)):\n    let q = piece(c)\n    let many = count(mine)\n    e := q\n    carry c to f\n"
    "    f := p if many = count(mine)\n",
    "move push(c in mine, d in {WAYS}):\n    let s = theirs\n"
    "    c.d := own if (let e = c.d: e is not mine and e != none)\n"
    "    then e in neighbours(c), let left = s - theirs where (let f = e.d: f is not left):\n        e := empty\n"
    "        c := empty if some left\n",
    "move take_over(c in theirs, let p = piece(c) where p is theirs and piece(c.east) is not mine):\n"
    "    c := own if owner(p) != mover and kind(p) != kind(own)\n",
    "move walk(c in mine, d in {WAYS} where c.d is empty):\n    carry c to c.d\n",
    "move flip(c in occupied, p in {x, own} where p not in {piece(c), empty} and count(mine) in {1, count(theirs)}):\n"
    "    c := p\n",
    "move round(c in mine where next(c, TRACK) is empty):\n    carry c to next(c, TRACK)\n",
    "move shot(c in mine, d in reach(c, TRACK) - mine):\n    carry c to d\n",
)
_TRACKS = ("a1", "a2", "b1", "b2", "a3", "c1")
_PILING = (
    "move stack(c in mine where height(c) < 3 and copies(own) < 3):\n    put own under c\n",
    "move climb(c in mine, d in neighbours(c) and occupied where height(c) + height(d) <= 3):\n    carry c onto d\n",
    "move spread(c in mine, n in 1..height(c), d in neighbours(c) and empty):\n    carry n from c onto d\n",
    "move tuck(c in mine, d in neighbours(c) and theirs where height(d) < 3):\n    carry 1 from c under d\n",
    "move shed(c in mine where height(c) > 1 and below(c, 1) != own):\n    remove 1 from under c\n",
)
_FORCED = (
    "",
    "",
    "forced fall(c in occupied where c.south is empty):\n    carry c to c.south\n",
    "forced slide(c in mine where c.east is empty):\n    carry c to c.east\n",
)
_ENDS = (
    "win mover when line(mine, 2)\n",
    "win mover when line(mine, 3)\n",
    "lose mover when count(mine) = 3\n",
    "win opponent when count(theirs) > count(mine) + 1\n",
    "draw when no empty\n",
    "win mover when no theirs and count(mine) > 1\n",
)
_NO_MOVES = ("no moves loses\n", "no moves draws\n", "no moves wins\n")
_REPETITION = ("", "repetition draws\n", "repetition loses\n", "repetition forbidden\n",
               "repetition draws at third\n", "repetition loses at third\n", "repetition forbidden at third\n")
_SHARED = (
    "effect claim(c):\n    c := own\n\nmove claim(c in empty):\n    claim(c)\n",
    "effect clear(s, p):\n    s := p\n\nmove sweep(c in mine where some (neighbours(c) and theirs)):\n"
    "    clear(neighbours(c) and theirs, own)\n    clear(c, empty)\n",
    "move hop_on(c in mine, d in neighbours(c) and empty):\n    carry c to d\n"
    "    then on(d) or stop if d.row > 0 or count(mine) > 1\n\n"
    "step on(c in mine, d in neighbours(c) and empty):\n    carry c to d\n",
    "move drop(c in empty):\n    c := own\n    then d in theirs when ENTERING:\n        d := empty\n",
    "move march(c in mine, d in neighbours(c) - mine):\n    carry c to d\n    c.east := empty if c.east is theirs\n"
    "    then e in neighbours(d) - mine when ENTERING:\n        let many = count(mine)\n        carry d to e\n"
    "        then f in empty when ENTERING and many > 1:\n            f := own\n",
)
_ENTERING = ("c.row = 0", "c.east != none", "mover = X", "count(mine) > 1", "some (neighbours(c) and theirs)",
             "c.west is empty")
"""Conditions, some of which are the same before and after the effects of a move."""
_AFTER = (
    "",
    "",
    "after every move:\n    {c in theirs where no (neighbours(c) - mine)} := own\n",
    "after every move:\n    {c in mine where c.row = 0} := empty if count(mine) > 2\n",
)


@st.composite
def rule_files(draw: st.DrawFn, *, repetitions: tuple[str, ...] = _REPETITION) -> str:
    """A random rule file; positions can repeat only if pieces move."""
    board = draw(st.sampled_from(_BOARDS))
    moving = draw(st.lists(st.sampled_from(_MOVING), max_size=2, unique=True))
    placing = draw(st.lists(st.sampled_from(_PLACING), min_size=0 if moving else 1, max_size=1))
    cells = [name for name in _TRACKS if _has(board, name)]
    track = draw(st.permutations(cells))[:draw(st.integers(2, len(cells)))]
    named = ", ".join(f'"{name}"' for name in track) + draw(st.sampled_from(("", " cyclic")))
    moving = [text.replace("TRACK", draw(st.sampled_from(("way", "opposite(way)")))) for text in moving]
    tracks = f"track way = {named}\n" if any("way" in text for text in moving) else ""
    piling = draw(st.lists(st.sampled_from(_PILING), max_size=2, unique=True)) if (
        moving and board in _SMALL) else []
    forced = draw(st.sampled_from(_FORCED)) if board.startswith("square") and not moving else ""
    ends = draw(st.lists(st.sampled_from(_ENDS), min_size=1, max_size=3, unique=True))
    other = "a2" if board.startswith("triangle") else "b1"
    start = f'\nstart:\n    "a1" := x\n    "{other}" := o\n' if moving else ""
    ways = ("east, opposite(east), northwest" if board.startswith("triangle") else
            draw(st.sampled_from(("east, west", "opposite(west), east, east", "east if some mine else west, west"))))
    no_moves = draw(st.sampled_from(_NO_MOVES))
    shared = draw(st.sampled_from(_SHARED)) if draw(st.integers(0, 2)) == 0 else ""
    while "ENTERING" in shared:
        parts = draw(st.lists(st.sampled_from(_ENTERING), min_size=1, max_size=3, unique=True))
        shared = shared.replace("ENTERING", " and ".join(parts), 1)
    after = draw(st.sampled_from(_AFTER)) if moving else ""
    moving += [shared] if shared and moving else []
    repetition = draw(st.sampled_from(repetitions)) if moving else ""
    clock = ""
    if "third" in repetition and draw(st.booleans()):
        clock = "var clock in 0..7 aside\n"
        after = (after or "after every move:\n") + "    clock += 1 if clock < 7\n"
        ends.append("draw when clock = 7\n")
    again = draw(st.sampled_from(("", "", "", "turn again when count(mine) = 2\n"))) if not moving else ""
    return (f'game "Random"\n\nplayers X, O\nboard {board}\npieces x of X, o of O\n'
            + "piles up to 3\n" * bool(piling) + f"{clock}{tracks}{start}\n"
            + "\n".join((*placing, *(rule.replace("WAYS", ways) for rule in moving), *piling, after, forced))
            + "\n" + again + "".join(ends) + no_moves + repetition)


def _has(board: str, cell: str) -> bool:
    """Whether a board has a cell."""
    kind, _, size = board.rstrip(")").partition("(")
    rows, columns = (int(number) for number in (size.split(", ") * 2)[:2])
    column, row = ord(cell[0]) - ord("a"), int(cell[1]) - 1
    return row < rows and column < (row + 1 if kind == "triangle" else columns)


class TooMany(Exception):
    """There are too many lines of play for brute force."""


def brute_force(position: Position, left: list[int] | None = None) -> str:
    """The outcome under best play, by playing all lines; X, O or "draw". Raises TooMany."""
    left = [MOST_POSITIONS] if left is None else left
    left[0] -= 1
    if left[0] < 0 or len(position.played) > LONGEST:
        raise TooMany
    if position.outcome is not None:
        return position.outcome
    found = set()
    for move in position.legal():
        result = brute_force(position.play(move), left)
        if result == position.to_move:
            return result
        found.add(result)
    return "draw" if "draw" in found else found.pop()


_SECOND = ("n := stone", "n := own", "n := own\n        c := empty", "carry c to n")
_GUARDS = ("", " where n != c", " where n.north is not stone", " where count(mine) > 1")


@st.composite
def shooting_files(draw: st.DrawFn) -> str:
    """A random rule file whose moves continue with a choice from a random set of cells, which may be empty."""
    chosen = Drawing(draw).set(draw(st.integers(1, 3)), ("c",)).text
    effect, guard = draw(st.sampled_from(_SECOND)), draw(st.sampled_from(_GUARDS))
    first = draw(st.sampled_from(("c in empty", "c in empty where c.north is not stone", "c in cells - mine")))
    other = draw(st.sampled_from(("", "move lay(c in empty and top):\n    c := stone\n\n")))
    define = draw(st.booleans())
    domain = "goals(c)" if define else chosen
    defined = f"define goals(c) = {chosen} + {{}}\n\n" if define else ""
    return (f'game "Shooting"\n\nplayers Red, Blue\nboard square(3, 3)\npieces red of Red, blue of Blue, stone\n\n'
            f'start:\n    "b1" := red\n    "b2" := blue\n    "a3" := stone\n\n{defined}'
            f"move shoot({first}):\n    c := own\n    then n in {domain}{guard}:\n        {effect}\n\n{other}"
            "draw when no empty\nno moves draws\n")
