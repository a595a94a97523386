"""Small pieces of HTML, as notebooks show values (`_repr_html_`): tables, badges, code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_LEFT = "text-align:left;padding:.15em .7em .15em 0;vertical-align:top"


class Html(str):
    """A text that is HTML already; any other is escaped."""

    __slots__ = ()


def html(part: object) -> Html:
    """A part of a page: HTML as it is, anything else as text."""
    return part if isinstance(part, Html) else Html(escape(str(part)))


def table(head: Sequence[object], rows: Iterable[Sequence[object]], caption: object = "") -> Html:
    """A table; cells are HTML or texts."""
    title = f"<caption style='{_LEFT};caption-side:top;font-weight:bold'>{html(caption)}</caption>" if caption else ""
    names = "".join(f"<th style='{_LEFT}'>{html(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td style='{_LEFT}'>{html(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return Html(f"<table style='border-collapse:collapse'>{title}<thead><tr>{names}</tr></thead>"
               f"<tbody>{body}</tbody></table>")


def badge(text: object, colour: str) -> Html:
    """A short text on a colour."""
    return Html(f"<span style='background:{colour};color:#fff;border-radius:.3em;padding:.05em .4em;"
               f"font-weight:bold'>{html(text)}</span>")


def folded(title: object, text: str) -> Html:
    """A text that is shown when its title is clicked."""
    return Html(f"<details><summary>{html(title)}</summary><pre style='line-height:1.35'>{html(text)}</pre></details>")


def beside(*parts: object) -> Html:
    """Parts beside each other, as far as there is room."""
    inner = "".join(f"<div>{html(part)}</div>" for part in parts)
    return Html(f"<div style='display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start'>{inner}</div>")
