"""Games and positions: the Python interface for loading a game file and playing.

`Game.of(source)` checks a text and makes the game; `game.start()` is its first `Position`; `position.play("b2")`
returns the next. Positions are immutable and know their history, so that repetition rules can be applied. Solvers use
`game.engine` and bare states instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import SupportsIndex

import attrs

from dsl import hir
from dsl.checker import check
from dsl.diagnostics import Diagnostic, GameFileError, did_you_mean, error, has_errors, in_source_order
from dsl.resolve.chance import NATURE
from dsl.syntax.source import Source
from interpreter import board_values
from interpreter.analysis.termination import Descent, descent
from interpreter.boards import Board, BoardError, mask_of, members
from interpreter.build import (
    build_board,
    build_symmetries,
    crossing_tracks,
    full_group,
    make_engine,
    swap_map,
    unknown_cells,
)
from interpreter.drawing import Style, draw
from interpreter.errors import IllegalMove, ImpossiblePosition, RuleError
from interpreter.model import position_text
from interpreter.model.notation import Notation
from interpreter.model.outcomes import outcomes_in
from interpreter.model.state import DRAW, SWAP, Move, State, WorkingState
from interpreter.model.state_maps import StateMap, canonical
from interpreter.semantics.engine import Engine
from interpreter.semantics.functions import Function
from interpreter.semantics.hidden import Observer
from interpreter.semantics.payoffs import Payoffs
from interpreter.semantics.repetition import Repetition
from interpreter.site_values import between, drawn_as_text
from interpreter.unknown import SIGN, UNKNOWN
from interpreter.wording import finished, nobody_won

_SHORT = 60
"""The most characters of a position's text that its `repr` shows."""


@attrs.frozen(eq=False, slots=False)
class Game:
    """A playable game: its rules with fixed parameters, and its board."""

    rules: hir.Rules
    board: Board
    engine: Engine
    declared: tuple[tuple[hir.Symmetry, tuple[StateMap, ...]], ...]
    """Each declared symmetry with its maps."""
    symmetries: tuple[StateMap, ...]
    """The group of all declared symmetries; the identity first."""
    warnings: tuple[Diagnostic, ...] = ()

    def __repr__(self) -> str:
        params = "".join(f" {name}={value}" for name, value in self.params.items())
        return f"<Game {self.title!r}{params}>"

    def _repr_html_(self) -> str:
        """The HTML that notebooks show: the board at the start, the players and params, and the rules."""
        from interpreter.pictures.html import Html, beside, folded, html, table

        said = [("players", ", ".join(self.players)), *self.params.items()]
        return html(beside(Html(self.start().svg()),
                           Html(table((), said, self.title) + folded("Rules", self.rules.source.text))))

    @classmethod
    def of(cls, source: Source, params: Mapping[str, int] | None = None) -> Game:
        """The game that a text describes. Raises GameFileError with all diagnostics where the text has an error."""
        game, diagnostics = examine(source, params)
        if game is None:
            raise GameFileError(source, diagnostics)
        return game

    @property
    def title(self) -> str:
        """The game's name, as its file gives it."""
        return self.rules.title

    @property
    def genre(self) -> str:
        """The heading under which lists show the game; '' where the file gives none."""
        return self.rules.genre

    @property
    def params(self) -> dict[str, int]:
        """The parameters and their values."""
        return dict(self.rules.params)

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, in the order in which they move."""
        return self.rules.players

    @cached_property
    def _winners(self) -> tuple[str, ...]:
        """For each player's number the name of the winner that it stands for: the team, or the player."""
        teams = {team[0]: name for name, team in self.rules.teams.items()}
        return tuple(teams.get(player, name) for player, name in enumerate(self.players))

    @property
    def sides(self) -> tuple[int, ...]:
        """For each player the number that stands for its win in outcomes: that of the first player of its team."""
        return self.rules.sides

    @cached_property
    def piece_names(self) -> tuple[str, ...]:
        """The name of each kind of piece, with its owner's name before it where several kinds have that name."""
        names = [piece.name for piece in self.rules.pieces]
        return tuple(
            f"{self.players[piece.owner]} {piece.name}" if piece.owner is not None and names.count(piece.name) > 1
            else piece.name for piece in self.rules.pieces
        )

    @cached_property
    def notation(self) -> Notation:
        """The game's notation, which writes and reads moves."""
        return Notation(self.rules, self.board, self.engine.evaluator)

    @cached_property
    def descent(self) -> Descent:
        """The ranking functions that decrease with the game's moves."""
        return descent(self.rules, self.board)

    @property
    def acyclic(self) -> bool:
        """Whether it is proved that no position can repeat."""
        return self.descent.complete

    @cached_property
    def repetition(self) -> Repetition:
        """The repetition rule, which `Position` applies to its history."""
        return Repetition.of(self.rules, self.engine.evaluator.sizes)

    @property
    def looks_back(self) -> str:
        """The result of the repetition rule, where positions that are equal to it can occur again; else ''."""
        rule = self.repetition
        return "" if self.acyclic and not rule.aside else rule.result

    @property
    def path_dependent(self) -> str:
        """The result of the repetition rule, where it makes the values of positions depend on those before; else ''."""
        rule = self.looks_back
        return rule if rule in ("loses", "forbidden") or self.repetition.aside else ""

    @cached_property
    def observer(self) -> Observer:
        """The observer, which gives what each player sees of a position."""
        return Observer(self.rules, self.board, self.engine.evaluator, self.engine.first_values())

    @property
    def unseen(self) -> str:
        """Why players do not see whole positions, as a clause; '' where they do."""
        if self.observer.sees_all:
            return ""
        return f"players of {self.title} " + ("move together" if self.observer.choices_only else
                                              "do not see everything")

    @cached_property
    def payoffs(self) -> Payoffs:
        """The payoffs of finished games."""
        return Payoffs(self.rules, self.engine.evaluator)

    @cached_property
    def endless(self) -> Engine:
        """An engine for the same rules that plays on after wins and draws."""
        return make_engine(self.rules, self.board, self.engine.swap, ignore_ends=True)

    @cached_property
    def _value(self) -> Function | None:
        return None if self.rules.value is None else self.engine.evaluator.compile(self.rules.value.term)

    def start(self) -> Position:
        """The initial position. Raises RuleError where a rule fails."""
        return Position(self, self.engine.start())._unless_stuck()

    def outcome_name(self, outcome: int | None) -> str | None:
        """The name of an outcome: None while the game goes on, the winner's name, or that of `wording.nobody_won`, such
        as "draw"; `B or C` for a set."""
        if outcome is None:
            return None
        nobody = nobody_won(len(self.players), paid=bool(self.rules.payoffs))
        return " or ".join(nobody if one == DRAW else self._winners[one] for one in outcomes_in(outcome))

    def claims(self, symmetry: hir.Symmetry, state: State) -> bool:
        """Whether a declared symmetry is claimed for a state: it may have a condition on the position."""
        condition = symmetry.condition
        if condition is None:
            return True
        if symmetry not in self._conditions:
            self._conditions[symmetry] = self.engine.evaluator.compile(condition.term)
        return bool(self._conditions[symmetry](WorkingState(state), [None] * condition.slots))

    @cached_property
    def _conditions(self) -> dict[hir.Symmetry, Function]:
        return {}

    def symmetries_of(self, state: State) -> tuple[StateMap, ...]:
        """The group of the symmetries that are claimed for a state; the identity first."""
        if all(symmetry.condition is None for symmetry, _ in self.declared):
            return self.symmetries
        return self.group_where(tuple(self.claims(symmetry, state) for symmetry, _ in self.declared))

    @property
    def unconditional(self) -> tuple[StateMap, ...]:
        """The group of the symmetries that are claimed for every state; the identity first."""
        return self.group_where(tuple(symmetry.condition is None for symmetry, _ in self.declared))

    @property
    def alternates(self) -> bool:
        """Whether two players strictly alternate by the rules: every move passes the turn to the opponent."""
        rules = self.rules
        return len(self.players) == 2 and not (rules.order or rules.again or rules.pies or rules.has_chance)

    def group_where(self, claimed: tuple[bool, ...]) -> tuple[StateMap, ...]:
        """The group generated by the claimed symmetries, given a truth value for each declared one; the identity first.
        """
        if all(claimed):
            return self.symmetries
        if claimed not in self._groups:
            maps = [element for (_, result), holds in zip(self.declared, claimed, strict=True) if holds
                    for element in result]
            self._groups[claimed] = full_group(self.rules, self.board, maps)
        return self._groups[claimed]

    @cached_property
    def _groups(self) -> dict[tuple[bool, ...], tuple[StateMap, ...]]:
        return {}

    def representative(self, move: Move, after: State) -> State:
        """The state after a move; after a swap its canonical image, as sides can be swapped in several ways.

        A symmetry that does not commute with the one that swaps sides maps the result of a swap to another of them.
        """
        return canonical(after, self.symmetries_of(after)) if move.rule == SWAP else after

    def decisive(self, state: State) -> State | int:
        """The part of a state that must be the same by symmetry and in any order of the forced rules: all of it, but
        only the outcome of an end where it does not matter at which place a cascade was broken off.
        """
        return state if state.outcome is None or not self.rules.breaks_off else state.outcome

    def fixing(self, state: State) -> tuple[StateMap, ...]:
        """The symmetries claimed for a state that map it onto itself; the identity first."""
        return tuple(element for element in self.symmetries_of(state) if element.of_state(state) == state)

    def heuristic(self, state: State) -> int:
        """The game's `value` of a state for the player to move; 0 where the file gives none."""
        if self._value is None or self.rules.value is None:
            return 0
        return int(self._value(WorkingState(state), [None] * self.rules.value.slots))

    def defined(self, name: str, state: State) -> int | None:
        """The value of a definition in a state, for the player to move; None where no rule uses it without arguments.
        """
        term = next((node for node in hir.walk_rules(self.rules) if isinstance(node, hir.Expr)
                     and node.used is not None and node.used.name == name and not node.used.arguments), None)
        if term is None:
            return None
        value = self.engine.evaluator.compile(term)(WorkingState(state), [None] * hir.slots_of(term))
        return None if value is None else int(value)

    def position_text(self, state: State) -> str:
        """A state in one line: cells row by row, player to move, variables; see `interpreter.model.position_text`."""
        return position_text.write(self, state)

    def read_position(self, text: str) -> Position:
        """The position that a line of `position_text` describes, without history. Raises ImpossiblePosition."""
        return Position(self, self.engine.finished(position_text.read(self, text)))._unless_stuck()

    def by_repetition(self, state: State, successors: Sequence[tuple[Move, State]],
                      before: Sequence[State]) -> list[tuple[Move, State]]:
        """The successors of a state by the repetition rule, after the positions `before`: a move that repeats one ends
        the game, or is left out where that is forbidden.

        Where all are left out, the `no moves` rule decides. Raises RuleError (G407) where that says nothing, or where a
        move of chance is left out, as no rule says what the probabilities of the others are then.
        """
        repetition = self.repetition
        if not repetition.result:
            return list(successors)
        earlier = {*before, state} if repetition.simple else (*before, state)
        repeated = [repetition.holds(after, earlier) for _, after in successors]
        if not repetition.forbids:
            outcome = repetition.outcome(state.to_move)
            return [(move, after._replace(outcome=outcome) if again else after)
                    for (move, after), again in zip(successors, repeated, strict=True)]
        result = [item for item, again in zip(successors, repeated, strict=True) if not again]
        if len(result) < len(successors) and self.engine.chance.decides(state):
            raise RuleError("G407", "a move of chance repeats a position, which is forbidden, and no rule says what "
                                    "the probabilities of the others are then", self.rules.moves[-1].span)
        if successors and not result and self.rules.no_moves not in ("loses", "wins", "draws"):
            raise self.all_repeat(state)
        return result

    def all_repeat(self, state: State) -> RuleError:
        """The error of a state in which every move is a forbidden repetition and no rule says what happens then."""
        return RuleError("G407", f"all moves of {self.players[state.to_move]} repeat a position, and no rule says what "
                                 "happens then", self.rules.moves[-1].span)

    def surroundings(self, state: State) -> int | None:
        """On an unbounded board, the occupied cells and their neighbours as a bitset; None on other boards."""
        board = self.board
        if not board.unbounded:
            return None
        occupied = board.everything & ~state.pieces[0]
        shown = occupied or board.regions["origin"]
        for cell in members(shown):
            shown |= mask_of(step for step in board.steps[cell] if step >= 0)
        return shown if occupied else board.regions["origin"]

    def variable_values(self, state: State, number: int) -> tuple[int | None, ...]:
        """The values of a variable, one for each index."""
        offset, size = self.engine.evaluator.offsets[number], self.engine.evaluator.sizes[number]
        return state.values[offset : offset + size]

    def shown(self, kind: hir.VariableKind, value: int | None) -> str:
        """A variable's value as text."""
        if value is UNKNOWN:
            return SIGN
        field = hir.Field(hir.Literal(None, sort=kind.sort, span=kind.span), "")
        return self.notation.value_text(field, value)

    def glyphs(self, state: State, *, plain: bool = False) -> list[str]:
        """The text of each cell: its piece's glyph, with the variables of the cell (see `board_values`) unless `plain`.
        """
        result = [self.rules.empty_glyph] * self.board.size
        for piece, cells in enumerate(state.pieces):
            if piece:
                for cell in members(cells):
                    result[cell] = self.rules.pieces[piece].glyph
        if plain:
            return result
        signs = [self.rules.empty_glyph, *(piece.glyph for piece in self.rules.pieces[1:])]
        result = board_values.written_on(result, board_values.heights(self, state), signs[1:], signs[0])
        return board_values.written_on(result, board_values.of_cells(self, state), signs[1:], signs[0])

    def below(self, state: State) -> list[str]:
        """The lines under the board: variables that belong to no cell, links, piles, exchanged seats."""
        drawn = drawn_as_text(self)
        rows = [line for kind, line in board_values.below(self, state) if kind.name not in drawn]
        for layer, there in zip(self.board.layers, state.links, strict=True):
            rows.append(f"{layer.name}: {' '.join(layer.text(self.board, link) for link in members(there)) or 'none'}")
        return [*rows, *board_values.piles(self, state), *board_values.seats(self, state)]

    def drawing(self, state: State, *, style: Style | None = None) -> str:
        """The board as text, with the variables that belong to no cell under it."""
        board = draw(self.board, self.glyphs(state), style=style, shown=self.surroundings(state),
                     between=partial(between, self, state) if drawn_as_text(self) else None)
        return "\n".join([board, *self.below(state)])


@attrs.frozen
class Position:
    """A position of a game with the moves that led to it. Equality ignores the history."""

    game: Game = attrs.field(repr=False)
    state: State
    history: tuple[State, ...] = attrs.field(default=(), eq=False, repr=False)
    """The states before this one, oldest first."""
    played: tuple[str, ...] = attrs.field(default=(), eq=False)
    """The moves that led here, in the game's notation."""

    def __repr__(self) -> str:
        text = self.text if len(self.text) <= _SHORT else self.text[: _SHORT - 3] + "..."
        played = f" after {len(self.played)} {'ply' if len(self.played) == 1 else 'plies'}" if self.played else ""
        return f"<Position of {self.game.title!r}{played}: {text}>"

    @property
    def text(self) -> str:
        """The position in one line, which `Game.read_position` reads."""
        return self.game.position_text(self.state)

    @property
    def to_move(self) -> str:
        """The name of the player to move, or of who would move next in a finished game; "nature" where chance decides.
        """
        return NATURE if self.by_chance else self.game.players[self.state.to_move]

    @cached_property
    def by_chance(self) -> bool:
        """Whether the next move is one of chance, which no player chooses. Raises RuleError."""
        try:
            return self.game.engine.chance.decides(self.state)
        except RuleError as problem:
            self._place(problem)
            raise

    def outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        """The moves of chance with their probabilities; () where a player moves. Raises RuleError."""
        return tuple(self.game.engine.chance.probabilities(self.state)) if self.by_chance else ()

    @property
    def outcome(self) -> str | None:
        """None while the game goes on, "draw" ("lost" for a player alone), or the name of the winner."""
        return self.game.outcome_name(self.state.outcome)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.outcome is not None

    @property
    def pieces(self) -> dict[str, str]:
        """The name of the piece on each occupied cell, by cell name; a `man of each` is named `White man`.

        Of a pile it is the top piece.
        """
        result = {}
        for index, cells in enumerate(self.state.pieces):
            if index:
                for cell in members(cells):
                    result[cell] = self.game.piece_names[index]
        return {self.game.board.names[cell]: result[cell] for cell in sorted(result)}

    @property
    def piles(self) -> dict[str, tuple[str, ...]]:
        """In a game with piles the pieces on each occupied cell, the lowest first; names as in `pieces`."""
        piles, names = self.game.engine.evaluator.piles, self.game.board.names
        if piles is None:
            return {}
        result = {name: piles.at(self.state, cell) for cell, name in enumerate(names)}
        return {name: tuple([self.game.piece_names[piece] for piece in pile]) for name, pile in result.items() if pile}

    @property
    def variables(self) -> dict[str, int | tuple[int | None, ...] | None]:
        """The variables by name: a value, or a tuple with one for each index."""
        return {
            kind.name: values if kind.index else values[0]
            for number, kind in enumerate(hir.said_variables(self.game.rules))
            for values in [self.game.variable_values(self.state, number)]
        }

    @property
    def links(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """The present links of each kind, each as the names of its two cells."""
        board = self.game.board
        return {
            layer.name: tuple((board.names[layer.pairs[link][0]], board.names[layer.pairs[link][1]])
                              for link in members(there))
            for layer, there in zip(board.layers, self.state.links, strict=True)
        }

    def legal(self) -> list[Move]:
        """The legal moves as the engine's `Move` objects; `moves()` gives their texts. Raises RuleError."""
        return list(self._legal)

    @cached_property
    def _legal(self) -> tuple[Move, ...]:
        """The legal moves, cached, as `legal`, `find` and `play` all need them."""
        try:
            moves = self.game.engine.legal(self.state)
            return tuple(self._not_repeating(moves) if self.game.repetition.forbids else moves)
        except RuleError as problem:
            self._place(problem)
            raise

    def _not_repeating(self, moves: list[Move]) -> list[Move]:
        """The moves that do not repeat a position, where that is forbidden. Raises RuleError."""
        apply = self.game.engine.apply
        successors = [(move, after) for move in moves if (after := apply(self.state, move)) is not None]
        return [move for move, _ in self.game.by_repetition(self.state, successors, self.history)]

    def moves(self) -> tuple[str, ...]:
        """The legal moves in the game's notation; empty exactly when the game is over."""
        return tuple(self.game.notation.write(self.state, move) for move in self.legal())

    def candidates(self) -> tuple[str, ...]:
        """The moves in the game's notation of which `play` says whether they are legal; all legal ones are among them.

        Where each must be played to know that, this is faster than `moves`: 1.3 ms against 4.5 in a game with
        checks.
        """
        engine = self.game.engine
        offered = self._offered if engine.takes_back and not self.game.repetition.forbids else ()
        return tuple(self.game.notation.write(self.state, move) for move in offered or self._legal)

    @cached_property
    def _offered(self) -> tuple[Move, ...]:
        """The moves that the rules offer, legal or not. Raises RuleError."""
        try:
            return tuple(self.game.engine.offered_moves(self.state))
        except RuleError as problem:
            self._place(problem)
            raise

    def find(self, text: str) -> Move:
        """The legal move that a text denotes. Raises IllegalMove."""
        sole = self._sole(text)
        if sole is not None:
            return sole
        legal = self.legal()
        result = self.game.notation.read(self.state, text, legal)
        if len(result) == 1:
            return result[0]
        texts = tuple(self.game.notation.write(self.state, move) for move in legal)
        if self.over:
            reason = f"the game is over ({finished(self.outcome or '')})"
        elif result:
            reason = "it means more than one move"
        else:
            shown = ", ".join(texts[:8]) + ", ..." * (len(texts) > 8)
            reason = f"not among the {len(texts)} legal moves ({shown})"
            hint, _ = did_you_mean(text, texts) if len(text) > 3 else ("", "")  # every short coordinate is near another
            reason += f"; {hint}" if hint else "; this is a position, see --position" * self._is_position(text)
        raise IllegalMove(text, reason, self.drawing(), texts)

    def _is_position(self, text: str) -> bool:
        """Whether a text that is no move is a position's, as long as a board is."""
        try:
            return len(text) > 3 and self.game.read_position(text) is not None
        except ImpossiblePosition:
            return False

    def _sole(self, text: str) -> Move | None:
        """The legal move that a text denotes, found without listing all legal moves; None where that does not help.

        Where each move must be played to know whether it is legal, only this one is: 3 ms against 110 in Go on 19x19.
        """
        engine, repetition = self.game.engine, self.game.repetition
        if not (repetition.forbids or engine.takes_back):
            return None
        found = self.game.notation.read(self.state, text, self._offered)
        try:
            after = engine.apply(self.state, found[0]) if len(found) == 1 else None
        except RuleError as problem:
            self._place(problem)
            raise
        legal = after is not None and not (repetition.forbids and repetition.holds(after, (*self.history, self.state)))
        return found[0] if legal else None

    def play(self, move: str | Move) -> Position:
        """The position after a move, given as text or as one of `legal()`. Raises IllegalMove or RuleError."""
        chosen = self.find(move) if isinstance(move, str) else move
        if chosen is move and chosen not in self._legal:
            repeats = chosen in self.game.engine.legal(self.state)
            reason = "it repeats an earlier position" if repeats else "it is not among the legal moves"
            raise IllegalMove(str(chosen), reason, self.drawing(), self.moves())
        text = self.game.notation.write(self.state, chosen)
        try:
            after = self.game.engine.apply(self.state, chosen)
        except RuleError as problem:
            self._place(problem, text)
            raise
        assert after is not None  # the move is legal
        history = (*self.history, self.state)
        repetition = self.game.repetition
        if repetition.holds(after, history):
            after = after._replace(outcome=repetition.outcome(self.state.to_move))
        return Position(self.game, after, history, (*self.played, text))._unless_stuck()

    def _unless_stuck(self) -> Position:
        """This position, finished by the `no moves` rule where every move would repeat a position. Raises RuleError."""
        if not self.game.repetition.forbids or self.over or self.game.rules.no_moves not in ("loses", "wins", "draws"):
            return self
        if self.legal():
            return self
        return attrs.evolve(self,
                            state=self.state._replace(outcome=self.game.engine.ends.of_no_moves(self.state.to_move)))

    def _place(self, problem: RuleError, *texts: str) -> None:
        """Add to an error the file, the position and the moves that led to it."""
        problem.source = problem.source or self.game.rules.source
        problem.position, problem.moves = self.drawing(), (*self.played, *texts)

    def canonical(self) -> Position:
        """The canonical image of this position under the symmetries claimed for it; without history."""
        return Position(self.game, canonical(self.state, self.game.symmetries_of(self.state)))

    def value(self) -> int:
        """The game's heuristic `value` for the player to move; 0 where the file gives none."""
        return self.game.heuristic(self.state)

    def drawing(self, *, style: Style | None = None) -> str:
        """The board as text."""
        return self.game.drawing(self.state, style=style)

    def svg(self) -> str:
        """The board as an SVG document, with the last move marked, and what it forced dashed."""
        from interpreter.pictures import svg_of  # pictures know games, not the other way round

        return svg_of(self)

    def _repr_svg_(self) -> str:
        """The picture that notebooks show."""
        return self.svg()

    def __str__(self) -> str:
        return self.drawing()


def examine(source: Source, params: Mapping[str, int] | None = None) -> tuple[Game | None, list[Diagnostic]]:
    """The game that a text describes, or None where it has errors, and all diagnostics in source order.

    Raises TypeError where a param is not a whole number.
    """
    for name, value in (params or {}).items():
        if not isinstance(value, SupportsIndex):
            raise TypeError(f"the param {name} is {value!r}, expected a whole number")
    checked = check(source, params or {})
    diagnostics = list(checked.diagnostics)
    if checked.rules is None:
        return None, in_source_order(diagnostics)
    rules = checked.rules
    board = build_board(rules)
    if isinstance(board, Diagnostic):
        return None, in_source_order([*diagnostics, board])
    diagnostics += [*unknown_cells(rules, board), *crossing_tracks(rules, board)]
    maps, problems = build_symmetries(rules, board)
    diagnostics += problems
    if has_errors(diagnostics):
        return None, in_source_order(diagnostics)
    try:
        elements = full_group(rules, board, [element for _, result in maps for element in result])
    except BoardError as problem:
        return None, in_source_order([*diagnostics, error("G306", str(problem), rules.symmetries[-1].span)])
    engine = make_engine(rules, board, swap_map(maps))
    try:
        engine.start()
    except RuleError as problem:
        return None, in_source_order([*diagnostics, error(problem.code, problem.phrase, problem.span)])
    declared = tuple((symmetry, tuple(result)) for symmetry, result in maps)
    return Game(rules, board, engine, declared, elements, tuple(diagnostics)), in_source_order(diagnostics)
