"""What pictures are drawn on: SVG elements collected one by one, with the rectangle that they cover.

Knows nothing of games. Lengths are in the picture's own unit, in which neighbouring cells of a board are 1 apart;
`Drawing.document` says how many pixels that is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import escape

import attrs

Place = tuple[float, float]
_FONT = "DejaVu Sans, Verdana, sans-serif"
_WIDTH_OF_CHARACTER = 0.62
"""How wide a character is, on average, for a font of size 1."""


@attrs.frozen
class Drawing:
    """A finished picture: its elements as text, and the rectangle that they cover."""

    body: str
    left: float
    top: float
    width: float
    height: float

    def document(self, *, pixels: float = 40, margin: float = 0.25, title: str = "") -> str:
        """The picture as an SVG document on white; `pixels` is the distance of neighbouring cells."""
        left, top = self.left - margin, self.top - margin
        width, height = self.width + 2 * margin, self.height + 2 * margin
        name = f"<title>{escape(title)}</title>" if title else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width * pixels)}" '
            f'height="{number(height * pixels)}" viewBox="{number(left)} {number(top)} {number(width)} '
            f'{number(height)}" font-family="{_FONT}">{name}<rect x="{number(left)}" y="{number(top)}" '
            f'width="{number(width)}" height="{number(height)}" fill="#ffffff"/>\n{self.body}\n</svg>\n'
        )

    def placed(self, left: float, top: float, scale: float = 1) -> str:
        """The elements in a group that moves the picture's left upper corner to a place, and scales it."""
        x, y = left - self.left * scale, top - self.top * scale
        size = "" if scale == 1 else f" scale({number(scale)})"
        return f'<g transform="translate({number(x)} {number(y)}){size}">{self.body}</g>'


class Canvas:
    """Elements, and what they cover.

    With `parts` the elements of a part are a group, whose class says what they are, so that pages can move pieces and
    give boards other colours; pictures in files need none of that.
    """

    def __init__(self, *, parts: bool = False) -> None:
        self.parts = parts
        self.elements: list[str] = []
        self._low: Place = (float("inf"), float("inf"))
        self._high: Place = (float("-inf"), float("-inf"))

    def drawing(self) -> Drawing:
        """What has been drawn."""
        if not self.elements:
            return Drawing("", 0, 0, 0, 0)
        (left, top), (right, bottom) = self._low, self._high
        return Drawing("\n".join(self.elements), left, top, right - left, bottom - top)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of what has been drawn."""
        return (*self._low, *self._high)

    def cover(self, places: Iterable[Place], room: float = 0) -> None:
        """Count some places, and so much around them, as covered."""
        for x, y in places:
            self._low = (min(self._low[0], x - room), min(self._low[1], y - room))
            self._high = (max(self._high[0], x + room), max(self._high[1], y + room))

    @contextmanager
    def part(self, name: str, /, **data: int) -> Iterator[None]:
        """What is drawn meanwhile is a part with a name, and with numbers that tell it from others of that name."""
        before = len(self.elements)
        yield
        if self.parts and len(self.elements) > before:
            numbers = "".join(f' data-{key}="{value}"' for key, value in data.items())
            self.elements[before:] = [f'<g class="{name}"{numbers}>', *self.elements[before:], "</g>"]

    @contextmanager
    def moved(self, at: Place, scale: tuple[float, float] = (1.0, 1.0)) -> Iterator[None]:
        """What is drawn around the origin meanwhile is drawn around a place instead, and so much wider and higher."""
        before, low, high = len(self.elements), self._low, self._high
        self._low, self._high = (float("inf"), float("inf")), (float("-inf"), float("-inf"))
        yield
        (left, top), (right, bottom) = self._low, self._high
        self._low, self._high = low, high
        if len(self.elements) == before:
            return
        size = "" if scale == (1.0, 1.0) else f" scale({number(scale[0])} {number(scale[1])})"
        self.elements[before:] = [f'<g transform="translate({number(at[0])} {number(at[1])}){size}">',
                                  *self.elements[before:], "</g>"]
        self.cover([(at[0] + scale[0] * x, at[1] + scale[1] * y) for x, y in ((left, top), (right, bottom))])

    def paste(self, other: Canvas) -> None:
        """Add all that is on another canvas."""
        self.elements += other.elements
        if other.elements:
            self.cover((other._low, other._high))

    def kind(self, name: str) -> dict[str, object]:
        """The attribute that says what an element is."""
        return {"class": name} if self.parts else {}

    def add(self, element: str, places: Iterable[Place], room: float = 0) -> None:
        """Add an element that covers some places."""
        self.elements.append(element)
        self.cover(places, room)

    def circle(self, at: Place, radius: float, **style: object) -> None:
        """A circle."""
        self.add(f'<circle cx="{number(at[0])}" cy="{number(at[1])}" r="{number(radius)}"{_attributes(style)}/>',
                 [at], radius)

    def polygon(self, corners: Sequence[Place], **style: object) -> None:
        """A closed polygon."""
        points = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
        self.add(f'<polygon points="{points}"{_attributes(style)}/>', corners)

    def line(self, start: Place, end: Place, **style: object) -> None:
        """A straight line."""
        self.add(f'<line x1="{number(start[0])}" y1="{number(start[1])}" x2="{number(end[0])}" y2="{number(end[1])}"'
                 f"{_attributes(style)}/>", [start, end], float(str(style.get("stroke_width", 0))) / 2)

    def rectangle(self, low: Place, high: Place, **style: object) -> None:
        """A rectangle between two corners."""
        self.add(f'<rect x="{number(low[0])}" y="{number(low[1])}" width="{number(high[0] - low[0])}" '
                 f'height="{number(high[1] - low[1])}"{_attributes(style)}/>', [low, high])

    def path(self, commands: str, places: Iterable[Place], **style: object) -> None:
        """A path of SVG commands that stays among some places."""
        self.add(f'<path d="{commands}"{_attributes(style)}/>', places)

    def text(self, at: Place, words: str, size: float, *, anchor: str = "middle", **style: object) -> None:
        """A line of text, vertically centred on a place."""
        if not words:
            return
        width = text_width(words, size)
        left = at[0] - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        self.add(f'<text x="{number(at[0])}" y="{number(at[1] + 0.36 * size)}" font-size="{number(size)}" '
                 f'text-anchor="{anchor}"{_attributes(style)}>{escape(words)}</text>',
                 [(left, at[1] - size / 2), (left + width, at[1] + size / 2)])


def text_width(words: str, size: float) -> float:
    """About how wide a text is."""
    return _WIDTH_OF_CHARACTER * size * len(words)


def number(value: float) -> str:
    """A number as SVG has it, without what nobody sees."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _attributes(style: dict[str, object]) -> str:
    """Attributes as SVG has them; `stroke_width` is `stroke-width`."""
    return "".join(
        f' {name.replace("_", "-")}="{number(value) if isinstance(value, float) else escape(str(value))}"'
        for name, value in style.items()
    )
