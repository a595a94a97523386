"""Writes docs/gallery.md and its pictures: run `python docs/make_gallery.py` after a change in games/ or in pictures.

Each bundled game is drawn in a position that random moves lead to; the same seed gives the same pictures.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import dslgame  # noqa: E402
from dslgame import bundled  # noqa: E402
from dslgame.showcase import sample_position  # noqa: E402
from interpreter.pictures import svg_of  # noqa: E402

PAGE = ROOT / "docs" / "gallery.md"
FOLDER = ROOT / "docs" / "gallery"
HEAD = """\
# Gallery

Each bundled game after some random moves, by genre, drawn from its file alone: `dslgame show FILE --svg PICTURE.svg`.
The last move is marked in red, what it forced is dashed.

<!-- Written by docs/make_gallery.py from the game files; changes here are lost. -->

"""
def picture_of(name: str) -> str:
    """The picture of a game."""
    return svg_of(sample_position(dslgame.load(name)), pixels=32)


def page_text() -> str:
    """The text of the gallery."""
    chapters = [f"## {genre}\n\n" + "\n".join(map(_chapter, names)) for genre, names in bundled.by_genre().items()]
    return HEAD + "\n".join(chapters)


def _chapter(name: str) -> str:
    """A game's title, who made it, and its picture."""
    game = bundled.headings()[name]
    said = f"{game.credits[0].upper()}{game.credits[1:]}\n\n" if game.credits else ""
    return f"### {game.title}\n\n{said}![{name}](gallery/{name}.svg)\n"


def main() -> None:
    """Write the page and the pictures."""
    FOLDER.mkdir(exist_ok=True)
    for name in bundled.names():
        (FOLDER / f"{name}.svg").write_text(picture_of(name), encoding="utf-8")
    PAGE.write_text(page_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
