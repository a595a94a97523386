"""Rewrites the rules of games with `players move together`: all players choose, then all moves are carried out.

The rest of the program does not know of it. The players choose one after another in the position before all of their
moves; a choice is kept in variables that only the player who made it sees. When the last player has chosen, the moves
are carried out in the order of the players, each with `mover` as the player who chose it; then the effects after every
move, the forced rules and the ends apply, as after any move. Conflicts between moves are resolved by their effects,
which see what the effects before them have done.

`made_together(resolver, rules)` rewrites the rules of a file this way. Positions, kernels, texts and the solvers see
ordinary variables and effects.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.diagnostics import error, has_errors
from dsl.resolve.sorts import (
    BOOLEAN,
    CELL,
    DIRECTION,
    PIECE,
    PLAYER,
    Enumerated,
    Integer,
    Kind,
    Sort,
)
from dsl.syntax import rules
from dsl.syntax.source import Span

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver

NOTHING_CHOSEN = "nothing"
"""The value of a player who has not chosen, in the text of a position."""
MOST_NUMBERS = 10_000
"""The maximum number of numbers to choose from, for a choice that is kept in a position."""


def made_together(resolver: DeclarationResolver, result: hir.Rules) -> hir.Rules:
    """Rewrite the rules so that all players choose first, where the file says `players move together`; else unchanged.
    """
    item = resolver.one(rules.Together, "'players move together'")
    if item is None:
        return result
    problems = list(_problems(result, item))
    for code, phrase, span, help_text in problems:
        resolver.world.report(error(code, phrase, span, help=help_text))
    if problems or has_errors(resolver.world.diagnostics):
        return result
    return _Kept(resolver, result, item.span).rules()


def _problems(result: hir.Rules, item: rules.Together) -> Iterator[tuple[str, str, Span, str]]:
    """What is not allowed in a game whose players move together: code, phrase, place and help."""
    if len(result.players) < 2:
        yield "G297", f"found {len(result.players)} player, expected two or more to move together", item.span, ""
    onward = [part for rule in result.moves for part in hir.walk(rule.body)
              if isinstance(part, (hir.Then, hir.Proceed))]
    once = "where players move together a move is chosen at once"
    for part in onward:
        yield "G297", f"'then' in a game whose players move together, expected all choices in the brackets: {once}", \
            part.span, "write them as choices of the move: move place(a in empty, b in empty - a)"
    refused = [(condition.span, "'illegal when'", "say by 'where' and 'when' which moves can be chosen")
               for condition in result.illegal]
    refused += [(condition.span, "'turn again'", "everybody moves in each turn") for condition in result.again]
    refused += [(condition.span, "'turn passes'", "everybody moves in each turn") for condition in result.passes]
    refused += [(result.passing.span, "'pass'", "write a move without effects on anybody: move wait:")
                ] if result.passing is not None else []
    refused += [(result.ranking.span, "'only moves with'", "say by 'where' and 'when' which moves can be chosen")
                ] if result.ranking is not None else []
    refused += [(pie.span, "a pie rule", "no player moves first") for pie in result.pies]
    refused += [(result.no_moves_span or item.span, "'no moves passes'", "say what happens: no moves draws")
                ] if result.no_moves == "passes" else []
    refused += [(symmetry.span, "a symmetry that swaps the players", "leave out 'swapping players'")
                for symmetry in result.symmetries if symmetry.swapping]
    for span, what, help_text in refused:
        yield "G297", f"found {what} in a game whose players move together", span, help_text
    for end in result.ends:
        if isinstance(end.player, hir.Role):
            yield "G297", f"'{end.kind} {end.player.name}' in a game whose players move together, expected a " \
                "player's name", end.span, "nobody alone has just moved; write for instance: " \
                f"{end.kind} {result.players[0]} when ..."
    for rule in result.moves:
        for choice in rule.choices:
            if not rule.is_chance and _kept_sort(choice) is None:
                yield "G297", f"'{choice.names[0]}' is chosen from what a position cannot keep until all have " \
                    "chosen", choice.span, f"expected cells, pieces, players, directions or at most {MOST_NUMBERS} " \
                    "numbers"


def _kept_sort(choice: hir.Choice) -> Sort | None:
    """The sort of the variable that keeps a choice; None where a variable cannot keep it."""
    sort = getattr(choice.domain.sort, "element", None)
    if isinstance(sort, Integer):
        return sort if sort.high - sort.low < MOST_NUMBERS else None
    whole = sort in (CELL, PIECE, PLAYER, DIRECTION, BOOLEAN) or (
        isinstance(sort, Enumerated) and not isinstance(sort, Kind))
    return sort if whole else None


class _Kept:
    """Rules with variables for the choices that are made and not yet carried out."""

    def __init__(self, resolver: DeclarationResolver, result: hir.Rules, span: Span) -> None:
        self.found, self.span = result, span
        self._taken = {*resolver.world.declared}
        self.players = len(result.players)
        self.variables = list(result.variables)
        moves = tuple(rule.name for rule in result.moves)
        self.move_sort = Enumerated("move", (NOTHING_CHOSEN, *moves))
        first = next((number for number, kind in enumerate(result.variables) if kind not in hir.said_variables(result)),
                     len(result.variables))
        self.new: list[hir.VariableKind] = []
        self._first = first
        self.chosen = self._add("chosen", self.move_sort, 0)
        self.values = [[] if rule.is_chance else [
            self._add(f"chosen_{name}", sort, None) for choice in rule.choices
            if (sort := _kept_sort(choice)) is not None for name in choice.names] for rule in result.moves]

    def _add(self, name: str, sort: Sort, initial: int | None) -> int:
        """Add a variable with a value for each player, and return its number. `initial` is None for none, as symmetries
        fix no other value."""
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        literal = hir.Literal(initial, sort=sort, span=self.span)
        self.new.append(hir.VariableKind(name, "player", sort, initial is None, literal, span=self.span))
        return self._first + len(self.new) - 1

    # ---- terms

    def _player(self, player: int) -> hir.Expr:
        return hir.Literal(player, sort=PLAYER, span=self.span)

    def _is_chosen(self, player: int, move: int, operator: str = "=") -> hir.Expr:
        """A test whether a player has chosen a move, counted from 1; 0 stands for no choice yet."""
        variable = hir.Variable(self.chosen, self._player(player), sort=self.move_sort, span=self.span)
        wanted = hir.Literal(move, sort=self.move_sort, span=self.span)
        return hir.Comparison(operator, variable, wanted, sort=BOOLEAN, span=self.span)

    def _settled(self, term: hir.Expr | None) -> hir.Expr:
        """Restrict a condition to positions where no choice waits to be carried out."""
        waiting = self._is_chosen(0, 0)
        return waiting if term is None else hir.All((waiting, term), sort=BOOLEAN, span=term.span)

    def _keep(self, number: int, player: hir.Expr, value: hir.Expr) -> hir.SetVariable:
        return hir.SetVariable(number, player, value, None, span=self.span)

    # ---- rules

    def rules(self) -> hir.Rules:
        """The rewritten rules of the game."""
        result = self.found
        moves = tuple(rule if rule.is_chance else attrs.evolve(rule, body=tuple(self._choosing(number, rule)))
                      for number, rule in enumerate(result.moves))
        carried = tuple(self._carried_out(player, number, rule) for player in range(self.players)
                        for number, rule in enumerate(result.moves) if not rule.is_chance)
        follow = tuple(attrs.evolve(rule, body=(hir.If(self._settled(None), rule.body, (), span=rule.span),))
                       for rule in result.after)
        forced = tuple(attrs.evolve(rule, when=self._settled(rule.when)) for rule in result.forced)
        ends = tuple(attrs.evolve(end, condition=attrs.evolve(end.condition, term=self._settled(end.condition.term)))
                     for end in result.ends)
        hidden = tuple(self._hidden(self._first + number) for number in range(len(self.new)))
        # The variables of piles are not referred to by number in rules: they remain the last ones.
        variables = (*result.variables[:self._first], *self.new, *result.variables[self._first:])
        return attrs.evolve(result, variables=variables, moves=moves, forced=forced, ends=ends, together=True,
                            after=(*carried, self._forgotten(), *follow), hidden=(*result.hidden, *hidden))

    def _choosing(self, number: int, rule: hir.Move) -> Iterator[hir.Effect]:
        """The effects of choosing a move: they keep the choice."""
        mover = hir.Role("mover", sort=PLAYER, span=rule.span)
        yield self._keep(self.chosen, mover, hir.Literal(number + 1, sort=self.move_sort, span=rule.span))
        for variable, (slot, name) in zip(self.values[number], _names(rule), strict=True):
            sort = self.new[variable - self._first].sort
            yield self._keep(variable, mover, hir.Local(slot, name, sort=sort, span=rule.span))

    def _carried_out(self, player: int, number: int, rule: hir.Move) -> hir.Forced:
        """A rule that carries out a player's move once the last player has chosen."""
        kept = [hir.Keep(slot, name, hir.Variable(variable, self._player(player),
                                                  sort=self.new[variable - self._first].sort, span=rule.span),
                         span=rule.span)
                for variable, (slot, name) in zip(self.values[number], _names(rule), strict=True)]
        last = self.players - 1
        ready = self._is_chosen(player, number + 1) if player == last else hir.All(
            (self._is_chosen(last, 0, "!="), self._is_chosen(player, number + 1)), sort=BOOLEAN, span=self.span)
        body = (hir.If(ready, (*kept, *rule.body), (), span=rule.span),)
        return hir.Forced(rule.name, (), None, None, body, rule.slots, span=rule.span, mover=player)

    def _forgotten(self) -> hir.Forced:
        """A rule that resets the variables to their initial values once all moves are carried out."""
        body = []
        for number, kind in enumerate(self.new, self._first):
            assert kind.initial is not None
            body += [self._keep(number, self._player(player), kind.initial) for player in range(self.players)]
        done = hir.If(self._is_chosen(self.players - 1, 0, "!="), tuple(body), (), span=self.span)
        return hir.Forced("chosen", (), None, None, (done,), 0, span=self.span)

    def _hidden(self, number: int) -> hir.Hidden:
        """Hide a choice from all but the player who made it."""
        local = hir.Local(0, "player", sort=PLAYER, span=self.span)
        looker = hir.Role("mover", sort=PLAYER, span=self.span)
        others = hir.Comparison("!=", looker, local, sort=BOOLEAN, span=self.span)
        return hir.Hidden(number, 0, None, others, None, 1, choice=True, span=self.span)


def _names(rule: hir.Move) -> Iterator[tuple[int, str]]:
    """The slots and names of all choices of a move."""
    for choice in rule.choices:
        yield from zip(choice.slots, choice.names, strict=True)
