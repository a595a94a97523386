"""The output of `dslgame solve`, `query` and `play` for games in which players do not see everything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from dslgame.cli.common import doing, play_moves, title
from dslgame.cli.output import counted, elapsed, print_json, table, wrapped

if TYPE_CHECKING:
    from interpreter.game import Position
    from interpreter.model.state import Move, State
    from solver.information.strategies import Behaviour, Strategies
    from solver.players.choice import Player
    from solver.solve import Solution

MANY = 40
"""The number of moves above which those that are hardly ever played are left out."""


def print_solution(position: Position, solution: Solution[State, Move], target: Path | None, *, report: bool,
         as_json: bool) -> None:
    """Print the value of a game, and the first player's move probabilities."""
    strategies = solution.strategies
    assert strategies is not None  # the caller has checked
    behaviour = None if position.over else strategies.at(attrs.evolve(position, history=(), played=()))
    if as_json:
        result = {**_object(position, strategies, behaviour), "positions": solution.positions,
                  "positions_merged": solution.positions_merged, "method": solution.method, "engine": solution.engine,
                  "seconds": round(solution.seconds, 6), "reason": solution.reason, "complete": solution.complete}
        if report and solution.report is not None:
            result["report"] = solution.report.as_object()
        print_json(result)
        return
    _print(position, strategies, behaviour, "")
    click.echo(f"{counted(solution.positions, 'line')} of play in {elapsed(solution.seconds)}, "
               f"method {solution.method}: {solution.reason}")
    if report and solution.report is not None:
        click.echo(f"\n{solution.report.text()}")
    if target is not None:
        click.echo(f"saved in {target}: {target.stat().st_size:,} bytes")


def asked(name: str, moves: str, *, as_json: bool) -> None:
    """Print the move probabilities of saved strategies after some moves. Raises ClickException where they have none."""
    from solver.information.strategies import Strategies

    path = Path(name)
    with doing(f"reading {path}"):
        strategies = Strategies.open(path)
    at = play_moves(strategies.game, moves, strategies.root)
    behaviour = None
    if not at.over and not at.game.engine.chance.decides(at.state):
        behaviour = strategies.at(at)
        if behaviour is None:
            raise click.ClickException(f"{path} says nothing of what {at.to_move} knows here")
    if as_json:
        print_json({**_object(at, strategies, behaviour), "method": strategies.method, "file": str(path),
                    "bytes": path.stat().st_size})
        return
    where = "in the position that was solved " if strategies.root is not None else "at the start " if at.played else ""
    _print(at, strategies, behaviour, where)


def _object(position: Position, strategies: Strategies, behaviour: Behaviour | None) -> dict[str, object]:
    pairs = () if behaviour is None else zip(behaviour.moves, behaviour.probabilities, strict=True)
    game = position.game
    nature = not position.over and game.engine.chance.decides(position.state)
    return {"game": game.title, "params": game.params, "to_move": None if position.over or nature else position.to_move,
            "winner": None, "expected": strategies.expected, "exact": strategies.exact,
            "exploitability": strategies.exploitability, "root": strategies.root, "played": position.played,
            "moves": [{"move": move, "probability": share} for move, share in pairs]}


def _print(position: Position, strategies: Strategies, behaviour: Behaviour | None, where: str) -> None:
    """Print the value of the position that was solved, which `where` names if it is another one, and the behaviour."""
    game = position.game
    click.echo(title(game))
    if position.played:
        click.echo(wrapped("after: ", " ".join(position.played)))
    click.echo(f"{where}{game.players[0]} expects {_value(strategies)}")
    if behaviour is None:
        return
    pairs = sorted(zip(behaviour.moves, behaviour.probabilities, strict=True), key=lambda pair: -pair[1])
    shown = [pair for pair in pairs if len(pairs) <= MANY or pair[1] > 0.0005]
    click.echo(f"{position.to_move} to move, by what {position.to_move} knows:")
    rows = [("move", "probability"), *((move, f"{share:.4f}") for move, share in shown)]
    click.echo(table(rows, right=(False, True)))
    if len(shown) < len(pairs):
        click.echo(f"{len(pairs)} moves: {len(pairs) - len(shown)} of them hardly ever")


def strategy_hint(position: Position, players: Sequence[Player | None]) -> str:
    """The probability of each move by a strategy that depends only on what the player to move knows.

    The strategy is that of a strategy player in the game, that of the file beside the game's, or one that is computed
    if the game is small.
    """
    from dslgame import bundled
    from solver.errors import Refused
    from solver.players.strategies import StrategyPlayer, strategies_in_time

    result = next((player.strategies for player in players if isinstance(player, StrategyPlayer)), None)
    try:
        with doing("finding a strategy"):
            strategies = result or bundled.strategies_beside(position.game) or strategies_in_time(position.game)
    except (Refused, ValueError) as problem:
        return (f"no strategy is known: {problem}; dslgame solve --save FILE finds one, and "
                "--as NAME=\"strategy file=FILE\" plays by it")
    behaviour = strategies.at(position)
    if behaviour is None:
        return f"the strategy says nothing of what {position.to_move} knows here"
    pairs = sorted(zip(behaviour.moves, behaviour.probabilities, strict=True), key=lambda pair: -pair[1])
    rows = [("move", "probability"), *((move, f"{share:.4f}") for move, share in pairs)]
    return f"by what {position.to_move} knows:\n{table(rows, right=(False, True))}"


def _value(strategies: Strategies) -> str:
    """The value as text."""
    if strategies.exact is not None:
        about = "" if "/" not in strategies.exact else f" ({strategies.expected:.6f})"
        return f"{strategies.exact}{about}"
    if strategies.exploitability < 1e-9:
        return f"{strategies.expected:.6f}"
    return f"{strategies.expected:.6f}, give or take {strategies.exploitability:.2g}"
