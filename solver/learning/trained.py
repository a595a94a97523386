"""Learned values as files: the weights, and the game that they are for.

A file is a NumPy archive: a JSON header, and the arrays with which learning can continue. A digest of the rules and
params identifies the game that it is for; it is refused for any other. `Trained` checks its fields, as compiled code
relies on them.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
from attrs.validators import and_, deep_iterable, deep_mapping, ge, instance_of, le, lt, max_len, min_len

from interpreter.arrays import Reals

if TYPE_CHECKING:

    from interpreter.game import Game
    from solver.entries import Entries
    from solver.learning.features import Features, Number
    from solver.native.functions import Lines
    from solver.native.learned import Learned

FORMAT = 1
SUFFIX = ".trained"
SCALE = 10_000
"""What 1 of a learned sum counts in a search, which uses integers."""
MOST_TUPLES = 1_000
"""The most random paths of cells that can be asked for."""
_MOST_HEADER = 1 << 24
"""The most bytes of a header."""
_MOST_WEIGHTS = 1 << 22
"""The most weights without those of random paths: more than patterns and numbers of any board have. A small file may
hold more than the memory, as zeros are packed well."""
_GREATEST_WEIGHT = 1e5
"""Far more than training reaches, as a position's value is the hyperbolic tangent of a sum of weights; in a search the
weight fits into an int32."""


def digest_of(game: Game) -> str:
    """Return a digest of a game's rule text and params: others have a different one."""
    text = json.dumps([game.rules.source.text, sorted(game.params.items())])
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _check_finite(instance: object, attribute: attrs.Attribute[float], value: float) -> None:
    if not math.isfinite(value):
        raise ValueError(f"{attribute.name} is {value}, expected a finite number")


_INTEGER = instance_of(int)
_COUNT = and_(_INTEGER, ge(0), lt(1 << 63))


def _reals(count: int) -> Callable[..., None]:
    """A validator of a tuple of `count` finite numbers."""
    return deep_iterable(_check_finite, and_(instance_of(tuple), min_len(count), max_len(count)))


@attrs.frozen(eq=False)
class Trained:
    """A value learned for a game, and the state with which learning can continue.

    Raises ValueError or TypeError where training gives no such fields.
    """

    title: str = attrs.field(validator=instance_of(str))
    params: dict[str, int] = attrs.field(validator=deep_mapping(instance_of(str), _INTEGER, instance_of(dict)))
    digest: str = attrs.field(validator=instance_of(str))
    seed: int = attrs.field(validator=_INTEGER)
    games: int = attrs.field(validator=_COUNT)
    positions: int = attrs.field(validator=_COUNT)
    chance: int = attrs.field(validator=[_INTEGER, ge(-1 << 63), lt(1 << 63)])
    """The state of the random number generator after these games."""
    scale: int = attrs.field(validator=_COUNT)
    """The game's `value` that counts half of the maximum; 0 where the game has no `value`."""
    rates: tuple[float, ...] = attrs.field(validator=_reals(3))
    """The share of random moves, lambda, and the learning rate of all weights together."""
    history: tuple[tuple[int, float], ...]
    """Numbers of games, each with the mean squared error since the entry before."""
    errors: tuple[float, ...] = attrs.field(validator=_reals(2))
    """The sum of the squared errors since the last entry of `history`, and their number."""
    weights: Reals
    trends: Reals
    turmoil: Reals
    others: Reals
    """See `solver.native.self_play.Lesson`."""
    tuples: int = attrs.field(default=0, validator=[_COUNT, le(MOST_TUPLES)])
    """The number of random paths of cells that were requested as patterns."""
    by_mover: bool = attrs.field(default=False, validator=instance_of(bool))
    """Whether weights differ by who is to move."""
    random: int = attrs.field(default=0, validator=_COUNT)
    """The number of random games still to come; see `solver.learning.train`."""

    def __attrs_post_init__(self) -> None:
        import numpy as np

        from solver.native.self_play import OTHERS

        sizes = [getattr(self, name).shape for name in _ARRAYS]
        if sizes != [*3 * [(self.weights.size,)], (3 * OTHERS,)]:
            raise ValueError(f"the arrays have the shapes {sizes}, which do not belong together")
        finite = all(np.isfinite(getattr(self, name)).all() for name in _ARRAYS)
        if not finite or np.abs(np.concatenate([self.weights, self.others[:OTHERS]])).max() > _GREATEST_WEIGHT:
            raise ValueError("weights are no finite numbers, or too large")
        for _, error in self.history:
            if not 0 <= error < math.inf:
                raise ValueError(f"found the mean squared error {error}")

    def check(self, game: Game, file: str) -> None:
        """Raise ValueError, which names the file, if the value was learned for another game or by another version."""
        if self.digest != digest_of(game):
            params = "".join(f" {name}={value}" for name, value in self.params.items())
            raise ValueError(f"{file} was trained for other rules or params ({self.title}{params}): train again with "
                             "'dslgame train', or play with trained=none")
        self.features(game, file)

    def features(self, game: Game, file: str = "") -> Features:
        """Return the features that the weights belong to. Raises ValueError if another version made other ones."""
        from solver.learning.features import Features

        result = Features.of(game, self.tuples, by_mover=self.by_mover)
        if len(self.weights) != result.count:
            raise ValueError(f"{file or game.title}: the trained file was made by another version: train again")
        return result

    @property
    def learned(self) -> bool:
        """Whether any games were played to learn from."""
        return self.games > 0

    def to_bytes(self) -> bytes:
        """Return the contents of the file."""
        import numpy as np

        stream = io.BytesIO()
        header = {name: value for name, value in attrs.asdict(self).items() if name not in _ARRAYS}
        text = json.dumps({"format": FORMAT, **header})
        np.savez_compressed(stream, header=np.frombuffer(text.encode(), np.uint8),
                            **{name: getattr(self, name) for name in _ARRAYS})
        return stream.getvalue()

    @classmethod
    def read(cls, path: Path | str) -> Trained:
        """Read a file. Raises OSError where it cannot be read, ValueError where it is not a trained file."""
        import zipfile
        import zlib

        import numpy as np

        from solver.learning.features import MOST_TUPLE_INDICES

        data = Path(path).read_bytes()
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as archive:
                sizes = {info.filename: info.file_size for info in archive.zip.infolist()}
                if sizes["header.npy"] > _MOST_HEADER:
                    raise ValueError("a header of that size")
                header = json.loads(bytes(archive["header"]).decode())
                most = _MOST_WEIGHTS + 2 * MOST_TUPLE_INDICES * min(int(header.get("tuples", 0)), MOST_TUPLES)
                if max(sizes[f"{name}.npy"] for name in _ARRAYS) > 8 * most:
                    raise ValueError("more weights than patterns can have")
                arrays = {name: np.ascontiguousarray(archive[name], np.float64) for name in _ARRAYS}
            if header.pop("format") != FORMAT:
                raise ValueError("another format")
            header["rates"] = tuple(map(float, header["rates"]))
            header["errors"] = tuple(map(float, header["errors"]))
            header["history"] = tuple((int(games), float(error)) for games, error in header["history"])
            return cls(**{**header, **arrays})
        except (ValueError, TypeError, KeyError, EOFError, AttributeError, RuntimeError, OverflowError, zlib.error,
                MemoryError, zipfile.BadZipFile):  # other compression methods: NotImplementedError, a RuntimeError
            raise ValueError(f"{path} is no file of 'dslgame train', or of another version: train again") from None

    def network(self, entries: Entries, levels: int) -> Learned:
        """Return a search's arrays for `levels` levels. Raises ValueError if the weights do not fit the patterns."""
        import numpy as np

        from solver.native.learned import Learned, Shape
        from solver.native.records import native_records

        game, layout = entries.game, entries.kernel.assembled.layout
        features = self.features(game)
        tables, begin_of_numbers, weights = features.merged(self.weights)
        second = features.merged(self.weights, 1)[2] if features.second else weights[:0]
        begin, touched, powers = features.touching(tables, game.board.size)
        shape = native_records(Shape, 1)
        fixed = shape[0]
        fixed.used, fixed.words, fixed.pieces = 1, layout.words, features.contents
        fixed.cells, fixed.patterns, fixed.numbers = game.board.size, len(features.patterns), len(features.numbers)
        fixed.to_move, fixed.seats, fixed.failure = layout.to_move, layout.seats, layout.failed
        fixed.first_to_move, fixed.second_to_move, fixed.term = (round(SCALE * float(part)) for part in self.others[:3])
        fixed.scale, fixed.second = max(1, self.scale), len(second)
        bases = [*(table.base for table in tables), *begin_of_numbers]
        return Learned(np.array(begin, np.int64), np.array(touched, np.int32), np.array(powers, np.int32),
                       np.array(bases, np.int64), kept_numbers(entries, features.numbers),
                       np.rint(SCALE * np.concatenate([weights, second])).astype(np.int32),
                       entries.numbers(levels, fixed.cells), entries.numbers(levels, fixed.patterns),
                       entries.numbers(levels, 2), shape)


def kept_numbers(entries: Entries, numbers: Sequence[Number]) -> Lines:
    """Return the numbers that the rules keep, in the form of `solver.native.learned.Learned.numbers`."""
    result = entries.numbers(max(1, len(numbers)), 4)
    begin = entries.kernel.assembled.layout.values
    for line, item in zip(result, numbers, strict=False):
        line[:] = begin + item.place, item.cell, item.low, item.size
    return result


_ARRAYS = ("weights", "trends", "turmoil", "others")


def no_network(entries: Entries) -> Learned:
    """Return placeholder arrays for searches without learned weights."""
    import numpy as np

    from solver.native.learned import Learned, Shape
    from solver.native.records import native_records

    return Learned(entries.numbers(1), np.zeros(1, np.int32), np.zeros(1, np.int32), entries.numbers(1),
                   entries.numbers(1, 4), np.zeros(1, np.int32), entries.numbers(1, 1), entries.numbers(1, 1),
                   entries.numbers(1, 2),
                   native_records(Shape, 1))
