"""What a kernel's text says of itself: whether an expression is a number, and what a term's value is to be called."""

from __future__ import annotations

from dsl import hir


def is_number(text: str) -> bool:
    """Whether an expression is a number."""
    return text.lstrip("-").isdigit() or (text.startswith("(-") and text[2:-1].isdigit())


def wish_of(term: hir.Expr) -> str:
    """What a table of a term's values is called."""
    match term:
        case hir.Apply(function=function):
            return function.removeprefix("coordinate_")
        case hir.Region(name=name):
            return name
        case hir.Comprehension(binding=binding):
            return f"{binding.name}_where"
    return type(term).__name__.lower()
