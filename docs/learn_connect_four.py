"""A program that learns Connect Four by playing against itself, as AlphaZero does, in little code.

    python docs/learn_connect_four.py --minutes 5                    on the processor
    python docs/learn_connect_four.py --minutes 5 --device cuda      on a GPU; needs dslgame[cuda] and CuPy
    python docs/learn_connect_four.py --rows 4 --columns 5 --minutes 3

Many games are played at once. In each a tree search tries some moves, led by a network, which values the leaves and
says which moves to try (`dslgame.leaves`); the network then learns what the searches chose and how the games ended. At
the end its moves, without any search and with one, are held to the exact solution. The network is written out in array
code that NumPy and CuPy have in common, so that the example needs nothing else.
"""

from __future__ import annotations

import argparse
import importlib
import time
from typing import Any

import numpy as np

import dslgame
from dslgame.leaves import Leaves

EXPLORING = 1.5
"""How much a search goes by the network's priors."""
NOISE, CONCENTRATION = 0.25, 1.0
"""How much of the first priors is noise where games are played to learn from, and of what shape (Dirichlet)."""
RANDOM_PLIES = 12
"""Moves at the beginning of a game that are drawn by how often they were tried; later the most tried one is played."""
KEPT = 60_000
"""Positions that are learnt from: the latest."""


class Network:
    """Two hidden layers, a value for the player to move, and logits of the actions; learns by Adam.

    device: "cpu" for NumPy, "cuda" for CuPy.
    """

    def __init__(self, inputs: int, actions: int, hidden: int, seed: int, device: str) -> None:
        self.xp: Any = np if device == "cpu" else importlib.import_module("cupy")
        random = np.random.default_rng(seed)
        shapes = [(inputs, hidden), (hidden, hidden), (hidden, actions + 1)]
        self.weights = [self.xp.asarray(random.normal(0, (2 / shape[0]) ** 0.5, shape), np.float32) for shape in shapes]
        self.weights[2] *= 0.1
        self.weights += [self.xp.zeros(shape[1], np.float32) for shape in shapes]
        self.moments = [[self.xp.zeros_like(weight) for weight in self.weights] for _ in range(2)]
        self.steps = 0

    def forward(self, planes: Any) -> tuple[list[Any], Any, Any]:
        """All layers' values, the positions' values and logits."""
        layers = [planes.reshape(len(planes), -1)]
        for i in range(2):
            layers.append(self.xp.maximum(layers[i] @ self.weights[i] + self.weights[3 + i], 0))
        out = layers[2] @ self.weights[2] + self.weights[5]
        return layers, self.xp.tanh(out[:, 0]), out[:, 1:]

    def __call__(self, planes: Any) -> tuple[Any, Any]:
        """What `Leaves` asks: an array of NumPy, or one of the GPU, which CuPy takes without a copy."""
        _, values, logits = self.forward(self.xp.asarray(planes))
        return values, logits

    def learn(self, planes: Any, wanted: Any, priors: Any, rate: float) -> float:
        """One step towards wanted values and priors; the loss before it."""
        planes, wanted, priors = (self.xp.asarray(array) for array in (planes, wanted, priors))
        layers, values, logits = self.forward(planes)
        likely = self.xp.exp(logits - logits.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        loss = ((values - wanted) ** 2).mean() - (priors * self.xp.log(likely + 1e-9)).sum(axis=1).mean()
        slope = self.xp.concatenate([(2 * (values - wanted) * (1 - values**2))[:, None], likely - priors], axis=1)
        slope /= len(planes)
        self.steps += 1
        for i in (2, 1, 0):
            gradients = {i: layers[i].T @ slope, 3 + i: slope.sum(axis=0)}
            slope = (slope @ self.weights[i].T) * (layers[i] > 0)
            for place, gradient in gradients.items():
                first, second = self.moments[0][place], self.moments[1][place]
                first += 0.1 * (gradient - first)
                second += 0.001 * (gradient**2 - second)
                ahead = first / (1 - 0.9**self.steps)
                self.weights[place] -= rate * ahead / (self.xp.sqrt(second / (1 - 0.999**self.steps)) + 1e-8)
        return float(loss)


def search(leaves: Leaves, roots: Any, simulations: int, random: Any = None) -> Any:
    """Search many positions at once; how often each action was tried, by position. With `random` priors get noise."""
    count, actions = len(roots), leaves.legal(roots[:1]).shape[1]
    size = simulations + 1
    states = np.zeros((count, size, roots.shape[1]), np.uint64)
    children = np.full((count, size, actions), -1)
    tried, sums, priors = (np.zeros((count, size, actions), np.float32) for _ in range(3))
    legal = np.zeros((count, size, actions), bool)
    movers = np.zeros((count, size), np.int64)
    worth = np.zeros((count, size, 2), np.float32)
    games = np.arange(count)

    def add(place: int, which: Any, positions: Any) -> None:
        allowed = leaves.legal(positions)
        found = leaves.evaluate(positions, allowed)
        states[which, place], legal[which, place], priors[which, place] = positions, allowed, found.priors
        movers[which, place], worth[which, place] = leaves.batch.to_move(positions), found.values

    add(0, games, roots)
    if random is not None:
        noise = random.dirichlet(np.full(actions, CONCENTRATION), count) * legal[:, 0]
        priors[:, 0] = (1 - NOISE) * priors[:, 0] + NOISE * noise / np.maximum(noise.sum(axis=1, keepdims=True), 1e-9)
    for place in range(1, size):
        nodes: Any = np.zeros(count, np.int64)
        going: Any = legal[:, 0].any(axis=1)
        path: list[tuple[Any, Any, Any]] = []
        last = np.zeros(count, np.int64)
        while going.any():
            g = games[going]
            n = nodes[g]
            many = tried[g, n]
            mean = sums[g, n] / np.maximum(many, 1)
            bonus = EXPLORING * priors[g, n] * np.sqrt(many.sum(axis=1, keepdims=True) + 1) / (1 + many)
            action = np.where(legal[g, n], mean + bonus, -np.inf).argmax(axis=1)
            path.append((g, n, action))
            last[g] = action
            following = children[g, n, action]
            inner = following >= 0
            nodes[g[inner]] = following[inner]
            going[g] = inner & legal[g, np.maximum(following, 0)].any(axis=1)
        if not path:
            break
        new = np.zeros(count, bool)
        for g, n, action in path:
            fresh = children[g, n, action] < 0
            new[g[fresh]] = True
        if new.any():
            g = games[new]
            add(place, g, leaves.after(states[g, nodes[g]], last[g]))
            children[g, nodes[g], last[g]] = place
            nodes[g] = place
        for g, n, action in path:
            tried[g, n, action] += 1
            sums[g, n, action] += worth[g, nodes[g], movers[g, n]]
    return tried[:, 0]


def play(leaves: Leaves, games: int, simulations: int, random: Any) -> tuple[Any, Any, Any]:
    """Games of the network against itself: observations, how they ended for the player to move, and what was tried."""
    states = leaves.starts(games)
    seen: list[tuple[Any, Any, Any, Any]] = []
    going, results, plies = np.arange(games), np.zeros((games, 2), np.float32), 0
    while len(going):
        tried = search(leaves, states, simulations, random)
        chances = tried / tried.sum(axis=1, keepdims=True)
        seen.append((going, leaves.planes.of_states(states), leaves.batch.to_move(states), chances))
        drawn = (chances.cumsum(axis=1) > random.random((len(going), 1))).argmax(axis=1)
        states = leaves.after(states, drawn if plies < RANDOM_PLIES else tried.argmax(axis=1))
        over = leaves.batch.over(states)
        results[going[over]] = leaves.evaluate(states[over]).values
        going, states, plies = going[~over], states[~over], plies + 1
    planes = np.concatenate([planes for _, planes, _, _ in seen])
    values = np.concatenate([results[which, movers] for which, _, movers, _ in seen])
    return planes, values, np.concatenate([chances for _, _, _, chances in seen])


def held_to_the_solution(leaves: Leaves, positions: int, plies: int, simulations: int, seed: int) -> tuple[float, ...]:
    """How many of its moves in random positions are as good as any: by priors alone, by a search, and at random."""
    states = leaves.batch.random_positions(positions, plies, seed)
    legal = leaves.legal(states)
    chosen = [leaves.evaluate(states, legal).priors, search(leaves, states, simulations), legal * 1.0]
    kept = np.zeros(3)
    for number, row in enumerate(states):
        value = dslgame.solve(leaves.game, leaves.batch.kernel.state(row)).winner
        good = np.zeros(legal.shape[1], bool)
        actions = np.flatnonzero(legal[number])
        after = leaves.after(np.repeat(row[None], len(actions), axis=0), actions)
        good[actions] = [dslgame.solve(leaves.game, state).winner == value for state in leaves.batch.states(after)]
        for place, weights in enumerate(chosen):
            kept[place] += good[legal[number]].mean() if place == 2 else good[np.asarray(weights)[number].argmax()]
    return tuple((kept / positions).tolist())


def main(arguments: list[str] | None = None) -> tuple[float, ...]:
    """Learn for some minutes, and print what came of it."""
    parser = argparse.ArgumentParser(description="Learn Connect Four by playing against oneself.")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--rows", type=int, default=6)
    parser.add_argument("--columns", type=int, default=7)
    parser.add_argument("--minutes", type=float, default=5.0, help="of processor time; of the clock on a GPU")
    parser.add_argument("--games", type=int, default=128, help="games at once")
    parser.add_argument("--simulations", type=int, default=40, help="leaves of each search")
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--held", type=int, default=100, help="positions that are held to the solution")
    parser.add_argument("--plies", type=int, default=None, help="moves before these; by default half of the cells")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    game = dslgame.load("connect_four", rows=options.rows, columns=options.columns)
    inputs = Leaves(game)
    shape = inputs.planes.of_states(inputs.starts(1)).shape
    network = Network(int(np.prod(shape)), options.columns, options.hidden, options.seed, options.device)
    leaves = Leaves(game, device=options.device, network=network, seed=options.seed)
    random = np.random.default_rng(options.seed)
    clock = time.process_time if options.device == "cpu" else time.perf_counter
    began, rounds = clock(), 0
    memory: tuple[Any, ...] = ()
    while rounds == 0 or clock() - began < options.minutes * 60:
        fresh = play(leaves, options.games, options.simulations, random)
        if memory:
            memory = tuple(np.concatenate([old, new])[-KEPT:] for old, new in zip(memory, fresh, strict=True))
        else:
            memory = fresh
        losses = []
        for _ in range(max(1, 2 * len(fresh[0]) // 128)):
            rows = random.integers(0, len(memory[0]), 256)
            planes, values, chances = (array[rows] for array in memory)
            losses.append(network.learn(planes, values, chances, 1e-3))
        rounds += 1
        print(f"{clock() - began:6.0f} s  {rounds * options.games:7,} games  loss {np.mean(losses):.3f}", flush=True)
    plies = options.rows * options.columns // 2 if options.plies is None else options.plies
    found = held_to_the_solution(leaves, options.held, plies, options.simulations, options.seed)
    print(f"best moves in {options.held} random positions after {plies} moves: {found[0]:.0%} by the network alone, "
          f"{found[1]:.0%} with a search of {options.simulations}, {found[2]:.0%} at random")
    return found


if __name__ == "__main__":
    main()
