"""Compares a game with a second implementation of it, ply by ply.

The second implementation describes its states by names and texts, and represents them as it likes. Its states need not
record the history: where an equal state recurs, the game's repetition rule is applied on its behalf.
"""

from __future__ import annotations

import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

import attrs

from dsl import hir
from dsl.resolve.sorts import Integer
from dslgame.bundled import shortest
from dslgame.testing.disagreement import Disagreement, listed
from dslgame.testing.patience import Endless, Hangs, ending, for_a_call, within
from dslgame.testing.properties import Ply, Property
from interpreter.model.state import DRAW
from interpreter.wording import finished

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter.game import Game

Value = TypeVar("Value")

_COUNTS = "counts_for_repetition(state)"
NEEDED = ("start", "to_move", "outcome", "moves", "play", "board")
"""The methods that a `Reference` must have."""


@runtime_checkable
class Reference(Protocol):
    """A second implementation of a game; its states have any type, are never changed, and are compared with each other
    only where the game has a repetition rule.

    A piece of `man of each` is named by its kind alone, or as `man[X]` or `X man`.

    Optional methods: `variables(state)`, a mapping from the names of the game's variables to their values (a list for
    an indexed variable), where players, cells, directions and words may be given by name or by number, as the game has
    them, and no value as None or "none"; `links(state)`, a mapping from each kind of link to the pairs of linked cells;
    `piles(state)`, in a game with piles, a mapping from the occupied cells to the names of their pieces, the lowest
    first; `payoffs(state)`, the payoff of an ended game to each player; `probability(state, move)`, the probability of
    a move of chance; `canonical_text(text)`, the reference's text for a move that the game writes as `text`, without
    which both must write moves alike; and `counts_for_repetition(state)`, the part of a state that counts for the
    game's repetition rule, where not all of it does.
    """

    def start(self) -> Any:
        """The state before the first move."""

    def to_move(self, state: Any) -> str:
        """The name of the player whose turn it is; not asked once the game is over."""

    def outcome(self, state: Any) -> str | None:
        """None while the game goes on, then "draw" or the name of the player who won."""

    def moves(self, state: Any) -> Iterable[str]:
        """The legal moves as texts, in any order; none when the game is over."""

    def play(self, state: Any, move: str) -> Any:
        """The state after a legal move."""

    def board(self, state: Any) -> Mapping[str, str] | None:
        """A mapping from each occupied cell's name to its piece's name; None where cells are not to be compared."""


@attrs.frozen(eq=False)
class _Partner:
    """A state of the reference, linked to the states before it in the game."""

    state: Any
    before: _Partner | None = None
    mover: str = ""
    """The name of the player who made the last move."""

    def times(self, counts: Callable[[Any], Any]) -> int:
        """The number of earlier states that equal this one in what `counts` returns for them."""
        own = counts(self.state)
        return sum(counts(state) == own for state in self.earlier())

    def earlier(self) -> Iterator[Any]:
        """Yield the states before this one, the latest first."""
        partner = self.before
        while partner is not None:
            yield partner.state
            partner = partner.before


class Against(Property):
    """The game file plays as the reference does."""

    unit = "position"

    def __init__(self, game: Game, reference: Reference, name: str = "the reference", *,
                 seconds: float | None = None) -> None:
        super().__init__(game)
        self.reference, self.name = reference, name
        self._patience = for_a_call(seconds)
        self.claim = f"the file plays as {name} does"
        self._texts: Any = getattr(reference, "canonical_text", None)
        self._variables: Any = getattr(reference, "variables", None)
        self._chances: Any = getattr(reference, "probability", None)
        self._links: Any = getattr(reference, "links", None)
        self._piles: Any = getattr(reference, "piles", None)
        self._payoffs: Any = getattr(reference, "payoffs", None)
        self._pieces = {f"{piece.name}[{game.players[piece.owner]}]": name
                        for piece, name in zip(game.rules.pieces, game.piece_names, strict=True)
                        if piece.owner is not None}
        """The names of pieces with an owner, by how rules write them, such as `man[X]`."""
        owners = ["" if piece.owner is None else f"{game.players[piece.owner]} " for piece in game.rules.pieces]
        self._names = {name: (piece.name, owner + piece.name) for piece, name, owner in zip(
            game.rules.pieces, game.piece_names, owners, strict=True)}
        """How a reference may name each piece: by its kind alone, or by its owner and kind."""

    def cost(self, ply: Ply) -> int:
        """Return 0, so that every position is compared."""
        return 0

    def start(self) -> _Partner:
        """The reference's first state."""
        with self._asked("start()", None):
            return _Partner(self.reference.start())

    def after(self, ply: Ply, text: str) -> _Partner:
        """The reference's state after a move that both implementations have."""
        partner: _Partner = ply.partner
        with self._asked(f"play(state, '{text}')", ply):
            mover = self.reference.to_move(partner.state)
            return _Partner(self.reference.play(partner.state, self._own(text)), partner, mover)

    def check(self, ply: Ply) -> None:
        """Compare outcome, player to move, payoffs, cells, variables, links, piles, moves and probabilities."""
        position, partner = ply.position, ply.partner
        outcome = self._outcome(ply)
        if position.outcome != outcome:
            raise self.fail(ply, "the outcome is not the same" + self._by_repetition(ply),
                            ("the file", _outcome_text(position.outcome)), (self.name, _outcome_text(outcome)))
        if outcome is None:
            with self._asked("to_move(state)", ply):
                mover = self.reference.to_move(partner.state)
            self._same(ply, "the player to move", position.to_move, mover)
        elif self._payoffs is not None:
            with self._asked("payoffs(state)", ply):
                worth = [int(value) for value in ending(self._payoffs(partner.state))]
            self._same(ply, "the payoff", listed(map(str, self.game.payoffs.of(position.state))),
                       listed(map(str, worth)))
        with self._asked("board(state)", ply):
            board = self.reference.board(partner.state)
            cells = None if board is None else {cell: self._piece(name) for cell, name in _entries(board)}
        if cells is not None:
            self._pieces_on(ply, "the cells", {cell: (name,) for cell, name in position.pieces.items()},
                            {cell: (name,) for cell, name in cells.items()})
        if self._variables is not None:
            with self._asked("variables(state)", ply):
                variables = self._variables(partner.state)
                result = None if variables is None else {name: _plain(value) for name, value in _entries(variables)}
            if result is not None:
                self._compare_variables(ply, result)
        if self._links is not None:
            with self._asked("links(state)", ply):
                links = self._links(partner.state)
                theirs = None if links is None else {name: _pairs(ending(pairs)) for name, pairs in _entries(links)}
            ours = {name: _pairs(pairs) for name, pairs in position.links.items()}
            if theirs is not None and theirs != ours:
                self._mappings(ply, "the links", _only(ours, theirs), _only(theirs, ours))
        if self._piles is not None:
            with self._asked("piles(state)", ply):
                piles = self._piles(partner.state)
                stacked = None if piles is None else {
                    cell: tuple(map(self._piece, ending(pile))) for cell, pile in _entries(piles)}
            if stacked is not None:
                self._pieces_on(ply, "the piles", position.piles, stacked)
        moves = [] if outcome is not None else self._moves(ply)
        self._same_moves(ply, moves)
        if self._chances is not None and position.by_chance:
            with self._asked("probability(state, move)", ply):
                said = {move: str(Fraction(self._chances(partner.state, move))) for move in moves}
            write = position.game.notation.write
            drawn = {self._own(write(position.state, move)): str(chance) for move, chance in position.outcomes()}
            if said != drawn:
                self._mappings(ply, "the chances", drawn, said)

    # ---- what the reference says

    def _outcome(self, ply: Ply) -> str | None:
        """The reference's outcome, with the game's repetition rule applied."""
        partner: _Partner = ply.partner
        with self._asked("outcome(state)", ply):
            outcome = self.reference.outcome(partner.state)
        if outcome == "draw":  # nobody won, whatever that is called for a player alone
            return self.game.outcome_name(DRAW)
        repetition, players = self.game.rules.repetition, self.game.players
        if outcome is not None or not repetition:
            return outcome
        if repetition == "forbidden":
            stuck = bool(self._offered(ply)) and not self._moves(ply)
            engine = self.game.engine
            return self.game.outcome_name(engine.ends.of_no_moves(ply.position.state.to_move)) if stuck else None
        with self._asked(_COUNTS, ply):
            times = partner.times(self._counts)
        if times < self.game.repetition.at - 1:
            return None
        if repetition == "loses" and len(players) == 2:
            return next(name for name in players if name != partner.mover)
        return self.game.outcome_name(DRAW) if repetition in ("draws", "loses") else None

    def _moves(self, ply: Ply) -> list[str]:
        """The reference's moves, without those that a repetition rule forbids."""
        moves = self._offered(ply)
        if self.game.rules.repetition != "forbidden":
            return moves
        partner: _Partner = ply.partner
        least = self.game.repetition.at - 1
        with self._asked(_COUNTS, ply):
            seen = Counter(map(self._counts, (partner.state, *partner.earlier())))
        with self._asked("play(state, move)", ply):
            return [move for move in moves
                    if seen[self._counts(self.reference.play(partner.state, move))] < least]

    def _counts(self, state: Any) -> Any:
        """The part of a reference's state that counts for the repetition rule."""
        counts = getattr(self.reference, "counts_for_repetition", None)
        return state if counts is None else counts(state)

    def _piece(self, name: object) -> object:
        """The name of a piece as positions give it, where the reference writes it as rules do."""
        return self._pieces.get(name, name) if isinstance(name, str) else name

    def _offered(self, ply: Ply) -> list[str]:
        with self._asked("moves(state)", ply):
            return list(ending(self.reference.moves(ply.partner.state)))

    def _own(self, text: str) -> str:
        """The reference's text for a move of the game file."""
        return text if self._texts is None else str(self._texts(text))

    # ---- comparing

    def _same(self, ply: Ply, what: str, ours: str, theirs: str) -> None:
        if ours != theirs:
            raise self.fail(ply, f"{what} is not the same", ("the file", ours), (self.name, theirs))

    def _pieces_on(self, ply: Ply, what: str, ours: Mapping[str, Sequence[str]], theirs: Mapping[str, Sequence[object]]
                   ) -> None:
        """Compare the pieces on each cell, from the bottom up; the reference may name them as `_names` has them."""
        if ours.keys() == theirs.keys() and all(
                len(ours[cell]) == len(named) and all(
                    name in (own, *self._names[own]) for own, name in zip(ours[cell], named, strict=True))
                for cell, named in theirs.items()):
            return
        owned = {name for _, name in self._names.values()} - {kind for kind, _ in self._names.values()}
        by_owner = any(name in owned for named in theirs.values() for name in named if isinstance(name, str))
        shown = {cell: [self._names[name][by_owner] for name in names] for cell, names in ours.items()}
        self._mappings(ply, what, *({cell: ", ".join(map(str, names)) for cell, names in side.items()}
                                    for side in (shown, theirs)))

    def _compare_variables(self, ply: Ply, theirs: dict[str, object]) -> None:
        """Compare the variables; where the reference gives a name, use the name of the file's value too."""
        shown: dict[str, object] = dict(ply.position.variables)
        for number, kind in enumerate(hir.said_variables(self.game.rules)):
            result = theirs.get(kind.name)
            values = result if kind.index else (result,)
            if isinstance(kind.sort, Integer) or not isinstance(values, tuple):
                continue
            own = self.game.variable_values(ply.position.state, number)
            if len(own) == len(values):
                named = tuple(self.game.shown(kind, value) if isinstance(other, str) else value
                              for value, other in zip(own, values, strict=True))
                shown[kind.name] = named if kind.index else named[0]
        if theirs != shown:
            self._mappings(ply, "the variables", shown, theirs)

    def _mappings(self, ply: Ply, what: str, ours: Mapping[str, object], theirs: Mapping[str, object]) -> None:
        names = [name for name in dict.fromkeys([*ours, *theirs]) if ours.get(name) != theirs.get(name)]
        sides = [(title, listed(f"{name}: {shown.get(name, 'nothing')}" for name in names))
                 for title, shown in (("the file", ours), (self.name, theirs))]
        raise self.fail(ply, f"{what} are not the same", *sides)

    def _same_moves(self, ply: Ply, theirs: list[str]) -> None:
        position = ply.position
        texts = position.moves()  # outside `_asked`: no moves, and no rule for that, is an error of the file
        with self._asked("canonical_text(text)", ply):
            ours = {self._own(text): text for text in texts}
        if len(ours) != len(ply.legal):
            who = "the file" if self._texts is None else self.name
            raise self.fail(ply, f"{who} writes several moves the same")
        if len(set(theirs)) != len(theirs):
            twice = next(move for move, times in Counter(theirs).items() if times > 1)
            raise self.fail(ply, f"{self.name} has the move '{twice}' twice")
        if ours.keys() != set(theirs):
            alone = [text for own, text in ours.items() if own not in theirs]
            raise self.fail(
                ply, f"the moves are not the same: the file has {len(ours)}, {self.name} {len(theirs)}"
                + self._by_repetition(ply),
                ("in the file only", listed(alone)),
                (f"in {self.name} only", listed(sorted(move for move in theirs if move not in ours))),
            )

    def _by_repetition(self, ply: Ply) -> str:
        """The end of a phrase about a difference that is there only by the repetition rule; else empty.

        It is where both sides agree on the outcome and the moves of the position on its own.
        """
        position, engine = ply.position, self.game.engine
        if not self.game.rules.repetition or not ply.moves:
            return ""
        alone = engine.apply(position.history[-1], ply.moves[-1])
        assert alone is not None  # the move was legal
        with self._asked("outcome(state)", ply):
            outcome = self.reference.outcome(ply.partner.state)
        if self.game.outcome_name(alone.outcome) != outcome:
            return ""
        texts = [self.game.notation.write(alone, move) for move in engine.legal(alone)]
        with self._asked("canonical_text(text)", ply):
            ours = {self._own(text) for text in texts}
        if ours != set(self._offered(ply)):
            return ""
        remedy = "return what counts" if hasattr(self.reference, "counts_for_repetition") else (
            "leave out what does not count, as without that method whole states are compared")
        return (f": this is due to the repetition rule alone, as {self.name} counts other positions as the same; in "
                f"{_COUNTS} {remedy}")

    @contextmanager
    def _asked(self, call: str, ply: Ply | None) -> Iterator[None]:
        """Turn an exception of the reference into a disagreement that names its line; wraps no calls of the file."""
        ply = ply or Ply(self.game.start())
        try:
            with within(self._patience):
                yield
        except KeyboardInterrupt:
            raise
        except Hangs as problem:
            where = raised(problem, _file_of(self.reference), named=False)
            raise self._slow(ply, f"hangs in {call}: {where}no answer within {problem}") from None
        except Endless as problem:
            raise self._slow(ply, f"does not end its answer to {call}: it has {problem}") from None
        except BaseException as problem:  # SystemExit, too, would else end this program
            phrase = f"{self.name} fails in {call}: {raised(problem, _file_of(self.reference))}"
            raise self.fail(ply, phrase) from problem

    def _slow(self, ply: Ply, phrase: str) -> Disagreement:
        """A disagreement that takes long to find."""
        result = self.fail(ply, f"{self.name} {phrase}")
        result.is_slow = True
        return result


def raised(problem: BaseException, file: str, *, named: bool = True) -> str:
    """An exception as one line, with its innermost frame in the given file, else its innermost frame of all.

    Only the place, with a colon, where it is not to be named.
    """
    frames = traceback.extract_tb(problem.__traceback__)
    frame = next((frame for frame in reversed(frames) if frame.filename == file), frames[-1] if frames else None)
    place = f"{shortest(Path(frame.filename))}:{frame.lineno}: " if frame is not None else ""
    text = " ".join(str(problem).split())
    return place if not named else f"{place}{type(problem).__name__}{': ' if text else ''}{text}"


def _file_of(reference: object) -> str:
    """The path of the file that defines a reference's class; empty where there is none."""
    module = sys.modules.get(type(reference).__module__)
    return str(getattr(module, "__file__", ""))


def missing(reference: object) -> list[str]:
    """The required methods of a `Reference` that an object lacks."""
    return [name for name in NEEDED if not callable(getattr(reference, name, None))]


def _outcome_text(outcome: str | None) -> str:
    return "the game goes on" if outcome is None else finished(outcome)


def _pairs(pairs: Iterable[Iterable[str]]) -> frozenset[str]:
    """Links as texts that do not depend on the order of the two cells."""
    return frozenset("-".join(sorted(pair)) for pair in pairs)


def _only(these: Mapping[str, frozenset[str]], those: Mapping[str, frozenset[str]]) -> dict[str, object]:
    """The links of each kind that the other side lacks, as text."""
    return {name: " ".join(sorted(links - those.get(name, frozenset()))) or "none" for name, links in these.items()}


def _plain(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _entries(mapping: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    """The entries of a mapping that a reference gives. Raises Endless."""
    return ending(dict(ending(mapping.items() if isinstance(mapping, Mapping) else mapping)).items())
