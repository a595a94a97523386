"""Checks that a declared symmetry preserves payoffs: a final position and its image have the same payoffs.

Where the symmetry swaps players, the payoff of one player must equal that of the other at the image. This is needed as
solvers of games with payoffs, like others, treat symmetric positions as one.
"""

from __future__ import annotations

from dsl import hir
from dsl.diagnostics import Diagnostic, Label, error
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.model.state import State
from interpreter.model.state_maps import StateMap


def unlike_payoff(game: Game, end: State, element: StateMap) -> int | None:
    """The first player whose payoff in a final position differs from that of the player's image in its image.

    None where there is none, or where a payoff fails, which is reported elsewhere.
    """
    try:
        worth, image = game.payoffs.of(end), game.payoffs.of(element.of_state(end))
    except RuleError:
        return None
    return next((player for player, mine in enumerate(worth) if image[element.of_player(player)] != mine), None)


def broken_by_payoff(game: Game, symmetry: hir.Symmetry, player: int, witness: str) -> Diagnostic:
    """The error for a symmetry that changes a player's payoff; `witness` describes the moves to a final position."""
    span = game.rules.payoffs[player].span
    return error("G307", f"the rules do not have this symmetry: 'payoff {game.players[player]}' (line {span.line}) "
                 "breaks it", symmetry.span, help=f"it shows {witness}; mend the payoff or remove the symmetry",
                 labels=[Label(span, "this payoff is not symmetric")])
