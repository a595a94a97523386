"""Properties that hold for every correct game, as claims that each check one position of a random game at a time.

This module plays no games and does not depend on Hypothesis: `dslgame.testing.play` supplies the positions. A claim
that does not hold raises Disagreement; a rule that fails raises RuleError, which `play` assigns to the claim about it.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, CELL, DIRECTION, PIECE, PLAYER, Covered, Enumerated, Integer
from dslgame.testing.disagreement import Disagreement, listed
from interpreter.analysis.symmetric_payoffs import unlike_payoff
from interpreter.build import make_engine
from interpreter.errors import IllegalMove, ImpossiblePosition, RuleError
from interpreter.game import Game, Position
from interpreter.model.state import DRAW, PASS, Move, State, WorkingState
from interpreter.model.state_maps import StateMap, canonical
from interpreter.wording import finished

ORDERS = 3
"""The number of shuffled orders in which the forced rules of each move are tried."""
MOST_COMPARED = 12
"""The most successors of a position that a check examines."""
MOST_REMEMBERED = 50_000
"""The most position texts kept to find different positions with the same text."""


class Ply:
    """A position of a game in play, with cached results that several claims share."""

    def __init__(self, position: Position, moves: tuple[Move, ...] = (), partner: Any = None) -> None:
        self.position = position
        self.moves = moves
        """The moves that led here."""
        self.partner = partner
        """The same position in the second implementation, where there is one."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.position.game

    @cached_property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves, without those that a repetition rule forbids."""
        return tuple(self.position.legal())

    @cached_property
    def followers(self) -> list[tuple[Move, State]]:
        """The moves that the engine finds legal, with the states that they lead to."""
        return self.game.engine.successors(self.position.state)

    def text(self, move: Move) -> str:
        """The text of a move in the game's notation."""
        return self.game.notation.write(self.position.state, move)


class Unchecked(Exception):
    """Raised by a claim's check of a position in which the claim says nothing."""


class Property(ABC):
    """A claim about games that is checked position by position."""

    claim: str
    """The claim in words; reports print its result after it on the same line."""
    unit = "position"
    """What `checked` counts."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.checked = 0

    def nothing_to_check(self) -> str:
        """The reason why this game gives nothing to check; empty where it gives something."""
        return ""

    def cost(self, ply: Ply) -> int:
        """The approximate number of moves that a check tries."""
        return len(ply.legal)

    @abstractmethod
    def check(self, ply: Ply) -> None:
        """Check the claim in a position. Raises Disagreement where it does not hold, Unchecked where it says nothing.
        """

    def start(self) -> Any:
        """The second implementation's start position; None for a claim that has none."""
        return None

    def after(self, ply: Ply, text: str) -> Any:
        """The second implementation's position after a move; None for a claim that has none."""
        return None

    def fail(self, ply: Ply, phrase: str, *sides: tuple[str, str]) -> Disagreement:
        """Make a Disagreement about this claim for the caller to raise."""
        return Disagreement(self.claim, phrase, ply.position, sides)


# ---- moves


class Ranges(Property):
    """No rule fails, and every value in a position is in its range."""

    claim = "no rule fails, and values stay in their ranges"

    def check(self, ply: Ply) -> None:
        """Try every move; check all parts of the state here and after each move."""
        self._look(ply, ply.position.state, "")
        for move, after in ply.followers:
            self._look(ply, after, f"after the move {ply.text(move)} ")

    def _look(self, ply: Ply, state: State, when: str) -> None:
        game = self.game
        together = 0
        for cells in state.pieces:
            if together & cells:
                raise self.fail(ply, f"{when}a cell holds two pieces")
            together |= cells
        if together != game.board.everything:
            raise self.fail(ply, f"{when}a cell holds neither a piece nor nothing")
        if len(state.values) != sum(game.engine.evaluator.sizes):
            raise self.fail(ply, f"{when}there are {len(state.values)} values of variables")
        for number, kind in enumerate(game.rules.variables):
            for value in game.variable_values(state, number):
                if not (kind.or_none if value is None else value in possible_values(game, kind)):
                    raise self.fail(ply, f"{when}the variable '{kind.name}' is {value}")
        self._look_at_piles(ply, state, when)
        layers = game.board.layers
        if len(state.links) != len(layers):
            raise self.fail(ply, f"{when}there are {len(state.links)} kinds of links")
        for layer, links in zip(layers, state.links, strict=True):
            if links >> len(layer.pairs):
                raise self.fail(ply, f"{when}there is a link of kind '{layer.name}' that cannot be")
        outcomes = (None, DRAW, *range(len(game.players)))
        if state.to_move not in range(len(game.players)) or state.outcome not in outcomes:
            raise self.fail(ply, f"{when}player {state.to_move} is to move, and the outcome is {state.outcome}")
        if not game.rules.pies and not game.rules.order and state.turn != 0:
            raise self.fail(ply, f"{when}turns are counted without a pie rule")

    def _look_at_piles(self, ply: Ply, state: State, when: str) -> None:
        piles, names = self.game.engine.evaluator.piles, self.game.board.names
        if piles is None:
            return
        table = WorkingState(state)
        for cell in range(self.game.board.size):
            pile = piles.at(state, cell)
            if 0 in pile or len(pile) > piles.most or max(pile, default=0) >= len(state.pieces):
                raise self.fail(ply, f"{when}the pile on {names[cell]} is {pile}")
            piles.put(table, cell, pile)
        if tuple(table.values) != state.values:
            raise self.fail(ply, f"{when}pieces lie under no piece")


def possible_values(game: Game, kind: hir.VariableKind) -> range:
    """The values that a variable can hold, apart from none."""
    if isinstance(kind.sort, Integer):
        return range(kind.sort.low, kind.sort.high + 1)
    if isinstance(kind.sort, Covered):
        return range(1 << kind.sort.bits * kind.sort.digits)
    if isinstance(kind.sort, Enumerated):
        return range(len(kind.sort.values))
    return {
        BOOLEAN: range(2),
        CELL: range(game.board.size),
        PIECE: range(len(game.rules.pieces)),
        PLAYER: range(len(game.players)),
        DIRECTION: range(len(game.board.directions)),
    }[kind.sort]


class LegalMoves(Property):
    """The legal moves are exactly the candidate moves that apply."""

    claim = "the legal moves are the offered ones that apply"

    def check(self, ply: Ply) -> None:
        """Compare the legal moves, the candidates that apply and the successors; generate the legal moves twice."""
        engine, position, state = self.game.engine, ply.position, ply.position.state
        legal = engine.legal(state)
        if position.over or not ply.legal:
            if ply.legal or legal:
                raise self.fail(ply, "the game is over, and there are moves", ("moves", self._listed(ply, legal)))
            if not position.over:
                raise self.fail(ply, "there is no move, and the game is not over")
            self._ended(ply)
            return
        tried = [(move, engine.apply(state, move)) for move in engine.candidates(state)]
        applying = [(move, after) for move, after in tried if after is not None]
        if not applying:
            applying = [(move, after) for move, after in ply.followers if move.rule == PASS]
        self._same(ply, legal, [move for move, _ in applying], "the offered moves that apply")
        self._same(ply, [move for move, _ in ply.followers], legal, "the legal moves")
        self._same(ply, engine.legal(state), legal, "the legal moves, asked for again")
        if len(set(legal)) != len(legal):
            twice = [ply.text(move) for move, count in Counter(legal).items() if count > 1]
            raise self.fail(ply, f"a move is offered twice: {twice[0]}")
        if ply.followers != applying:
            raise self.fail(ply, "a move leads to another position when it is made again")
        forbidden = set(legal) - set(ply.legal)
        if forbidden and self.game.rules.repetition != "forbidden":
            raise self.fail(ply, "moves are not legal in play", ("moves", self._listed(ply, forbidden)))

    def _same(self, ply: Ply, these: Sequence[Move], those: Sequence[Move], name: str) -> None:
        if list(these) != list(those):
            raise self.fail(ply, "the moves are not the same", ("legal moves", self._listed(ply, these)),
                            (name, self._listed(ply, those)))

    def _listed(self, ply: Ply, moves: Any) -> str:
        return listed(ply.text(move) for move in moves)

    def _ended(self, ply: Ply) -> None:
        """Check that an ended game accepts no further move."""
        for text in (*ply.position.played[-1:], "nonsense", ""):
            try:
                ply.position.play(text)
            except IllegalMove:
                continue
            raise self.fail(ply, f"the game is over, and the move '{text}' is taken")


class ForcedRulesEnd(Property):
    """Forced rules terminate after every move."""

    claim = "forced rules come to an end"
    unit = "move"

    def nothing_to_check(self) -> str:
        """Skip games without forced rules."""
        return "" if self.game.rules.forced else "no forced rules"

    def check(self, ply: Ply) -> None:
        """Try every move: forced rules that do not terminate raise RuleError."""
        self.checked += max(0, len(ply.followers) - 1)  # `play` adds one for each check


class ForcedRulesOrder(Property):
    """The order of the forced rules, and of the places where they apply, does not change the result."""

    claim = "forced rules give the same result in any order"
    unit = "move"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.engine = make_engine(game.rules, game.board, game.engine.swap)

    def nothing_to_check(self) -> str:
        """Skip games without forced rules."""
        return "" if self.game.rules.forced else "no forced rules"

    def cost(self, ply: Ply) -> int:
        """Each move once in the order of the file and once in each of `ORDERS` shuffled orders."""
        return len(ply.legal) * (1 + ORDERS)

    def check(self, ply: Ply) -> None:
        """Repeat every move with its forced rules in other orders; the boards of ended games are compared, too."""
        state = ply.position.state
        for move, after in ply.followers:
            for number in range(ORDERS):
                self.engine.forced.chance = random.Random(number)
                try:
                    other = self.engine.apply(state, move)
                except RuleError as problem:
                    phrase = f"after the move {ply.text(move)}, in another order: {problem.phrase}"
                    raise self.fail(ply, phrase) from None
                if other != after:
                    shown = "the move is illegal" if other is None else self._shown(other)
                    raise self.fail(ply, f"the move {ply.text(move)} leads to different positions",
                                    ("in the order of the file", self._shown(after)), ("in another order", shown))
        self.checked += max(0, len(ply.followers) - 1)

    def _shown(self, state: State) -> str:
        outcome = self.game.outcome_name(state.outcome)
        end = "" if outcome is None else f"\n{finished(outcome)}"
        return self.game.drawing(state) + end


# ---- texts


class MoveTexts(Property):
    """The notation gives each move its own text, and reads that text back as the same move."""

    claim = "moves read back as they are written"

    def cost(self, ply: Ply) -> int:
        """Each move is written several times."""
        return 3 * len(ply.legal)

    def check(self, ply: Ply) -> None:
        """Write every legal move in all its notations, and read one of the moves back."""
        game, position, legal = self.game, ply.position, ply.legal
        meant: dict[str, Move] = {}
        folded: dict[str, set[Move]] = {}
        for move in legal:
            readings = list(game.notation.readings(position.state, move))
            if readings[0] != ply.text(move):
                raise self.fail(ply, f"a move is written '{ply.text(move)}' and read '{readings[0]}'")
            for text in readings:
                if not text or any(character.isspace() or character == ";" for character in text):
                    raise self.fail(ply, f"a move is written '{text}': expected a text without spaces and ';'")
                if meant.setdefault(text, move) != move:
                    rules = [self._rule(meant[text]), self._rule(move)]
                    raise self.fail(ply, f"two different moves are written '{text}'",
                                    *((rule, self._values(result)) for rule, result in
                                      zip(rules, (meant[text], move), strict=True)))
                folded.setdefault(text.casefold(), set()).add(move)
        if list(position.moves()) != [ply.text(move) for move in legal]:
            raise self.fail(ply, "the moves' texts are not those of the legal moves")
        if legal:
            move = legal[(17 + 31 * len(position.played)) % len(legal)]
            text = ply.text(move)
            for reading in game.notation.readings(position.state, move):
                self._reads(ply, reading, move)
            self._reads(ply, f" {text} ", move)
            if len(folded[text.casefold()]) == 1:
                self._reads(ply, text.swapcase(), move)
            if position.play(text) != position.play(move):
                raise self.fail(ply, f"the text '{text}' plays another move than it means")

    def _reads(self, ply: Ply, text: str, move: Move) -> None:
        try:
            result = ply.position.find(text)
        except IllegalMove as problem:
            raise self.fail(ply, f"the text '{text}' is refused: {problem.reason}") from None
        if result != move:
            raise self.fail(ply, f"the text '{text}' is read as {ply.text(result)}, written for {ply.text(move)}")

    def _rule(self, move: Move) -> str:
        return f"move {self.game.rules.moves[move.rule].name}" if move.rule >= 0 else "pass or swap"

    def _values(self, move: Move) -> str:
        return "choices " + ", ".join(map(str, move.values))


class PositionTexts(Property):
    """The one-line text of a position belongs to it alone, and reads back as this position."""

    claim = "position texts read back, each to its position"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.states: dict[str, State] = {}

    def check(self, ply: Ply) -> None:
        """Check the texts of this position and of some successors, the drawing and the heuristic value."""
        game, position = self.game, ply.position
        for state in (position.state, *(after for _, after in ply.followers[:MOST_COMPARED])):
            text = game.position_text(state)
            if "\n" in text:
                raise self.fail(ply, "a position text has several lines")
            running = state._replace(outcome=None)
            if len(self.states) < MOST_REMEMBERED:
                self.states.setdefault(text, running)
            if self.states.get(text, running) != running:
                raise self.fail(ply, f"different positions have the text '{text}'",
                                ("one", game.drawing(state)), ("the other", game.drawing(self.states[text])))
        drawing = game.drawing(position.state)
        if str(position) != drawing or any(row != row.rstrip() for row in drawing.splitlines()):
            raise self.fail(ply, "the drawing is not the position's, or has spaces at the end of a line")
        if not isinstance(position.value(), int):
            raise self.fail(ply, "the position's value is not a number")
        self._reads_back(ply)

    def _reads_back(self, ply: Ply) -> None:
        """Check that the text reads back as this position, outcome aside: it does not record an end by repetition."""
        game, state = self.game, ply.position.state
        text = game.position_text(state)
        try:
            back = game.read_position(text)
        except ImpossiblePosition as problem:
            raise self.fail(ply, f"the position text '{text}' is refused: {problem.reason}") from None
        if back.state._replace(outcome=None) != state._replace(outcome=None):
            raise self.fail(ply, f"the position text '{text}' reads back as another position",
                            ("written", game.drawing(state)), ("read", game.drawing(back.state)))


class Replay(Property):
    """Positions are immutable, and replaying their moves leads to them again."""

    claim = "the same moves lead to the same positions again"

    def cost(self, ply: Ply) -> int:
        """One replay, which generates all moves of each position."""
        return len(ply.moves) * (1 + self.game.board.size // 8)

    def check(self, ply: Ply) -> None:
        """Replay the moves from the start, and compare every position."""
        position = ply.position
        states = [*position.history, position.state]
        again = self.game.start()
        for number, state in enumerate(states):
            if again.state != state or again.history != tuple(states[:number]):
                raise self.fail(ply, f"after move {number} the position is another one when the moves are made again",
                                ("then", self.game.drawing(state)), ("now", self.game.drawing(again.state)))
            if number < len(ply.moves):
                again = again.play(ply.moves[number])
        if again != position or hash(again) != hash(position) or again.played != position.played:
            raise self.fail(ply, "equal positions do not count as equal")


# ---- symmetry


class Symmetries(Property):
    """The rules are invariant under the declared symmetries."""

    claim = "symmetries commute with moves and outcomes"

    def nothing_to_check(self) -> str:
        """Skip games that declare no symmetry."""
        return "" if self.game.declared else "no symmetry declared"

    def cost(self, ply: Ply) -> int:
        """The moves of the position and of each image."""
        return len(ply.legal) * (1 + sum(len(maps) for _, maps in self.game.declared))

    def check(self, ply: Ply) -> None:
        """Check that the successors of a position's image are the images of its successors."""
        engine, state = self.game.engine, ply.position.state
        for symmetry, maps in self.game.declared:
            if not self.game.claims(symmetry, state):
                continue
            for element in maps:
                image = element.of_state(state)
                words = "symmetry", symmetry.phrase, "swapping players" * symmetry.swapping
                name = " ".join(filter(None, words))
                if (image.outcome is None) != (state.outcome is None):
                    raise self.fail(ply, f"{name}: the image is over, the position is not, or the other way round")
                expected = Counter(self._result(move, element.of_state(after)) for move, after in ply.followers)
                try:
                    result = Counter(self._result(move, after) for move, after in engine.successors(image))
                except RuleError as problem:
                    raise self.fail(ply, f"{name}: a rule fails for the image alone: {problem.phrase}",
                                    ("the image", self.game.drawing(image))) from None
                if result != expected:
                    raise self.fail(ply, f"{name}: the moves of the image are not the images of the moves",
                                    *self._differing(ply, element, image, expected, result))
                self._same_payoffs(ply, name, element)

    def _result(self, move: Move, after: State) -> State | int:
        """What a move leads to, as far as it must be the same for the image."""
        return self.game.decisive(self.game.representative(move, after))

    def _same_payoffs(self, ply: Ply, name: str, element: StateMap) -> None:
        """Check that an end pays each player what its image pays the player's image."""
        for move, after in ply.followers if self.game.payoffs.declared else ():
            if after.outcome is not None and (player := unlike_payoff(self.game, after, element)) is not None:
                raise self.fail(ply, f"{name}: the end after {ply.text(move)} and its image have unlike payoffs for "
                                f"{self.game.players[player]}", ("the end", self.game.drawing(after)),
                                ("its image", self.game.drawing(element.of_state(after))))

    def _differing(self, ply: Ply, element: Any, image: State, expected: Counter[Any],
                   result: Counter[Any]) -> list[tuple[str, str]]:
        """The position and its image, each with the moves that have no counterpart in the other."""
        write = self.game.notation.write
        missing = [move for move, after in ply.followers
                   if expected[key := self._result(move, element.of_state(after))] > result[key]]
        extra = [move for move, after in self.game.engine.successors(image)
                 if result[key := self._result(move, after)] > expected[key]]
        return [
            ("the position\n" + self.game.drawing(ply.position.state),
             "\nmoves without a twin in the image:\n" + listed(write(ply.position.state, move) for move in missing)),
            ("its image\n" + self.game.drawing(image),
             "\nmoves without a twin in the position:\n" + listed(write(image, move) for move in extra)),
        ]


class Canonical(Property):
    """Positions share a canonical position exactly where a symmetry relates them."""

    claim = "symmetric positions alone are the same canonically"

    def nothing_to_check(self) -> str:
        """Skip games that declare no symmetry."""
        return "" if self.game.declared else "no symmetry declared"

    def cost(self, ply: Ply) -> int:
        """Every symmetry of the group, applied to this position and to some successors."""
        return len(self.game.symmetries) * (1 + min(MOST_COMPARED, len(ply.legal)))

    def check(self, ply: Ply) -> None:
        """Check that all images share a canonical position, and successors only where a symmetry relates them."""
        game, position = self.game, ply.position
        maps = game.symmetries_of(position.state)
        representative = canonical(position.state, maps)
        images = [element.of_state(position.state) for element in maps]
        if images[0] != position.state:
            raise self.fail(ply, "the first symmetry is not the identity")
        if representative not in images:
            raise self.fail(ply, "the canonical position is no image", ("canonical", game.drawing(representative)))
        for image in images:
            if (other := canonical(image, maps)) != representative:
                raise self.fail(ply, "an image has another canonical position",
                                ("canonical", game.drawing(representative)), ("image", game.drawing(image)),
                                ("its canonical position", game.drawing(other)))
        if position.canonical().state != representative or position.canonical().canonical() != position.canonical():
            raise self.fail(ply, "the canonical position is not canonical itself")
        after = [state for _, state in ply.followers[:: 1 + len(ply.followers) // MOST_COMPARED]]
        known = [(state, canonical(state, maps), {element.of_state(state) for element in maps}) for state in after]
        for (one, its, related), (other, other_its, _) in combinations(known, 2):
            if (its == other_its) != (other in related):
                phrase = "share a canonical position" if its == other_its else "have different canonical positions"
                raise self.fail(ply, f"two positions after a move are {'' if other in related else 'not '}related by a "
                                     f"symmetry and {phrase}",
                                ("one", game.drawing(one)), ("the other", game.drawing(other)))


BY_CODE: Mapping[str, type[Property]] = {"G407": LegalMoves, "G408": ForcedRulesEnd}
"""The claim that a failing rule contradicts, by error code; all other codes contradict `Ranges`."""
_EVERY = (Ranges, LegalMoves, ForcedRulesEnd, ForcedRulesOrder, MoveTexts, PositionTexts, Replay, Symmetries, Canonical)


def claims_of(game: Game) -> list[Property]:
    """The claims about a game, in the order in which they are reported."""
    return [claim(game) for claim in _EVERY]
