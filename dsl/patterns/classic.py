"""Reads and writes the classic form of pattern files, that of the first programs that used such patterns.

A line is a word and numbers: a head (`Off NAME`, `Def NAME`, and `OffS`, `DefS` for patterns that are not mirrored), a
condition (`Free x y`, `Own x y`, `Opp x y`, `Strong x y`, `NStrong x y`, `BPoss x1 y1 x2 y2`, `BExist x1 y1 x2 y2`) or
the move (`Set x y`). Case does not matter; `#` begins a comment. Offensive patterns begin at the ends of the player's
own chains, defensive ones at those of the enemy's, with y towards the goal. The rule objects are those of the readable
form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from dsl.diagnostics import Diagnostic, did_you_mean, error
from dsl.patterns import rules as pattern_rules
from dsl.patterns.rules import DEFENSIVE, OFFENSIVE, Comment, Holds, LinkTest, Pattern, PatternFile, Place, Play
from dsl.syntax import rules
from dsl.syntax.chunks import control_characters
from dsl.syntax.source import NOWHERE, Source, Span

LINK = "bridge"
"""The name of links in readable files that are converted from classic ones."""
SPELLINGS = ("Off", "Def", "OffS", "DefS", "Free", "Own", "Opp", "Strong", "NStrong", "BPoss", "BExist", "Set")
WORDS = {word.lower(): word for word in SPELLINGS}
"""Every word of the form, by its lower-case spelling."""
_HEADS = {"off": (OFFENSIVE, False), "def": (DEFENSIVE, False), "offs": (OFFENSIVE, True), "defs": (DEFENSIVE, True)}
_SETS = {"free": "empty", "own": "own", "opp": "enemy"}
_LINKS = {"strong": (False, True, 1), "nstrong": (True, True, 1), "bposs": (False, False, 2),
          "bexist": (False, True, 2)}
"""For each link test: whether it is negated, whether it asks for an existing link, and its number of places."""
_TOKEN = re.compile(r"\S+")
_NUMBER = re.compile(r"[+-]?[0-9]{1,2}")
_STEP = {1, 2}
"""The distances in x and y between the ends of a link."""
_HEADER = re.compile(r'#\s*(patterns(?: for "[^"]*")?|group "[^"]*")\s*')


def parse_classic(source: Source) -> tuple[PatternFile, list[Diagnostic]]:
    """Parse a classic file: its rule objects, and its mistakes."""
    reader = _Reader()
    for number, row in enumerate(source.lines, start=1):
        reader.line(number, row)
    reader.close()
    return PatternFile(source, pattern_rules.CLASSIC, tuple(reader.lines)), reader.diagnostics


class _Reader:
    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.lines: list[pattern_rules.Line] = []
        self.head: Pattern | None = None
        self.body: list[pattern_rules.Line] = []

    def close(self) -> None:
        """End the current pattern; comments and blank lines after its last line are put below it."""
        if self.head is None:
            return
        after: list[pattern_rules.Line] = []
        while self.body and isinstance(self.body[-1], Comment):
            after.insert(0, self.body.pop())
        self.lines += [attrs.evolve(self.head, lines=tuple(self.body)), *after]
        self.head, self.body = None, []

    def line(self, number: int, row: str) -> None:
        """Read a line."""
        code, mark, remark = row.partition("#")
        comment = (mark + remark).rstrip()
        tokens = list(_TOKEN.finditer(code))
        if tokens or _HEADER.fullmatch(comment):
            self.diagnostics += control_characters(row.replace("\t", " "), number)
        span = Span.at(number, 1, max(1, len(row.rstrip())))
        if not tokens:
            (self.lines if self.head is None else self.body).append(Comment(span=span, comment=comment))
            return
        word, spans = tokens[0].group(), [Span.at(number, item.start() + 1, len(item.group())) for item in tokens]
        key = word.lower()
        if key not in WORDS:
            help_text, suggestion = did_you_mean(word, SPELLINGS)
            self._error("G601", f"no line begins with '{word}' in a classic file, expected {', '.join(SPELLINGS)}",
                        spans[0], help_text, suggestion)
            self.head = None if self.head is None else attrs.evolve(self.head, spoilt=True)
        elif key in _HEADS:
            self.close()
            kind, symmetric = _HEADS[key]
            name = " ".join(item.group() for item in tokens[1:])
            if not name:
                self._error("G605", f"'{word}' stands alone, expected the name of the pattern after it", spans[0])
            self.head = Pattern(kind, name, symmetric, None, None, (), span=spans[0].to(spans[-1]), comment=comment)
        elif self.head is None:
            self._error("G601", f"'{word}' stands before the first pattern, expected a head above it", spans[0],
                        "for instance: Off 1")
        else:
            before = len(self.diagnostics)
            self._condition(key, [item.group() for item in tokens], spans, comment)
            if len(self.diagnostics) > before:
                self.head = attrs.evolve(self.head, spoilt=True)

    def _error(self, code: str, phrase: str, span: Span, help: str = "", suggestion: str = "") -> None:
        self.diagnostics.append(error(code, phrase, span, help=help, suggestion=suggestion))

    def _condition(self, key: str, tokens: list[str], spans: list[Span], comment: str) -> None:
        count = 2 * (_LINKS[key][2] if key in _LINKS else 1)
        whole = spans[0].to(spans[-1])
        bad = next((index for index, text in enumerate(tokens) if index and not _NUMBER.fullmatch(text)), None)
        if bad is not None:
            self._error("G605", f"found '{tokens[bad]}', expected a number", spans[bad])
            return
        if len(tokens) - 1 != count:
            self._error("G605", f"'{tokens[0]}' has {len(tokens) - 1} numbers, expected {count}", whole)
            return
        values = [int(text) for text in tokens[1:]]
        places = tuple(Place(values[at], values[at + 1], span=spans[at + 1].to(spans[at + 2]))
                       for at in range(0, count, 2))
        if key == "set":
            (place,) = places
            argument = rules.Name(place.text, span=place.span)
            self.body.append(Play(None, (argument,), place.text, span=whole, comment=comment))
        elif key in _SETS:
            self.body.append(Holds(False, (rules.Name(_SETS[key], span=spans[0]),), places, span=whole,
                                   comment=comment))
        else:
            negated, exists, _ = _LINKS[key]
            if len(places) == 2:
                one, other = places
                if {abs(one.across - other.across), abs(one.ahead - other.ahead)} != _STEP:
                    self._error("G604", f"no link goes from {one.text} to {other.text}, expected ends a knight's step "
                                "apart", whole, "that is one cell one way and two the other")
                    return
            self.body.append(LinkTest(negated, rules.Name(LINK, span=spans[0]), exists, places, span=whole,
                                      comment=comment))


# ---- to and from the readable form


def as_readable(file: PatternFile) -> PatternFile:
    """Convert a classic file to the readable form, with the headings that classic files leave implicit."""
    lines = list(file.lines)
    headers = [line for line in lines if isinstance(line, Comment) and _HEADER.fullmatch(line.comment)]
    title: str | None = None
    result: list[pattern_rules.Line] = []
    for line in lines:
        if line in headers and any(line is header for header in headers):
            text = line.comment.lstrip("# ").rstrip()
            name = text.partition('"')[2].rstrip('"')
            if text.startswith("group"):
                result.append(pattern_rules.Group(name, span=line.span))
            else:
                title = name or None
            continue
        result.append(line)
    toward = pattern_rules.Toward("", span=NOWHERE)
    head: list[pattern_rules.Line] = [pattern_rules.PatternsFor(title, span=NOWHERE)]
    head += [pattern_rules.AnchorLine(kind, pattern_rules.ChainEnd(toward, side, span=NOWHERE), span=NOWHERE)
             for kind, side in CLASSIC_ANCHORS.items()]
    return PatternFile(file.source, pattern_rules.READABLE, (*head, *result))


CLASSIC_ANCHORS = {OFFENSIVE: "own", DEFENSIVE: "enemy"}
"""The side whose chain ends are the anchor of each kind of pattern in classic files."""


def classic_text(file: PatternFile) -> tuple[str, list[Diagnostic]]:
    """The text of a file in the classic form, and errors for what that form cannot express."""
    rows: list[str] = []
    problems: list[Diagnostic] = []
    for line in file.lines:
        try:
            new = list(_classic_rows(line))
        except _Unsayable as bad:
            problems.append(error("G613", f"{bad} cannot be written in the classic form", bad.span))
            continue
        if isinstance(line, Pattern):
            _separate(rows)
        rows += [row for row in new if row or (rows and rows[-1])]
    while rows and not rows[-1]:
        rows.pop()
    return "".join(row + "\n" for row in rows), problems


def _separate(rows: list[str]) -> None:
    """Add a blank line before a pattern and the comments directly above it."""
    place = len(rows)
    while place and rows[place - 1].startswith("#"):
        place -= 1
    if place and rows[place - 1] and (place == len(rows) or any(not row.startswith("#") for row in rows[:place])):
        rows.insert(place, "")


class _Unsayable(Exception):
    def __init__(self, what: str, span: Span) -> None:
        super().__init__(what)
        self.span = span


def _classic_rows(line: pattern_rules.Line) -> Iterator[str]:
    comment = f"  {line.comment}" if line.comment else ""
    match line:
        case Comment(comment=text):
            yield text
        case pattern_rules.PatternsFor(title=title):
            yield (f'# patterns for "{title}"' if title else "# patterns") + comment
        case pattern_rules.Group(name=name):
            yield f'# group "{name}"' + comment
        case pattern_rules.AnchorLine(kind=kind, anchor=anchor):
            wanted = [CLASSIC_ANCHORS[kind]] if kind else list(CLASSIC_ANCHORS.values())
            if not isinstance(anchor, pattern_rules.ChainEnd) or [anchor.side] != wanted:
                raise _Unsayable("this anchor", line.span)
            if line.comment:
                yield line.comment
        case Pattern():
            if line.priority is not None:
                raise _Unsayable("a priority", line.span)
            if line.anchor is not None:
                raise _Unsayable("an anchor", line.span)
            if not line.name.strip() or "#" in line.name:
                raise _Unsayable(f'the name "{line.name}"', line.span)
            word = ("Off" if line.kind == OFFENSIVE else "Def") + ("S" if line.symmetric else "")
            yield f"{word} {' '.join(line.name.split())}" + comment
            for part in line.lines:
                yield from _classic_rows(part)
        case Holds(negated=False, words=(word,), places=places) if word.text in _SETS.values():
            name = next(WORDS[key] for key, value in _SETS.items() if value == word.text)
            for number, place in enumerate(places):
                yield f"{name} {place.across} {place.ahead}" + (comment if number == len(places) - 1 else "")
        case LinkTest() if (line.negated, line.exists, len(line.places)) in _LINKS.values():
            key = next(key for key, value in _LINKS.items() if value == (line.negated, line.exists, len(line.places)))
            numbers = " ".join(f"{place.across} {place.ahead}" for place in line.places)
            yield f"{WORDS[key]} {numbers}" + comment
        case Play(move=None, arguments=(rules.Name(text=text),)):
            across, ahead = text.strip("()").split(", ")
            yield f"Set {across} {ahead}" + comment
        case pattern_rules.Symmetries():
            raise _Unsayable("'symmetries'", line.span)
        case _:
            raise _Unsayable("this line", line.span)
