"""Leaf values by random games and by networks, on the CPU; `tests.device` compares a simulated GPU with them."""

from __future__ import annotations

import numpy as np
import pytest

import dslgame
from dslgame.leaves import Array, Leaves
from interpreter.arrays import Floats


class Foreign:
    """An array of another library that shares its memory by DLPack."""

    def __init__(self, values: Floats) -> None:
        self._values = values

    def __dlpack__(self, **options: object) -> object:
        return self._values.__dlpack__(**options)  # type: ignore[arg-type]

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._values.__dlpack_device__()


def network(observations: Array) -> tuple[Array, Array]:
    """A network that values a position at half a win for the player to move, and prefers later actions."""
    count = len(observations)
    return Foreign(np.full(count, 0.5, np.float32)), Foreign(np.tile(np.arange(9, dtype=np.float32), (count, 1)))


def test_leaves_are_valued_by_random_games_and_by_networks() -> None:
    """Ended games have their results, both kinds of values can be mixed, and priors are over legal actions."""
    leaves = Leaves("tic_tac_toe", playouts=400, seed=3)
    states = leaves.starts(3)
    for actions in ((0, 0, 0), (3, 1, 8), (1, 4, 2), (4, 8, 4)):
        states = leaves.after(states, actions)
    ended = leaves.after(states, (2, 2, 6))
    assert leaves.evaluate(ended).values[0].tolist() == [1, -1]
    assert not leaves.legal(ended)[0].any()
    found = Leaves("tic_tac_toe", playouts=400, seed=3).evaluate(states)
    assert found.priors is None
    assert np.allclose(found.values.sum(axis=1), 0, atol=1e-5)
    assert found.values[0, 0] > 0  # X wins by c3 unless it overlooks that
    again = Leaves("tic_tac_toe", playouts=400, seed=3)
    assert (again.evaluate(states).values == found.values).all()

    learned = Leaves("tic_tac_toe", network=network).evaluate(states)
    assert learned.values.tolist() == [[0.5, -0.5]] * 3
    assert learned.priors is not None
    legal = leaves.legal(states)
    assert ((learned.priors > 0) == legal).all()
    assert np.allclose(learned.priors.sum(axis=1), 1)
    assert (learned.priors.argmax(axis=1) == 8 - legal[:, ::-1].argmax(axis=1)).all()
    mixed = Leaves("tic_tac_toe", playouts=400, seed=3, network=network, share=0.25).evaluate(states)
    assert np.allclose(mixed.values, 0.25 * found.values + 0.75 * learned.values, atol=1e-6)


def test_what_leaves_cannot_be() -> None:
    """Wrong options and networks of wrong shapes raise ValueError."""
    with pytest.raises(ValueError, match="expected at least 1 random game where there is no network"):
        Leaves("tic_tac_toe", playouts=0)
    with pytest.raises(ValueError, match="device='gpu', expected 'cpu' or 'cuda'"):
        Leaves("tic_tac_toe", device="gpu")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"share=2, expected 0 to 1"):
        Leaves("tic_tac_toe", share=2)
    leaves = Leaves("tic_tac_toe", network=lambda observations: (np.zeros((1, 5)), None))
    with pytest.raises(ValueError, match=r"values of shape \(1, 5\), expected \(2,\) or \(2, 2\)"):
        leaves.evaluate(leaves.starts(2))
    other = Leaves("tic_tac_toe", network=lambda observations: (np.zeros(2), np.zeros((2, 4))))
    with pytest.raises(ValueError, match=r"logits of shape \(2, 4\), expected \(2, 9\)"):
        other.evaluate(other.starts(2))
    slide = Leaves(dslgame.load("english_draughts"))
    with pytest.raises(ValueError, match="moves of no fixed length"):
        slide.legal(slide.starts(1))
