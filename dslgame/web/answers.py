"""The answers of a worker: one method for each kind of job, which returns plain values for JSON.

Jobs are already validated by `dslgame.web.request_schema`; errors in a game, a position or a move raise `Refused`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from dsl.diagnostics import GameFileError, has_errors, in_source_order, render
from dsl.syntax import heading, rules
from dsl.syntax.grammar import grammar
from dsl.syntax.parser import parse
from dsl.syntax.source import Source
from dslgame.showcase import sample_position
from dslgame.web import pictures, thinking, views, writing
from dslgame.web.choosing import Chooser
from dslgame.web.positions import Games, Kept, Reached, failing
from dslgame.web.request_schema import (
    MOST_MOVE,
    SPECTATOR,
    Asked,
    At,
    Checked,
    Choosing,
    Drawing,
    Job,
    Moving,
    Opening,
    Playing,
    Refused,
    Valuing,
    Varying,
    Writing,
    without_last,
)
from dslgame.web.saved import when_saved
from dslgame.web.writing import found_in
from interpreter.errors import IllegalMove, ImpossiblePosition, RuleError
from interpreter.game import Game, Position
from interpreter.model.state import Move
from interpreter.pictures.board import Beside
from interpreter.wording import finished

Plain = dict[str, Any]
MOST_BRANCHES = 300
"""The most moves of a tree node that are shown."""
MOST_TREE = 4_000
"""The most nodes of a tree that is drawn; larger trees are cut."""
MOST_DRAWN = 150
"""The most boards in a picture of a tree."""
MOST_VIEWED = 400
"""The most boards shown at once in the large view of a tree; a click leads to the rest."""
CHECKING = 4.0
"""Seconds of processor time for playing rules that are checked; the answer says what was not reached."""


class Answers:
    """Answers jobs, and caches games and positions between them."""

    def __init__(self) -> None:
        self.chance = random.Random()
        self._part: Callable[[Plain], bool] = lambda result: True
        self.forget()
        grammar()

    def forget(self) -> None:
        """Clear all caches."""
        self.games = Games()
        self.thinker = thinking.Thinker()
        self._choosers: Kept[Chooser] = Kept(64)
        self._desk = writing.Desk()

    def answer(self, job: Job[Asked], part: Callable[[Plain], bool] | None = None) -> Plain:
        """Answer a job. Raises Refused, with a message for people.

        An analysis, and a player that chooses a move, pass interim results to `part`, and stop when that returns False.
        """
        self._part = part or (lambda result: True)
        if job.asked.saved not in (None, when_saved(job.path)):
            raise Refused(409, "saved", "The game's file was saved meanwhile: the page continues with the new rules.")
        try:
            result: Plain = getattr(self, "_" + job.do)(job)
            return result
        except GameFileError as problem:
            raise Refused(400, "game", "\n".join(render(item, problem.source) for item in problem.diagnostics)) \
                from None
        except ImpossiblePosition as problem:
            raise Refused(400, "position", str(problem)) from None
        except IllegalMove as problem:
            raise Refused(400, "move", str(problem)) from None
        except RuleError as problem:
            raise failing(problem) from None
        except (MemoryError, RecursionError):
            self.forget()
            raise Refused(503, "limit", "this needs more memory than the page allows") from None

    def chooser(self, game: Game) -> Chooser:
        """The chooser that writes a game's moves as paths."""
        return self._choosers.made(game, lambda: Chooser(game))

    # ---- games

    def _game(self, job: Job[Opening]) -> Plain:
        """A game: its rules' text, diagnostics and params, and, where it can be played, its players, pieces and the
        like."""
        saved = when_saved(job.path) if job.path else None  # before the file is read
        source, game, result = self.games.examined(job)
        return {
            "text": source.text,
            "saved": saved,
            "diagnostics": found_in(source, result),
            "params": _params(source, game, job),
            "game": None if game is None else self._described(job, game),
            "position": self._first(job) if game is not None and job.asked.position else None,
        }

    def _first(self, job: Job[Opening]) -> Plain | None:
        """The position at which a game is opened; None where it is invalid: a request for the position itself says
        why."""
        try:
            return self._position(job)
        except (Refused, ImpossiblePosition, RuleError):
            return None

    def _described(self, job: Job[Asked], game: Game) -> Plain:
        return {
            "title": game.title,
            "credits": heading.credits(game.rules.source.text),
            "params": game.params,
            "players": pictures.described_players(game),
            "board": game.board.title,
            "shape": pictures.cell_shape(game),
            "bare": pictures.says_nothing(game),
            "pieces": [{"name": game.piece_names[index], "sign": piece.sign or piece.glyph,
                        "picture": pictures.piece_picture(game, index)}
                       for index, piece in enumerate(game.rules.pieces) if index],
            "moves": [{"name": rule.name, "line": rule.span.line} for rule in game.rules.moves],
            "patterns": thinking.patterns_of(job, game) is not None,
            "chance": game.rules.has_chance,
            "hides": not game.observer.sees_all,
            "kinds": thinking.able(job, game),
        }

    def _picture(self, job: Job[Asked]) -> Plain:
        """A small picture of a game in play, for the list of games."""
        source, game, result = self.games.examined(job)
        if game is None:
            raise GameFileError(source, result)
        beside: Beside = "lines" if pictures.says_nothing(game) else "nothing"
        return {"picture": pictures.board_picture(game, sample_position(game).state, beside=beside)}

    def _check(self, job: Job[Checked]) -> Plain:
        """The diagnostics of rules; with `play` also those found by playing."""
        source, game, result = self.games.examined(job)
        if game is not None and job.asked.play:
            from interpreter.analysis.dynamic_checks import try_out

            result = in_source_order([*result, *try_out(game, seconds=CHECKING)])
        return {"diagnostics": found_in(source, result), "playable": game is not None,
                "errors": has_errors(result)}

    def _complete(self, job: Job[Writing]) -> Plain:
        """The completions at a place in rules."""
        return self._desk.complete(job)

    def _word(self, job: Job[Writing]) -> Plain:
        """The description of the word at a place in rules, and where it is declared."""
        return self._desk.word(job)

    # ---- positions

    def _position(self, job: Job[At]) -> Plain:
        """A position with its legal moves and its picture."""
        return self._shown(self.games.reached(job), job.asked.viewer)

    def _open(self, job: Job[At]) -> Position:
        """A job's position. Raises Refused where the game hides something from the viewer."""
        position = self.games.reached(job).position
        views.check_open(position.game, job.asked.viewer)
        return position

    def _shown(self, reached: Reached, viewer: int) -> Plain:
        return views.view(self.chooser(reached.position.game), reached, viewer)

    def _known(self, job: Job[At]) -> Position:
        """A job's position. Raises Refused unless the viewer sees all of it, or is the player to move.

        Where the game hides something, the answer must depend only on what the player to move knows.
        """
        position = self.games.reached(job).position
        if not views.sees_all(position.game, job.asked.viewer):
            views.check_turn(position, job.asked.viewer)
        return position

    def _noticed(self, job: Job[At]) -> Plain:
        """The plies that each player noticed, and last those that spectators did; null where nothing is hidden. And
        whether chance moves next: nobody may notice its move, but everybody is told whose turn it is."""
        position = self.games.reached(job).position
        viewers = (*range(len(position.game.players)), SPECTATOR)
        hides = not position.game.observer.sees_all
        return {"plies": [views.noticed(position, viewer) for viewer in viewers] if hides else None,
                "nature": position.by_chance}

    def _turn(self, job: Job[At]) -> Plain:
        """Who moves next; a job that only the server itself gives."""
        position = self.games.reached(job).position
        nature = position.by_chance
        return {"side": None if nature or position.over else position.state.to_move, "nature": nature}

    def _choices(self, job: Job[Choosing]) -> Plain:
        """The moves that begin with the choices made so far."""
        position = self.games.reached(job).position
        listing = views.listing(self.chooser(position.game), position, job.asked.viewer, job.asked.chosen)
        return {"count": listing.count, "moves": listing.moves, "next": listing.next}

    def _move(self, job: Job[Moving]) -> Plain:
        """Make a move: its effects step by step, and the position after it."""
        position = self.games.reached(job).position
        views.check_turn(position, job.asked.viewer)
        move = self._found(position, job.asked.move)
        steps, count = views.steps(position, move, job.asked.viewer)
        after = Reached(position.play(move), move)
        self.games.keep(job, after)
        return {"move": after.position.played[-1], "frames": steps, "forced": count,
                "after": self._shown(after, job.asked.viewer)}

    def _last(self, job: Job[At]) -> Plain:
        """The effects of a game's last move step by step, and the position after it."""
        after = self.games.reached(job)
        earlier = attrs.evolve(job, asked=without_last(job.asked))
        frames, count = views.steps(self.games.reached(earlier).position, after.move, job.asked.viewer)
        return {"frames": frames, "forced": count, "after": self._shown(after, job.asked.viewer)}

    def _found(self, position: Position, move: str | list[int | str]) -> Move:
        """The legal move of a text or of a path. Raises IllegalMove or Refused."""
        if isinstance(move, str):
            return position.find(move)
        result = self.chooser(position.game).move(position, move)
        if result is None:
            raise Refused(400, "move", "this move is not among the legal moves")
        if len(position.game.notation.write(position.state, result)) > MOST_MOVE:  # requests could not name it
            raise Refused(400, "move", f"this move is written with more than {MOST_MOVE} characters")
        return result

    def _tree(self, job: Job[At]) -> Plain:
        """The legal moves with the outcome of each, or the number of replies to it."""
        position = self._open(job)
        children = []
        legal = position.legal()
        for move in legal[:MOST_BRANCHES]:
            after = position.play(move)
            children.append({"move": after.played[-1], "outcome": after.outcome, "winner": after.state.outcome,
                             "result": None if after.outcome is None else finished(after.outcome),
                             "to_move": after.state.to_move, "replies": 0 if after.over else len(after.legal())})
        return {"children": children, "left_out": len(legal) - len(children), "to_move": position.state.to_move}

    # ---- thinking

    def _variants(self, job: Job[Varying]) -> Plain:
        """The solved instances of a family of games."""
        from dslgame.web.families import solved

        return solved(job, self.games.examined(job)[0])

    def _treepicture(self, job: Job[Drawing]) -> Plain:
        """The tree from a position: a picture, and data for the viewer (boards, moves, proven values)."""
        from dslgame.treeview.layout import NoLayout, part_of
        from dslgame.treeview.page import data_of
        from dslgame.treeview.picture import picture
        from solver.trees.labels import by_solution, label
        from solver.trees.tree import Tree

        position = self._open(job)
        tree = Tree.of(position.game, position, merge=job.asked.merge)
        tree.grow(job.asked.depth, nodes=MOST_TREE, native=False)
        try:
            part = part_of(tree, most=MOST_DRAWN)
            labels = label(tree) if tree.positions.can_label else None
            solved = None if labels is None else self.thinker.solved(job, position)
            if labels is not None and solved is not None:
                labels = by_solution(tree, labels, solved)
            title = f"The tree of {position.game.title}"
            return {"picture": picture(tree, part, labels, title=title), "nodes": tree.size, "drawn": len(part.nodes),
                    "depth": tree.depth, "cut": tree.cut, "solved": solved is not None,
                    "viewer": data_of(tree, labels, title=title, most=MOST_VIEWED)}
        except NoLayout as problem:
            raise Refused(501, "picture", str(problem)) from None

    def _warm(self, job: Job[Asked]) -> Plain:
        """Compile the searches; a job that only the server itself gives."""
        self.thinker.warm_up()
        return {}

    def _values(self, job: Job[Valuing]) -> Plain:
        """The value of every legal move, or its probability in a strategy."""
        position = self._known(job)
        return self._improved(self.thinker.improving(job, position))

    def _analyse(self, job: Job[Valuing]) -> Plain:
        """The values of all legal moves, improved during a round; the answer is the last result."""
        position = self._known(job)
        if position.over:
            raise Refused(400, "move", "the game is over")
        return self._improved(self.thinker.improving(job, position))

    def _improved(self, results: Iterator[Plain]) -> Plain:
        """The last of some improving results, or the one at which whoever gets them stops."""
        for result in results:
            if not self._part(result):
                break
        return result

    def _choose(self, job: Job[Playing]) -> Plain:
        """The move of a computer player; the first interim answer comes before anything is compiled."""
        position = self._known(job)
        if position.over:
            raise Refused(400, "move", "the game is over")

        def written(move: Move, remark: str) -> Plain:
            return {"move": position.game.notation.write(position.state, move), "remark": remark}

        move, remark = self.thinker.choose(job, position, self.chance,
                                           lambda move, remark: self._part(written(move, remark)))
        return written(move, remark)


_LIMITS = re.compile(r"in\s+(-?[0-9]+)\s*\.\.\s*(-?[0-9]+)?")


def _params(source: Source, game: Game | None, job: Job[Asked]) -> list[Plain]:
    """The params of rules in their order, each with name, value, default, limits where these are numbers, and
    comment."""
    result = []
    for item in parse(source).file.all(rules.Param):
        line = source.line(item.span.line)
        before, _, comment = line.partition("#")
        limits = _LIMITS.search(before)
        default = re.search(r"=\s*(-?[0-9]+)", before)
        value = job.asked.params.get(item.name.text, None if default is None else int(default[1]))
        if game is not None:
            value = game.params.get(item.name.text, value)
        result.append({
            "name": item.name.text, "value": value, "default": None if default is None else int(default[1]),
            "low": None if limits is None else int(limits[1]),
            "high": None if limits is None or limits[2] is None else int(limits[2]),
            "help": comment.strip(),
        })
    return result
