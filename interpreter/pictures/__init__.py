"""Pictures of positions: the board of any game as SVG, made from the game file alone, and PNG made of that.

`svg` draws one position, `strip` a game step by step, `png` makes pixels of either. A newcomer starts in `board`.
"""

from interpreter.pictures.board import drawing, svg
from interpreter.pictures.canvas import Drawing
from interpreter.pictures.marks import Marks, marks_of
from interpreter.pictures.png import NoRenderer, png
from interpreter.pictures.strip import strip, svg_of

__all__ = ["Drawing", "Marks", "NoRenderer", "drawing", "marks_of", "png", "strip", "svg", "svg_of"]
