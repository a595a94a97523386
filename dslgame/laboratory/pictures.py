"""Draws the results of a solved family: a heat map over two params, or one row over a single param.

Needs matplotlib, from the extra `pictures`.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dslgame.laboratory.columns import cells, plain
from dslgame.laboratory.columns import title as title_of
from dslgame.laboratory.runs import Result
from dslgame.laboratory.variants import Variants
from interpreter.wording import nobody_won

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = ("#4da66b", "#d98c7f", "#e8d27a", "#dddddd", "#ffffff")
"""The colours of a win of the first player, a win of the second, a draw, an unknown value, and no valid game."""
_MOST_WRITTEN = 400
"""The most squares of a heat map up to which numbers are written in them."""


class NoPlots(Exception):
    """Matplotlib is not installed; the message says what to install."""


def heat_map(found: Variants, kind: str, column: str | None = None) -> bytes:
    """Draw all results as `svg` or `png`: colours show who wins, numbers in how many plies.

    With a `column` of `columns.NUMBERS`, colours and numbers show the values of the column.

    The first two params that vary are the axes of a map; a single one gives one row. Each choice of changes, and each
    value of further params, has a map of its own. Raises NoPlots without matplotlib.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise NoPlots("pictures of results need matplotlib: pip install 'dslgame[pictures]'") from None
    across, down = _axes(found)
    panels: dict[str, list[Result]] = {}
    for result in found.results:
        rest = {name: value for name, value in result.instance.params.items()
                if name in found.varied and name not in (across, down)}
        about = [*(f"{name}={value}" for name, value in rest.items()), *result.instance.changes]
        panels.setdefault("; ".join(about), []).append(result)
    with matplotlib.rc_context({"svg.hashsalt": "dslgame", "svg.fonttype": "none"}):
        figure = Figure(figsize=(min(30, 1 + 4 * len(panels)), 4), layout="constrained")
        for number, (title, results) in enumerate(panels.items()):
            axes = figure.add_subplot(1, len(panels), number + 1)
            if column is None:
                _panel(axes, results, across, down)
            else:
                _numbers(axes, results, across, down, column)
            axes.set_title(title or found.title, fontsize=9, wrap=True)
        figure.suptitle(found.title if column is None else f"{found.title}: {title_of(column)}")
        stream = io.BytesIO()
        figure.savefig(stream, format=kind, metadata={"Date": None} if kind == "svg" else None)
    return stream.getvalue()


def _axes(result: Variants) -> tuple[str, str]:
    """The params of the horizontal and the vertical axis; '' where there is none."""
    several = result.varied
    if len(several) >= 2:
        return several[1], several[0]
    return (several[0], "") if several else ("", "")


def _panel(axes: Axes, results: Sequence[Result], across: str, down: str) -> None:
    """Draw one map of who wins."""
    from matplotlib.colors import ListedColormap

    columns, rows = _places(results, across), _places(results, down)
    shades = [[4] * len(columns) for _ in rows]
    written: dict[tuple[int, int], str] = {}
    for result in results:
        column = columns.index(result.instance.params[across]) if across else 0
        row = rows.index(result.instance.params[down]) if down else 0
        shades[row][column] = _shade(result)
        plies = result.found.remoteness
        written[row, column] = "?" if result.winner is None else "" if plies is None else str(plies)
    colours: Any = ListedColormap(list(_COLOURS))
    axes.imshow(shades, cmap=colours, vmin=0, vmax=len(_COLOURS) - 1, origin="lower", aspect="equal")
    if len(written) <= _MOST_WRITTEN:
        for (row, column), text in written.items():
            axes.text(column, row, text, ha="center", va="center", fontsize=8)
    _ticks(axes, across, columns, down, rows)
    used = sorted({shade for row in shades for shade in row} & {0, 1, 2, 3})
    from matplotlib.patches import Patch

    game = next((result.instance.game for result in results if result.instance.game is not None), None)
    names = list(game.players) if game is not None else []
    words = [*(f"{name} wins" for name in (names + ["first", "second"][len(names):])[:2]),
             nobody_won(len(names) or 2), "not known"]
    axes.legend(handles=[Patch(facecolor=_COLOURS[shade], edgecolor="#888888", label=words[shade]) for shade in used],
                loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2, fontsize=8, frameon=False)


def _places(results: Sequence[Result], name: str) -> list[int]:
    """The values of a param in order; [0] where `name` is ''."""
    return sorted({result.instance.params[name] for result in results}) if name else [0]


def _numbers(axes: Axes, results: Sequence[Result], across: str, down: str, column: str) -> None:
    """Draw one map of a column; squares of unknown values are left blank."""
    columns, rows = _places(results, across), _places(results, down)
    values = [[math.nan] * len(columns) for _ in rows]
    written: dict[tuple[int, int], str] = {}
    for result in results:
        place = columns.index(result.instance.params[across]) if across else 0
        row = rows.index(result.instance.params[down]) if down else 0
        value = plain(result, column)
        if isinstance(value, int | float):
            values[row][place] = value
            written[row, place] = cells(result, [column])[0]
    image = axes.imshow(values, cmap="YlOrBr", origin="lower", aspect="equal")
    known = [value for line in values for value in line if not math.isnan(value)]
    if len(known) <= _MOST_WRITTEN:
        dark = (min(known) + max(known)) / 2 if known else 0.0
        for (row, place), text in written.items():
            axes.text(place, row, text, ha="center", va="center", fontsize=8,
                      color="white" if values[row][place] > dark else "black")
    if len(set(known)) > 1:
        axes.figure.colorbar(image, ax=axes)
    _ticks(axes, across, columns, down, rows)


def _ticks(axes: Axes, across: str, columns: Sequence[int], down: str, rows: Sequence[int]) -> None:
    axes.set_xticks(range(len(columns)), [str(value) for value in columns] if across else [""])
    axes.set_yticks(range(len(rows)), [str(value) for value in rows] if down else [""])
    axes.set_xlabel(across)
    axes.set_ylabel(down)


def _shade(result: Result) -> int:
    if result.instance.game is None:
        return 4
    winner = result.found.winner
    return 3 if winner is None else 2 if winner < 0 else winner
