"""Verifies certificates, files that prove who wins a game, by the interpreter alone: see docs/certificates.md.

It shares no code with searches or with the writer of certificates. Positions are compared themselves, not by hashes.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import struct
from collections.abc import Callable, Hashable, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import attrs
from attrs.validators import deep_iterable, instance_of, optional

from dsl.diagnostics import GameFileError
from dsl.syntax.source import Source
from interpreter.errors import IllegalMove, ImpossiblePosition
from interpreter.game import Game, Position
from interpreter.model.state import DRAW, State
from solver.certificates.columns import Column, columns_of

MAGIC, VERSION, HEAD = b"DSLPROOF", 1, struct.Struct("<8sII")
WINS, HOLDS, LASTS = "wins", "holds", "lasts"
NOBODY = -2  # the player of a proof that follows all moves: that a puzzle cannot be solved (sooner)
_CHUNK, _NEVER = 512, 1 << 62
_MOVES = deep_iterable(instance_of(str), instance_of(tuple))
Child = tuple[Hashable, int | None, int]  # a position, its winner (DRAW: nobody; None: unfinished), the player to move
Positions = Sequence[Any]  # in the representation that `Rules` uses


class Refuted(ValueError):
    """A certificate is damaged, or does not prove what it claims; the text says what is wrong."""


@attrs.define
class Rules:
    """Plays by the rules of a game with the interpreter, which defines them; subclasses may play in other ways."""

    game: Game

    def root(self, state: State) -> Child:
        """A state in the representation of these rules."""
        return state, state.outcome, state.to_move

    def expand(self, positions: Positions, answers: Sequence[int]) -> list[list[Child]]:
        """For each position the child by the legal move with the given number, if any, or all in order for -1."""
        engine, result = self.game.engine, list[list[Child]]()
        for state, answer in zip(positions, answers, strict=True):
            legal = engine.legal(state)
            after = [engine.apply(state, move) for move in (legal if answer < 0 else legal[answer : answer + 1])]
            result.append([(child, child.outcome, child.to_move) for child in after if child is not None])
        return result


@attrs.frozen
class Proof:
    """One player's answers, and a claim about all play that follows them. `wins`: it ends in a win of the player.
    `holds`: no win of another player ends it. `lasts`: none does in fewer than some number of plies."""

    kind: str
    player: int
    roots: tuple[tuple[str, ...], ...] = attrs.field(validator=deep_iterable(_MOVES))  # the moves to each position
    positions: int = attrs.field(validator=instance_of(int))
    answers: Sequence[int] | Column
    """For each position with the player to move, in order of discovery, the number of the answer among the moves."""
    numbers: Sequence[int] | Column
    """For each position, in the same order, the most plies to the end (`wins`) or the fewest to a loss (`lasts`)."""


@attrs.frozen
class Claim:
    """A claimed value: who wins after some moves, and optionally bounds of the plies to the end."""

    after: tuple[str, ...] = attrs.field(validator=_MOVES)
    winner: int
    most: int | None = attrs.field(default=None, validator=optional(instance_of(int)))
    least: int | None = attrs.field(default=None, validator=optional(instance_of(int)))


@attrs.frozen
class Certificate:
    """The contents of a file: the rules, the position from which all moves start, the claims and their proofs."""

    game: Game
    root: Position
    claims: tuple[Claim, ...]
    proofs: tuple[Proof, ...]


def read(path: Path) -> Certificate:
    """Read a certificate. Raises Refuted where the file is no intact certificate, and OSError."""
    data = path.read_bytes()
    if data[:8] != MAGIC or len(data) < HEAD.size + 32:
        raise Refuted(f"{path} is not a certificate, or is truncated")
    version, length = HEAD.unpack_from(data)[1:]
    if version != VERSION:
        raise Refuted(f"{path} has version {version} of the format, and version {VERSION} is known here")
    if hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise Refuted(f"{path} is damaged or truncated: its bytes do not have the digest at its end")
    try:
        return _parsed(json.loads(data[HEAD.size : HEAD.size + length]), data[HEAD.size + length : -32])
    except (GameFileError, IllegalMove, ImpossiblePosition, AttributeError, LookupError, TypeError, ValueError,
            ArithmeticError, EOFError, lzma.LZMAError, RecursionError) as problem:
        raise Refuted(f"{path} has a part that is not as it should be: {problem}") from None


def _parsed(header: dict[str, Any], packed: bytes) -> Certificate:
    if hashlib.sha256(header["source"].encode()).hexdigest() != header["rules"]:
        raise Refuted("the text of the rules does not have the digest that the certificate gives")
    game = Game.of(Source(Path(header["name"]).name, header["source"]), header["params"])
    if dict(game.params) != header["params"] or list(game.players) != header["players"] or game.title != header["game"]:
        raise Refuted("the rules have another title, other params or other players than the certificate says")
    number: dict[str | None, int] = {**{name: k for k, name in enumerate(game.players)}, "draw": DRAW, None: NOBODY}
    columns = [(proof[name], {1: "B", 2: "H"}[proof[f"{name[:-1]}_bytes"]])
               for proof in header["proofs"] for name in ("answers", "numbers")]
    filled = columns_of(packed, columns)
    proofs = tuple(Proof(proof["kind"], number[proof["player"]], tuple(map(tuple, proof["roots"])), proof["positions"],
                         filled[2 * index], filled[2 * index + 1]) for index, proof in enumerate(header["proofs"]))
    claims = tuple(Claim(tuple(claim["after"]), number[claim["winner"]], claim["most"], claim["least"])
                   for claim in header["claims"])
    return Certificate(game, game.read_position(header["position"]), claims, proofs)


def check(certificate: Certificate, rules: Rules | None = None, tell: Callable[[int], None] = lambda done: None) -> int:
    """Verify that a certificate proves all its claims; return how many positions its proofs have.

    Plays by the interpreter unless other rules are given; `tell` is called with the number of positions of a proof that
    are done. Raises Refuted where a claim is not proven, IllegalMove for a root's moves, RuleError where a rule fails.
    """
    proven: dict[tuple[str, int, tuple[str, ...]], int] = {}
    for proof in certificate.proofs:
        result = _walk(certificate, proof, rules or Rules(certificate.game), tell)
        proven |= {(proof.kind, proof.player, after): plies for after, plies in result.items()}
    if not certificate.claims:
        raise Refuted("the certificate claims nothing")
    players = range(len(certificate.game.players)) if len(certificate.game.players) > 1 else (NOBODY,)
    for claim in certificate.claims:
        needed = [(HOLDS, player) for player in players] if claim.winner == DRAW else [(WINS, claim.winner)]
        needed += [(LASTS, player) for player in players if player != claim.winner and claim.least is not None]
        for kind, player in needed:
            bound = proven.get((kind, player, claim.after))
            if bound is None or (kind == WINS and claim.most is not None and bound > claim.most) or (
                    kind == LASTS and claim.least is not None and bound < claim.least):
                raise Refuted(f"nothing proves what is claimed after {' '.join(claim.after) or 'no moves'}")
    return sum(proof.positions for proof in certificate.proofs)


def _walk(certificate: Certificate, proof: Proof, rules: Rules,
          tell: Callable[[int], None]) -> dict[tuple[str, ...], int]:
    """Follow a player's answers and all moves of the others; return each root's number of plies. Raises Refuted."""
    game, kind, player, first = certificate.game, proof.kind, proof.player, 0
    if kind not in (WINS, HOLDS, LASTS) or player == DRAW or (kind == WINS and player == NOBODY):
        raise Refuted("there is a proof of an unknown kind")
    if game.looks_back not in ("", "draws") or game.repetition.aside or game.rules.hidden or game.engine.chance.rules:
        raise Refuted("moves before, chance or hidden information decide in this game, which no certificate can show")
    seen: dict[Hashable, int] = {}
    waiting: list[tuple[Hashable, int, int]] = []  # positions to follow, their numbers, and their answers or -1
    answers, numbers = iter(proof.answers), iter(proof.numbers)

    def meet(child: Child) -> int:
        """Return the number of plies of a child, and queue its position if it is new and must be followed."""
        position, outcome, mover = child
        if outcome is not None:
            lost = outcome not in (DRAW, player)
            if (kind == WINS and outcome != player) or (kind == HOLDS and lost):
                raise Refuted("play by the certificate's answers ends otherwise than it claims")
            return 0 if kind == WINS or lost else _NEVER
        if position not in seen:
            seen[position] = number = int(kind != HOLDS and next(numbers, -1))
            if kind != LASTS or number > 1:  # a position that is not finished lasts for at least one ply
                waiting.append((position, number, next(answers, _NEVER) if mover == player else -1))
        return seen[position]

    result = {after: meet(rules.root(reduce(Position.play, after, certificate.root).state)) for after in proof.roots}
    while first < len(waiting):
        chunk = waiting[first : first + _CHUNK]
        followed = rules.expand([item[0] for item in chunk], [item[2] for item in chunk])
        for (_, number, _), children in zip(chunk, followed, strict=True):
            if not children:
                raise Refuted("a position that is reached has no answer, or one that is no legal move")
            for child in children:
                bound = meet(child)
                if (kind == WINS and bound >= number) or (kind == LASTS and bound < number - 1):
                    raise Refuted("the plies to the end do not fit those of the next positions")
        tell(first := first + len(chunk))
    if len(seen) != proof.positions or next(answers, None) is not None or next(numbers, None) is not None:
        raise Refuted("there are answers or numbers for positions that are not reached")
    return result
