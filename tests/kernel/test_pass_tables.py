"""Lookup tables for terms that depend only on the board and a bound name: IR before and after the pass."""

from __future__ import annotations

from textwrap import indent

import dslgame
from dsl.resolve.sorts import CELL, CELLS, Integer, Sort
from interpreter.analysis.board_values import MOST_COMPUTED, BoardValues
from interpreter.compiler.lowering.sets import Sets
from interpreter.compiler.lowering.writer import Tables
from interpreter.compiler.module_reader import read_module
from interpreter.compiler.passes.tables import computed, looked_up
from interpreter.compiler.pipeline import completed
from interpreter.compiler.printer import printed, printed_function
from interpreter.compiler.verify import verify_ir
from interpreter.semantics.evaluate import Evaluator

GAME = """game "Small"
players A, B
board square(3, 3)
pieces a of A, b of B
move place(c in empty where {term}):
    c := own
no moves loses
"""


def values_of(term: str, sort: Sort = CELL, none: bool = False) -> tuple[BoardValues, int]:
    """The board values of a small game, and the number of a term of its choice c."""
    game = dslgame.loads(GAME.format(term=term))
    values = BoardValues(Evaluator(game.rules, game.board))
    (choice,) = game.rules.moves[0].choices
    assert choice.guard is not None
    return values, values.number(choice.guard, lambda _: (sort, none), 0)


def after(term: str, body: str, *, look_up: bool = True) -> str:
    """The statements that the pass makes of some others in which a term is computed."""
    values, number = values_of(term)
    assert number == 0
    module = read_module(f"def f(S: Row, c: Int, d: Int) -> Bool:\n{indent(body, '    ')}")
    verify_ir(module)
    assert read_module(printed(module)) == module
    sets = Sets(dslgame.loads(GAME.format(term=term)).board, Tables(), {})
    done = completed((looked_up if look_up else computed)(module, sets, values), sets)
    verify_ir(done, after="tables")
    tables = "".join(f"{table.name} = {list(table.values)}\n" for table in done.tables)
    return tables + printed_function(done.functions[-1]).partition("\n")[2].replace("\n    ", "\n")[4:]


COUNTED = """\
if S[0] == EMPTY:
    return True
with let(test, 0, c):
    many = 0
    for k in range(4):
        if k + c > d:
            many += 1
    test = many > 3
"""


def test_condition_is_an_entry_of_a_table() -> None:
    assert after("count(neighbours(c)) > 3", f"{COUNTED}return test\n") == """\
COMPARISON = [0, 0, 0, 0, 1, 0, 0, 0, 0]
if S[0] == EMPTY:
    return True
return COMPARISON[c] != 0
"""


def test_condition_that_holds_for_all_is_left_out_with_what_it_decides() -> None:
    loop = f"{COUNTED}if not test:\n    continue\nfound += 1\n"
    body = f"found = 0\nfor c in range(9):\n{indent(loop, '    ')}return found > d\n"
    assert after("count(neighbours(c)) > 1", body) == """\
found = 0
for c in range(9):
    if S[0] == EMPTY:
        return True
    found += 1
return found > d
"""


def test_conditions_that_need_no_statements_any_more_are_joined() -> None:
    body = f"asked = S[0] != EMPTY\nif asked:\n{indent(COUNTED, '    ')}    asked = test\nif asked:\n    return False\n"
    assert after("count(neighbours(c)) > 3", f"{body}return True\n").partition("\n")[2] == """\
asked = S[0] != EMPTY
if asked:
    if S[0] == EMPTY:
        return True
    asked = COMPARISON[c] != 0
if asked:
    return False
return True
"""
    body = body.replace("        return True\n", "        pass\n").replace("    if S[0] == EMPTY:\n        pass\n", "")
    assert after("count(neighbours(c)) > 3", f"{body}return True\n").partition("\n")[2] == """\
if S[0] != EMPTY and COMPARISON[c] != 0:
    return False
return True
"""


def test_what_is_short_is_computed_where_it_is_asked_for() -> None:
    assert after("c.row < 1", "with let(test, 0, c):\n    test = c < 3\nreturn test\n") == "return c < 3\n"


def test_without_the_pass_all_is_computed() -> None:
    assert after("count(neighbours(c)) > 3", f"{COUNTED}return test\n", look_up=False) == """\
if S[0] == EMPTY:
    return True
with let(test):
    many = 0
    for k in range(4):
        if k + c > d:
            many += 1
    test = many > 3
return test
"""


def test_terms_of_what_has_no_numbers_or_too_many_are_not_looked_up() -> None:
    for sort, none in ((CELLS, False), (Integer(0, 3), True)):
        assert values_of("count(neighbours(c)) > 3", sort, none)[1] == -1
    values, number = values_of("count(neighbours(c)) > 3", Integer(0, MOST_COMPUTED))
    assert (number, values.values(number)) == (0, None)
    assert values_of("count(mine) > c.row")[1] == -1
    values, number = values_of("count(neighbours(\"a1\")) > 1")
    assert (values.terms[number].slots, values.constant(number), values.constant(-1)) == ((), 1, None)


def test_none_is_among_the_numbers_of_a_name_that_may_be_none() -> None:
    values, number = values_of("c = \"b2\"", none=True)
    assert values.terms[number].ranges == (range(-1, 9),)
    assert values.values(number) == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    values, number = values_of("c.row < 1", none=True)
    assert values.values(number) is None, "none has no row"
