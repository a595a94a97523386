"""Makes proofs by following a strategy, and packs them into certificates, which `checker` defines.

A strategy chooses a move in each position with its player to move. It need not be right: the checker verifies what is
written.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from array import array
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import attrs

from interpreter.game import Position
from solver.certificates.checker import HEAD, LASTS, MAGIC, VERSION, WINS, Child, Claim, Proof, Rules
from solver.errors import Refused

_CHUNK = 512
_LONGEST = (1 << 16) - 1
_OPEN = -1


class Strategy(Protocol):
    """Chooses a player's moves."""

    def answers(self, positions: Sequence[Hashable], children: Sequence[Sequence[Child]],
                known: Mapping[Hashable, int]) -> list[int]:
        """For each position the index of the chosen child; positions in `known` are in the proof already."""


@attrs.define(eq=False)
class _Graph:
    """The positions of a proof, numbered in order of discovery, with the children that the strategy allows."""

    number: dict[Hashable, int] = attrs.field(factory=dict)
    waiting: list[tuple[Hashable, int, int]] = attrs.field(factory=list)
    """Positions, each with the player to move and its depth: the plies from the nearest root."""
    followed: array[int] = attrs.field(factory=lambda: array("q"))
    """For each position how many of its children are followed."""
    children: array[int] = attrs.field(factory=lambda: array("q"))
    """The numbers of these children, position after position; `_OPEN` for finished ones."""
    depths: array[int] = attrs.field(factory=lambda: array("q"))

    def meet(self, child: Child, depth: int) -> int:
        """Return the number of a child's position, which is added if it is new; `_OPEN` where it is finished."""
        position, outcome, mover = child
        if outcome is not None:
            return _OPEN
        result = self.number.setdefault(position, len(self.number))
        if result == len(self.waiting):
            self.waiting.append((position, mover, depth))
            self.depths.append(depth)
        return result


def follow(rules: Rules, kind: str, player: int, roots: Mapping[tuple[str, ...], Child], strategy: Strategy,
           plies: int = 0, tell: Callable[[int, int], None] = lambda done, known: None) -> Proof:
    """Make the proof that a strategy gives; for `LASTS` that no loss comes in fewer than `plies` plies.

    `tell` is called with the numbers of positions done and known. Raises Refused where a strategy that should win can
    go in circles, or where plies or move numbers are too large for the format.
    """
    graph, first = _Graph(), 0
    answers: list[int] = []
    for child in roots.values():
        graph.meet(child, 0)
    while first < len(graph.waiting):
        chunk = graph.waiting[first : first + _CHUNK]
        graph.waiting[first : first + _CHUNK] = [(None, 0, 0)] * len(chunk)
        first += len(chunk)
        ended = [kind == LASTS and plies - depth <= 1 for _, _, depth in chunk]
        open_items = [item for item, over in zip(chunk, ended, strict=True) if not over]
        expanded = iter(rules.expand([item[0] for item in open_items], [-1] * len(open_items)) if open_items else ())
        lists = [[] if over else next(expanded) for over in ended]
        mine = [index for index, item in enumerate(chunk) if item[1] == player and not ended[index]]
        chosen = dict(zip(mine, strategy.answers([chunk[place][0] for place in mine], [lists[place] for place in mine],
                                                 graph.number), strict=True)) if mine else {}
        for index, ((_, _, depth), children) in enumerate(zip(chunk, lists, strict=True)):
            allowed = children
            if index in chosen:
                answers.append(chosen[index])
                allowed = [children[chosen[index]]]
            graph.followed.append(len(allowed))
            graph.children.extend([graph.meet(child, depth + 1) for child in allowed])
        tell(first, len(graph.waiting))
    numbers: Sequence[int] = ()
    if kind == WINS:
        numbers = _plies_to_the_end(graph)
    elif kind == LASTS:
        numbers = [plies - depth for depth in graph.depths]
    if max(numbers, default=0) > _LONGEST or max(answers, default=0) > _LONGEST:
        raise Refused(f"a certificate has room for {_LONGEST:,} plies, and for as many moves of a position")
    return Proof(kind, player, tuple(roots), len(graph.number), answers, numbers)


def _plies_to_the_end(graph: _Graph) -> list[int]:
    """For each position the plies of the longest play to the end. Raises Refused where play can go in circles."""
    import numpy as np

    count = len(graph.number)
    children, followed = np.array(graph.children, np.int64), np.array(graph.followed, np.int64)
    parents = np.repeat(np.arange(count), followed)
    parents, children = parents[children >= 0], children[children >= 0]
    left = np.bincount(parents, minlength=count)
    order = np.argsort(children, kind="stable")
    begin = np.searchsorted(children[order], np.arange(count + 1))
    numbers = np.zeros(count, np.int64)
    wave, plies = np.flatnonzero(left == 0), 0
    while len(wave):
        plies += 1
        numbers[wave] = plies
        sizes = begin[wave + 1] - begin[wave]
        places = np.repeat(begin[wave] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        before = parents[order[places]]
        np.subtract.at(left, before, 1)
        candidates = np.unique(before)
        wave = candidates[left[candidates] == 0]
    if (numbers == 0).any():
        raise Refused("the strategy that was found can go in circles, so that it proves no win")
    result: list[int] = numbers.tolist()
    return result


def packed(root: Position, claims: Sequence[Claim], proofs: Sequence[Proof]) -> bytes:
    """The bytes of a certificate with claims about a position, and their proofs."""
    game = root.game
    names: dict[int, str | None] = dict(enumerate(game.players))
    names |= {-1: "draw", -2: None}
    columns, about = [], []
    for proof in proofs:
        widths = [2 if max(column, default=0) > 255 else 1 for column in (proof.answers, proof.numbers)]
        columns += [array("H" if width == 2 else "B", column).tobytes()
                    for width, column in zip(widths, (proof.answers, proof.numbers), strict=True)]
        about.append({
            "kind": proof.kind, "player": names[proof.player], "roots": [list(moves) for moves in proof.roots],
            "positions": proof.positions, "answers": len(proof.answers), "answer_bytes": widths[0],
            "numbers": len(proof.numbers), "number_bytes": widths[1],
        })
    source = game.rules.source
    header = json.dumps({
        "game": game.title, "name": Path(source.name).name, "source": source.text,
        "rules": hashlib.sha256(source.text.encode()).hexdigest(), "params": game.params,
        "players": list(game.players), "position": root.text, "proofs": about,
        "claims": [{"after": list(claim.after), "winner": names[claim.winner], "most": claim.most,
                    "least": claim.least} for claim in claims],
    }, ensure_ascii=False).encode()
    data = HEAD.pack(MAGIC, VERSION, len(header)) + header + lzma.compress(b"".join(columns), preset=6)
    return data + hashlib.sha256(data).digest()
