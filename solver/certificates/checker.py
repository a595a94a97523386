"""Checks certificates, files that prove who wins a game, by the interpreter alone. docs/certificates.md has the format.

Nothing is shared with searches or with what writes certificates. Positions are told apart by themselves, not by hashes.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import struct
from array import array
from collections.abc import Callable, Hashable, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import attrs

from dsl.diagnostics import GameFileError
from dsl.syntax.source import Source
from interpreter.errors import IllegalMove, ImpossiblePosition
from interpreter.game import Game, Position
from interpreter.model.state import DRAW, State

MAGIC, VERSION = b"DSLPROOF", 1
HEAD = struct.Struct("<8sII")
WINS, HOLDS, LASTS = "wins", "holds", "lasts"
NOBODY = -2  # the player of a proof in which nobody's moves are chosen: of a puzzle that cannot be solved (sooner)
_CHUNK, _NEVER = 512, 1 << 62
Child = tuple[Hashable, int | None, int]  # a position, who has won it (DRAW: nobody; None: it goes on), who is to move
Positions = Sequence[Any]  # as the rules have them


class Refuted(ValueError):
    """A certificate is damaged, or does not prove what it claims; the text says what is wrong."""


@attrs.define
class Rules:
    """The rules of a game as a checker plays by them: by the interpreter, which defines them."""

    game: Game

    def root(self, state: State) -> Child:
        """A state as these rules have it."""
        return state, state.outcome, state.to_move

    def expand(self, positions: Positions, answers: Sequence[int]) -> list[list[Child]]:
        """What the legal move with a number, or (-1) each in order, leads to; nothing where there is none."""
        engine, result = self.game.engine, list[list[Child]]()
        for state, answer in zip(positions, answers, strict=True):
            legal = engine.legal(state)
            after = [engine.apply(state, move) for move in (legal if answer < 0 else legal[answer : answer + 1])]
            result.append([(child, child.outcome, child.to_move) for child in after if child is not None])
        return result


@attrs.frozen
class Proof:
    """One player's answers, of which one of three things is claimed. `wins`: every play ends, won by the player.
    `holds`: no play ends won by another player. `lasts`: no play of less than some number of plies ends so."""

    kind: str
    player: int
    roots: tuple[tuple[str, ...], ...]  # the moves to each position from which it holds
    positions: int
    answers: Sequence[int]
    """The number of the answer in each position in which the player is to move, in the order of their discovery."""
    numbers: Sequence[int]
    """For each position, in the same order, the most plies to the end (`wins`) or the least to a loss (`lasts`)."""


@attrs.frozen
class Claim:
    """A value that is claimed: who wins after some moves, and, where they are given, bounds of the plies to the end."""

    after: tuple[str, ...]
    winner: int
    most: int | None = None
    least: int | None = None


@attrs.frozen
class Certificate:
    """What a file holds: the rules, the position from which moves are counted, claims and their proofs."""

    game: Game
    root: Position
    claims: tuple[Claim, ...]
    proofs: tuple[Proof, ...]


def read(path: Path) -> Certificate:
    """Read a file. Raises Refuted where it is no whole certificate, and OSError."""
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
    game = Game.of(Source(header["name"], header["source"]), header["params"])
    if dict(game.params) != header["params"] or list(game.players) != header["players"]:
        raise Refuted("the rules have other params or players than the certificate says")
    number: dict[str | None, int] = {name: index for index, name in enumerate(game.players)}
    number |= {"draw": DRAW, None: NOBODY}
    columns = [(proof[name], {1: "B", 2: "H"}[proof[f"{name[:-1]}_bytes"]])
               for proof in header["proofs"] for name in ("answers", "numbers")]
    size = sum(count * array(code).itemsize for count, code in columns)
    unpacker = lzma.LZMADecompressor()
    data, at, filled = unpacker.decompress(packed, max(0, size) + 1), 0, []
    if len(data) != size or not unpacker.eof or unpacker.unused_data:
        raise Refuted("there are more or fewer packed numbers than the certificate says")
    for count, code in columns:
        filled.append(array(code, data[at : at + count * array(code).itemsize]))
        at += count * array(code).itemsize
    proofs = tuple(Proof(proof["kind"], number[proof["player"]], tuple(map(tuple, proof["roots"])), proof["positions"],
                         filled[2 * index], filled[2 * index + 1]) for index, proof in enumerate(header["proofs"]))
    claims = tuple(Claim(tuple(claim["after"]), number[claim["winner"]], claim["most"], claim["least"])
                   for claim in header["claims"])
    return Certificate(game, game.read_position(header["position"]), claims, proofs)


def check(certificate: Certificate, rules: Rules | None = None, tell: Callable[[int], None] = lambda done: None) -> int:
    """Check that a certificate proves all that it claims; how many positions its proofs have.

    Plays by the interpreter unless other rules are given; `tell` is told how many positions of a proof are done. Raises
    Refuted where it does not, RuleError where a rule of the game fails.
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
    """Follow a player's answers and all moves of the others; for each root its number. Raises Refuted."""
    game, kind, player, first = certificate.game, proof.kind, proof.player, 0
    if kind not in (WINS, HOLDS, LASTS) or player == DRAW or (kind == WINS and player == NOBODY):
        raise Refuted("there is a proof of an unknown kind")
    if game.looks_back not in ("", "draws") or game.repetition.aside or game.rules.hidden or game.engine.chance.rules:
        raise Refuted("moves before, chance or hidden information decide in this game, which no certificate can show")
    seen: dict[Hashable, int] = {}
    waiting: list[tuple[Hashable, int, int]] = []  # positions to follow, with their number, and their answer or -1
    answers, numbers = iter(proof.answers), iter(proof.numbers)

    def meet(child: Child) -> int:
        """The number of a position, which is followed if it is new."""
        position, outcome, mover = child
        if outcome is not None:
            lost = outcome not in (DRAW, player)
            if (kind == WINS and outcome != player) or (kind == HOLDS and lost):
                raise Refuted("play by the certificate's answers ends otherwise than it claims")
            return 0 if kind == WINS or lost else _NEVER
        if position not in seen:
            seen[position] = number = int(kind != HOLDS and next(numbers, -1))
            if kind != LASTS or number > 1:  # play that has not ended lasts for a ply at least
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
