"""Choosing a bundled game on the terminal: the games by genre, beside them a board and a summary of the rules.

Used by `dslgame play` without a file.
"""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

import dslgame
from dslgame import bundled
from dslgame.showcase import sample_position


class Shelves(App[str]):
    """The list of bundled games; its result is the name of the chosen one, None where the user quits."""

    CSS = """
    #games { width: 34; height: 1fr; }
    #shown { width: 1fr; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", "play"), Binding("q,escape", "quit", "quit"),
    ]
    ENABLE_COMMAND_PALETTE = False

    def compose(self) -> ComposeResult:
        """Lay out the list, and beside it the description of the highlighted game."""
        headings = bundled.headings()
        options: list[Option] = []
        for genre, names in bundled.by_genre().items():
            options.append(Option(Text(genre, style="bold"), disabled=True))
            options += [Option(f"  {headings[name].title}", id=name) for name in names]
        with Horizontal():
            yield OptionList(*options, id="games")
            with VerticalScroll(id="shown", can_focus=False):
                yield Static(id="picture")
        yield Footer()

    def on_mount(self) -> None:
        """Set the title, and focus the list."""
        self.title = "dslgame"
        self.query_one(OptionList).focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the highlighted game."""
        if event.option.id is not None:
            self.show_game(event.option.id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Exit with the selected game's name."""
        self.exit(event.option.id)

    @work(thread=True, exclusive=True)
    def show_game(self, name: str) -> None:
        """Show a game's description, in a thread of its own so that keys stay responsive."""
        text = shown(name)
        self.call_from_thread(self.query_one("#picture", Static).update, Text(text))


def shown(name: str) -> str:
    """The description of a bundled game: its title, a board in play, a summary of its rules, and the command to play
    it."""
    game = dslgame.load(name)
    lines = game.rules.source.text.splitlines()
    head = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    words = " ".join(line.removeprefix("#").strip() for line in lines[:head])
    return f"{game.title}\n\n{game.drawing(sample_position(game).state)}\n\n{words}\n\ndslgame play {name}"


def choose() -> str | None:
    """The name of the game that the user chooses; None where they quit."""
    return Shelves().run()
