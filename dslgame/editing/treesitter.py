"""Generates tree-sitter grammars from the grammars of the language: `grammar.js`, the scanner's words, highlights.

`editors/tree-sitter/build.py` writes them to files and builds parsers, for Neovim, Helix and Zed. Nothing is listed by
hand: the rules are those of `game.lark`, `pattern.lark` and `expressions.lark`, the words those of the vocabulary. A
rule whose alternatives have names of their own becomes a hidden rule, with a visible rule for each name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache

import attrs
from lark import Token, Tree
from lark.grammar import NonTerminal, Terminal
from lark.load_grammar import load_grammar

from dsl.syntax.chunks import GOES_ON_SIGNS, GOES_ON_WORDS
from dsl.syntax.grammar import grammar_text, is_wordy
from dslgame.editing import vocabulary
from dslgame.editing.grammars import words_of
from dslgame.editing.vocabulary import WordClass

GAME, PATTERN = "dslgame", "dslgame_pattern"
LANGUAGES: tuple[str, ...] = (GAME, PATTERN)
"""The names of the two languages: of `.game` files and of readable `.pattern` files."""
_TOKENS = {"NAME": "identifier", "INT": "integer", "STRING": "string", "COMMENT": "comment"}
"""Terminals that become nodes, with the nodes' names."""
_COLON = 'alias($._colon, ":")'
_OUTSIDE = {"_NL": "$._newline", "_INDENT": "$._indent", "_DEDENT": "$._dedent", "_BLOCK": _COLON}
"""Terminals that the external scanner finds."""
_LOOK_AHEAD = re.compile(r"\(\?!.*\)$")
"""The negative lookahead of a terminal; tree-sitter does without it, as it takes the longest token."""

_Node = Tree[Token]


@attrs.frozen
class _Source:
    """A grammar as Lark loads it."""

    rules: dict[str, _Node]
    hidden: frozenset[str]
    """Rules that become no nodes of the tree, or only where they have several children."""
    terminals: dict[str, _Node]

    @classmethod
    def of(cls, language: str) -> _Source:
        """The grammar of a language. Raises KeyError for an unknown one."""
        name = {GAME: "game", PATTERN: "pattern"}[language]
        result, _ = load_grammar(grammar_text(name), name, [], False)  # type: ignore[no-untyped-call]  # Lark's
        rules = {str(rule[0]): rule[2] for rule in result.rule_defs if rule[0] != "start"}
        hidden = frozenset(str(rule[0]) for rule in result.rule_defs if rule[0].startswith("_") or rule[3].expand1)
        return cls(rules, hidden, {str(name): body[0] for name, body in result.term_defs})


def _alternatives(tree: _Node) -> Iterator[_Node]:
    """Yield the alternatives of a rule; those that `%extend` adds are nested one level deeper."""
    for part in tree.children if tree.data == "expansions" else [tree]:
        assert isinstance(part, Tree)
        if part.data == "expansions":
            yield from _alternatives(part)
        else:
            yield part


def _made_of(function: str, parts: Iterable[str]) -> str:
    result = list(dict.fromkeys(parts)) if function == "choice" else list(parts)
    return result[0] if len(result) == 1 else f"{function}({', '.join(result)})"


class _Writer:
    """Translates the rules of a language into tree-sitter's notation, by the names of their nodes."""

    def __init__(self, language: str) -> None:
        self.source = _Source.of(language)
        self.written: set[str] = {":"}
        """The words and signs in the rules translated so far."""
        self.forms = {rule: _forms(rule, tree) for rule, tree in self.source.rules.items()}
        """The alternatives of each rule, by the names of their nodes."""

    def rules(self) -> dict[str, str]:
        """All rules. Lark's parser resolves shift-reduce conflicts by shifting, which `prec.right` does for
        tree-sitter."""
        bodies: dict[str, list[str]] = {}
        for rule, forms in self.forms.items():
            for name, alternatives in forms.items():
                bodies.setdefault(self._visible(name), []).extend(map(self._sequence, alternatives))
            if set(forms) != {rule}:
                bodies[self._referred(rule)] = [f"$.{self._visible(name)}" for name in forms]
        return {name: f"prec.right({_made_of('choice', parts)})" for name, parts in bodies.items()}

    def _visible(self, name: str) -> str:
        """A rule's name in tree-sitter, where a leading `_` marks hidden rules."""
        return f"_{name}" if name in self.source.hidden and not name.startswith("_") else name

    def _referred(self, rule: str) -> str:
        """The name by which other rules refer to a rule."""
        return self._visible(rule) if set(self.forms[rule]) == {rule} else f"_any_{rule}"

    def _sequence(self, tree: _Node) -> str:
        parts = [_COLON if part is tree.children[-1] and self._opens(tree) else self._part(part)
                 for part in tree.children]
        kept = [part for at, part in enumerate(parts)  # the scanner's indent token includes the newline
                if not (part == _OUTSIDE["_NL"] and parts[at + 1 : at + 2] == [_OUTSIDE["_INDENT"]])]
        return _made_of("seq", kept)

    def _opens(self, tree: _Node) -> bool:
        """Whether an alternative is a heading of a pattern file that ends its line with a colon."""
        last = tree.children[-1]
        return ("heading" in self.source.rules and isinstance(last, Tree) and last.data == "value"
                and isinstance(last.children[0], Tree) and last.children[0].children == [Token("STRING", '":"')])

    def token(self, terminal: str) -> str:
        """The body of a terminal, translated."""
        return self._part(self.source.terminals[terminal])

    def _part(self, part: object) -> str:
        assert isinstance(part, Tree)
        match part.data:
            case "expansions":
                return _made_of("choice", map(self._part, part.children))
            case "expansion":
                return self._sequence(part)
            case "maybe":
                return f"optional({self._part(part.children[0])})"
            case "expr":
                inner, sign = self._part(part.children[0]), str(part.children[1])
                return {"?": f"optional({inner})", "*": f"repeat({inner})", "+": f"repeat1({inner})"}[sign]
            case "value":
                return self._symbol(part.children[0])
        raise NotImplementedError(f"the grammar has '{part.data}', which has no translation")

    def _symbol(self, value: object) -> str:
        if isinstance(value, NonTerminal):
            return f"$.{self._referred(str(value.name))}"
        if isinstance(value, Terminal):
            name = str(value.name)
            if name in _TOKENS:
                return f"$.{_TOKENS[name]}"
            return _OUTSIDE.get(name) or self._part(self.source.terminals[name])
        assert isinstance(value, Tree)
        return self._literal(str(value.children[0]))

    def _literal(self, written: str) -> str:
        """A string or regular expression of Lark in JavaScript."""
        if written.startswith('"'):
            self.written.add(written[1:-1])
            return written
        pattern = _LOOK_AHEAD.sub("", written[1:-1])
        if (words := pattern.replace(" +", " ")).replace(" ", "").isalpha():
            self.written.add(words)
            return f'alias(/{pattern}/, "{words}")'
        return f"/{pattern}/"


def _forms(rule: str, tree: _Node) -> dict[str, list[_Node]]:
    """A rule's alternatives by the names of their nodes."""
    result: dict[str, list[_Node]] = {}
    for part in _alternatives(tree):
        body, name = (part.children[0], part.children[1]) if part.data == "alias" else (part, None)
        assert isinstance(body, Tree)
        result.setdefault(name.name if isinstance(name, NonTerminal) else rule, []).append(body)
    return result


@attrs.frozen
class Grammar:
    """A language for tree-sitter."""

    name: str
    rules: dict[str, str]
    """The body of each rule in the notation of `grammar.js`; rules with a leading `_` are hidden."""
    literals: frozenset[str]
    """The words and signs in the rules."""

    @property
    def nodes(self) -> frozenset[str]:
        """The names of the nodes of the language's trees."""
        return frozenset(re.findall(r"\$\.([a-z]\w*)", " ".join(self.rules.values()))) | {"source_file", "comment"}


@cache
def grammar(language: str) -> Grammar:
    """The grammar of a language. Raises KeyError for an unknown one."""
    writer = _Writer(language)
    rules = {"source_file": "repeat($._declaration)"}
    if language == PATTERN:
        rules = {"source_file": "repeat(choice($.pattern, seq($._heading, $._newline)))",
                 "pattern": "seq($.pattern_head, $._indent, repeat1(seq($._statement, $._newline)), $._dedent)"}
    rules |= writer.rules()
    if language == PATTERN:  # the rows of a board are not tokens of the language
        rules["example"] = f"seq({rules['example']}, repeat1($.row))"
    rules |= {node: writer.token(name) for name, node in _TOKENS.items()}
    return Grammar(language, rules, frozenset(writer.written))


def grammar_js(language: str) -> str:
    """The file `grammar.js` of a language."""
    rules = "\n".join(f"    {name}: $ => {body}," for name, body in grammar(language).rules.items())
    return _GRAMMAR.format(name=language, rules=rules)


_GRAMMAR = """\
// Written by editors/tree-sitter/build.py from the grammar of the language.
module.exports = grammar({{
  name: "{name}",
  word: $ => $.identifier,
  extras: $ => [/[ \\t\\r\\n\\f]/, $.comment],
  externals: $ => [$._newline, $._indent, $._dedent, $._colon, $.row, $._mistake],
  rules: {{
{rules}
  }},
}});
"""


def scanner_words(language: str) -> str:
    """The scanner's file `words.h`: the names of its functions, and what continuation lines begin with."""
    words = "".join(f'    "{word}",\n' for word in GOES_ON_WORDS)
    return ("// Written by editors/tree-sitter/build.py.\n"
            f"#define SCANNER(function) tree_sitter_{language}_external_scanner_##function\n"
            f"static const char *const GOES_ON_WORDS[] = {{\n{words}    0,\n}};\n"
            f"static const char GOES_ON_SIGNS[] = {json.dumps(GOES_ON_SIGNS)};\n")


# ---- colours


def highlights(language: str) -> str:
    """The file `queries/highlights.scm`: the highlight name of each word. Later rules take precedence over earlier
    ones."""
    patterns = language == PATTERN
    written = grammar(language).literals
    constants = sorted(vocabulary.constants() & written)
    words = sorted(word for word in written if is_wordy(word[:1]) and word not in constants)
    brackets = sorted(sign for sign in written if sign in "()[]{}")
    marks = sorted(sign for sign in written if sign in ".,:")
    signs = sorted(sign for sign in written if not is_wordy(sign[:1]) and sign not in (*brackets, *marks))
    functions, names = (sorted(word for word, kind in vocabulary.names().items() if kind is wanted)
                        for wanted in (WordClass.FUNCTION, WordClass.NAME))
    rows = ["; Written by editors/tree-sitter/build.py from the words of the language.", "(identifier) @variable",
            _among("(identifier)", names, "variable.builtin"),
            _among("(member (identifier)", functions, "variable.builtin", ")")]
    rows += () if patterns else _DECLARED
    rows.append(_among("(call . (identifier)", functions, "function.builtin", ")"))
    if patterns:
        rows += [_among("(holds (identifier)", sorted(vocabulary.pattern_keywords()), "keyword", ")"),
                 "(row) @string.special"]
    else:
        rows += [_among("(index_names (identifier)", functions, "function.builtin", ")"),
                 _among("(board (identifier)", words_of(WordClass.BOARD), "type.builtin", ")"),
                 _among("(path_board (identifier)", words_of(WordClass.BOARD), "type.builtin", ")"),
                 _among("(drawn (identifier)", functions, "variable.builtin", ")"),
                 _among("(drawn (identifier)", words_of(WordClass.LOOK), "constant.builtin", ")"),
                 _among("(colour (identifier)", words_of(WordClass.LOOK), "constant.builtin", ")")]
    rows += [f"{_list(words)} @keyword", f"{_list(constants)} @constant.builtin", f"{_list(signs)} @operator",
             f"{_list(brackets)} @punctuation.bracket", f"{_list(marks)} @punctuation.delimiter",
             "(integer) @number", "(string) @string", "(comment) @comment"]
    return "\n".join(rows) + "\n"


_DECLARED = (
    "(players (identifier) @type)",
    "(piece . (identifier) @constant)",
    "(enumeration (identifier) @constant)",
    "(param . (identifier) @constant)",
    "(variable . (identifier) @property)",
    "(definition . (identifier) @function)",
    "(effect_rule . (identifier) @function)",
    "(move_rule (identifier) @function.method)",
    "(step_rule (identifier) @function.method)",
    "(forced_rule (identifier) @function.method)",
    "(chance_rule (identifier) @function.method)",
)
"""The highlights of declared names at their declarations."""


def _list(words: Iterable[str]) -> str:
    return f"[{' '.join(map(json.dumps, words))}]"


def _among(node: str, words: Iterable[str], colour: str, closing: str = "") -> str:
    """A query for a node whose text is one of some words."""
    return f"({node} @{colour}{closing}\n (#any-of? @{colour} {' '.join(map(json.dumps, words))}))"


# ---- folding, scopes, symbols


def queries(language: str) -> dict[str, str]:
    """The files of `queries/` by name: highlights, folding, and for games also the scopes of names and the symbols."""
    rules = grammar(language).rules
    folded = [f"({name})" for name, body in rules.items()
              if name[0] != "_" and any(part in body for part in ("$._block", "$._indent", "$.row"))]
    result = {"highlights.scm": highlights(language), "folds.scm": f"[{' '.join(folded)}] @fold\n"}
    if language == GAME:
        choosing = " ".join(f"({name} . (identifier) @local.definition)" for name in _CHOOSING)
        result["locals.scm"] = (f"[{' '.join(f'({name})' for name in _SCOPES)}] @local.scope\n"
                                f"[{choosing}]\n(identifier) @local.reference\n")
        result["tags.scm"] = "".join(f"({name} (identifier) @name) @definition.{kind}\n"
                                     for name, kind in _TAGS.items())
    return result


def zed_queries(language: str) -> dict[str, str]:
    """The additional query files for Zed: matching brackets, and for games the outline."""
    result = {"brackets.scm": '("(" @open ")" @close)\n("[" @open "]" @close)\n("{" @open "}" @close)\n'}
    if language == GAME:
        result["outline.scm"] = "".join(f"({name} (identifier) @name) @item\n" for name in _TAGS)
    return result


_SCOPES = ("definition", "definition_case", "move_rule", "step_rule", "forced_rule", "effect_rule", "chance_rule",
           "quantifier", "let_in", "argument", "then", "each")
"""Nodes that are the scope of the names bound in them."""
_CHOOSING = ("choice", "for_choice", "for_start", "let_clause", "let_effect")
"""Nodes that bind their first name."""
_TAGS = {"move_rule": "method", "step_rule": "method", "forced_rule": "method", "chance_rule": "method",
         "effect_rule": "function", "players": "class"}
"""Nodes that editors list as symbols, with the kind of symbol."""
