"""Tables of syntax from other languages and of what this language writes instead.

Contains tables only: operators of other languages, and other words for declarations, effects and names.
`dsl.syntax.syntax_errors` uses them when a line does not parse, `dsl.resolve.scope` and the resolver when a name is
unknown. To support another habit, add a row.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import attrs

from dsl.boards import KINDS
from dsl.words import CALLED


def _each(words: str, meaning: str) -> dict[str, str]:
    """Map each word of a text to the same meaning."""
    return dict.fromkeys(words.split(), meaning)


EXAMPLES: Mapping[str, str] = {
    "game": 'game "Name"',
    "param": "param size = 5 in 1..26",
    "players": "players Black, White",
    "board": "board square(3, 3)",
    "pieces": "pieces black of Black, white of White, neutral",
    "values": "values phase = placing, moving",
    "coordinates": 'coordinates "{column:a}{row:1}"',
    "tiles": 'tiles with a track of each player: and lines such as "+" joins north south, east west',
    "piles": "piles up to 5",
    "links": "links bridge between c and leap(c, 1, 2) never crossing",
    "track": 'track lap = "a1" to "d1", "d2" cyclic',
    "var": "var score[player] in 0..9 = 0",
    "start": "start: and lines such as cell(0, 0) := black",
    "define": "define free = empty - corners",
    "rare": "rare move castle(c in mine): and indented lines",
    "otherwise": "otherwise move step(c in mine): and indented lines",
    "move": "move place(c in empty): and indented lines",
    "step": "step jump_on(a in mine, b in leap(a, 0, 2) and empty): and indented lines",
    "chance": "chance roll(d in 1..6) when dice = none: and indented lines",
    "effect": "effect take(c): and indented lines",
    "after": "after every move: and indented lines",
    "forced": "forced fall(c in occupied where c.south is empty): and indented lines",
    "illegal": "illegal when no mine",
    "only": "only moves with most count(mine)",
    "pass": "pass when no empty",
    "pie": "pie rule after turn 1",
    "turn": "turn again when some mine",
    "team": "team Blue = North, South",
    "win": "win mover when line(mine, 3)",
    "lose": "lose mover when no mine",
    "draw": "draw when no empty",
    "no": "no moves loses",
    "repetition": "repetition draws",
    "symmetry": "symmetry half turn",
    "notation": 'notation place "{c}"',
    "value": "value count(mine) - count(theirs)",
    "show": 'show black as "X" in blue',
    "hidden": "hidden card[p] from others of p",
    "payoff": "payoff X = won[X] - won[O]",
}
"""An example of each declaration."""

DECLARATIONS: Mapping[str, str] = {
    word: target
    for target, words in {
        "game": "title name class",
        "param": "parameter parameters params const constant option size",
        "players": "player sides",
        "board": "grid table field",
        "pieces": "piece stone stones token tokens equipment",
        "values": "enum enumeration type",
        "coordinates": "coords labels",
        "tiles": "tile tileset",
        "piles": "pile stack stacks tower towers",
        "links": "link bridge bridges road roads edge edges connection connections network networks",
        "var": "variable variables state counter int integer number bool",
        "start": "setup initial initially init begin position starting",
        "define": "def let function func fun fn macro predicate set alias",
        "rare": "rarely seldom",
        "move": "moves action actions rule play turn_rule",
        "step": "steps substep",
        "chance": "dice die d6 roll random shuffle coin toss lottery probability deck card cards nature",
        "effect": "effects procedure routine subroutine",
        "after": "afterwards finally",
        "forced": "force auto automatic automatically always gravity trigger",
        "illegal": "forbidden forbid invalid disallow prohibited suicide",
        "pass": "skip passing passes",
        "pie": "swap swap2",
        "turn": "again extra another bonus",
        "team": "teams alliance coalition partners",
        "win": "end ends ending wins winner winning victory goal won",
        "lose": "loses loser losing loss defeat",
        "draw": "draws tie ties tied drawn",
        "no": "stalemate nomoves stuck",
        "repetition": "repeat repetitions threefold ko superko",
        "symmetry": "symmetries symmetric mirror rotation",
        "notation": "notations",
        "value": "heuristic evaluation evaluate eval estimate",
        "hidden": "secret fog private invisible unknown conceal",
        "payoff": "payoffs utility utilities reward rewards stakes",
        "show": "display render color colors colour colours glyph draw_as",
    }.items()
    for word in words.split()
}
"""Other words for declarations."""

_CHANCE = "what nobody chooses is a rule of its own: chance roll(d in 1..6) when dice = none"
ABSENT: Mapping[str, str] = {
    **_each("random chance lottery probability", _CHANCE),
    **_each("reveal", "what is hidden only for a time is said with it: hidden card[p] from others of p when not over"),
    **_each("hide", "what players must not see is hidden from them, 'hidden card[p] from others of p'; a variable that "
            "boards need not show is drawn so: show count drawn nothing"),
    **_each("simultaneous simultaneously", "all players choose at once by: players move together"),
    **_each("timer clock time timeout", "clocks are no part of the rules; a player's time is given to the command"),
    **_each("import include use require package module", "a file is a whole game, and takes nothing from others"),
}
"""Advice for words that ask for a feature that the language does not have."""

EFFECTS: Mapping[str, str] = {
    **_each("roll shuffle toss throw randomize randomise deal", _CHANCE),
    **_each("give award", "what a player has is counted in a variable: score[mover] += 1"),
    **_each("remove delete clear capture take kill erase destroy", "to empty a cell write 'c := empty'"),
    **_each("place put add drop set fill claim mark", "to put a piece on a cell write 'c := own'"),
    **_each("flip convert own change replace", "to change a piece write 'c := own' or 'c := red'"),
    **_each("rotate spin", "to turn a block of cells write 'turn block clockwise'"),
    **_each("connect join bridge attach", "to link two cells write 'link c to n by road'"),
    **_each("disconnect sever detach cut", "to take a link away write 'unlink c to n by road'"),
    **_each("move go step jump travel", "to move a piece write 'carry a to b'"),
    **_each("shift push pull", "to move a row one step write 'slide row(r) west'"),
    **_each("swap exchange", "set the cells one by one with ':='"),
    **_each("for foreach forall every all", "to go through a set write 'each c in S:'"),
    **_each("while repeat loop until do", "what goes on until nothing applies is a 'forced' rule"),
    **_each("elif elsif elseif", "write 'else if ...:'"),
    **_each("var define", "a name for a value is 'let e = c.north'; others stand in the first column"),
    **_each("increment inc increase count", "to count up write 'score += 1'"),
    **_each("decrement dec decrease", "to count down write 'score -= 1'"),
    **_each(
        "return end done break continue pass stop next",
        "a block ends where its indentation ends; the turn passes by itself",
    ),
    **_each("choose select pick", "a further choice in the same move is 'then c in S:'"),
    **_each(
        "require assert where when unless",
        "conditions stand in the rule's first line: 'where' after a choice, 'when' after the choices",
    ),
    **_each("win lose draw", "ends stand in the first column: 'win mover when ...'"),
}
"""Advice for words that other languages use for effects."""

NAMES: Mapping[str, str] = {
    other: known
    for known, others in {
        "true": "True TRUE yes",
        "false": "False FALSE",
        "none": "None null nil nothing nobody",
        "mover": "me self player current current_player active I",
        "opponent": "enemy other other_player rival foe",
        "own": "my_piece",
        "mine": "my friendly friends ours own_pieces",
        "theirs": "their enemies opponents hostile your yours",
        "empty": "free vacant blank unoccupied empties",
        "occupied": "taken filled full_cells stones",
        "cells": "all everywhere everything squares hexes fields spaces points positions places",
        "edges": "border borders boundary edge sides rim",
        "corners": "corner",
        "rows": "ranks lines",
        "columns": "cols files column_numbers",
        "north": "up above N n",
        "south": "down below S",
        "east": "right_of E e",
        "west": "left_of W",
        "northeast": "ne NE up_right",
        "northwest": "nw NW up_left",
        "southeast": "se SE down_right",
        "southwest": "sw SW down_left",
        "directions": "direction dirs all_directions",
        "diagonals": "diagonal",
        "orthogonals": "orthogonal orthogonally cardinals",
        "top": "upper",
        "bottom": "lower",
        "boolean": "bool",
        "tiles": "tile tile_set",
        "track": "tracks paths",
        "each": "both everyone anybody all_players",
        "player": "players_index",
        **{word.name: word.also for word in CALLED.values()},
    }.items()
    for other in others.split()
}
"""Other words for names and functions of the language."""
_MORE_NAMES: Mapping[str, tuple[str, ...]] = {
    "up": ("north", "northeast"),
    "down": ("south", "southwest"),
    "left": ("west", "northwest", "southwest"),
    "right": ("east", "northeast", "southeast"),
    "me": ("mover", "mine"),
    "enemy": ("opponent", "theirs"),
    "opponent": ("theirs",),
    **dict.fromkeys(_each("hex square", "cell"), ("cell",)),
    "lines": ("rows", "line"),
    "all": ("cells", "each"),
    "both": ("each",),
    "everyone": ("each",),
    "piece": ("pieces",),
    "cells": ("cell",),
    "players": ("player",),
    "rows": ("row",),
    "columns": ("column",),
    "pieces": ("piece",),
    "directions": ("direction",),
}

SAYINGS: Mapping[str, str] = {
    "stalemate": "that the player to move cannot move is 'no moves'",
    "stuck": "that the player to move cannot move is 'no moves'",
    "full": "that the board is full is 'no empty'",
    "board": "all cells together are 'cells'; that the board is full is 'no empty'",
    "range": "a range is written 0..9",
    "any": "write 'some c in S: P'",
    "exists": "write 'some c in S: P'",
    "all": "write 'every c in S: P'",
    "forall": "write 'every c in S: P'",
    "not": "write 'not P' without brackets, or 'no S' for a set",
    **ABSENT,
    **{word.name: word.as_name for word in CALLED.values() if word.as_name},
    "track": "tracks belong to tiles: declare 'tiles with a track of each player:', then ask 'track[mover]'",
    "tiles": "declare them: 'tiles with a track of each player:' and lines such as \"+\" joins north south, east west",
    "link": "links are declared, 'links road between c and neighbours(c)', and asked by 'linked(c, n, road)'",
    "links": "links are declared, 'links road between c and neighbours(c)', and asked by 'linked(c, n, road)'",
    "network": "cells joined by links are 'red linked by road', the tiles' tracks 'track[mover]'",
    "infinite": "a board without borders is 'board unbounded square'",
    "owner": "whose piece stands on a cell is asked by 'c in mine' or 'c in theirs'",
    "winner": "ends name a player by 'mover', 'opponent' or by name",
    "last": "what happened before must be kept in a variable: var last in cells or none",
    "turn": "the player to move is 'mover'; count turns with a variable",
    "history": "what happened before must be kept in a variable; 'repetition draws' looks back by itself",
    "print": "what is shown is said by 'show' and 'notation'",
    "knight": "the cells a knight's step away are 'leap(c, 1, 2)'",
    "path": "whether two sides are joined is 'joined(red, top, bottom)'",
    "step": "the next cell is 'c.north' or 'c.d', that after n steps 'next(c, d, n)'; all that way are 'ray(c, d)'",
    "between": "the cells from a to b in a direction d are 'ray(a, d) - ray(b, d)', with b; without it '... - b'",
    **_each("subsets subset powerset combinations pairs", "cells are chosen one by one, 'a in S, b in S', or without "
            "order, '{a, b} in S'; for any number of them a move goes on with 'then'"),
    **_each("king queen rook bishop pawn man stone disc checker",
            "pieces are declared, for instance: pieces king of each"),
    **_each("captured taken dead", "what was captured is not on the board: that a player has none is 'no king[mover]'"),
    **_each("can_move has_moves moves_left legal_moves no_moves", "that the player to move cannot move is 'no moves'"),
    **_each("check checkmate mate attacked threatened", "say what attacks: 'illegal when some c in theirs: ...' for a "
            "move that is not allowed, 'no moves' for a player who has none"),
    **_each("score points", "declare it: var score[player] in 0..9"),
    **_each("even odd", "that a number is even is 'n mod 2 = 0'"),
    **_each("belongs belong owned owns", "whose piece stands on a cell is asked by 'c in mine' or 'c in theirs'"),
    **_each("wrap wraps wrapped torus cylinder", "a board joined at its borders is written as a graph, path by path"),
}
"""Advice for words that stand for something that is written in another way."""
CASES = "cases are for players, pieces, words, directions, and cells of a graph that are named by words; for others " \
        "write a parameter: define worth(c) = 3 if c = \"a1\" else 1"
"""Advice for a definition by cases of something else."""
MEMBERS: Mapping[str, str] = {
    **{other: word.as_member for word in CALLED.values() if word.as_member
       for other in (word.name, *word.also.split())},
    "empty": "write 'c is empty'",
    "occupied": "write 'c is occupied'",
    "row": "the row number of a cell is 'c.row', without brackets",
    "column": "the column number of a cell is 'c.column', without brackets",
    "x": "rows and columns are 'c.row' and 'c.column'",
    "y": "rows and columns are 'c.row' and 'c.column'",
    "col": "rows and columns are 'c.row' and 'c.column'",
    "rank": "rows and columns are 'c.row' and 'c.column'",
    "file": "rows and columns are 'c.row' and 'c.column'",
    **_each("colour color owner player", "whose piece stands on a cell is asked by 'c in mine' or 'c is red'"),
    **_each("isempty is_empty isfree is_free free vacant", "write 'c is empty'"),
    **_each("forward forwards ahead front", "say which way it is, 'define ahead[Red] = north', then 'c.ahead[mover]'"),
    **_each("back backward backwards behind", "say which way it is, 'define back[Red] = south', then 'c.back[mover]'"),
    "opposite": "the way back from d is 'opposite(d)', the cell there 'c.opposite(d)'",
    **_each("mine theirs own", "whose piece stands on a cell is asked by 'c in mine' or 'c in theirs'"),
}
"""Advice for words that people write after the '.' of a cell."""

SYMMETRIES: Mapping[str, str] = {
    "rotation": "half turn",
    "rotations": "all turns",
    "rotate": "half turn",
    "turn": "half turn",
    "180": "half turn",
    "half rotation": "half turn",
    "quarter rotation": "quarter turn",
    "turns": "all turns",
    "90": "quarter turn",
    "mirror": "left right mirror",
    "reflection": "left right mirror",
    "horizontal mirror": "left right mirror",
    "vertical mirror": "top bottom mirror",
    "mirrors": "all mirrors",
    "reflections": "all mirrors",
    "diagonal": "diagonal mirror",
    "transpose": "diagonal mirror",
    "all": "all turns and mirrors",
    "full": "all turns and mirrors",
    "dihedral": "all turns and mirrors",
    "mirror left right": "left right mirror",
    "mirror top bottom": "top bottom mirror",
}
RESULTS: Mapping[str, str] = {
    **_each("lose loss lost losing", "loses"),
    **_each("win won winning", "wins"),
    **_each("draw tie ties drawn", "draws"),
    **_each("pass skip skips", "passes"),
    **_each("illegal forbid forbids ko superko banned", "forbidden"),
}
COLOURS: Mapping[str, str] = {
    "gray": "grey",
    "violet": "purple",
    "turquoise": "cyan",
    "lime": "green",
    "gold": "yellow",
}
INDEXES: Mapping[str, str] = {
    **_each("cells square", "cell"),
    "rows": "row",
    "columns": "column",
    "col": "column",
    "players": "player",
    "directions": "direction",
    "pieces": "piece",
    "mover": "player",
    "colour": "player",
    "color": "player",
}


def synonym(word: str, known: Collection[str]) -> str:
    """The known word that another word usually means, or ''."""
    candidates = [table[word] for table in (NAMES, SYMMETRIES, RESULTS, COLOURS, INDEXES) if word in table]
    kinds = [kind for kind in KINDS.values() if word in kind.also_called]
    candidates += [kind.word for kind in sorted(kinds, key=lambda kind: kind.also_called.index(word))]
    candidates += _MORE_NAMES.get(word, ())
    return next((candidate for candidate in candidates if candidate in known), "")


@attrs.frozen
class Habit:
    """A pattern of foreign syntax, with its error; the first group of `pattern` is the text to mark."""

    pattern: re.Pattern[str]
    expected: str
    """What was expected instead, in "found '...', expected ..."."""
    help: str
    suggestion: str = ""
    code: str = "G111"


def _habit(pattern: str, expected: str, help_text: str, suggestion: str = "", code: str = "G111") -> Habit:
    return Habit(re.compile(pattern), expected, help_text, suggestion, code)


_CLAUSES = "a rule's condition begins with 'when', a choice's with 'where', an effect's with 'if'"
_SETS = "sets are joined with '+' and '-', cut with 'and', tested with 'in'"
_QUANTIFIERS = "conditions on sets are 'some c in S: P', 'every c in S: P', 'no c in S: P', 'exactly 2 c in S: P'"

HABITS: tuple[Habit, ...] = (
    # signs
    _habit(r"(==+)", "'='", "a single '=' compares", "="),
    _habit(r"(=!=?|<>|/=|~=)", "'!='", "'!=' says that two values differ", "!="),
    _habit(r"(=<)", "'<='", "compare with = != < <= > >=", "<="),
    _habit(r"(=>)", "'>='", "compare with = != < <= > >=", ">="),
    _habit(r"(≤|≥|≠)", "'<=', '>=' or '!='", "compare with = != < <= > >="),
    _habit(r"(&&?)", "'and'", "combine with 'and', 'or', 'not'", "and"),
    _habit(r"\bin\s+\w+\s*(\|)\s", "'where'",
           "the condition of a choice begins with 'where'; what is in one set or another is 'S + T'", "where"),
    _habit(r"(\|\s*\w+\s*\|)", "a number", "the number of cells of a set is 'count(S)'"),
    _habit(r"(\|\|?)", "'or'", "combine with 'and', 'or', 'not'", "or"),
    _habit(r"(!)(?!=)", "'not'", "combine with 'and', 'or', 'not'", "not "),
    _habit(r"(∧|∨|¬)", "'and', 'or' or 'not'", "logic is written in words"),
    _habit(r"(∈|∉|∪|∩|∖)", "a word or '+' and '-'", _SETS),
    _habit(r"(∅)", "a set", "'no S' says that a set is empty; 'c := empty' empties a cell"),
    _habit(r"carry\b.*?(->|=>|→|,)", "'to'", "write 'carry a to b'", "to"),
    _habit(r"^\s*(?:un)?link\b.*?(->|=>|→|,)", "'to'", "write 'link c to n by road'", "to"),
    _habit(r"^links\b.*\b((?:not|no|without|non)\s+cross\w*)", "'never crossing'", "links that must not cross: "
           "'links road between c and leap(c, 1, 2) never crossing'", "never crossing"),
    _habit(r"\bjoins\s+\w+\s*(-|→|->|&)", "the next side", 'a track is its sides: "+" joins north south, east west'),
    _habit(r"^define\b[^=]*?(->|=>|→)", "'='", "a definition is written 'define near(c) = neighbours(c)'", "="),
    _habit(r"(->|→)", "an operator", "'carry a to b' moves a piece, 'c := red' puts one, 'c.north' is a step"),
    _habit(r"(<-|←)", "':='", "write 'target := value'", ":="),
    _habit(r"(\+\+)", "'+= 1'", "write 'score += 1'", " += 1"),
    _habit(r"\S(--)", "'-= 1'", "write 'score -= 1'", " -= 1"),
    _habit(r"([*/%]=)", "':='", "write 'x := x * 2'; only '+=' and '-=' are short forms"),
    _habit(r"(:\s+=)", "':='", "the sign is one word: ':='", ":="),
    _habit(r"(\?)", "'if'", "a choice of values is written 'red if P else blue'"),
    _habit(r"(\\)", "'-'", "what is in one set and not in another is 'S - T'", "-"),
    _habit(r"(//)", "'#' or 'div'", "a comment begins with '#'; whole numbers are divided with 'div'"),
    _habit(r"(÷|/)", "'div'", "'div' divides whole numbers and rounds down, 'mod' gives the rest", "div"),
    _habit(r"(%)", "'mod'", "'div' divides whole numbers and rounds down, 'mod' gives the rest", "mod"),
    _habit(r"(×|·)", "'*'", "a product is written with '*'", "*"),
    _habit(r"(−|–|—)", "'-'", "this only looks like a minus sign", "-"),
    _habit(r"(\*\*|\^)", "an operator", "there are no powers; write the product"),
    _habit(r"(\.\.\.\.?|…)", "'..'", "a range is written 0..9", ".."),
    _habit(r"(\d+\.\d+)", "a whole number", "all numbers are whole numbers"),
    _habit(r"(;)", "the end of the line", "a line ends by itself; one effect a line"),
    _habit(r"(['‘’“”„`«»][^'‘’“”„`«»]*['‘’“”„`«»]?)", 'a text in "..."', "texts stand in straight double quotes"),
    _habit(r"^[^=]*[^:\s]\s*(:=)", "'='", "':=' changes a position; a declaration says '='", "=", "G115"),
    _habit(r"(\{)\s*$", "':' and indented lines", "a block begins with ':' and is indented, without braces"),
    # words
    _habit(r"^\s*(?:else\s+)?if\b.*?\b(then)\b", "':' and indented lines", "or on one line: 'c := own if P'"),
    _habit(r"(?:=|[(,]|\S\s+else)\s*(if)\b\s*", "a value", "a choice of values is written 'red if P else blue'"),
    _habit(
        r"[:+-]=.*?\b(unless|when|where|provided|while)\b\s*",
        "'if'",
        "an effect's condition begins with 'if': c := own if P",
    ),
    _habit(
        r"\bno\s+moves\s+for\s+(\w+)",
        "'anyone'",
        "'no moves' is about the player to move, 'no moves for anyone' about all",
    ),
    _habit(r"\b(there\s+(?:is|are)(?:\s+an?)?)\s+\w+\s*", "'some'", _QUANTIFIERS, "some"),
    _habit(r"\b(any|exists?|there|forsome)\s+(?!of\b)", "'some'", _QUANTIFIERS, "some "),
    _habit(
        r"\b(all|forall|for\s+all|for\s+every|for\s+each|each|for)\s+(?=\w+\s+in\b)", "'every'", _QUANTIFIERS, "every "
    ),
    _habit(r"\b(none)\s+(?=\w+\s+in\b)", "'no'", _QUANTIFIERS, "no "),
    _habit(r"\b(at_least|atleast|at_most|atmost|min|max)\s+(?=\d)", "'at least' or 'at most'", _QUANTIFIERS),
    _habit(
        r"\b(?:at\s+least|at\s+most|exactly)\s+([a-z]+)",
        "a number",
        "numbers are written in digits: at least 2 c in S: P",
    ),
    _habit(
        r"\b(?:exactly|at\s+least|at\s+most)\s+\w+\s+(of)\s+",
        "a name",
        "'exactly one c in S: P'; the size of a set is 'count(S) = 1'",
    ),
    _habit(r"\b(some\s+of|any\s+of|one\s+of)\s+", "'some'", "'some mine' says that a set has an element", "some "),
    _habit(
        r"\bno\s+((?:legal|valid|possible)\s+moves?|move)\b\s*",
        "'moves'",
        "'no moves' says that the player to move cannot move",
    ),
    _habit(r"\b(xor)\b", "an operator", "for 'either but not both' compare the conditions: (P) != (Q)"),
    _habit(
        r"\b(nor|times|equals|unless|otherwise|implies|iff)\b\s*",
        "an operator",
        "operators are and, or, not, =, !=, <, <=, >, >=, +, -, *, div, mod, in, is",
    ),
    _habit(r"\b(contains|has|includes|holds)\s*", "'in' or 'is'", "write 'c in mine' or 'c is red'"),
    _habit(r"\b(isn't|isnt|aint)\b", "'is not'", "write 'c is not empty'", "is not"),
    _habit(
        r"\b(?:north|south|east|west|northeast|northwest|southeast|southwest)\s+(of)\b",
        "a step",
        "a step is written 'c.north'",
        "",
        "G101",
    ),
    _habit(
        r"\b(\d+|two|three|four|five|six|seven)\s+in\s+a\s*(?:row|line|column)?",
        "a condition",
        "'line(mine, 3)' says that three of mine stand in a row",
    ),
    _habit(r"\b(?:win|lose)\s+(when|if|where)\b\s*", "a player", "say who: 'win mover when ...'"),
    _habit(r"\b(?:win|lose)\s+\w+\s*(,|and\b)", "'when'", "name one player: 'win mover when ...'"),
    _habit(
        r"^(?:repetition|no\s+moves)\s+(is|are|means|gives|equals)\s+",
        "what it does",
        "write 'no moves loses' or 'repetition draws'",
    ),
    _habit(r"\bis\s+(an?|the)\b\s*", "a set or a piece", "write 'c is red' or 'c is empty'"),
    _habit(
        r"\b(is\s+(?:equal|greater|less|more|larger|smaller)(?:\s+(?:than|to))?)\b\s*",
        "a comparison",
        "compare with = != < <= > >=",
    ),
    _habit(r"\b(board|cells?|grid)\[[^\]]*", "round brackets", "a cell by its row and column is 'cell(0, 0)'"),
    _habit(r"\b([a-z_]+)\[[^\]]*,", "round brackets", "functions take round brackets: line(mine, 3)"),
    _habit(
        r"(\d+\s*[x×]\s*\d*)",
        "a board",
        f"boards are written as in {', '.join(kind.example for kind in KINDS.values())}",
        "",
        "G101",
    ),
)
"""In order of precedence: the first whose marked text covers the place where the parser stopped counts."""


def habit_at(code: str, column: int) -> tuple[Habit, int, int] | None:
    """The habit at a column (from 0) of a line's code, with the start and end of the text to mark; None for no habit.
    """
    for habit in HABITS:
        for match in habit.pattern.finditer(code):
            group = 1 if habit.pattern.groups and match.group(1) is not None else 0
            if match.start(group) <= column <= max(match.end() - (match.end() == match.end(group)), match.start(group)):
                return habit, match.start(group), match.end(group)
    return None
