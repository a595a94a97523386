"""The board view: a Textual application around a `Table`, which `run` shows until the user quits.

Players think in threads of their own, so that the view stays responsive; a result for a position that is no longer
shown is dropped.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Click, Resize
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

import interpreter.pictures.colours as colours
from dslgame.cli.output import outcome_text
from dslgame.cli.players import remark
from dslgame.terminal.choices import ON_BOARD, Choices, Situation
from dslgame.terminal.drawn import changed, drawn
from dslgame.terminal.sheet import Drawn
from dslgame.terminal.table import Table
from interpreter.errors import IllegalMove, RuleError
from interpreter.game import Game, Position
from interpreter.model.outcomes import is_open, result_of
from interpreter.wording import expected

if TYPE_CHECKING:
    from solver.players.choice import Choice
    from solver.players.judge import Analysis, Judged

MOST_SHOWN = 2_000
"""The most entries of a list."""
COLOURS = {
    "black": "", "white": "", "red": "#ff6b6b", "blue": "#6ba8ff", "green": "#5fd38d", "yellow": "#ffd866",
    "grey": "#b0b0b0", "orange": "#ff9f43", "brown": "#c08a5a", "purple": "#b48cff", "pink": "#ff9ecb",
}
"""The colours of pieces, bright enough for a dark background."""
WORTH = {"win": "#14532d", "draw": "#1e3a6e", "lose": "#641e1e"}
"""The background of cells whose best move wins, draws or loses, after a hint."""
HELP = """\
Click a cell, or go to it with the arrow keys and press Enter. A move of several choices is made choice by choice; \
Escape takes the last one back. What is no cell stands in the list at the right.

Type a move as it is written and press Enter; so are  moves  hint  undo  redo  help  quit.

PageUp and PageDown look at earlier and later positions, Home and End at the first and the last. A move that is made \
in an earlier position takes the place of what was played."""


class BoardView(Widget, can_focus=True):
    """The board: shows the pieces, the cells that can be chosen, those that are chosen, and the last move."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1, 0)", show=False), Binding("down", "step(1, 0)", show=False),
        Binding("left", "step(0, -1)", show=False), Binding("right", "step(0, 1)", show=False),
        Binding("enter,space", "press", "choose"),
    ]
    DEFAULT_CSS = "BoardView { width: auto; height: auto; padding: 1 2; }"

    class Pressed(Message):
        """A cell was clicked, or chosen by a key."""

        def __init__(self, cell: int) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self) -> None:
        super().__init__(id="board")
        self.drawn = Drawn(())
        self.cursor: int | None = None
        self._styles: dict[int, Style] = {}

    def show(self, result: Drawn, styles: dict[int, Style]) -> None:
        """Show a drawn board, with the style of each cell."""
        self.drawn, self._styles = result, styles
        self.refresh(layout=True)

    def get_content_width(self, container: object, viewport: object) -> int:
        """The width of the board."""
        return max(1, self.drawn.width)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """The height of the board."""
        return max(1, len(self.drawn.lines))

    def render(self) -> Text:
        """The board with its colours."""
        text = Text(no_wrap=True)
        for number, line in enumerate(self.drawn.lines):
            if number:
                text.append("\n")
            for piece in line:
                style = self._styles.get(piece.cell, Style(dim=piece.cell < 0 and not piece.colour))
                if piece.colour:
                    style += Style(color=_bright(piece.colour))
                if piece.cell == self.cursor and self.has_focus:
                    style += Style(reverse=True)
                text.append(piece.text, style)
        return text

    def on_click(self, event: Click) -> None:
        """Choose the cell under the pointer."""
        offset = event.get_content_offset(self)
        cell = None if offset is None else self.drawn.cell_at(offset.y, offset.x)
        if cell is not None:
            self.cursor = cell
            self.refresh()
            self.post_message(self.Pressed(cell))

    def action_step(self, down: int, right: int) -> None:
        """Move the cursor to the next cell in a direction."""
        first = next((cell for cell, *_ in self.drawn.places()), None)
        self.cursor = first if self.cursor is None or first is None else self.drawn.next(self.cursor, down, right)
        self.refresh()

    def action_press(self) -> None:
        """Choose the cell at the cursor."""
        if self.cursor is not None:
            self.post_message(self.Pressed(self.cursor))


class BoardSide(VerticalScroll):
    """The side of the window with the board, which is redrawn to fit the side's new size."""

    class Resized(Message):
        """The side has a new size."""

    def on_resize(self, event: Resize) -> None:
        """Say so: events of size are not passed on to the app."""
        self.post_message(self.Resized())


class GameApp(App[None]):
    """A game on the terminal."""

    CSS = """
    #left { width: 1fr; overflow: auto; }
    #right { width: 46; border-left: solid $primary; padding: 0 1; }
    #status { height: auto; padding: 0 1; text-style: bold; }
    #choices { height: 1fr; min-height: 3; }
    #played { height: 1fr; min-height: 3; }
    #info { height: auto; max-height: 40%; overflow-y: auto; }
    #line { border: none; height: 1; margin: 0 1; padding: 0 1; }
    OptionList { border: none; padding: 0; }
    .head { text-style: bold; color: $text-muted; }
    .-narrow #body { layout: vertical; }
    .-narrow #left { width: 100%; height: auto; max-height: 60%; }
    .-narrow #right { width: 100%; height: 1fr; border-left: none; border-top: solid $primary; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (84, "-wide")]  # noqa: RUF012  # so it is declared where it comes from
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "hint"), Binding("u,ctrl+z", "undo", "undo"), Binding("r,ctrl+y", "redo", "redo"),
        Binding("m", "move", "move for me"), Binding("pageup", "ply(-1)", "back"),
        Binding("pagedown", "ply(1)", "ahead"), Binding("home", "first", show=False),
        Binding("end", "last", show=False), Binding("escape", "unchoose", "take back a choice", show=False),
        Binding("slash", "type", "type"), Binding("question_mark", "help", "help"), Binding("q", "quit", "quit"),
    ]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, table: Table, title: str, names: str, *, report: bool = False) -> None:
        super().__init__()
        self.table, self.report = table, report
        self.title, self.names = title, names
        self.choices = Choices(table.position)
        self.situation = self.choices.situation()
        self.thinking = False
        self.known: dict[str, Judged] = {}
        """The values of the position's moves by their texts, as far as a hint has found them."""
        self._asked = 0
        self._listed: list[str] = []

    # ---- what is shown

    def compose(self) -> ComposeResult:
        """Lay out the board at the left, the lists at the right, and an input line below."""
        with Horizontal(id="body"):
            with BoardSide(id="left", can_focus=False):
                yield Static(id="status")
                yield BoardView()
            with Vertical(id="right"):
                yield Static("Moves", classes="head", id="choices_head")
                yield OptionList(id="choices")
                yield Static("Played", classes="head")
                yield OptionList(id="played")
                yield Static(id="info")
        yield Input(placeholder="a move, or hint, undo, redo, moves, help, quit", id="line")
        yield Footer()

    def on_mount(self) -> None:
        """Focus the board and show the first position."""
        self.board.focus()
        self.show_info(self.names)
        self.look()

    @property
    def board(self) -> BoardView:
        """The board widget."""
        return self.query_one(BoardView)

    def on_board_side_resized(self, message: BoardSide.Resized) -> None:
        """Redraw the board to fit the new size."""
        self._draw()

    def show_info(self, text: str | Text) -> None:
        """Show a message under the lists."""
        self.query_one("#info", Static).update(text if isinstance(text, Text) else Text(text))

    def look(self) -> None:
        """Show the current position, and let its player move if it is the last one."""
        self._asked += 1
        self.thinking = False
        self.known = {}
        self.choices = Choices(self.table.position)
        self.show_choices()
        self._show_played()
        if self.table.latest and self.table.player is not None:
            self._think()

    def show_choices(self) -> None:
        """Show the board with the cells that can be chosen, and the list of the other choices."""
        try:
            self.situation = self.choices.situation()
        except RuleError as problem:
            self.situation = Situation({}, [], 0)
            self.show_info(str(problem))
        self._draw()
        position, situation = self.table.position, self.situation
        chosen = " ".join(self.choices.words(choice) for choice in self.choices.chosen)
        head = "Moves" if not chosen else f"{chosen} ..."
        self.query_one("#choices_head", Static).update(f"{head}  ({situation.count:,})" if situation.count else head)
        self._listed = [f"={text}" for text in situation.complete]
        self._listed += [choice for choice in situation.options if choice[0] not in ON_BOARD]
        if not self._listed:
            listed = {f"={text}": None for texts in situation.options.values() for text in texts} if chosen else {}
            self._listed = list(listed) or [f"={text}" for text in self._few_moves(position)]
        result = self.query_one("#choices", OptionList)
        result.clear_options()
        result.add_options([Option(Text(choice[1:] if choice[0] == "=" else self.choices.words(choice)))
                            for choice in self._listed[:MOST_SHOWN]])
        self.query_one("#status", Static).update(self._status())

    @staticmethod
    def _few_moves(position: Position) -> list[str]:
        if position.over:
            return []
        try:
            legal = position.legal()[:MOST_SHOWN]
        except RuleError:
            return []
        return [position.game.notation.write(position.state, move) for move in legal]

    def _status(self) -> Text:
        position = self.table.position
        if position.over:
            text = f"The game is over: {outcome_text(position.outcome or 'draw')}."
        elif self.thinking:
            text = f"{position.to_move} thinks ..."
        elif self.choices.chosen:
            chosen = " ".join(self.choices.words(choice) for choice in self.choices.chosen)
            text = f"{position.to_move}: {chosen}, and?"
        else:
            text = f"{position.to_move} to move"
        if not self.table.latest:
            text += f"   (after {self.table.at} of {len(self.table.moves)} moves)"
        return Text(f"{self.title}\n{text}")

    def _draw(self) -> None:
        position = self.table.position
        game, state = position.game, position.state
        space = self.query_one("#left").size
        board = drawn(game, state, columns=max(10, space.width - 5), rows=max(5, space.height - 5))
        before = position.history[-1] if position.history else None
        last = changed(before, state)
        owner = {cell: number for number, cells in enumerate(state.pieces) if number for cell in _cells(cells)}
        chosen = {int(choice[1:]) for choice in self.choices.chosen if choice[0] == "c"}
        person = not self.thinking and not position.over
        styles = {}
        for cell, *_ in board.places():
            style = _piece_style(game, owner.get(cell))
            if cell in chosen:
                style += Style(bgcolor="dark_green")
            elif person and (choices := self.situation.at(game, cell)):
                style += Style(bgcolor=self._worth(choices) or "grey23")
            if cell in last:
                style += Style(underline=True)
            styles[cell] = style
        self.board.show(board, styles)

    def _worth(self, choices: list[str]) -> str:
        """The background of a cell by the best move that its choices lead to; "" where no hint has given a value."""
        from solver.players.judge import standing

        players = len(self.table.position.game.players)
        mover = self.table.position.game.sides[self.table.position.state.to_move]
        result = [self.known[text] for choice in choices for text in self.situation.options[choice]
                  if text in self.known and self.known[text].winner is not None]
        if not result:
            return ""
        best = min(result, key=lambda item: standing(item.winner, item.remoteness, mover))
        return WORTH["draw" if is_open(best.winner or 0) else result_of(best.winner or 0, mover, players)]

    def _show_played(self) -> None:
        result = self.query_one("#played", OptionList)
        result.clear_options()
        options = [Option("start")]
        options += [Option(Text(f"{number}. {self.table.positions[number - 1].to_move} {move}"))
                    for number, move in enumerate(self.table.moves, start=1)]
        result.add_options(options)
        result.highlighted = self.table.at
        result.scroll_to_highlight()

    # ---- choosing and playing

    def on_board_view_pressed(self, message: BoardView.Pressed) -> None:
        """Make the choice that a cell stands for; where it stands for several, list them to choose from."""
        if self.thinking or self.table.position.over:
            return
        if f"c{message.cell}" in self.choices.chosen[-1:]:
            self.action_unchoose()
            return
        result = self.situation.at(self.table.game, message.cell)
        if len(result) == 1:
            self.choose(result[0])
        elif result:
            self.show_info("Which one? " + " or ".join(self.choices.words(choice) for choice in result))
            self._listed = result
            options = self.query_one("#choices", OptionList)
            options.clear_options()
            options.add_options([Option(Text(self.choices.words(choice))) for choice in result])
            options.focus()
        else:
            self.show_info(f"{self.table.game.board.names[message.cell]} cannot be chosen here.")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Make the selected choice or move, or show the selected ply."""
        if event.option_list.id == "played":
            self.table.go(event.option_index)
            self.look()
        elif not self.thinking and event.option_index < len(self._listed):
            choice = self._listed[event.option_index]
            if choice[0] == "=":
                self.play(choice[1:])
            else:
                self.choose(choice)
            self.board.focus()

    def choose(self, choice: str) -> None:
        """Make a choice, and play the move if that completes one."""
        move = self.choices.choose(choice)
        if move is not None:
            self.play(move)
        else:
            self.show_choices()

    def play(self, text: str) -> None:
        """Play a move for the user."""
        try:
            self.table.play(text)
        except (IllegalMove, RuleError) as problem:
            self.show_info(str(problem))
            return
        self.show_info("")
        self.look()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Run the command or play the move that was typed."""
        line = event.value.strip()
        event.input.value = ""
        commands: dict[str, Callable[[], object]] = {
            "hint": self.action_hint, "undo": self.action_undo, "redo": self.action_redo, "help": self.action_help,
            "moves": self.action_moves, "quit": self.exit, "exit": self.exit, "q": self.exit,
            "": self.board.focus,
        }
        word = line.casefold().removeprefix("/")
        self.board.focus()
        if word in commands and (line.startswith("/") or line not in self._few_moves(self.table.position)):
            commands[word]()
        elif self.thinking:
            self.show_info(f"Thinking for {self.table.position.to_move}.")
        else:
            self.play(line.removeprefix("/"))

    # ---- thinking

    def _in_a_thread(self, work: Callable[[], Callable[[], None]]) -> None:
        """Run `work` in a thread; call the function that it returns, unless something else was asked for meanwhile."""
        self._asked += 1
        asked = self._asked

        def do() -> None:
            try:
                finish = work()
            except RuleError as problem:
                finish = self._saying(str(problem))
            except MemoryError:
                finish = self._saying("there is not enough memory for this")
            if self.is_running:
                self.call_from_thread(self._finished, asked, finish)

        threading.Thread(target=do, daemon=True).start()

    def _saying(self, text: str) -> Callable[[], None]:
        return lambda: self.show_info(text)

    def _finished(self, asked: int, finish: Callable[[], None]) -> None:
        if asked == self._asked:
            self.thinking = False
            finish()
            self.query_one("#status", Static).update(self._status())

    def _think(self) -> None:
        position, player = self.table.position, self.table.player
        assert player is not None
        self.thinking = True
        self.query_one("#status", Static).update(self._status())
        self._draw()

        def work() -> Callable[[], None]:
            choice = player.choose(position)
            return lambda: self._moved(position, choice)

        self._in_a_thread(work)

    def _moved(self, position: Position, choice: Choice) -> None:
        self.table.play(choice.text)
        said = f"{position.to_move} played {choice.text}{remark(choice)}"
        if self.report and choice.report is not None:
            said += "\n" + choice.report.text()
        self.show_info(said)
        self.look()

    # ---- what keys do

    def action_hint(self) -> None:
        """Show the values of all moves, updated while the analysis goes on."""
        position = self.table.position
        if position.over or self.thinking:
            return
        self.show_info("working out what the moves lead to ...")

        def work() -> Callable[[], None]:
            asked = self._asked
            for result in self.table.analyst.improve(position, nodes=self.table.nodes):
                if asked != self._asked or not self.is_running:
                    break
                if not result.final:
                    self.call_from_thread(self._show_if(asked, position, result))
            return lambda: self._show_values(position, result)

        self._in_a_thread(work)

    def _show_if(self, asked: int, position: Position, result: Analysis) -> Callable[[], None]:
        """A callback that shows an interim analysis, unless something else was asked for meanwhile."""
        return lambda: self._show_values(position, result) if asked == self._asked else None

    def _show_values(self, position: Position, result: Analysis) -> None:
        self.known = {item.text: item for item in result.moves}
        self._draw()
        mover = position.game.sides[position.state.to_move]
        text = Text(f"best: {result.best.text} ({result.basis})\n" if result.final else
                    f"so far: {result.best.text} ({result.basis}) ...\n")
        for item in result.ranked[:MOST_SHOWN]:
            winner = position.game.outcome_name(item.winner) or result.estimate(item) or "unknown"
            plies = "" if item.remoteness is None else f" in {item.remoteness}"
            worth = "green" if item.winner == mover else "" if item.winner is None or item.winner < 0 else "red"
            text.append(f"{item.text:<12} ", Style(bold=True))
            text.append(f"{winner if item.winner is None else expected(winner)}{plies}\n", worth)
        self.show_info(text)

    def action_move(self) -> None:
        """Let the solver make the user's move."""
        position = self.table.position
        if position.over or self.thinking:
            return
        self.thinking = True
        self.query_one("#status", Static).update(self._status())

        def work() -> Callable[[], None]:
            result = self.table.analyst.analyse(position, nodes=self.table.nodes, every=False,
                                                seed=random.randrange(1 << 30))

            def finish() -> None:
                self.play(result.best.text)
                self.show_info(f"{position.to_move} played {result.best.text} ({result.basis})")

            return finish

        self._in_a_thread(work)

    def action_undo(self) -> None:
        """Go back to the last position in which a human player was to move."""
        if self.table.undo():
            self.look()
        else:
            self.show_info("There is nothing to take back.")

    def action_redo(self) -> None:
        """Redo the moves that were taken back."""
        if self.table.redo():
            self.look()

    def action_ply(self, step: int) -> None:
        """Show the position `step` plies later."""
        self.table.go(self.table.at + step)
        self.look()

    def action_first(self) -> None:
        """Show the first position."""
        self.table.go(0)
        self.look()

    def action_last(self) -> None:
        """Show the last position."""
        self.table.go(len(self.table.positions))
        self.look()

    def action_unchoose(self) -> None:
        """Take back the last choice."""
        if self.choices.back():
            self.show_choices()
        self.board.focus()

    def action_moves(self) -> None:
        """List the legal moves as texts."""
        self.show_info("  ".join(self._few_moves(self.table.position)))

    def action_type(self) -> None:
        """Focus the input line."""
        self.query_one("#line", Input).focus()

    def action_help(self) -> None:
        """Show the help text."""
        self.show_info(HELP)


def _cells(mask: int) -> tuple[int, ...]:
    from interpreter.boards import members

    return members(mask)


def _bright(colour: str) -> str:
    """A colour of the pictures, adapted to a dark background: black becomes grey."""
    name = next((name for name, shown in colours.NAMED.items() if shown == colour), "")
    return COLOURS.get(name) or ("#9a9a9a" if name == "black" else "#ffffff" if name == "white" else colour)


def _piece_style(game: Game, piece: int | None) -> Style:
    """The style of a piece: its colour in the pictures, in bold; black and white pieces keep the terminal's own
    colour."""
    if piece is None:
        return Style(dim=True)
    kind = game.rules.pieces[piece]
    colour = kind.colour or colours.of_piece(game.rules, kind)
    colour = next((name for name, shown in colours.NAMED.items() if shown == colour), colour)
    if colour.startswith("#"):
        return Style(color=colour, bold=True)
    return Style(color=COLOURS.get(colour, colour) or None, bold=True)


def run(table: Table, title: str, names: str, *, report: bool = False) -> None:
    """Show the board view until the user quits."""
    GameApp(table, title, names, report=report).run()
