"""The words of the language by their classes, read from the grammar, the records of words and the boards.

Nothing is listed by hand: keywords are the terminals of the grammar, functions the records of `dsl.words`, names those
of the resolver and the boards, and the meaning of a form is the docstring of its rule object. Highlighting, completion,
hover, the grammars of editors and the cheat sheet all use this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache, lru_cache

import attrs
from lark import Lark

from dsl.boards import KINDS
from dsl.patterns import rules as pattern_rules
from dsl.resolve import presentation, scope
from dsl.syntax import rules
from dsl.syntax.grammar import DECLARATIONS, grammar, is_wordy, pattern_grammar, spellings
from dsl.words import CALLED

_SEVERAL_WORDS = re.compile(r"[a-z]+(?: \+[a-z]+)+")
"""The pattern of a terminal of several words, such as `at +least`."""
_ALTERNATIVES = re.compile(r"\(\?:(?P<all>[^()]+)\)")
"""The pattern of a terminal that is written in one of several ways, such as `(?:win|lose)`."""
_FORM = re.compile(r"(?P<code>`[^`]+`(?:(?:, | or |; )`[^`]+`)*)(?P<meaning>.*)", re.DOTALL)


class WordClass(Enum):
    """The role of a word, taken by itself."""

    DECLARATION = "declaration"
    """Begins a declaration."""
    STATEMENT = "statement"
    """Begins an effect."""
    KEYWORD = "keyword"
    """Any other keyword."""
    CONSTANT = "constant"
    FUNCTION = "function"
    BOARD = "board"
    """A kind of board."""
    NAME = "name"
    """A name that games have without declaring it: a direction, a region, `mover`."""
    LOOK = "look"
    """A colour or a shape."""


@attrs.frozen
class Form:
    """A syntactic form, as shown in the docstring of its rule object."""

    code: str
    """One or several examples, each in backticks."""
    meaning: str
    rule: type[rules.Node]


def _wordy_terminals(parser: Lark) -> dict[str, tuple[str, ...]]:
    """The words of each terminal that consists of words, by the terminal's name."""
    result: dict[str, tuple[str, ...]] = {}
    for terminal in parser.terminals:
        written = terminal.pattern.value
        if terminal.pattern.type == "str" and is_wordy(written[:1]):
            result[terminal.name] = (written,)
        elif terminal.pattern.type == "re" and (several := _SEVERAL_WORDS.match(written)):
            result[terminal.name] = tuple(several.group().split(" +"))
        elif terminal.pattern.type == "re" and (alternatives := _ALTERNATIVES.fullmatch(written)):
            words = alternatives["all"].split("|")
            if all(is_wordy(word[:1]) for word in words):
                result[terminal.name] = tuple(words)
    return result


def _first_words(parser: Lark, rule: str) -> set[str]:
    """The keywords with which the alternatives of a grammar rule can begin."""
    words, seen, waiting = _wordy_terminals(parser), {rule}, [rule]
    several = {item.name for item in parser.terminals if _SEVERAL_WORDS.match(item.pattern.value)}
    result: set[str] = set()
    while waiting:
        name = waiting.pop()
        for expansion in (item.expansion for item in parser.rules if item.origin.name == name and item.expansion):
            first = expansion[0]
            if first.is_term:
                written = words.get(first.name, ())
                result.update(written[:1] if first.name in several else written)
            elif first.name not in seen:
                seen.add(first.name)
                waiting.append(first.name)
    return result


@lru_cache(maxsize=1)
def keywords() -> Mapping[str, WordClass]:
    """Every keyword of `.game` files, with its class."""
    parser = grammar()
    words = _wordy_terminals(parser)
    result = {word: WordClass.KEYWORD for several in words.values() for word in several}
    result |= dict.fromkeys(_first_words(parser, "constant"), WordClass.CONSTANT)
    result |= dict.fromkeys(statements() & set(result), WordClass.STATEMENT)
    return result | dict.fromkeys(DECLARATIONS, WordClass.DECLARATION)


@cache
def keyword_terminals(*, patterns: bool = False) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """The spellings of each keyword terminal of the grammar, each as a tuple of words, by the terminal's name."""
    parser = pattern_grammar() if patterns else grammar()
    several = {item.name for item in parser.terminals if _SEVERAL_WORDS.match(item.pattern.value)}
    return {name: (words,) if name in several else tuple((word,) for word in words)
            for name, words in _wordy_terminals(parser).items()}


@lru_cache(maxsize=1)
def constants() -> frozenset[str]:
    """The keywords that are values."""
    return frozenset(word for word, kind in keywords().items() if kind is WordClass.CONSTANT)


@lru_cache(maxsize=1)
def statements() -> frozenset[str]:
    """The keywords that an effect can begin with."""
    parser = grammar()
    return frozenset(_first_words(parser, "_effect") - _first_words(parser, "total"))


@lru_cache(maxsize=1)
def pattern_keywords() -> Mapping[str, WordClass]:
    """Every keyword of readable `.pattern` files, with its class."""
    parser = pattern_grammar()
    result = {word: WordClass.KEYWORD for several in _wordy_terminals(parser).values() for word in several}
    result |= dict.fromkeys(_first_words(parser, "constant"), WordClass.CONSTANT)
    result |= dict.fromkeys(pattern_statements() & set(result), WordClass.STATEMENT)
    return result | dict.fromkeys(_first_words(parser, "heading"), WordClass.DECLARATION)


@lru_cache(maxsize=1)
def pattern_statements() -> frozenset[str]:
    """The keywords that a line of a pattern can begin with."""
    return frozenset(_first_words(pattern_grammar(), "statement"))


@lru_cache(maxsize=1)
def names() -> Mapping[str, WordClass]:
    """The words that are not keywords, with their classes: functions, boards, names that games have, colours and
    shapes."""
    result = dict.fromkeys((*presentation.COLOURS, *presentation.SHAPES, *presentation.CELLS), WordClass.LOOK)
    for kind in KINDS.values():
        result |= dict.fromkeys(sorted(kind.words), WordClass.NAME)
    result |= dict.fromkeys((*scope.BUILTIN_VALUES, *scope.TILE_VALUES, "rows", "columns"), WordClass.NAME)
    result |= {word: WordClass.BOARD for kind in KINDS.values() for word in kind.word.split()}
    return result | dict.fromkeys(CALLED, WordClass.FUNCTION)


@lru_cache(maxsize=1)
def operators() -> tuple[str, ...]:
    """The operators and other signs of both kinds of files, the longest first."""
    result: set[str] = set()
    for terminal in (*grammar().terminals, *pattern_grammar().terminals):
        written, alternatives = terminal.pattern.value, _ALTERNATIVES.fullmatch(terminal.pattern.value)
        signs = [written] if terminal.pattern.type == "str" else alternatives["all"].split("|") if alternatives else []
        result.update(sign.replace("\\", "") for sign in signs if not is_wordy(sign[:1]))
    return tuple(sorted(result, key=lambda sign: (-len(sign), sign)))


# ---- forms


def rule_classes(base: type[rules.Node]) -> Iterator[type[rules.Node]]:
    """The concrete classes of rule objects below a base class (leaves and `MoveRule`), each once, in the order of the
    module."""
    result: dict[type[rules.Node], None] = {}
    for kind in base.__subclasses__():
        below = list(rule_classes(kind))
        result.update(dict.fromkeys(below))
        if vars(rules).get(kind.__name__) is kind and (not below or kind is rules.MoveRule):
            result.setdefault(kind)
    yield from result


def form_of(kind: type[rules.Node]) -> Form | None:
    """The form in the first line of a rule object's docstring, with its meaning; None where it shows none."""
    line = (kind.__doc__ or "").strip().splitlines()[0] if kind.__doc__ else ""
    result = _FORM.match(line)
    return None if result is None else Form(result["code"], result["meaning"].lstrip(" :;,.").removesuffix("."), kind)


@lru_cache(maxsize=1)
def forms() -> tuple[Form, ...]:
    """All forms of the language and of patterns, in the order of the rule objects."""
    kinds = [*rule_classes(rules.Node), *(value for value in vars(pattern_rules).values()
                                          if isinstance(value, type) and issubclass(value, rules.Node))]
    return tuple(form for form in map(form_of, dict.fromkeys(kinds)) if form is not None)


def forms_with(word: str) -> list[Form]:
    """The forms that contain a keyword, those that begin with it first."""
    inside = [form for form in forms() if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", form.code)]
    return sorted(inside, key=lambda form: not form.code.startswith(f"`{word}"))


@cache
def page_words() -> dict[str, list[str]]:
    """The words that pages highlight: those that begin declarations, and the others."""
    others = {word for word in spellings().values() if word.isalpha()}
    for kind in KINDS.values():
        others |= {*kind.words, *kind.word.split()}
    return {"first": sorted(DECLARATIONS), "others": sorted(others - {"a", "i"} - set(DECLARATIONS))}
