"""Reads the text of game trees: SGF, whose nodes have properties with values; what these mean, formats of records know.

`trees(stream)` divides a file into its trees, of which `main_line` gives the nodes. Trees are read one after the other,
each at a cost that grows with its length alone, however deep its variations are.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from typing import BinaryIO, TextIO

import attrs

from dslgame.records import LATIN, MOST_BYTES, BadRecord

_CHUNK = 1 << 16
_BETWEEN = 64
"""The most characters that are between the first bracket of a tree and its first node."""
_BEGINNING = re.compile(r"\(\s*;")
_PART = re.compile(r"[^\[()]+|\[[^\]\\]*(?:\\.[^\]\\]*)*\]|[()]", re.DOTALL)
"""A stretch between brackets, a whole value, or a bracket."""
_TOKEN = re.compile(r"\s*(?:(?P<sign>[();])|(?P<name>[A-Za-z][A-Za-z0-9_]*)"
                    r"|\[(?P<value>[^\]\\]*(?:\\.[^\]\\]*)*)\]|(?P<bad>\S))", re.DOTALL)
_CHARSET = re.compile(rb"CA\s*\[\s*([\w.:-]{1,40})\s*\]")
_SUPERSETS = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "iso8859-1": "cp1252",
              "ascii": "utf-8", "big5": "cp950"}
"""What files hold that say so: the encodings with the characters that programs have added."""
_ENCODINGS = re.compile(r"ascii|utf-8|iso8859-\d+|cp125\d|cp932|cp949|cp950|koi8-[rtu]|gb\w*|big5\w*|shift_jis\w*|"
                        r"euc_\w+")
"""The encodings in which files may be: those in which ASCII characters are themselves."""


@attrs.frozen
class Property:
    """A property of a node: its name in capital letters, its values without escapes, and its line."""

    name: str
    values: list[str]
    line: int


@attrs.frozen
class Tree:
    """A game tree as text, with its first line in the file, and what a reader should know of its encoding."""

    text: str
    line: int
    notes: tuple[BadRecord, ...] = ()
    ended: bool = True
    """Whether its last bracket is there."""


def trees(stream: BinaryIO) -> Iterator[Tree]:
    """The trees in a file, at least one; what is outside of trees is no part of them. Raises BadRecord."""
    encoding, notes = _encoding(stream)
    stream.seek(0)
    with io.TextIOWrapper(stream, encoding, errors=LATIN if encoding.startswith("utf-8") else "replace") as text:
        yield from _divided(text, notes)


def _divided(stream: TextIO, notes: tuple[BadRecord, ...]) -> Iterator[Tree]:
    """Divide a text into trees, in the memory of one of them. Raises BadRecord where one is too long."""
    kept, line, trees = stream.read(_CHUNK), 1, 0
    first = kept
    while True:
        while (beginning := _BEGINNING.search(kept)) is None:
            more = stream.read(_CHUNK)
            if not more:
                if not trees:
                    yield Tree(first, 1, notes)
                return
            line += kept.count("\n", 0, max(0, len(kept) - _BETWEEN))
            kept = kept[-_BETWEEN:] + more
        line += kept.count("\n", 0, beginning.start())
        kept, trees, depth, position = kept[beginning.start():], trees + 1, 0, 0
        while position == 0 or depth > 0:
            part = _PART.match(kept, position)
            if part is None or part.end() == len(kept):  # the rest of a value or of a stretch may come
                if len(kept) > MOST_BYTES:
                    raise BadRecord(line, f"the game has more than {MOST_BYTES >> 20} MiB, the most that a game may "
                                          "have")
                more = stream.read(_CHUNK)
                kept += more
                if more:
                    continue
                if part is None:
                    yield Tree(kept, line, notes, ended=False)
                    return
            position = part.end()
            depth += {"(": 1, ")": -1}.get(part[0], 0)
        yield Tree(kept[:position], line, notes)
        line += kept.count("\n", 0, position)
        kept = kept[position:]


def main_line(tree: Tree) -> Iterator[list[Property]]:
    """The nodes of the first branch of a tree. Raises BadRecord."""
    depth, closed, begun, position, line = 0, False, False, 0, tree.line
    node: list[Property] = []
    while match := _TOKEN.match(tree.text, position):
        line += tree.text.count("\n", position, match.end())
        position = match.end()
        if match["bad"]:
            raise BadRecord(line, f"found '{match['bad']}', expected '(', ';', ')' or a property such as B[dd]")
        if match["sign"] == ")":
            closed = True  # whatever comes is another branch
        elif closed:
            break
        elif match["sign"] == "(":
            depth += 1
        elif match["sign"] == ";":
            if depth == 0:
                raise BadRecord(line, "found ';' outside of '(...)', expected '(;' at the beginning")
            if begun:
                yield _valued(node)
            node, begun = [], True
        elif match["name"]:
            node.append(Property(re.sub("[a-z]", "", match["name"]), [], line))
        elif not node:
            raise BadRecord(line, f"found [{match['value']}] without a property before it")
        else:
            node[-1].values.append(plain(match["value"]))
    if begun:
        yield _valued(node)


def _valued(node: list[Property]) -> list[Property]:
    """The node, if each of its properties has a value. Raises BadRecord."""
    for item in node:
        if not item.values:
            raise BadRecord(item.line, f"found the property {item.name} without a value")
    return node


def plain(value: str) -> str:
    """A value without its escapes: a line end after a backslash is none."""
    return re.sub(r"\\(\n|.)", lambda found: "" if found[1] == "\n" else found[1], value, flags=re.DOTALL)


def written(name: str, *values: str) -> str:
    """A property with its values, escaped."""
    return name + "".join(f"[{re.sub(chr(92) * 2 + '|]', lambda found: chr(92) + found[0], value)}]"
                          for value in values)


def _encoding(stream: BinaryIO) -> tuple[str, tuple[BadRecord, ...]]:
    """The encoding of a file: the one that it names, if it is valid, or UTF-8, with Latin-1 where it is not."""
    head = stream.read(_CHUNK)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16", ()
    named = _CHARSET.search(head)
    if named is None:
        return "utf-8-sig", ()
    name = named[1].decode()
    line = head.count(b"\n", 0, named.start()) + 1
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        found = ""
    if not _ENCODINGS.fullmatch(found):
        return "utf-8-sig", (BadRecord(line, f"the encoding CA[{name}] is not known; the file is read as UTF-8"),)
    encoding = _SUPERSETS.get(found, found)
    if encoding == "utf-8" or _is_valid(stream, encoding):
        return ("utf-8-sig" if encoding == "utf-8" else encoding), ()
    return "utf-8-sig", (BadRecord(line, f"the file says CA[{name}] and has other bytes; it is read as UTF-8"),)


def _is_valid(stream: BinaryIO, encoding: str) -> bool:
    """Whether a whole file is in an encoding."""
    decoder = codecs.getincrementaldecoder(encoding)()
    stream.seek(0)
    try:
        while chunk := stream.read(_CHUNK):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeError:
        return False
    return True
