"""Local names that clash with the module's or with reserved names are renamed; others are kept."""

from __future__ import annotations

from interpreter.compiler.module_reader import read_module
from interpreter.compiler.printer import printed
from interpreter.compiler.symbols import with_own_names

_MODULE = '''
WIDTH: Int = 8

def count(c: Int) -> Int:
    return c + STEP[c]

def act(S: Row, count_: Int) -> Int:
    total = count(count_)
    lowest = total + WIDTH
    for list in range(lowest):
        total += list
    return total

STEP: Line = [1, 2]
'''



def test_taken_names_are_given_up() -> None:
    """Names of primitives and Python builtins are renamed; parameters and names without a clash are kept."""
    text = printed(with_own_names(read_module(_MODULE)))
    assert "lowest_ = total + WIDTH" in text
    assert "for list_ in range(lowest_):" in text
    assert "total += list_" in text
    assert "def act(S: Row, count_: Int)" in text
    assert "total = count(count_)" in text


def test_further_names_can_be_taken() -> None:
    """Names of hooks are reserved too; a new name does not clash with the function's own."""
    text = printed(with_own_names(read_module(_MODULE.replace("lowest", "count")), ["total"]))
    assert "total_ = count(count_)" in text
    assert "count__ = total_ + WIDTH" in text


def test_a_module_without_clashes_stays_as_it_is() -> None:
    """Without clashes the functions are the same objects."""
    module = read_module(_MODULE.replace("lowest", "most").replace("list", "k"))
    assert all(one is other for one, other in zip(with_own_names(module).functions, module.functions, strict=True))
