"""Method dispatch by the type of the argument."""

from __future__ import annotations

from functools import singledispatchmethod
from pathlib import Path

import attrs
import pytest

from dsl.dispatch import dispatched


class Shape:
    pass


class Square(Shape):
    pass


@attrs.define
class Teller:
    """A class with slots, as the users of the dispatch are."""

    name: str

    @dispatched
    def tell(self, value: object, more: str = "") -> str:
        return f"{self.name}: something{more}"

    @tell.register
    def _(self, value: Shape, more: str = "") -> str:
        return f"{self.name}: a shape{more}"

    @tell.register
    def _(self, value: int | str, more: str = "") -> str:
        return f"{self.name}: {value}{more}"


@pytest.mark.parametrize(("value", "said"), [(3, "3"), ("a", "a"), (True, "True"), (Shape(), "a shape"),
                                             (Square(), "a shape"), (None, "something")])
def test_form_for_the_type_is_called(value: object, said: str) -> None:
    """The method of the type or of its nearest base class is called."""
    assert Teller("A").tell(value) == f"A: {said}"
    assert Teller("B").tell(value, "!") == f"B: {said}!"


def test_form_that_is_added_later_is_called() -> None:
    class Later:
        @dispatched
        def tell(self, value: object) -> str:
            return "something"

    assert Later().tell(Square()) == "something"

    class Form:
        def tell(self, value: Shape) -> str:
            return "a shape"

    Later.__dict__["tell"].register(Form.tell)
    assert Later().tell(Square()) == "a shape"


def test_the_slow_one_is_used_nowhere() -> None:
    """A lookup of `functools.singledispatchmethod` takes some 5 µs."""
    top = Path(__file__).parents[2]
    paths = [path for package in ("dsl", "interpreter", "solver", "dslgame") for path in (top / package).rglob("*.py")]
    said = f"import {singledispatchmethod.__name__}"
    assert [path.name for path in paths if said in path.read_text(encoding="utf-8")] == []
