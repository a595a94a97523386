"""Writes docs/gallery.md and its pictures: run `python docs/make_gallery.py` after a change in games/ or in pictures.

Each bundled game is drawn in a position that random moves lead to; the same seed gives the same pictures.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import dslgame  # noqa: E402
from dslgame import bundled  # noqa: E402
from interpreter.game import Position  # noqa: E402
from interpreter.pictures import svg_of  # noqa: E402

PAGE = ROOT / "docs" / "gallery.md"
FOLDER = ROOT / "docs" / "gallery"
HEAD = """\
# Gallery

Each bundled game after some random moves, drawn from its file alone: `dslgame show FILE --svg PICTURE.svg`. The last
move is marked in red, what it forced is dashed.

<!-- Written by docs/make_gallery.py from the game files; changes here are lost. -->

"""
SEED = 7
MOVES = 9
"""How many moves are made; fewer where the game would be over."""
PARAMS = {"twixt": {"rows": 12, "columns": 12}, "dots_and_boxes": {"rows": 3, "columns": 4}, "go": {"size": 9}}
"""Smaller boards for games that would be hard to see."""
MANY = {"dots_and_boxes": 24, "twixt": 24, "go": 30, "lines_of_action": 14, "hexplode": 22, "trax": 7, "hex": 24,
        "reversi": 16, "connect_four": 14, "gomoku": 20, "havannah": 30, "yavalath": 14, "peg_solitaire": 12,
        "bridg_it": 20, "chain_reaction": 20, "y": 16, "pie_hex": 20, "connect6": 12, "unlur": 20}


def position_of(name: str) -> Position:
    """The position in which a game is drawn."""
    game = dslgame.load(name, **PARAMS.get(name, {}))
    chance = random.Random(SEED)
    position = game.start()
    for _ in range(MANY.get(name, MOVES)):
        after = position.play(chance.choice(position.legal()))
        if after.over:
            break
        position = after
    return position


def picture_of(name: str) -> str:
    """The picture of a game."""
    return svg_of(position_of(name), pixels=32)


def page_text() -> str:
    """The text of the gallery."""
    names = bundled.names()
    rows = [f"### {dslgame.load(name).title}\n\n![{name}](gallery/{name}.svg)\n" for name in names]
    return HEAD + "\n".join(rows)


def main() -> None:
    """Write the page and the pictures."""
    FOLDER.mkdir(exist_ok=True)
    for name in bundled.names():
        (FOLDER / f"{name}.svg").write_text(picture_of(name), encoding="utf-8")
    PAGE.write_text(page_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
