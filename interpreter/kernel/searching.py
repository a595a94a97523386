"""The entries of a kernel that searches and solvers call, as first-class functions of Numba: they allocate nothing.

A solver is compiled once for all games and gets a game's entries as arguments (`numba.types.FunctionType`, with the
signatures of `interpreter.kernel.signatures`). Arrays to work on are handed in: E for entries, M for moves, X for
scratch rows, U two rows for images.

An entry that fails leaves the number of the failure in the row's FAILED (1: there is too little room) and returns -1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.kernel import tiers
from interpreter.kernel.writer import text_of
from interpreter.state import PASS

if TYPE_CHECKING:
    from interpreter.kernel.assembly import Assembly


_LISTED = ("many = 0", "for e in range(n):", "    if many + E[e, 1] > len(M):", "        S[FAILED] = word(1)",
           "        return -1", "    many = take_all(E, e, M, many)")
"""The lines that write the moves of all entries into rows of M; how many, as `many`."""


def texts(assembly: Assembly) -> list[str]:
    """The texts of the entries."""
    return [_children(assembly), _least(), tiers.text(assembly), *_entries()]


def _children(assembly: Assembly) -> str:
    """The function that makes all positions after a move."""
    failing = ["    if t[FAILED] != EMPTY:", "        S[FAILED] = t[FAILED]", "        return -1"]
    lines = ["if number(S[OUTCOME]) != GOING:", "    return 0", "n = moves(S, E, X)", *_LISTED,
             "if S[FAILED] != EMPTY:", "    return -1",
             "if many > len(T):", "    S[FAILED] = word(1)", "    return -1"]
    copy = ["    t = T[found]", "    for i in range(WIDTH):", "        t[i] = S[i]"]
    if assembly.rules.illegal:
        lines += ["found = 0", "for k in range(many):", *copy, "    code = apply(t, M[k], E, X)", *failing,
                  "    if code == 0:", "        for i in range(MOVE_WIDTH):", "            M[found, i] = M[k, i]",
                  "        found += 1"]
    else:
        lines += ["for found in range(many):", *copy, "    apply(t, M[found], E, X)", *failing, "found = many"]
    if assembly.rules.no_moves == "passes":
        nobody = " or ".join(f"has_move(S, {player}, E, X)" for player in range(assembly.players))
        lines += [f"if found == 0 and ({nobody}):", f"    M[0, 0] = {PASS}", "    M[0, 1] = 0",
                  *copy, "    apply(t, M[0], E, X)", *failing, "    found = 1"]
    lines += ["if found == 0:", "    S[OUTCOME] = word(stuck_outcome(S))", "    if S[FAILED] != EMPTY:",
              "        return -1", "return found"]
    return text_of("children", "S, T: Rows, M, E, X",
                   "Make all positions after a legal move, a row of T for each, and its move in M; how many.", lines)


def _least() -> str:
    """The function that packs the representative of a position."""
    return text_of("least", "S, P, elements, U: Rows",
                   "Pack the least image of a position under some symmetries, of which "
                   "the first is the identity; how many of them leave the position as it is.", [
                       "same = least_image(S, U[0], U[1], elements, 1, len(elements))", "pack(U[0], P)",
                       "return same"])


def _entries() -> list[str]:
    def outside(name: str, parameters: str, doc: str, lines: list[str]) -> str:
        return text_of(name, parameters, doc, lines, "@entry")

    failing = ["if S[FAILED] != EMPTY:", "    failed[0] = number(S[FAILED])", "    return row_"]
    return [
        outside("expand", "S, T: Rows, M, E, X",
                "Make all positions after a legal move, a row of T for each, and its move in M; how many.", [
                    "return children(S, T, M, E, X)"]),
        outside("offer", "S, M, E, X", "List the moves that the rules offer, a pass where one must; how many. Those "
                "that a rule takes back are among them: `step` says so.", [
                    "n = offered(S, E, X)", *_LISTED, "if S[FAILED] != EMPTY:", "    return -1", "return many"]),
        outside("pack_row", "S, P", "Pack a position.", ["pack(S, P)", "return 0"]),
        outside("unpack_row", "P, S", "Unpack a position.", ["unpack(P, S)", "return 0"]),
        outside("pack_least", "S, P, elements, U: Rows",
                   "Pack the least image of a position under some symmetries, of which "
                "the first is the identity; how many of them leave the position as it is.", [
                    "return least(S, P, elements, U)"]),
        outside("step", "S, m, E, X", "Carry out a move; 1 where a rule takes it back, -1 where one fails.", [
            "code = apply(S, m, E, X)", "if S[FAILED] != EMPTY:", "    return -1", "return code"]),
        outside("random_game", "S, seed, limit, E, X, m", "Play random moves to the end; how many.", [
            "plies = play(S, seed, limit, E, X, m)", "if S[FAILED] != EMPTY:", "    return -1", "return plies"]),
        outside("expand_tiers",
                "P: Rows, first, last, elements, C: Rows, same: Line, ranks: Line, counts, failed: Line, "
                "S, T: Rows, M, E, X, U: Rows",
                "Write the representatives of all positions after a move from packed positions into C, one after "
                "another, in `same` how many elements leave each as it is, in `ranks` its tier, and in `counts` how "
                "many each has; the position at which there was no more room in C, or a rule failed (`failed`), or "
                "`last`.", [
                    "at = 0", "for row_ in range(first, last):", "    unpack(P[row_], S)",
                    "    many = children(S, T, M, E, X)", *("    " + line for line in failing),
                    "    if at + many > len(C):", "        return row_", "    for k in range(many):",
                    "        same[at] = least(T[k], C[at], elements, U)", "        ranks[at] = tier(C[at])",
                    "        at += 1", "    counts[row_ - first] = many", "return last"]),
        outside("tier_of", "P", "The tier of a packed position.", ["return tier(P)"]),
    ]
