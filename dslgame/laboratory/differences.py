"""Compares two games: the first position in which their moves or results differ, and how often they differ.

`compare(one, other)` plays both in parallel, and identifies moves with the same notation. A breadth-first search
compares pairs of positions, so that the first difference found is a shortest one; then random games measure how often
the games differ, and may find a difference that the search did not reach. Where all pairs of positions were compared,
or the rules are the same up to names, the games are proven equal.
"""

from __future__ import annotations

import random
from typing import Literal

import attrs

from dslgame.laboratory.identity import digest
from interpreter.game import Game, Position
from interpreter.model.state import Move, State
from solver.players.matches import interval

POSITIONS = 50_000
"""The default number of pairs of positions that are compared breadth first."""
GAMES, LONGEST = 200, 500
"""The default number of random games, and the plies after which one is stopped."""

Kind = Literal["moves", "result", "player to move", "probabilities", "payoffs"]


@attrs.frozen
class Difference:
    """A position in which two games differ."""

    kind: Kind
    played: tuple[str, ...]
    """The moves that lead to the position, legal in both games."""
    only: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """For each game the moves that only it has, or the moves of chance whose probabilities differ, with these."""
    results: tuple[str | None, str | None] = (None, None)
    """For each game its outcome in the position: a player's name, "draw", or None where the game goes on. With kind
    "payoffs" what each player gets."""
    to_move: tuple[str, str] = ("", "")

    def text(self, names: tuple[str, str]) -> str:
        """Describe the difference in a sentence."""
        if self.kind == "result":
            said = [result or "the game goes on" for result in self.results]
            return f"the result differs: {said[0]} in {names[0]}, {said[1]} in {names[1]}"
        if self.kind == "payoffs":
            return f"the payoffs differ: {self.results[0]} in {names[0]}, {self.results[1]} in {names[1]}"
        if self.kind == "probabilities":
            return (f"the probabilities differ: {_some(self.only[0])} in {names[0]}, "
                    f"{_some(self.only[1])} in {names[1]}")
        if self.kind == "player to move":
            return f"{self.to_move[0]} moves in {names[0]}, {self.to_move[1]} in {names[1]}"
        parts = [f"only {name} has {_some(only)}" for name, only in zip(names, self.only, strict=True) if only]
        return "the legal moves differ: " + "; ".join(parts)


def _some(moves: tuple[str, ...], most: int = 8) -> str:
    more = len(moves) - most
    return " ".join(moves[:most]) + (f" and {more} more" if more > 0 else "")


@attrs.frozen
class Frequency:
    """How often two games differ in random games of moves that are legal in both."""

    games: int
    differing: int
    """The number of games with a difference in at least one position."""
    positions: int
    positions_differing: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the share of games with a difference."""
        return interval(self.differing / self.games if self.games else 0.5, self.games)


@attrs.frozen
class Compared:
    """The result of a comparison."""

    difference: Difference | None
    shortest: bool
    """Whether `difference` is proven to come after the fewest moves."""
    depth: int
    """The ply of the difference where the breadth-first search found one, else the last ply whose pairs were all
    compared.
    """
    positions: int
    """The number of pairs of positions that were compared breadth first."""
    proven: bool
    """Whether the games are proven equal."""
    why: str
    """The reason of a proof, else how much was compared."""
    frequency: Frequency | None


def compare(one: Game, other: Game, *, positions: int = POSITIONS, depth: int | None = None, games: int = GAMES,
            seed: int = 0) -> Compared:
    """Compare at most `positions` pairs of positions of two games breadth first, up to `depth`, then play random games.

    Raises RuleError where a rule fails.
    """
    if digest(one) == digest(other):
        return Compared(None, True, 0, 0, True, "the rules are the same but for names and what is written", None)
    pair = _Pair(one, other)
    difference, reached, count, whole = pair.search(positions, depth)
    frequency, seen = pair.play(games, seed)
    unlike = [what for what, differs in (
        ("the repetition rules differ", _repeats(one) != _repeats(other)),
        ("what is hidden from players may differ", bool(one.rules.hidden or other.rules.hidden))) if differs]
    proven = difference is None and whole and not unlike
    if proven:
        why = f"all {count:,} pairs of positions were compared"
    elif difference is None and whole:
        why = f"all {count:,} pairs of positions are equal; {' and '.join(unlike)}"
    else:
        why = f"{count:,} pairs of positions were compared"
    result = difference or (None if proven else seen)
    return Compared(result, difference is not None, reached, count, proven, why, frequency)


def _repeats(game: Game) -> tuple[str, int]:
    """The repetition rule of a game, where it has one."""
    return (game.looks_back, game.repetition.at) if game.looks_back else ("", 0)


@attrs.frozen
class _Pair:
    """Two games that are played in parallel."""

    one: Game
    other: Game

    def search(self, most: int, deepest: int | None) -> tuple[Difference | None, int, int, bool]:
        """Search breadth first for a difference.

        The result is the first difference, the depth (see `Compared`), the number of pairs compared, and whether these
        were all reachable pairs.
        """
        start = (self.one.engine.start(), self.other.engine.start())
        ways: dict[tuple[State, State], tuple[tuple[State, State], str] | None] = {start: None}
        layer, depth, count = [start], 0, 0
        while layer:
            after: list[tuple[State, State]] = []
            for pair in layer:
                count += 1
                result, moves = self._compare(*pair)
                if result is not None:
                    return attrs.evolve(result, played=_way(ways, pair)), depth, count, False
                if count >= most:
                    return None, depth - 1, count, False
                if deepest is not None and depth >= deepest:
                    continue
                for text, (first, second) in moves.items():
                    states = (self.one.engine.apply(pair[0], first), self.other.engine.apply(pair[1], second))
                    assert states[0] is not None and states[1] is not None  # noqa: PT018  # the moves are legal
                    key = (states[0], states[1])
                    if key not in ways:
                        ways[key] = (pair, text)
                        after.append(key)
            if deepest is not None and depth >= deepest:
                return None, depth, count, not any(self._compare(*pair)[1] for pair in layer)
            layer, depth = after, depth + 1
        return None, depth - 1, count, True

    def _compare(self, first: State, second: State) -> tuple[Difference | None, dict[str, tuple[Move, Move]]]:
        """The difference of two states, its `played` left empty, and the moves that both have by their notation."""
        engines = (self.one.engine, self.other.engine)
        return self._differing(first, second, engines[0].legal(first), engines[1].legal(second))

    def _differing(self, first: State, second: State, mine: list[Move], theirs: list[Move]
                   ) -> tuple[Difference | None, dict[str, tuple[Move, Move]]]:
        one, other = self.one, self.other
        written = {one.notation.write(first, move): move for move in mine}
        others = {other.notation.write(second, move): move for move in theirs}
        common = {text: (move, others[text]) for text, move in written.items() if text in others}
        results = (one.outcome_name(first.outcome), other.outcome_name(second.outcome))
        numbers = (first.outcome, second.outcome)
        if numbers != numbers[::-1]:
            return Difference("result", (), results=results), common
        places = Position(one, first), Position(other, second)
        if first.outcome is None and (first.to_move, places[0].by_chance) != (second.to_move, places[1].by_chance):
            names = one.players[first.to_move], other.players[second.to_move]
            movers = names if places[0].by_chance and places[1].by_chance else (places[0].to_move, places[1].to_move)
            return Difference("player to move", (), to_move=movers), common
        if first.outcome is not None:
            payoffs = one.payoffs.of(first), other.payoffs.of(second)
            if payoffs[0] != payoffs[1]:
                gained = _payoffs(one, payoffs[0]), _payoffs(other, payoffs[1])
                return Difference("payoffs", (), results=gained), common
        if written.keys() != others.keys():
            only = (tuple(sorted(written.keys() - others.keys())), tuple(sorted(others.keys() - written.keys())))
            return Difference("moves", (), only=only), common
        if first.outcome is None and places[0].by_chance:
            shares = dict(places[0].outcomes()), dict(places[1].outcomes())
            unlike = [text for text, (move, its) in common.items() if shares[0][move] != shares[1][its]]
            if unlike:
                only = (tuple(f"{text} {shares[0][common[text][0]]}" for text in unlike),
                        tuple(f"{text} {shares[1][common[text][1]]}" for text in unlike))
                return Difference("probabilities", (), only=only), common
        return None, common

    def play(self, games: int, seed: int) -> tuple[Frequency, Difference | None]:
        """The frequency of differences in random games under the repetition rules, and the earliest difference.

        Chance is drawn by the probabilities of the first game; all other moves are equally likely.
        """
        differing = positions = apart = 0
        earliest: Difference | None = None
        for number in range(games):
            chance = random.Random(f"{seed} {number}")
            first, second = self.one.start(), self.other.start()
            before = apart
            while len(first.played) < LONGEST:
                result, common = self._differing(first.state, second.state, first.legal(), second.legal())
                positions += 1
                if result is not None:
                    apart += 1
                    if earliest is None or len(first.played) < len(earliest.played):
                        earliest = attrs.evolve(result, played=first.played)
                if not common:
                    break
                first, second = _after(first, second, *common[_drawn(first, common, chance)])
            differing += apart > before
        return Frequency(games, differing, positions, apart), earliest


def _payoffs(game: Game, payoffs: tuple[int, ...]) -> str:
    return ", ".join(f"{name} {payoff}" for name, payoff in zip(game.players, payoffs, strict=True))


def _drawn(first: Position, common: dict[str, tuple[Move, Move]], chance: random.Random) -> str:
    """Draw one of the moves that are legal in both games."""
    texts = sorted(common)
    if not first.by_chance:
        return chance.choice(texts)
    shares = dict(first.outcomes())
    return chance.choices(texts, [float(shares[common[text][0]]) for text in texts])[0]


def _after(first: Position, second: Position, mine: Move, theirs: Move) -> tuple[Position, Position]:
    return first.play(mine), second.play(theirs)


def _way(ways: dict[tuple[State, State], tuple[tuple[State, State], str] | None],
         pair: tuple[State, State]) -> tuple[str, ...]:
    """The moves that lead to a pair of states."""
    texts = []
    while (step := ways[pair]) is not None:
        pair, text = step
        texts.append(text)
    return tuple(reversed(texts))
