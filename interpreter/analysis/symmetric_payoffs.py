"""Whether a declared symmetry leaves what ends are worth as it is: an end and its image have the same payoffs.

Where the symmetry swaps players, what one of them has of an end the other has of its image. Solvers of games with
payoffs take positions that are symmetric as one, as others do.
"""

from __future__ import annotations

from dsl import hir
from dsl.diagnostics import Diagnostic, Label, error
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.model.state import State
from interpreter.model.state_maps import StateMap


def unlike_payoff(game: Game, end: State, element: StateMap) -> int | None:
    """The first player to whom an end is worth something else than its image is to the player's image.

    None where there is nobody, or where a payoff fails, which others report.
    """
    try:
        worth, image = game.payoffs.of(end), game.payoffs.of(element.of_state(end))
    except RuleError:
        return None
    return next((player for player, mine in enumerate(worth) if image[element.of_player(player)] != mine), None)


def broken_by_payoff(game: Game, symmetry: hir.Symmetry, player: int, witness: str) -> Diagnostic:
    """What is said of a symmetry that changes a player's payoff, as the end that some moves lead to shows."""
    span = game.rules.payoffs[player].span
    return error("G307", f"the rules do not have this symmetry: 'payoff {game.players[player]}' (line {span.line}) "
                 "breaks it", symmetry.span, help=f"it shows {witness}; mend the payoff or remove the symmetry",
                 labels=[Label(span, "this payoff is not symmetric")])
