"""The arrays of searches: NumPy arrays for compiled functions, lists and objects for plain Python.

A record is an item of a structured array, or an object in plain Python. Its fields are those of an attrs class: uint64
for words, float64 for floats, else int64.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import attrs

from interpreter.kernel import plain
from solver.native.functions import Line, Lines, Reals, Records, Row, Rows

if TYPE_CHECKING:
    import numpy as np

Record = TypeVar("Record")
Group = TypeVar("Group", bound="NamedTuple")
_DTYPES = {"Word": "u8", "float": "f8"}
"""The dtypes of fields by their annotations; all others are int64."""


def dtype_of(record: type) -> np.dtype[np.void]:
    """The structured dtype of a class's records.

    Raises ValueError if a field has the name of an attribute of NumPy's records, which would hide it.
    """
    import numpy as np

    fields = record.__annotations__.items()
    if hidden := {name for name, _ in fields} & set(dir(np.record)):
        raise ValueError(f"{record.__name__}: NumPy has attributes called {', '.join(sorted(hidden))}")
    return np.dtype([(name, _DTYPES.get(kind, "i8")) for name, kind in fields])


def native_records(record: type[Record], count: int) -> Records[Record]:
    """A structured array of `count` records, all 0."""
    import numpy as np

    result: Records[Record] = np.zeros(count, dtype_of(record)).view(np.recarray)  # type: ignore[assignment]
    return result


def values_of(records: Records[Record], kind: type[Record]) -> dict[str, int]:
    """The fields of a single record, read in one go: NumPy takes microseconds for each access."""
    if isinstance(records, list):
        return {name: getattr(records[0], name) for name in kind.__annotations__}
    return dict(zip(kind.__annotations__, records.item(), strict=True))  # type: ignore[attr-defined]


def values_in_all(records: Iterable[Records[Record]], kind: type[Record]) -> dict[str, int]:
    """The fields of several single records, added up."""
    result = dict.fromkeys(kind.__annotations__, 0)
    for one in records:
        for name, value in values_of(one, kind).items():
            result[name] += value
    return result


def values_of_all(records: Records[Record], indices: range, *names: str) -> list[tuple[int, ...]]:
    """The named fields of each record at some indices of a structured array."""
    part = records[indices.start:indices.stop]
    return list(zip(*(part[name].tolist() for name in names), strict=True))  # type: ignore[call-overload]


def value_of(records: Records[Record], kind: type[Record], name: str) -> int:
    """One field of a single record."""
    if isinstance(records, list):
        plain: int = getattr(records[0], name)
        return plain
    result: int = records.item()[list(kind.__annotations__).index(name)]  # type: ignore[attr-defined]
    return result


def anew(arrays: Group, kept: Collection[str]) -> Group:
    """A copy of a named tuple with new NumPy arrays of the same shapes, all 0, except the kept fields; recursive."""
    import numpy as np

    def again(name: str, value: object) -> object:
        if name in kept:
            return value
        return anew(value, kept) if isinstance(value, tuple) else np.zeros_like(value)  # type: ignore[type-var]

    return arrays._replace(**{name: again(name, value) for name, value in arrays._asdict().items()})


@attrs.frozen(eq=False)
class Arrays:
    """Makes arrays for compiled or for plain functions."""

    native: bool

    def words(self, count: int, width: int) -> Rows:
        """uint64[count, width], all 0."""
        if not self.native:
            result: Rows = plain.rows(count, width)  # type: ignore[assignment]  # is indexed in the same way
            return result
        import numpy as np

        return np.zeros((count, width), np.uint64)

    def numbers(self, count: int, width: int) -> Lines:
        """int64[count, width], all 0."""
        if not self.native:
            result: Lines = plain.numbers(count, width)  # type: ignore[assignment]
            return result
        import numpy as np

        return np.zeros((count, width), np.int64)

    def row(self, width: int) -> Row:
        """uint64[width], all 0."""
        result: Row = self.words(1, width)[0]
        return result

    def line(self, values: Sequence[int]) -> Line:
        """int64[n] with the given values."""
        result: Line = self.numbers(1, len(values))[0]
        for index, value in enumerate(values):
            result[index] = value
        return result

    def reals(self, count: int) -> Reals:
        """float64[n], all 0."""
        if not self.native:
            plain_reals: Reals = [0.0] * count  # type: ignore[assignment]
            return plain_reals
        import numpy as np

        return np.zeros(count, np.float64)

    def records(self, record: type[Record], count: int) -> Records[Record]:
        """A sequence of `count` records, all 0."""
        return native_records(record, count) if self.native else [record() for _ in range(count)]

    def word(self, value: int) -> int:
        """A word to pass as an argument."""
        if not self.native:
            return value
        import numpy as np

        result: int = np.uint64(value)  # type: ignore[assignment]
        return result
