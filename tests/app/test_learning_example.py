"""The learning program in docs/: its search, its network, and a tiny run from start to end."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from dslgame.leaves import Array, Leaves

PATH = Path(__file__).parents[2] / "docs" / "learn_connect_four.py"


def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("learn_connect_four", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def level(observations: Array) -> tuple[Array, Array]:
    """A network with all values and logits zero."""
    return np.zeros(len(observations)), np.zeros((len(observations), 7))


@pytest.mark.slow
def test_the_example_searches_and_learns(capsys: pytest.CaptureFixture[str]) -> None:
    """The batched search finds a win and the only defence, training reduces the loss, and a tiny run ends."""
    learn = program()
    leaves = Leaves("connect_four", network=level)
    states = leaves.starts(2)
    for actions in ((3, 3), (0, 0), (3, 3), (0, 0), (3, 3)):
        states = leaves.after(states, actions)
    win = leaves.after(states, (0, 1))[:1]  # Yellow has three in column 3, and is to move
    defence = states[1:]  # Red is to move
    tried = learn.search(leaves, np.concatenate([win, defence]), 60)
    assert tried.sum(axis=1).tolist() == [60, 60]
    assert tried.argmax(axis=1).tolist() == [3, 3]

    network = learn.Network(12, 3, 16, seed=1, device="cpu")
    random = np.random.default_rng(2)
    planes, values = random.normal(0, 1, (64, 12)).astype(np.float32), random.choice([-1.0, 1.0], 64)
    priors = np.eye(3)[random.integers(0, 3, 64)]
    losses = [network.learn(planes, values, priors, 1e-2) for _ in range(150)]
    assert losses[0] > 1.5
    assert losses[-1] < 0.2

    found = learn.main(["--rows", "4", "--columns", "4", "--minutes", "0", "--games", "8", "--simulations", "8",
                        "--hidden", "16", "--held", "3", "--plies", "10"])
    assert all(0 <= share <= 1 for share in found)
    assert "best moves in 3 random positions after 10 moves: " in capsys.readouterr().out
