"""Choosing a bundled game on the terminal: the games by genre, a picture and the rules in short beside them.

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
    """The bundled games to choose from; its result is the name of one, None where nobody chose."""

    CSS = """
    #games { width: 34; height: 1fr; }
    #shown { width: 1fr; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", "play"), Binding("q,escape", "quit", "quit"),
    ]
    ENABLE_COMMAND_PALETTE = False

    def compose(self) -> ComposeResult:
        """The list, and what is shown of the game where the cursor is."""
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
        """Begin at the first game."""
        self.title = "dslgame"
        self.query_one(OptionList).focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the game where the cursor is."""
        if event.option.id is not None:
            self.show_game(event.option.id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Play it."""
        self.exit(event.option.id)

    @work(thread=True, exclusive=True)
    def show_game(self, name: str) -> None:
        """Draw a game in play, beside the keys, which are not kept waiting."""
        text = shown(name)
        self.call_from_thread(self.query_one("#picture", Static).update, Text(text))


def shown(name: str) -> str:
    """A bundled game's title, its board in play, its rules in short, and how to name it."""
    game = dslgame.load(name)
    lines = game.rules.source.text.splitlines()
    head = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    words = " ".join(line.removeprefix("#").strip() for line in lines[:head])
    return f"{game.title}\n\n{game.drawing(sample_position(game).state)}\n\n{words}\n\ndslgame play {name}"


def choose() -> str | None:
    """The name of the game that a person chooses; None where they leave."""
    return Shelves().run()
