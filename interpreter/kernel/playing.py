"""The functions of a kernel's text that play random games: they draw moves, and carry out the repetition rule.

Where moves have several choices they are drawn choice by choice, and else from the entries of all moves. Moves that a
rule takes back, or that repeat a position where that is forbidden, are drawn again, so that each legal move stays as
likely as any other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from interpreter.kernel import history
from interpreter.kernel.moves import TO_ENTRY, VALUES, Form, Moves
from interpreter.kernel.writer import text_of

if TYPE_CHECKING:
    from interpreter.kernel.assembly import Assembly

_TRIES = 8
"""Moves drawn that a rule may take back before all are looked at."""
_ENTRY = ("if n <= 8:", "    e = 0", "    left = k", "    for i in range(n):", "        k = left if left >= 0 else k",
          "        e = i if left >= 0 else e", "        left -= E[i, 1]", "else:",
          *("    " + line for line in TO_ENTRY))
"""The same as TO_ENTRY; few entries are all looked at, which is faster than to stop at one that nobody can foresee."""


@attrs.frozen
class _Ways:
    """How a drawn move goes on in a way that has a number: the function that all rules' functions are called by."""

    draws: int
    """Moves drawn choice by choice that may be thrown away before all are listed."""
    head: tuple[str, str, str]
    """The function's name, parameters, and what it is for."""
    given: str
    """What it hands on."""
    otherwise: str
    lines: tuple[str, ...]
    """The lines that use it."""
    functions: Callable[[Moves], list[tuple[int, str]]]


_TRIED = _Ways(
    64, ("tries", "S, X, m, k", "Go on with the move in m in way k; whether there is that way."),
    "S, mover, X, m, k",
    "return False", ("if tries(S, X, m, way):", "    return seed, True"),
    lambda moves: [(tried.rule, tried.name) for tried in moves.tried])
_LISTED = _Ways(
    16, ("tails", "S, E, n, X, m", "List how moves with the first choices in m go on."), "S, mover, E, n, X, m",
    "return n", ("last = tails(S, E, n, X, m)", "e = n", "while e < last and way >= E[e, 1]:", "    way -= E[e, 1]",
                 "    e += 1", "if e < last:", "    take(E, e, way, m)", "    return seed, True"),
    lambda moves: moves.tails)
_DRAW_LISTED = ["seed = stir(seed)", "k = below(scramble(seed), many)", *TO_ENTRY, "take(E, e, k, m)"]
"""The lines that draw one of `many` moves that entries list."""


def texts(assembly: Assembly) -> list[str]:
    """The functions by which random games are played."""
    drawing = _drawing(assembly)
    return [*drawing, *(history.texts() if assembly.repetition else []), _playout(assembly, draws=bool(drawing))]


def _drawing(assembly: Assembly) -> list[str]:
    """The functions that draw a move without listing all of them."""
    direct = None if assembly.lists_by_hand else assembly.moves.direct()
    hooked = assembly.hooks is not None and not assembly.rules.illegal and any(
        hook.point == "draw" for hook in assembly.hooks.hooks)
    if direct is not None:
        return [text_of("draw", "S, seed, E, X, m",
                        "Draw a move, each legal one as likely as any other; whether there is one.", direct)]
    if assembly.heads is None and hooked:
        return [text_of("draw", "S, seed, E, X, m", "Leave it to the list of moves.", ["return seed, False"])]
    if assembly.heads is None:
        return []
    calls, bound = assembly.heads
    heads = ["n = 0", "mover = number(S[TO_MOVE]) ^ number(S[SEATS])",
             *(f"n = {name}(S, mover, E, n, X)" for name in calls), *assembly.alone_lines(), "return n"]
    ways = _TRIED if assembly.moves.tried else _LISTED
    onward = ["mover = number(S[TO_MOVE]) ^ number(S[SEATS])"]
    for number, name in ways.functions(assembly.moves):
        onward += [f"if m[0] == {number}:", f"    return {name}({ways.given})"]
    onward.append(ways.otherwise)
    alone = assembly.alone_lines()
    forms = {number for number, form in enumerate(assembly.moves.forms) if form.is_head}
    if len(forms) == 1 and not alone and all(name.startswith("heads_") for name in calls):
        taken = _taken(assembly, assembly.moves.forms[forms.pop()])
    else:
        head = assembly.program.tables.table("form_head", [int(form.is_head) for form in assembly.moves.forms])
        taken = ["take(E, e, k, m)", f"if {head}[E[e, 0]] == 0:", "    if way == 0:", "        return seed, True",
                 "    continue"]
    most = [f"most = {bound}"]
    if ways is _TRIED and len(assembly.moves.tried) == 1 and assembly.moves.tried[0].most:
        most = [f"most = min({assembly.moves.tried[0].most}, {bound})"]
    draw = [
        "n = heads(S, E, X)", "many = total(E, n)", "if many == 0:", "    return seed, False",
        *most, f"for _ in range({ways.draws}):", "    seed = stir(seed)", "    random = scramble(seed)",
        "    k = below(random, many)", "    way = number((random & word(0xFFFFFFFF)) * word(most) >> word(32))",
        *("    " + line for line in [*_ENTRY, *taken, *ways.lines]), "return seed, False"]
    return [
        text_of("heads", "S, E, X", "List the first choices of moves, as entries; how many entries.", heads),
        text_of(*ways.head, onward),
        text_of("draw", "S, seed, E, X, m",
                "Draw a move choice by choice, each legal one as likely as any other; whether one was found.",
                draw)]


def _taken(assembly: Assembly, form: Form) -> list[str]:
    """The lines that take the move with number k of entry e, where all entries have one form."""
    sets = assembly.sets
    if form.lists or not form.has_set or sets.wide:
        return ["take(E, e, k, m)"]
    size = sum(len(choice.slots) for choice in assembly.rules.moves[form.rule].choices) - 1
    cells = [f"word(E[e, CHOICE{f' + {part}' if part else ''}])" for part in range(sets.words)]
    chosen = sets.pick(cells[0] if sets.words == 1 else f"({', '.join(cells)})", "k")
    return [f"m[0] = {form.rule}", f"m[1] = {size + 1}", *(f"m[{2 + i}] = E[e, {VALUES + i}]" for i in range(size)),
            f"m[{2 + size}] = {chosen}{f' + {form.low}' if form.low else ''}"]


def _playout(assembly: Assembly, *, draws: bool) -> str:
    """The function that plays a random game; `draws` if there is one that draws moves without listing them."""
    draw, repetition = _DRAW_LISTED, assembly.repetition
    choosing = ["n = offered(S, E, X)", "many = total(E, n)", "if many == 0:",
                "    S[OUTCOME] = word(stuck_outcome(S))", "    break"]
    if assembly.rules.illegal or repetition == "forbidden":
        choosing += _tried_lines(assembly)
    elif draws:
        choosing = ["seed, drawn = draw(S, seed, E, X, m)", "if not drawn:",
                    *("    " + line for line in [*choosing, *draw]), "advance(S, m, E, X)"]
    else:
        choosing += [*draw, "advance(S, m, E, X)"]
    lines = ["plies = 0", "while plies < limit and number(S[OUTCOME]) == GOING:",
             *("    " + line for line in choosing), "    if S[FAILED] != EMPTY:", "        return plies",
             "    plies += 1"]
    if repetition:
        lines[:1] = ["plies = 0", "forget(X)", "remember(X, S)"]
        if repetition != "forbidden":
            place = lines.index("while plies < limit and number(S[OUTCOME]) == GOING:") + 1
            lines.insert(place, "    before = number(S[TO_MOVE])")
            lost = repetition == "loses" and assembly.players == 2
            lines += ["    if number(S[OUTCOME]) == GOING and remember(X, S):",
                      f"        S[OUTCOME] = word({'1 - before' if lost else 'DRAW'})"]
        lines += [f"    if plies % {history.MOST} == 0:", "        forget(X)", "        remember(X, S)"]
    if assembly.late:
        lines += ["if number(S[OUTCOME]) == GOING and not has_move(S, number(S[TO_MOVE]), E, X):",
                  "    S[OUTCOME] = word(stuck_outcome(S))"]
    lines.append("return plies")
    return text_of("play", "S, seed, limit, E, X, m",
                   "Play random moves, each legal one as likely as any other; how many were played.", lines)


def _tried_lines(assembly: Assembly) -> list[str]:
    """The lines that play a random one of some moves, where a rule may take moves back."""
    fresh = "played = True"
    relisted: list[str] = []
    remembered: list[str] = []
    lasting = ["if act(U, m, X) == 0:", "    many += 1", "    seed = stir(seed)",
               "    if below(scramble(seed), many) == 0:", "        for i in range(MOVE_WIDTH):",
               "            best[i] = m[i]"]
    if assembly.repetition == "forbidden":
        fresh = "played = S[FAILED] != EMPTY or number(S[OUTCOME]) != GOING or not remember(X, S)"
        relisted = ["n = offered(S, E, X)"]  # what was found out about the outcome took the entries' place
        lasting = ["allowed = act(U, m, X) == 0", "if allowed and known(X, U):",
                   "    allowed = outcome(U, number(S[TO_MOVE]) ^ number(S[SEATS]), E, X) != GOING",
                   "    n = offered(S, E, X)", "if allowed:", *lasting[1:]]
        remembered = ["remember(X, S)"]
    return [
        "T = X[SCRATCH - 1]", "for i in range(WIDTH):", "    T[i] = S[i]", "played = False",
        f"for _ in range({_TRIES}):", *("    " + line for line in _DRAW_LISTED),
        "    if advance(S, m, E, X) == 0:", f"        {fresh}", "        if played:", "            break",
        "    for i in range(WIDTH):", "        S[i] = T[i]", *("    " + line for line in relisted),
        "if not played:",
        "    many = 0", "    best = E[len(E) - 3]", "    U = X[0]", "    for e in range(n):",
        "        for k in range(E[e, 1]):", "            take(E, e, k, m)",
        "            for i in range(WIDTH):", "                U[i] = S[i]",
        *("            " + line for line in lasting),
        "    if many == 0:", "        S[OUTCOME] = word(stuck_outcome(S))", "        break",
        "    for i in range(MOVE_WIDTH):", "        m[i] = best[i]", "    advance(S, m, E, X)",
        *("    " + line for line in remembered)]
