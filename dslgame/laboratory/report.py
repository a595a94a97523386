"""Reports the measures of a game, or of two games side by side, as one HTML page with plots and example games.

Needs matplotlib, from the extra `pictures`.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

import dslgame
from dslgame.laboratory.measures import Change, Measure, changes
from dslgame.laboratory.pictures import NoPlots
from dslgame.laboratory.profile import Profile
from interpreter.pictures import svg
from interpreter.pictures.html import Html, beside, folded, html, table
from interpreter.wording import among

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #222; }
h1, h2 { line-height: 1.2; } td, th { border-bottom: 1px solid #e4e0d8; } small { color: #666; }
svg { max-width: 100%; height: auto; } .sure { font-weight: bold; } pre { overflow-x: auto; }
"""
_SHADES = ("#f7f4ec", "#fbe3a8", "#f6c263", "#ec9a3c", "#d96c2a", "#b5421f")
"""The colours of the heat map, from few changes of a cell to many."""
_MOST_TRACES, _MOST_OPENINGS = 8, 30


def report(*profiles: Profile) -> str:
    """The HTML page for one game, or for two side by side. Raises NoPlots without matplotlib."""
    title = " and ".join(dict.fromkeys(_title(profile) for profile in profiles))
    parts = [f"<h1>{html(title)}</h1>"]
    if len(profiles) == 2:
        parts += ["<h2>What changed</h2>", _comparison(*profiles)]
    for number, profile in enumerate(profiles):
        if len(profiles) == 2:
            parts.append(f"<h1>{'The second' if number else 'The first'}: {html(_title(profile))}</h1>")
        parts += _sections(profile)
    parts.append(f"<p><small>Measured by dslgame {dslgame.__version__}, seed {profiles[0].seed}. Intervals hold with "
                 "95% confidence.</small></p>")
    return ("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
            f"content=\"width=device-width\"><title>{html(title)}</title><style>{_STYLE}</style></head><body>\n"
            + "\n".join(parts) + "\n</body></html>\n")


def _title(profile: Profile) -> str:
    params = ", ".join(f"{name}={value}" for name, value in profile.game.params.items())
    return f"{profile.game.title} ({params})" if params else profile.game.title


def number(value: float) -> str:
    """Format a value for people."""
    if value == round(value) and abs(value) < 1e6:
        return f"{value:,.0f}"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:,.1f}"


def between(item: Measure) -> str:
    """The confidence interval of a measure as text; '' where it is exact."""
    return "" if not item.error else f"{number(item.low)} to {number(item.high)}"


def _sections(profile: Profile) -> list[str]:
    game = profile.game
    final = [_final(profile, moves) for moves in profile.examples]
    parts: list[object] = [
        beside(Html(svg(game, game.start().state)), folded("The rules", game.rules.source.text)),
        Html("<h2>Measures</h2>"), _measures(profile.measures),
        Html("<h2>Plots</h2>"), beside(*map(Html, _plots(profile))),
        Html("<h2>Rules, ends and pieces in play</h2>"), _uses(profile)]
    if profile.cells:
        parts += [Html("<h2>Use of the board</h2>"), Html(heat_map(profile))]
    if profile.openings:
        parts += [Html("<h2>First moves</h2>"), _openings(profile)]
    parts += [Html("<h2>Example games</h2>"), *final]
    return [html(part) for part in parts]


def _measures(result: Sequence[Measure]) -> Html:
    return table(("measure", "value", "interval", "from", "what it is", "source"), [
        (item.title, number(item.value), between(item), f"{item.count:,}" if item.count else "exact",
         item.definition.text, item.definition.source) for item in result])


def _comparison(one: Profile, other: Profile) -> Html:
    """The table of the measures of both games, ordered by significance."""
    rows = []
    for change in sorted(changes(one.measures, other.measures), key=lambda item: -abs(item.z)):
        said = Html(f"<span class='sure'>{verdict(change)}</span>") if change.significant else verdict(change)
        rows.append((change.before.title, number(change.before.value), between(change.before),
                     number(change.after.value), between(change.after), said))
    return table(("measure", _title(one), "", _title(other), "", ""), rows)


def verdict(change: Change) -> str:
    """Describe whether a measure changed, and whether significantly."""
    if not change.difference:
        return "the same"
    way = "more" if change.difference > 0 else "less"
    if math.isinf(change.z):
        return f"{way}, by {number(abs(change.difference))}"
    said = "significantly" if change.significant else "not significantly"
    return f"{said} {way} (z = {change.z:.1f})"


def _uses(profile: Profile) -> Html:
    rows = []
    for use in profile.uses:
        rows.append((use.what, use.name, f"{use.count:,} of {use.of:,}",
                     f"never seen: less than {use.most:.2%} of the time" if use.unused else f"{use.share:.2%}"))
    return table(("", "name", "in play", ""), rows)


def _openings(profile: Profile) -> Html:
    result = sorted(profile.openings, key=lambda item: -item[1])
    rows = [(move, f"{value:.1%}") for move, value in result[:_MOST_OPENINGS]]
    more = len(result) - _MOST_OPENINGS
    return table(("first move", "its mover's share of random games"),
                 [*rows, *([(f"and {more} more", "")] if more > 0 else [])])


def heat_map(profile: Profile) -> str:
    """The board as SVG, with cells coloured by how often they change in a random game."""
    most = max(profile.cells, default=0.0) or 1.0
    last = len(_SHADES) - 1
    shades = {cell: _SHADES[round(last * value / most)] for cell, value in enumerate(profile.cells)}
    return svg(profile.game, profile.game.engine.start()._replace(
        pieces=_emptied(profile)), shades=shades, captions={cell: f"{value:.1f}" for cell, value in
                                                            enumerate(profile.cells)}, caption="changes in a game")


def _emptied(profile: Profile) -> tuple[int, ...]:
    pieces = profile.game.engine.start().pieces
    return (profile.game.board.everything, *([0] * (len(pieces) - 1)))


def _final(profile: Profile, moves: Sequence[str]) -> Html:
    """An example game as HTML: the board at its end, and its moves."""
    position = profile.game.start()
    for move in moves:
        position = position.play(move)
    outcome = position.outcome
    said = "left unfinished" if outcome is None else "a draw" if outcome == "draw" else among(outcome)
    return beside(Html(position.svg()), Html(f"<p>{html(' '.join(moves))}</p><p>{len(moves)} plies, {html(said)}</p>"))


def _plots(profile: Profile) -> list[str]:
    """Draw the plots as SVG. Raises NoPlots without matplotlib."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise NoPlots("a report's plots need matplotlib: pip install 'dslgame[pictures]'") from None
    result = []
    with matplotlib.rc_context({"svg.hashsalt": "dslgame", "svg.fonttype": "none"}):
        def drawn(title: str, across: str, up: str) -> Figure:
            figure = Figure(figsize=(4.6, 3.2), layout="constrained")
            axes = figure.add_subplot()
            axes.set_title(title, fontsize=10)
            axes.set_xlabel(across)
            axes.set_ylabel(up)
            return figure

        figure = drawn("Length of random games", "plies", "games")
        bins = min(20, max(1, max(profile.lengths) - min(profile.lengths) + 1))
        figure.axes[0].hist(profile.lengths, bins=bins, color="#6f8fb3")
        result.append(figure)
        figure = drawn("Branching in random games", "ply", "moves to choose from")
        figure.axes[0].plot(range(1, len(profile.course) + 1), profile.course, color="#6f8fb3")
        figure.axes[0].set_ylim(bottom=0)
        result.append(figure)
        for level, traces in [shown for shown in profile.traces[-1:] if any(trace.estimates for trace in shown[1])]:
            figure = drawn(f"Games of {level}", "ply", "first player's estimate")
            for trace in traces[:_MOST_TRACES]:
                figure.axes[0].plot(trace.estimates, linewidth=1)
            figure.axes[0].axhline(0.5, color="#999999", linewidth=0.8)
            figure.axes[0].set_ylim(-0.02, 1.02)
            result.append(figure)
        texts = []
        for figure in result:
            stream = io.StringIO()
            figure.savefig(stream, format="svg", metadata={"Date": None})
            text = stream.getvalue()
            texts.append(text[text.index("<svg"):])
    return texts
