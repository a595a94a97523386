"""The meaning of names: the tables that declarations fill, and the scopes of bound names.

`World` holds what a file declares, as far as expressions need to know it; `Scope` holds the bound names of one rule.
Used by `dsl.resolve.expressions` (expressions) and `dsl.resolve.declarations` (declarations).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.boards import ASSUMED, KINDS
from dsl.boards.kind import Kind
from dsl.diagnostics import DECLARED, Diagnostic, Label, did_you_mean, error
from dsl.resolve.sorts import BOOLEAN, CELL, COURSE, DIRECTION, PIECE, PLAYER, Enumerated, Integer, Sort
from dsl.syntax import rules
from dsl.syntax.foreign_syntax import MEMBERS, SAYINGS
from dsl.syntax.source import Span

if TYPE_CHECKING:
    from dsl.resolve.notes import Notes

MAX_FINDINGS = 100
"""The maximum number of mistakes shown."""
MAX_CALLS = 3
"""The maximum number of calls shown with a mistake in definitions that use each other."""
BUILTIN_VALUES = (
    "empty", "occupied", "mine", "theirs", "own", "mover", "opponent", "players", "boolean", "pieces",
)
"""Names that every game has; boards add their regions and directions."""
MAX_CELLS = 10_000
"""The maximum number of cells of a board; larger boards are rejected."""
TILES_PHRASE = "with a track of each player"
"""The phrase after `tiles`."""
TILE_VALUES = ("tiles", "track")
"""Names that a game with tiles has in addition."""


@attrs.define
class PieceName:
    """A declared piece name: the indices of its pieces, by owner."""

    name: str
    span: Span
    indices: tuple[int, ...]
    by_player: tuple[int, ...] | None
    """Index by player for `name of each`, else None."""


@attrs.define(slots=False)
class DefinitionName:
    """A definition: one body, or one for each case."""

    name: str
    span: Span
    bodies: list[rules.Definition]
    failed: bool = False
    """Whether it is defined by itself, which has been reported."""
    unsound: bool = False
    """Whether it has a mistake for any call, which has been reported."""

    @cached_property
    def depth(self) -> int:
        """The nesting depth of its bodies, with parameters and cases counted."""
        deepest = max(rules.depth(body.body)[0] for body in self.bodies)
        return deepest + len(self.bodies[0].parameters) + len(self.bodies)

    @cached_property
    def weight(self) -> int:
        """The number of rule objects in its bodies."""
        return sum(1 for body in self.bodies for _ in rules.walk(body))


@attrs.define
class World:
    """The declarations of a file."""

    params: dict[str, int] = attrs.field(factory=dict)
    players: tuple[str, ...] = ()
    teams: dict[str, tuple[int, ...]] = attrs.field(factory=dict)
    """The players of each team, by its name."""
    board: Kind = ASSUMED
    shape: tuple[int, ...] = ()
    layers: dict[str, int] = attrs.field(factory=dict)
    """The numbers of the kinds of links, by name."""
    courses: dict[str, int] = attrs.field(factory=dict)
    """The numbers of the tracks, by name."""
    graph_cells: dict[str, int] = attrs.field(factory=dict)
    pieces: list[hir.PieceKind] = attrs.field(factory=lambda: [hir.PieceKind("empty", None, ".", "")])
    piece_names: dict[str, PieceName] = attrs.field(factory=dict)
    piles: int = 0
    """The maximum number of pieces on a cell; 0 without piles."""
    variables: dict[str, int] = attrs.field(factory=dict)
    variable_kinds: list[hir.VariableKind] = attrs.field(factory=list)
    cut: int | None = None
    """The number of the variable of borders that cuts the board."""
    definitions: dict[str, DefinitionName] = attrs.field(factory=dict)
    words: dict[str, tuple[Sort, int]] = attrs.field(factory=dict)
    """Words of `values` declarations: their sort and index."""
    enumerations: dict[str, Enumerated] = attrs.field(factory=dict)
    effects: dict[str, rules.EffectRule] = attrs.field(factory=dict)
    """Named effects."""
    performed: set[str] = attrs.field(factory=set)
    """The named effects that a rule uses."""
    declared: dict[str, Span] = attrs.field(factory=dict)
    """Every name declared at the top level, with its span."""
    later: dict[str, str] = attrs.field(factory=dict)
    """Definitions, variables, pieces and players, which are resolved later, each with the word for it."""
    guesses: frozenset[str] = frozenset()
    refused: set[str] = attrs.field(factory=set)
    """Names that are declared although they have a meaning already: which one a use means is not known."""
    used: set[str] = attrs.field(factory=set)
    diagnostics: list[Diagnostic] = attrs.field(factory=list)
    reported: set[Diagnostic] = attrs.field(factory=set)
    expanded: int = 0
    """The total length of the definitions expanded so far, over all uses."""
    notes: Notes | None = None
    """Collects notes for an editor, if one asks for them."""

    @property
    def tiles(self) -> tuple[int, ...]:
        """The pieces that are tiles."""
        return tuple(index for index, piece in enumerate(self.pieces) if piece.sides)

    @property
    def cell_count(self) -> int:
        """The maximum number of cells of the board."""
        if self.board.of_paths:
            return max(1, len(self.graph_cells))
        return self.board.cell_count(self.shape) if self.shape else 1

    @property
    def row_count(self) -> int:
        """The number of rows of the board (where rows count within their column, that of the longest column)."""
        return self.board.row_count(self.shape) if self.shape else 1

    @property
    def column_count(self) -> int:
        """The number of columns of the board."""
        return self.board.column_count(self.shape) if self.shape else 1

    def value_count(self, sort: Sort) -> int | None:
        """The number of values of a sort; None where it has none by itself."""
        match sort:
            case Integer(low=low, high=high):
                return high - low + 1
            case Enumerated(values=values):
                return len(values)
        counts: dict[Sort, int] = {
            CELL: self.cell_count, PIECE: len(self.pieces), PLAYER: len(self.players), BOOLEAN: 2,
            DIRECTION: len(self.board.directions), COURSE: 2 * len(self.courses)}
        return counts.get(sort)

    def report(self, diagnostic: Diagnostic) -> None:
        """Add a finding, once for each place; a single G009 stands for all after the first `MAX_FINDINGS`."""
        key = attrs.evolve(diagnostic, labels=())  # the same mistake in a definition, whichever call shows it
        if key in self.reported:
            return
        if len(self.reported) < MAX_FINDINGS:
            self.reported.add(key)
            self.diagnostics.append(diagnostic)
        elif self.diagnostics[-1].code != "G009":
            phrase = f"more than {MAX_FINDINGS} mistakes; no more are shown"
            self.diagnostics.append(error("G009", phrase, diagnostic.span))

    def report_once(self, diagnostic: Diagnostic) -> None:
        """Add a finding, unless there is already one with its code."""
        if all(item.code != diagnostic.code for item in self.diagnostics):
            self.report(diagnostic)

    def doubt(self, kind: str) -> None:
        """Note that a declaration of a kind cannot be understood, so that names it may have declared are not reported.
        """
        self.guesses |= {kind}
        if kind == "tiles":
            self.guesses |= set(TILE_VALUES)
        if kind == "board":
            self.guesses |= {"board", "rows", "columns"}.union(*(kind.words for kind in KINDS.values()))

    def doubtful(self, kind: str) -> bool:
        """Whether a declaration of a kind, such as 'pieces', or of a name could not be understood."""
        return kind in self.guesses or kind in self.refused

    def known_names(self) -> Iterator[str]:
        """Every name that could stand in an expression."""
        yield from ("true", "false", "none")
        yield from BUILTIN_VALUES
        yield from TILE_VALUES if self.tiles else ()
        yield from self.declared
        yield from self.graph_cells
        yield from self.board.regions
        yield from self.board.directions
        yield from self.board.direction_sets
        if self.board.rows_and_columns:
            yield from ("rows", "columns")

    def declare(self, name: rules.Name, what: str) -> bool:
        """Reserve a name for a declaration; False, with an error, where it already has a meaning."""
        if name.text in self.declared:
            phrase = f"'{name.text}' is already declared, expected a new name for this {what}"
            another = f"pieces have names of their own, for instance: pieces {name.text.lower()} of {name.text}"
            self.report(error("G201", phrase, name.span, help=another if what == "piece" and name.text in self.players
                              and name.text != name.text.lower() else "",
                              labels=[Label(self.declared[name.text], DECLARED)]))
            return False
        meaning = self._meaning(name.text, what)
        if meaning:
            self.refused.add(name.text)
            phrase = f"'{name.text}' already {meaning}, expected another name for this {what}"
            self.report(error("G202", phrase, name.span))
            return False
        self.declared[name.text] = name.span
        return True

    def _meaning(self, name: str, what: str) -> str:
        """What a name means before anything is declared, as a phrase; '' where it is free for a declaration."""
        board = self.board
        result = what in ("player", "team") and name == "draw"  # a result is told by this word or the winner's name
        if result or name in BUILTIN_VALUES or (self.tiles and name in TILE_VALUES):
            return "means something in every game"
        if name in board.direction_sets:
            return "is a set of directions of this board"
        if name in board.regions and what != "param":  # `param rows = 6`
            return "is a region of this board"
        could_be_direction = what in ("variable", "definition")  # after the dot of a step, `c.north`
        return "is a direction of this board" if name in board.directions and could_be_direction else ""

    def unknown(self, name: rules.Name, known: Iterable[str] | None = None, what: str = "name",
                bound: Iterable[str] = (), otherwise: str = "") -> None:
        """Report a name that nothing declares, unless a broken declaration may have declared it.

        `known` are the names that could stand there, `bound` the names that the rule itself binds, and `otherwise` is
        the help where no similar name is found.
        """
        if self.doubtful(name.text):
            return
        if len(self.reported) >= MAX_FINDINGS:  # the search for similar names takes time
            self.report(error("G203", f"unknown {what} '{name.text}'", name.span))
            return
        chosen = list(bound)
        words = [word for word in (*chosen, *(known if known is not None else self.known_names())) if word != name.text]
        if what == "player" and self.doubtful("players"):
            return
        if what == "kind of link" and not words:
            help_text = f"declare it, for instance: links {name.text} between c and neighbours(c)"
            if name.text in self.declared:
                help_text = "it is something else in this game; links are declared by 'links ... between c and ...'"
            self.report(error("G203", f"unknown kind of link '{name.text}'", name.span, help=help_text))
            return
        help_text, suggestion = did_you_mean(name.text, words)
        if name.text in self.later:
            later, suggestion = self.later[name.text], ""
            help_text = f"the {later} '{name.text}' is not known yet where the board is made" + (
                f"; numbers for it are params: param {name.text} = 3" if later in ("definition", "variable") else "")
        if what == "direction":
            help_text = help_text or MEMBERS.get(name.text.lower(), "")
        if not help_text and known is not None and 0 < len(words) <= 12:
            help_text = f"expected {', '.join(words)}"
        if not help_text and re.fullmatch(r"[a-z]{1,2}[0-9]{1,2}|[0-9]{1,2}[a-z]", name.text):
            help_text = f'a cell by its coordinate stands in quotes: "{name.text}"'
        elsewhere = any(name.text in (*kind.regions, *kind.directions) for kind in KINDS.values())
        if not help_text and not self.board.bounded and (elsewhere or name.text in ("rows", "columns")):
            help_text = "an unbounded board has no borders and no set of all cells; 'origin' is where to begin, and " \
                        "'neighbours(occupied)' are those around what stands on it"
        if not help_text and elsewhere and self.board.regions:
            help_text = f"{self.board.title} board has the regions {', '.join(self.board.regions)}"
        help_text = help_text or SAYINGS.get(name.text.lower(), "") or otherwise
        if not help_text and re.fullmatch("[a-z]", name.text) and not chosen:
            help_text = f"a name is bound first: some {name.text} in S: P"
        if not help_text and 0 < len(chosen) <= 12:
            help_text = f"the names chosen in this rule are {', '.join(chosen)}"
        if not help_text and what == "name" and len(name.text) > 1:
            help_text = f"a name is declared, for instance by: var {name.text} in boolean; define {name.text} = P"
        self.report(error("G203", f"unknown {what} '{name.text}'", name.span, help=help_text, suggestion=suggestion))


@attrs.define
class Scope:
    """The bound names of one rule."""

    names: dict[str, hir.Expr] = attrs.field(factory=dict)
    """The terms of bound names: their values, or terms that replace them."""
    places: dict[str, Span] = attrs.field(factory=dict)
    """The places where bound names are bound."""
    those: dict[str, hir.Only] = attrs.field(factory=dict)
    """The terms of `that x`."""
    counter: list[int] = attrs.field(factory=lambda: [0])
    chosen: set[int] = attrs.field(factory=set)
    """The slots of names that are chosen from sets, and therefore never none."""
    expanding: tuple[str, ...] = ()
    """Definitions being expanded, to detect cycles."""
    in_end: bool = False
    """Whether `no moves` may stand here."""
    nobody: str = ""
    """A phrase for the place, where no player is to move there and `mover` and `own` have no meaning; else ''."""
    depth: int = 0
    """The total nesting depth of the definitions being expanded."""
    calls: tuple[Label, ...] = ()
    """The calls of the definitions being expanded that have parameters, innermost first."""
    called: bool = False
    """Whether it is the body of a definition or effect whose parameters have the values of one call."""
    ahead: frozenset[str] = frozenset()
    """In the `when` of a rule, which is evaluated before its choices: the names that the choices bind."""

    @property
    def slots(self) -> int:
        """The number of slots the rule has used so far."""
        return self.counter[0]

    def bind(self, name: rules.Name, sort: Sort, world: World) -> hir.Local:
        """Bind a name in this scope to a new slot."""
        if name.text in self.names:
            world.report(error("G204", f"'{name.text}' is already bound in this rule, expected a new name", name.span))
        elif name.text in world.declared or name.text in BUILTIN_VALUES:
            phrase = f"'{name.text}' already means something in this game, expected a new name"
            builtin = name.text in BUILTIN_VALUES
            world.report(error("G204", phrase, name.span,
                               help=f"choose from it by a name of your own: c in {name.text}" if builtin else "",
                               labels=[Label(world.declared[name.text], DECLARED)]
                               if name.text in world.declared else []))
        local = hir.Local(self.counter[0], name.text, sort=sort, span=name.span)
        self.counter[0] += 1
        self.names[name.text] = local
        self.places[name.text] = name.span
        if world.notes is not None:
            world.notes.bind(name.span, sort)
        return local

    def fresh(self) -> int:
        """Reserve a slot without a name."""
        self.counter[0] += 1
        return self.counter[0] - 1

    def inner(self) -> Scope:
        """A scope inside this one: it sees the names of this one, and its own names are not visible outside; slots are
        shared."""
        return attrs.evolve(self, names=dict(self.names), places=dict(self.places), those=self.those)

    def of_effect(self) -> Scope:
        """The scope of a named effect's body, without the bound names of the caller."""
        return attrs.evolve(self, names={}, places={}, those={}, chosen=set(), called=True)

    def empty(self, definition: DefinitionName, call: tuple[Label, ...] = ()) -> Scope:
        """The scope of a definition's body, without the bound names of the caller."""
        return Scope({}, {}, {}, self.counter, set(), (*self.expanding, definition.name), self.in_end, self.nobody,
                     self.depth + definition.depth, (*call, *self.calls)[:MAX_CALLS],
                     bool(definition.bodies[0].parameters))
