"""Plays by the rules of a game with its compiled kernel, to verify and to make certificates faster."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence

import attrs

from interpreter.arrays import Words
from interpreter.compiler.lowering.layout import GOING
from interpreter.kernel.many import Batch
from interpreter.model.state import State
from solver.certificates.checker import Child, Positions, Rules


@attrs.define
class CompiledRules(Rules):
    """Plays by the rules with a kernel; a position is the bytes of those words of its row that define it."""

    batch: Batch = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Compile the rules. Raises NotLowered where a rule cannot be lowered."""
        self.batch = Batch.of(self.game)

    @property
    def width(self) -> int:
        """The number of leading words of a row that define the position."""
        return self.batch.kernel.assembled.layout.position

    def root(self, state: State) -> Child:
        """A state as bytes."""
        return self._keys(self.batch.rows([state]))[0], state.outcome, state.to_move

    def rows(self, positions: Positions) -> Words:
        """The rows of positions: uint64[n, words]."""
        import numpy as np

        result = np.zeros((len(positions), self.batch.width), np.uint64)
        result[:, : self.width] = np.frombuffer(b"".join(positions), np.uint64).reshape(len(positions), self.width)
        return result

    def _keys(self, rows: Words) -> list[Hashable]:
        import numpy as np

        keys = np.ascontiguousarray(rows[:, : self.width]).view(f"V{8 * self.width}")
        result: list[Hashable] = keys.ravel().tolist()
        return result

    def expand(self, positions: Positions, answers: Sequence[int]) -> list[list[Child]]:
        """For each position the child by the legal move with the given number, or all children in order for -1.

        A position without such a move gets an empty list. Raises RuleError where a rule fails.
        """
        import numpy as np

        batch, chosen = self.batch, np.minimum(np.array(answers, np.int64), 1 << 32)
        rows = self.rows(positions)
        listed = batch.legal(rows)
        counts = np.where(chosen < 0, listed.counts, chosen < listed.counts)
        ends = np.concatenate(([0], np.cumsum(counts)))
        first = listed.offsets[:-1] + np.maximum(chosen, 0)
        numbers = np.repeat(first - ends[:-1], counts) + np.arange(ends[-1])
        after = np.repeat(rows, counts, axis=0)
        lawful = batch.apply(after, listed.moves[numbers])
        assert lawful.all()  # moves that a rule takes back are not listed
        outcomes = [None if outcome == GOING else outcome for outcome in batch.outcomes(after).tolist()]
        children = list(zip(self._keys(after), outcomes, batch.to_move(after).tolist(), strict=True))
        return [children[begin:end] for begin, end in itertools.pairwise(ends.tolist())]


__all__ = ["CompiledRules"]
