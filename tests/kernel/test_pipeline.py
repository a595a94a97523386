"""Passes from IR to IR: small texts before and after each."""

from __future__ import annotations

from textwrap import dedent

import attrs
import pytest

from interpreter.compiler import ir
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.compiler.module_reader import read_module
from interpreter.compiler.passes.exclusion import left_early
from interpreter.compiler.passes.late_stuck import seen_late
from interpreter.compiler.pipeline import PIPELINE, Facts, Pass, improved
from interpreter.compiler.printer import printed_function
from interpreter.compiler.reader import IRError
from interpreter.compiler.verify import verify_ir

LISTING = """
def moves_step(S: Row, n: Int) -> Int:
    n += popcount(S[0])
    return n

def moves_jump(S: Row, n: Int) -> Int:
    n += popcount(S[1])
    return n
"""
OUTCOMES = """
OUTCOME: Int = 4
TO_MOVE: Int = 5
GOING: Int = -2

def has_move(S: Row, who: Int, E: Lines, X: Rows) -> Bool:
    return S[who] != EMPTY

def stuck_outcome(S: Row) -> Int:
    return number(S[3])

def ends(S: Row, mover: Int, E: Lines, X: Rows) -> Int:
    return GOING

def outcome(S: Row, mover: Int, E: Lines, X: Rows) -> Int:
    found = ends(S, mover, E, X)
    if found == GOING and not has_move(S, number(S[TO_MOVE]), E, X):
        found = 1 - number(S[TO_MOVE])
    return found

def quick_outcome(S: Row, mover: Int, E: Lines, X: Rows) -> Int:
    return outcome(S, mover, E, X)

def play(S: Row, E: Lines, X: Rows) -> Int:
    plies = 7
    return plies
"""


def of(text: str) -> ir.Module:
    """A module of IR, which is right."""
    module = read_module(dedent(text))
    verify_ir(module)
    return module


def shown(module: ir.Module, name: str) -> str:
    """A function of a module that is right."""
    verify_ir(module)
    function = module.function(name)
    assert isinstance(function, ir.Function)
    return printed_function(function)


def test_functions_of_excluded_rules_list_nothing_after_others() -> None:
    module = of(LISTING)
    done = left_early(module, {"moves_jump"})
    assert done.function("moves_step") is module.function("moves_step")
    assert shown(done, "moves_jump") == dedent("""\
        def moves_jump(S: Row, n: Int) -> Int:
            if n > 0:
                return n
            n += popcount(S[1])
            return n
        """)


def test_quick_outcome_leaves_open_whether_there_is_a_move_and_play_asks_at_its_end() -> None:
    done = seen_late(of(OUTCOMES))
    assert "has_move" in shown(done, "outcome")
    assert shown(done, "quick_outcome") == dedent("""\
        def quick_outcome(S: Row, mover: Int, E: Lines, X: Rows) -> Int:
            found = ends(S, mover, E, X)
            return found
        """)
    assert shown(done, "play") == dedent("""\
        def play(S: Row, E: Lines, X: Rows) -> Int:
            plies = 7
            if number(S[OUTCOME]) == GOING and (not has_move(S, number(S[TO_MOVE]), E, X)):
                S[OUTCOME] = word(stuck_outcome(S))
            return plies
        """)


def test_passes_of_the_pipeline_have_switches_and_do_nothing_when_they_are_off_or_have_nothing_to_do() -> None:
    names = [field.name for field in attrs.fields(Passes)]
    assert [step.name for step in PIPELINE] == [name for name in names if name in {step.name for step in PIPELINE}]
    for text in (LISTING, OUTCOMES):
        module = of(text)
        assert improved(module, Facts(), names) == module
        assert improved(module, Facts(excluded=frozenset({"moves_jump"}), late=True), []) is module


def test_a_pass_that_makes_wrong_ir_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(module: ir.Module, facts: Facts) -> ir.Module:
        function = module.functions[0]
        assert isinstance(function, ir.Function)
        body = (ir.Return(ir.Name("nobody", ir.INT)),)
        return attrs.evolve(module, functions=(attrs.evolve(function, body=body), *module.functions[1:]))

    monkeypatch.setattr("interpreter.compiler.pipeline.PIPELINE", (Pass("breaks", broken),))
    monkeypatch.setenv("DSLGAME_VERIFY_IR", "1")
    with pytest.raises(IRError, match=r"wrong IR after breaks:\n.*nobody"):
        improved(of(LISTING), Facts(), ["breaks"])
