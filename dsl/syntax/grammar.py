"""The grammars, loaded once: that of `.game` files, with indentation turned into tokens, and that of patterns.

`dsl.syntax.parser` parses declarations with the first, `dsl.patterns.parser` parses lines with the second, and
`dsl.syntax.syntax_errors` looks up how terminals are spelled. The rules of the grammars are in `game.lark`,
`pattern.lark` and `expressions.lark`.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any, NoReturn

import lark
from lark import Lark, Token
from lark.indenter import Indenter

from dsl.whole_file import write_whole

DECLARATIONS = (
    "game",
    "param",
    "players",
    "board",
    "pieces",
    "values",
    "coordinates",
    "tiles",
    "piles",
    "links",
    "track",
    "var",
    "start",
    "define",
    "rare",
    "otherwise",
    "move",
    "step",
    "chance",
    "effect",
    "after",
    "forced",
    "illegal",
    "only",
    "pass",
    "pie",
    "turn",
    "team",
    "win",
    "lose",
    "draw",
    "no",
    "repetition",
    "symmetry",
    "notation",
    "value",
    "show",
    "hidden",
    "payoff",
)
"""The words that a declaration can begin with."""
_LAYOUT_TOKENS = {"_NL", "_INDENT", "_DEDENT", "_BLOCK"}


class Glued(Exception):
    """Two words of the grammar without a space between them, such as `3x` read as `3` and `x`."""

    def __init__(self, word: str, token: Token) -> None:
        super().__init__(word)
        self.word, self.token = word, token


class _Layout(Indenter):
    """Turns indentation into tokens, and rejects adjacent words without a space between them."""

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]  # noqa: RUF012  # Lark's own attributes
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 4

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        separated: Iterator[Token] = super().process(self._separate(stream))  # type: ignore[no-untyped-call]  # Lark's
        return separated

    def _separate(self, stream: Iterator[Token]) -> Iterator[Token]:
        before: Token | None = None
        brackets = 0
        for token in stream:
            brackets += (token.type in self.OPEN_PAREN_types) - (token.type in self.CLOSE_PAREN_types)
            if brackets and token.type == "_BLOCK":  # inside brackets a line may end with a quantifier's colon
                token = Token.new_borrow_pos("COLON", ":", token)
            if (
                before is not None
                and before.end_pos == token.start_pos
                and is_wordy(before[-1:])
                and is_wordy(token[:1])
            ):
                raise Glued(str(before) + str(token), before)
            before = token
            yield token


def is_wordy(text: str) -> bool:
    """Whether a character can stand in a word."""
    return text.isalnum() or text == "_"


class _Placed:
    """Selects the nodes that count for positions in a tree: all but layout tokens."""

    def __call__(self, node: object) -> bool:
        return not (isinstance(node, Token) and node.type in _LAYOUT_TOKENS)


@lru_cache(maxsize=1)
def grammar() -> Lark:
    """The parser of one declaration."""
    return _parser("game", postlex=_Layout(), propagate_positions=_Placed())


@lru_cache(maxsize=1)
def pattern_grammar() -> Lark:
    """The parser of one line of a readable pattern file: `heading` for lines in the first column, `statement` for
    others."""
    return _parser("pattern", start=["heading", "statement"], propagate_positions=True)


def cache_folder() -> Path:
    """The folder for cached results that take long to compute: DSLGAME_CACHE, or the user's cache folder."""
    own = os.environ.get("DSLGAME_CACHE")
    if own:
        return Path(own)
    import platformdirs

    return Path(platformdirs.user_cache_dir("dslgame")) / "kernels"


def _parser(name: str, **options: Any) -> Lark:
    """The parser of a grammar. Lark takes 0.25 s to compute its tables, which are cached in a file where possible.

    The file begins with a digest of the rest: a damaged or altered file counts as missing and is replaced. It contains
    plain values only, and is read so that nothing else can be loaded.
    """
    text = grammar_text(name)
    plain = {key: value for key, value in options.items() if key not in _OBJECTS}
    made_of = f"{lark.__version__} {sys.version_info[:2]} {sorted(plain.items())} {text}"
    kept = cache_folder() / "grammars" / f"{name}-{sha256(made_of.encode()).hexdigest()[:16]}.tables"
    with suppress(Exception):  # whatever is wrong with the cached file, the parser can be made from the grammar
        tables = _unsealed(kept.read_bytes())
        tables["data"]["options"] |= options
        result: Lark = Lark.load(tables)  # Lark takes a file, or its contents
        return result
    parser = Lark(text, parser="lalr", maybe_placeholders=True, **options)
    with suppress(OSError):
        _keep(parser, kept)
    return parser


_OBJECTS = ("postlex", "propagate_positions")
"""Options of Lark that are not plain values, and are not stored."""
_DIGEST = 32


class _PlainValues(pickle.Unpickler):
    """Unpickles numbers, texts, lists and dicts; rejects anything that refers to code."""

    def find_class(self, module: str, name: str) -> NoReturn:
        """Raise UnpicklingError."""
        raise pickle.UnpicklingError(f"{module}.{name} is no plain value")


def _unsealed(content: bytes) -> dict[str, Any]:
    """The tables in a file. Raises ValueError where its digest does not match, UnpicklingError for other than plain
    values."""
    if sha256(content[_DIGEST:]).digest() != content[:_DIGEST]:
        raise ValueError("the file is damaged")
    result: dict[str, Any] = _PlainValues(io.BytesIO(content[_DIGEST:])).load()
    return result


def _keep(parser: Lark, path: Path) -> None:
    """Write a parser's tables to a file atomically. Raises OSError."""
    buffer = io.BytesIO()
    parser.save(buffer, exclude_options=_OBJECTS)
    write_whole(path, sha256(buffer.getvalue()).digest() + buffer.getvalue())


def grammar_text(name: str) -> str:
    """The text of a grammar, `game` or `pattern`, including that of expressions."""
    folder = resources.files("dsl.syntax")
    expressions = folder.joinpath("expressions.lark").read_text(encoding="utf-8")
    head, extend, tail = folder.joinpath(f"{name}.lark").read_text(encoding="utf-8").partition("%extend")
    return f"{head}\n{expressions}\n{extend}{tail}"


@lru_cache(maxsize=1)
def spellings() -> dict[str, str]:
    """The spelling of each terminal that is always written the same way: `{"WHEN": "when", ...}`."""
    return {item.name: item.pattern.value for item in grammar().terminals if item.pattern.type == "str"}
