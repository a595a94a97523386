"""What a worker answers: one function for each thing that can be asked, from a job to plain values.

Jobs come checked from `dslgame.web.request_schema`; what is wrong with a game, a position or a move is said by
`Refused`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
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
from dslgame.web.writing import found_in
from interpreter.errors import IllegalMove, ImpossiblePosition, RuleError
from interpreter.game import Game, Position
from interpreter.model.state import Move
from interpreter.pictures.board import Beside

Plain = dict[str, Any]
MOST_BRANCHES = 300
"""Moves of a node of the tree that are shown."""
MOST_TREE = 4_000
"""Nodes of a tree that is drawn; what goes beyond is cut."""
MOST_DRAWN = 150
"""Boards in a picture of a tree."""
MOST_VIEWED = 400
"""Boards that are looked at together where a tree is shown large; where it goes on, a click leads there."""
CHECKING = 4.0
"""Seconds of processor time for playing rules that are checked; the answer says what that did not reach."""


class Answers:
    """Answers jobs, and keeps games and positions from one to the next."""

    def __init__(self) -> None:
        self.chance = random.Random()
        self._part: Callable[[Plain], bool] = lambda result: True
        self.forget()
        grammar()

    def forget(self) -> None:
        """Keep nothing of what was answered."""
        self.games = Games()
        self.thinker = thinking.Thinker()
        self._choosers: Kept[Chooser] = Kept(64)
        self._desk = writing.Desk()

    def answer(self, job: Job[Asked], part: Callable[[Plain], bool] | None = None) -> Plain:
        """The answer to a job. Raises Refused, with a sentence for people.

        An analysis gives `part` what it knows so far, and ends when that says so.
        """
        self._part = part or (lambda result: True)
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
        """What writes a game's moves as paths."""
        return self._choosers.made(game, lambda: Chooser(game))

    # ---- games

    def _game(self, job: Job[Opening]) -> Plain:
        """A game: its rules' text, its params, players, pieces; without rules that can be played, the diagnostics."""
        source, game, result = self.games.examined(job)
        return {
            "text": source.text,
            "diagnostics": found_in(source, result),
            "params": _params(source, game, job),
            "game": None if game is None else self._described(job, game),
            "position": self._first(job) if game is not None and job.asked.position else None,
        }

    def _first(self, job: Job[Opening]) -> Plain | None:
        """The position at which a game is opened; None where there is none: who asks for it then is told why."""
        try:
            return self._position(job)
        except (Refused, ImpossiblePosition, RuleError):
            return None

    def _described(self, job: Job[Asked], game: Game) -> Plain:
        return {
            "title": game.title,
            "credits": heading.credits(game.rules.source.text),
            "params": game.params,
            "players": [{"name": name, "colour": pictures.player_colour(game, number)}
                        for number, name in enumerate(game.players)],
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
        }

    def _picture(self, job: Job[Asked]) -> Plain:
        """A small picture of a game in play, to choose it by."""
        source, game, result = self.games.examined(job)
        if game is None:
            raise GameFileError(source, result)
        beside: Beside = "lines" if pictures.says_nothing(game) else "nothing"
        return {"picture": pictures.board_picture(game, sample_position(game).state, beside=beside)}

    def _check(self, job: Job[Checked]) -> Plain:
        """What is wrong with rules; with `play` also what only play shows."""
        source, game, result = self.games.examined(job)
        if game is not None and job.asked.play:
            from interpreter.analysis.dynamic_checks import try_out

            result = in_source_order([*result, *try_out(game, seconds=CHECKING)])
        return {"diagnostics": found_in(source, result), "playable": game is not None,
                "errors": has_errors(result)}

    def _complete(self, job: Job[Writing]) -> Plain:
        """What could stand at a place of rules."""
        return self._desk.complete(job)

    def _word(self, job: Job[Writing]) -> Plain:
        """What the word at a place of rules is, and where it is declared."""
        return self._desk.word(job)

    # ---- positions

    def _position(self, job: Job[At]) -> Plain:
        """A position with its legal moves and its picture."""
        return self._shown(self.games.reached(job), job.asked.viewer)

    def _open(self, job: Job[At]) -> Position:
        """A job's position, where all of it is open to the viewer. Raises Refused."""
        position = self.games.reached(job).position
        views.check_open(position.game, job.asked.viewer)
        return position

    def _shown(self, reached: Reached, viewer: int) -> Plain:
        return views.view(self.chooser(reached.position.game), reached, viewer)

    def _known(self, job: Job[At]) -> Position:
        """A job's position, where its viewer sees all of it, or is the player to move. Raises Refused.

        What is answered then must go by what the player to move knows alone, where the game hides something.
        """
        position = self.games.reached(job).position
        if not views.sees_all(position.game, job.asked.viewer):
            views.check_turn(position, job.asked.viewer)
        return position

    def _noticed(self, job: Job[At]) -> Plain:
        """The plies that each player noticed, and last those that all others did; null where nothing is hidden."""
        position = self.games.reached(job).position
        viewers = (*range(len(position.game.players)), SPECTATOR)
        hides = not position.game.observer.sees_all
        return {"plies": [views.noticed(position, viewer) for viewer in viewers] if hides else None}

    def _choices(self, job: Job[Choosing]) -> Plain:
        """The moves that go on from what is chosen already."""
        position = self.games.reached(job).position
        listing = views.listing(self.chooser(position.game), position, job.asked.viewer, job.asked.chosen)
        return {"count": listing.count, "moves": listing.moves, "next": listing.next}

    def _move(self, job: Job[Moving]) -> Plain:
        """What a move does, step by step, and the position after it."""
        position = self.games.reached(job).position
        views.check_turn(position, job.asked.viewer)
        move = self._found(position, job.asked.move)
        steps, count = views.steps(position, move, job.asked.viewer)
        after = Reached(position.play(move), move)
        self.games.keep(job, after)
        return {"move": after.position.played[-1], "frames": steps, "forced": count,
                "after": self._shown(after, job.asked.viewer)}

    def _last(self, job: Job[At]) -> Plain:
        """What the last of a game's moves did, step by step, and the position after it."""
        after = self.games.reached(job)
        earlier = attrs.evolve(job, asked=without_last(job.asked))
        frames, count = views.steps(self.games.reached(earlier).position, after.move, job.asked.viewer)
        return {"frames": frames, "forced": count, "after": self._shown(after, job.asked.viewer)}

    def _found(self, position: Position, move: str | list[int | str]) -> Move:
        """The legal move of a text or of a path. Raises IllegalMove."""
        if isinstance(move, str):
            return position.find(move)
        result = self.chooser(position.game).move(position, move)
        if result is None:
            raise Refused(400, "move", "this move is not among the legal moves")
        return result

    def _tree(self, job: Job[At]) -> Plain:
        """The legal moves with what they lead to: the outcome, or how many replies there are."""
        position = self._open(job)
        children = []
        legal = position.legal()
        for move in legal[:MOST_BRANCHES]:
            after = position.play(move)
            children.append({"move": after.played[-1], "outcome": after.outcome, "winner": after.state.outcome,
                             "to_move": after.state.to_move, "replies": 0 if after.over else len(after.legal())})
        return {"children": children, "left_out": len(legal) - len(children), "to_move": position.state.to_move}

    # ---- thinking

    def _variants(self, job: Job[Varying]) -> Plain:
        """A family of games, solved."""
        from dslgame.web.families import solved

        return solved(job, self.games.examined(job)[0])

    def _treepicture(self, job: Job[Drawing]) -> Plain:
        """The tree from a position as a picture, and to look at: boards, moves, and what is proven of them."""
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
        """Compile what searches need; asked by the server itself."""
        self.thinker.warm_up()
        return {}

    def _values(self, job: Job[Valuing]) -> Plain:
        """What every legal move is worth, or how often a strategy makes it."""
        position = self._known(job)
        return self.thinker.values(job, position)

    def _analyse(self, job: Job[Valuing]) -> Plain:
        """What every legal move is worth, better and better in a round; the answer is the last."""
        position = self._known(job)
        if position.over:
            raise Refused(400, "move", "the game is over")
        for result in self.thinker.improving(job, position):
            if not self._part(result):
                break
        return result

    def _choose(self, job: Job[Playing]) -> Plain:
        """The move of a player that is no person."""
        position = self._known(job)
        if position.over:
            raise Refused(400, "move", "the game is over")
        move, remark = self.thinker.choose(job, position, self.chance)
        return {"move": position.game.notation.write(position.state, move), "remark": remark}


_LIMITS = re.compile(r"in\s+(-?[0-9]+)\s*\.\.\s*(-?[0-9]+)?")


def _params(source: Source, game: Game | None, job: Job[Asked]) -> list[Plain]:
    """The params of rules in their order: name, value, least and most where they are numbers, and its comment."""
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
