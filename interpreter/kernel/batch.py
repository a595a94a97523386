"""The entries of a kernel that work on many positions, a row each, and the keys of positions.

Each entry goes through the rows from `first` to `last` and gives the row at which it stopped: `last`, or one at which a
rule failed, which it leaves as it was but for the number of the failure. So callers can share rows out among threads,
and go on where there was too little room. `interpreter.kernel.many` calls them.

Keys are Zobrist's: the words of all pieces on cells and of all links that are there, and for each number of the row a
word that its value and its place make, all xored. The words never change, so keys are equal between processes, and as
xor takes back what it did, a kernel can keep a key while it plays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.kernel.moves import TO_ENTRY, VALUES
from interpreter.kernel.plain import STEP, scramble
from interpreter.kernel.writer import text_of

if TYPE_CHECKING:
    from interpreter.kernel.assembly import Assembly

_ALL = (1 << 64) - 1
_PIECES, _LINKS, _NUMBERS = 0x7069656365, 0x6C696E6B, 0x6E756D626572
"""Where the words begin of what is on cells, of links, and of the numbers of a row."""
_WORK = ["X = rows(SCRATCH, WIDTH)"]


def fixed_words(start: int, count: int) -> list[int]:
    """So many words that look random and are always the same (SplitMix64's sequence)."""
    return [scramble(start + number * STEP & _ALL) for number in range(1, count + 1)]


def texts(assembly: Assembly) -> list[str]:
    """The text of the function `key` and of the entries for many positions."""
    return [_key(assembly), _key_change(assembly), *_entries(assembly, illegal=bool(assembly.rules.illegal))]


def _key(assembly: Assembly) -> str:
    """The function that computes a key anew."""
    numbers = f"scramble((S[k] + {_number_words(assembly)}[k - VALUES_FROM]) & FULL)"
    lines = ["found = EMPTY", *_bits(assembly, "{0}"), "for k in range(VALUES_FROM, POSITION):",
             f"    found ^= {numbers}", "return found"]
    return text_of("key", "S", "The key of a position.", lines)


def _key_change(assembly: Assembly) -> str:
    """The function by which a key is kept: only what differs between two positions is looked up.

    Measured: the key after a move in 27 ns instead of 49, on a board of 121 cells half full.
    """
    words = _number_words(assembly)
    lines = ["found = EMPTY", *_bits(assembly, "{0} ^ {1}"), "for k in range(VALUES_FROM, POSITION):",
             "    if S[k] != T[k]:", *(f"        found ^= scramble(({row}[k] + {words}[k - VALUES_FROM]) & FULL)"
                                       for row in "ST"), "return found"]
    return text_of("key_change", "S, T", "What the keys of two positions differ by, as a word to xor with.", lines)


def _number_words(assembly: Assembly) -> str:
    layout = assembly.program.layout
    words = fixed_words(_NUMBERS, layout.position - layout.values)
    return assembly.program.tables.table("key_number", words, words=True)


def _bits(assembly: Assembly, pattern: str) -> list[str]:
    """The lines that look up the bits of pieces and links; the pattern makes them of the words of one row or two."""
    layout, tables, size = assembly.program.layout, assembly.program.tables, assembly.board.size
    pieces = tables.table("key_piece", [0] * size + fixed_words(_PIECES, (layout.pieces - 1) * size), words=True)

    def rest(place: str) -> str:
        return f"rest = {pattern.format(f'S[{place}]', f'T[{place}]')}"

    lines = [f"for p in range(1, {layout.pieces}):", f"    for part in range({layout.words}):",
             f"        {rest(f'p * {layout.words} + part')}", "        while rest != EMPTY:",
             f"            found ^= {pieces}[p * {size} + (part << 6) + lowest(rest)]",
             "            rest &= rest - ONE"]
    before = 0
    for number, layer in enumerate(assembly.board.layers):
        words = fixed_words(_LINKS, before + len(layer.pairs))[before:]
        before += len(layer.pairs)
        links = tables.table(f"key_{layer.name}", words, words=True)
        lines += [f"for part in range({layout.link_words[number]}):", f"    {rest(f'{layout.links[number]} + part')}",
                  "    while rest != EMPTY:", f"        found ^= {links}[(part << 6) + lowest(rest)]",
                  "        rest &= rest - ONE"]
    return lines


def _entries(assembly: Assembly, *, illegal: bool) -> list[str]:
    failing = ["if S[FAILED] != EMPTY:", "    return row_"]
    back = ["if S[FAILED] != EMPTY:", "    failure = S[FAILED]", "    for k in range(WIDTH):", "        S[k] = B[k]",
            "    S[FAILED] = failure", "    return row_"]
    keep = ["for k in range(WIDTH):", "    B[k] = S[k]"]
    if illegal:
        count = ["many = legal(S, E, M, X)"]
        take = ["for k in range(MOVE_WIDTH):", "    found[row_, k] = M[chosen[row_], k]"]
    else:
        count = ["n = offered(S, E, X)", "many = total(E, n)"]
        take = ["k = chosen[row_]", *TO_ENTRY, "take(E, e, k, found[row_])"]
    return [
        entry_over("legal_many", "E, M, counts", "List the legal moves of positions, one after another.", [
            *_WORK, "at = 0"], [
            "many = legal(S, E, M[at:], X)", *failing, "counts[row_] = many", "at += many"]),
        entry_over("count_many", "E, M, counts", "Count the legal moves of positions.", _WORK, [
            *count, *failing, "counts[row_] = many"]),
        entry_over(
            "choose_many", "chosen, E, M, found: Lines",
            "Find the legal moves with the numbers `chosen` of positions; their rule is -9 where there are fewer.",
            _WORK, [
                *count, *failing, "if chosen[row_] < 0 or chosen[row_] >= many:", "    found[row_, 0] = -9", "else:",
                *("    " + line for line in take)]),
        entry_over(
            "mark_many", "offsets: Line, lows: Lines, strides: Lines, E, M, marks: Lines, counts",
            "Mark the legal moves of positions by their "
            "numbers; the row is given as -1 - row where a move has none.", [*_WORK, "m = line(MOVE_WIDTH)"], [
                "for k in range(len(marks[row_])):", "    marks[row_, k] = 0",
                *_marking(assembly, illegal=illegal), *failing, "counts[row_] = many"]),
        entry_over(
            "apply_many", "moves: Lines, legal: Flags, E",
            "Carry out a move in each of some positions; one that a rule takes "
            "back changes nothing.", [*_WORK, "B = row(WIDTH)"], [
                *keep, "code = apply(S, moves[row_], E, X)", *back, "legal[row_] = code == 0", "if code != 0:",
                "    for k in range(WIDTH):", "        S[k] = B[k]"]),
        entry_over("play_many", "seeds: Row, limits: Line, E, plies: Line", "Play random moves from positions.", [
            "X = rows(PLAYING, WIDTH)", "m = line(MOVE_WIDTH)", "B = row(WIDTH)"], [
            *keep, "many = play(S, seeds[row_], limits[row_], E, X, m)", *back, "plies[row_] = many"]),
        entry_over("key_many", "keys: Row", "Compute the keys of positions.", [], ["keys[row_] = key(S)"]),
        entry_over("key_change_many", "others: Rows, keys: Row",
                   "Bring the keys of other positions to those of positions.", [], [
                       "keys[row_] ^= key_change(S, others[row_])"]),
    ]


def _marking(assembly: Assembly, *, illegal: bool) -> list[str]:
    """The lines that mark the moves of one position, and leave their number in `many`."""
    number = ["rule = m[0]", "if rule < 0:", "    rule = len(lows) + rule", "place = offsets[rule]",
              "for i in range(m[1]):", "    place += (m[2 + i] - lows[rule, i]) * strides[rule, i]",
              "if place < 0 or place >= len(marks[row_]):", "    return -1 - row_", "marks[row_, place] = 1"]
    if illegal:
        return ["many = legal(S, E, M, X)", "for j in range(many):", "    for i in range(MOVE_WIDTH):",
                "        m[i] = M[j, i]", *("    " + line for line in number)]
    forms, tables = assembly.moves.forms, assembly.program.tables
    rule = tables.table("form_rule", [form.rule for form in forms])
    low = tables.table("form_low", [form.low for form in forms])
    alone = tables.table("form_alone", [int(form.has_set and not form.lists) for form in forms])
    return ["n = offered(S, E, X)", "many = total(E, n)", "for e in range(n):",
            f"    if {alone}[E[e, 0]] == 0:", "        for k in range(E[e, 1]):", "            take(E, e, k, m)",
            *("            " + line for line in number), "        continue",
            f"    rule = {rule}[E[e, 0]]", "    size = E[e, 2]", "    step = strides[rule, size]",
            f"    place = offsets[rule] + ({low}[E[e, 0]] - lows[rule, size]) * step", "    for i in range(size):",
            f"        place += (E[e, {VALUES} + i] - lows[rule, i]) * strides[rule, i]",
            f"    for part in range({assembly.sets.words}):", "        rest = word(E[e, CHOICE + part])",
            "        while rest != EMPTY:", "            at = place + ((part << 6) + lowest(rest)) * step",
            "            rest &= rest - ONE", "            if at < 0 or at >= len(marks[row_]):",
            "                return -1 - row_", "            marks[row_, at] = 1"]


def entry_over(name: str, parameters: str, doc: str, before: list[str], lines: list[str]) -> str:
    """The text of an entry that does the same for many rows, each as `S`, after the lines `before`."""
    body = [*before, "for row_ in range(first, last):", "    S = states[row_]", *("    " + line for line in lines),
            "return last"]
    return text_of(name, f"states, first, last, {parameters}", doc, body, "@entry")
