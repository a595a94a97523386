"""Positions as text: writes a whole position as one line, and reads it back.

`write(game, state)` gives, separated by spaces, the cells row by row, the player to move, then the variables, the
links, and the turn where there is a pie rule or a turn order. `read(game, text)` takes such a line, or one with parts
left out, and refuses one that cannot be a position of the game, with the reason. Called by `interpreter.game`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NoReturn

from dsl import hir
from dsl.diagnostics import did_you_mean
from dsl.resolve.drawn_start import signs_in
from dsl.resolve.sorts import BOOLEAN, CELL, DIRECTION, PIECE, PLAYER, Enumerated, Integer, Sort
from interpreter.board_values import labels
from interpreter.boards import members
from interpreter.errors import ImpossiblePosition, RuleError
from interpreter.model.state import State, WorkingState
from interpreter.site_values import is_places, names_of

if TYPE_CHECKING:
    from interpreter.game import Game


def _glyphs(game: Game) -> list[str]:
    """The glyph of each piece, that of empty cells first."""
    return [game.rules.empty_glyph, *(piece.glyph for piece in game.rules.pieces[1:])]


def _absent(signs: str, texts: Iterable[str]) -> str:
    """The first of some characters that is in none of the texts, or the first one if all are."""
    used = set("".join(texts))
    return next((sign for sign in signs if sign not in used), signs[0])


def _separators(game: Game) -> tuple[str, str]:
    """The separators between rows, and between the cells of a row: characters that are in no glyph, or ''."""
    glyphs = _glyphs(game)
    row_end = _absent("/|!:", glyphs)
    apart = any(len(glyph) > 1 for glyph in glyphs) or game.rules.piles > 1
    return row_end, (_absent(",;^~", glyphs) if apart else "")


def _joint(game: Game) -> str:
    """The separator between the pieces of a pile: '', or where a glyph has several characters, one that none has."""
    glyphs = _glyphs(game)
    return _absent("+*&=", glyphs) if any(len(glyph) > 1 for glyph in glyphs) else ""


def _on_cells(game: Game, state: State) -> list[str]:
    """The text of each cell's contents; for a pile all pieces, the lowest first."""
    piles = game.engine.evaluator.piles
    if piles is None:
        return game.glyphs(state, plain=True)
    glyphs, joint = _glyphs(game), _joint(game)
    result = (piles.at(state, cell) for cell in range(game.board.size))
    return [joint.join(glyphs[piece] for piece in pile) or glyphs[0] for pile in result]


def _comma(game: Game) -> str:
    """The separator between values and between links: a character that is in no cell's name and no glyph."""
    return _absent(",;^~", [*game.board.names, *_glyphs(game)])


def _pie_word(game: Game, word: str) -> str:
    """The name of the turn or the seats in the text, with a prefix where a variable or a kind of link has that name."""
    names = {*(kind.name for kind in game.rules.variables), *(kind.name for kind in game.rules.layers)}
    return f"pie.{word}" if word in names else word


def _rows(game: Game, state: State | None) -> list[list[int]]:
    """The cells in the order of the text, row by row; on an unbounded board those in the bounding box of the pieces."""
    board = game.board
    if not board.row_of:
        return [list(range(board.size))]
    cells = range(board.size)
    if board.unbounded and state is not None:
        occupied = members(board.everything & ~state.pieces[0])
        lines = {board.row_of[cell] for cell in occupied}
        stripes = {board.column_of[cell] for cell in occupied}
        cells = range(0) if not occupied else cells
        wanted = [cell for cell in cells if min(lines) <= board.row_of[cell] <= max(lines)
                  and min(stripes) <= board.column_of[cell] <= max(stripes)]
    else:
        wanted = list(cells)
    rows: dict[int, list[int]] = {}
    for cell in wanted:
        rows.setdefault(board.row_of[cell], []).append(cell)
    return [rows[row] for row in sorted(rows)]


def write(game: Game, state: State) -> str:
    """Write a state as one line, which `read` takes back."""
    row_end, between = _separators(game)
    glyphs = _on_cells(game, state)
    rows = _rows(game, state)
    comma = _comma(game)
    parts = [row_end.join(between.join(glyphs[cell] for cell in row) for row in rows) or game.rules.empty_glyph,
             game.players[state.to_move]]
    for number, kind in enumerate(hir.said_variables(game.rules)):
        values = game.variable_values(state, number)
        texts = (names_of(game, kind, values) if is_places(kind) else
                 [_value_text(game, kind, value) for value in values])
        parts.append(f"{kind.name}={comma.join(texts)}")
    for layer, there in zip(game.board.layers, state.links, strict=True):
        parts.append(f"{layer.name}={comma.join(layer.text(game.board, link) for link in members(there))}")
    if game.rules.pies or game.rules.order:
        parts.append(f"{_pie_word(game, 'turn')}={state.turn}")
    if any(pie.by_seats for pie in game.rules.pies):
        parts.append(f"{_pie_word(game, 'seats')}={'exchanged' if state.seats else 'kept'}")
    return " ".join(parts)


def _value_text(game: Game, kind: hir.VariableKind, value: int | None) -> str:
    """The text of a variable's value; a piece is written as its glyph, since several tiles may share a sign."""
    if kind.sort == PIECE and value is not None:
        return _glyphs(game)[value]
    return game.shown(kind, value)


def read(game: Game, text: str) -> State:
    """Read a state from a line. Omitted variables have their initial values; without a player, the first one moves.

    Raises ImpossiblePosition where the line cannot be read, or is no possible position.
    """
    reader = _Reader(game, text)
    state = reader.state()
    if state != reader.start:  # the game may begin, and be over, where no move could lead
        _check(game, state, reader)
    return state


_WORD = re.compile(r"\w+\[(?:[^\[\]=]|\[[^\[\]=]*\])*\]=\S*|\S+")
"""Matches a word of a line; the brackets of `hand[knight White]=1` may contain spaces."""


def _label(text: str) -> str:
    """The text of an index with one space between its parts: `knight White` for `knight[White]`."""
    return " ".join(filter(None, re.split(r"[\[\],\s]+", text)))


class _Reader:
    """Parses one line."""

    def __init__(self, game: Game, text: str) -> None:
        self.game = game
        self.text = text
        self.start = game.engine.start()._replace(outcome=None)

    def refuse(self, reason: str) -> NoReturn:
        """Raise ImpossiblePosition with the reason why the line is no position."""
        raise ImpossiblePosition(self.text, reason)

    def state(self) -> State:
        """Parse the line into a state, without checking it against the rules."""
        if not self.text.strip():
            self.refuse("it is empty, expected the cells row by row, such as " + write(self.game, self.start))
        cells, *rest = self.text.split(maxsplit=1)
        table = WorkingState(self.start)
        self._cells(cells, table)
        to_move, named = self.start.to_move, _WORD.findall(rest[0]) if rest else []
        if named and "=" not in named[0]:
            to_move = self._player(named[0])
            named = named[1:]
        given, named_values = dict[str, str](), dict[str, dict[str, str]]()
        for word in named:
            name, equals, value = word.partition("=")
            if not equals:
                self.refuse(f"found '{word}', expected NAME=VALUES")
            name, bracket, label = name.partition("[")
            known, key = (named_values.setdefault(name, {}), _label(label)) if bracket else (given, name)
            if key in known:
                self.refuse(f"'{word.partition('=')[0]}' is given twice")
            known[key] = value
        self._variables(given, table)
        self._named_values(named_values, table)
        self._links(given, table)
        turn, seats = self._place(given, to_move) if self.game.rules.order else self._turn(given)
        self._nothing_else(given)
        state = table.state(None)
        return state._replace(to_move=to_move, turn=turn, seats=seats)

    def _player(self, word: str) -> int:
        result = [number for number, name in enumerate(self.game.players) if name.casefold() == word.casefold()]
        if not result:
            help_text, _ = did_you_mean(word, self.game.players)
            self.refuse(f"there is no player '{word}', expected {' or '.join(self.game.players)}"
                        + f"; {help_text}" * bool(help_text))
        return result[0]

    def _cells(self, word: str, table: WorkingState) -> None:
        """Set every cell as the text says."""
        game, board = self.game, self.game.board
        for piece in range(len(table.pieces)):
            table.pieces[piece] = 0
        table.pieces[0] = board.everything
        row_end, between = _separators(game)
        piles = game.engine.evaluator.piles
        meant = {glyph: index for index, glyph in enumerate(_glyphs(game))}
        texts = [self._split(row, between, meant) for row in word.split(row_end)]
        rows = self._places(texts) if board.unbounded else _rows(game, None)
        if len(texts) != len(rows):
            self.refuse(f"it has {len(texts)} rows of cells, expected {len(rows)}, with '{row_end}' between them")
        for number, (row, glyphs) in enumerate(zip(rows, texts, strict=True), start=1):
            if len(row) != len(glyphs):
                self.refuse(f"row {number} has {len(glyphs)} cells, expected {len(row)}")
            for cell, glyph in zip(row, glyphs, strict=True):
                pile = self._pile(glyph, meant)
                if pile is None:
                    known = ", ".join(meant)
                    self.refuse(f"row {number} has '{glyph}' for {board.names[cell]}, expected one of {known}"
                                + ", or several of them as a pile" * (game.rules.piles > 1))
                if len(pile) > max(1, game.rules.piles):
                    self.refuse(f"row {number} has {len(pile)} pieces for {board.names[cell]}, expected at most "
                                f"{game.rules.piles}")
                if piles is not None:
                    piles.put(table, cell, pile)
                elif pile:
                    table.put(1 << cell, pile[0])
        if board.unbounded:  # empty rows and columns may stand before what is there
            table.shift(board.settled(board.everything & ~table.pieces[0]) or 0)

    def _split(self, row: str, between: str, meant: Mapping[str, int]) -> list[str]:
        """The texts of the cells of a row; a number that is no piece's sign is so many empty cells."""
        empty = self.game.rules.empty_glyph
        if not between or (between not in row and self.game.engine.evaluator.piles is None):
            return signs_in(row, meant, empty)
        return [sign for text in row.split(between) for sign in
                ([text] if text in meant or not re.fullmatch("[0-9]{1,3}", text) else [empty] * int(text))]

    def _pile(self, text: str, meant: Mapping[str, int]) -> tuple[int, ...] | None:
        """The pieces on a cell, the lowest first, by their glyphs; None where a text is not made of these."""
        if text in meant:
            return (meant[text],) if meant[text] else ()
        joint = _joint(self.game)
        glyphs = text.split(joint) if joint else list(text)
        if self.game.engine.evaluator.piles is None or not all(meant.get(glyph) for glyph in glyphs):
            return None
        return tuple([meant[glyph] for glyph in glyphs])

    def _places(self, texts: list[list[str]]) -> list[list[int]]:
        """The cells of the window for the rows of an unbounded board's text."""
        board = self.game.board
        most, home = board.room, board.home
        widest = max(map(len, texts), default=0)
        if max(len(texts), widest) > most:
            self.refuse(f"it has {len(texts)} rows of up to {widest} cells, expected at most {most} of {most}")
        return [[board.cell_at(row + home, column + home) for column in range(widest)] for row in range(len(texts))]

    def _variables(self, given: dict[str, str], table: WorkingState) -> None:
        evaluator = self.game.engine.evaluator
        for number, kind in enumerate(hir.said_variables(self.game.rules)):
            if kind.name not in given:
                continue
            words = given.pop(kind.name).split(_comma(self.game))
            offset, size = evaluator.offsets[number], evaluator.sizes[number]
            if is_places(kind):
                words = self._marked(kind, words)
            if kind.index == "piece" and len(words) == size - 1:  # 'empty' is a kind of piece only for rules
                offset, size = offset + 1, size - 1
            if len(words) != size:
                self.refuse(f"'{kind.name}' has {len(words)} values, expected {size}"
                            + f", one for each {' and '.join(kind.indices)}; or by name, as in "
                              f"{kind.name}[{labels(self.game, kind)[-1]}]={words[0]}" * bool(kind.index))
            table.values[offset : offset + size] = [self._value(kind, word) for word in words]

    def _named_values(self, given: Mapping[str, Mapping[str, str]], table: WorkingState) -> None:
        """Set single values of variables: `{"hand": {"knight White": "1"}}`."""
        kinds = {kind.name: (number, kind) for number, kind in enumerate(hir.said_variables(self.game.rules))}
        for name, values in given.items():
            if name not in kinds or not kinds[name][1].index:
                indexed = [kind.name for _, kind in kinds.values() if kind.index]
                self.refuse(f"the game has no variable '{name}' with an index"
                            + f", expected {', '.join(indexed)}" * bool(indexed))
            number, kind = kinds[name]
            places = {_label(text): place for place, text in enumerate(labels(self.game, kind))}
            for said, word in values.items():
                alike = [text for text in places if sorted(text.split()) == sorted(said.split())]
                label = alike[0] if len(alike) == 1 else said  # 'knight White' is 'White knight'
                if label not in places:
                    help_text, _ = did_you_mean(label, places)
                    self.refuse(f"'{name}' has no value for '{label}', expected a {' and a '.join(kind.indices)} such "
                                f"as {next(reversed(places))}" + f"; {help_text}" * bool(help_text))
                table.values[self.game.engine.evaluator.offsets[number] + places[label]] = self._value(kind, word)

    def _marked(self, kind: hir.VariableKind, words: list[str]) -> list[str]:
        """For each border or vertex 'yes' if it is among the named ones, else 'no'."""
        names = self.game.board.sites(kind.index).names
        for word in words:
            if word and word not in names:
                help_text, _ = did_you_mean(word, names)
                self.refuse(f"'{kind.name}' names '{word}', expected a {kind.index} such as {names[0]}"
                            + f"; {help_text}" * bool(help_text))
        return ["yes" if name in words else "no" for name in names]

    def _value(self, kind: hir.VariableKind, word: str) -> int | None:
        if word == "none" and kind.or_none:
            return None
        sort = kind.sort
        if isinstance(sort, Integer):
            if not re.fullmatch(r"-?[0-9]{1,31}", word) or not sort.low <= int(word) <= sort.high:
                self.refuse(f"'{kind.name}' is {word}, expected a number in {sort.low}..{sort.high}")
            return int(word)
        names = self._names(sort)
        if word not in names:
            self.refuse(f"'{kind.name}' is {word}, expected one of {', '.join(names)}")
        return names.index(word)

    def _names(self, sort: Sort) -> list[str]:
        """The texts of the values of a sort."""
        game = self.game
        if isinstance(sort, Enumerated):
            return list(sort.values)
        return {
            CELL: list(game.board.names), PLAYER: list(game.players), DIRECTION: list(game.board.directions),
            PIECE: _glyphs(game), BOOLEAN: ["no", "yes"],
        }[sort]

    def _links(self, given: dict[str, str], table: WorkingState) -> None:
        board = self.game.board
        for number, layer in enumerate(board.layers):
            word = given.pop(layer.name, "")
            table.links[number] = 0
            numbers = {}
            for link, (one, other) in enumerate(layer.pairs if word else ()):
                numbers[layer.text(board, link)] = numbers[f"{board.names[other]}-{board.names[one]}"] = link
            for text in word.split(_comma(self.game)) if word else ():
                link = numbers.get(text, -1)
                if link < 0:
                    self.refuse(f"there can be no {layer.name} '{text}', expected two cells such as "
                                f"{layer.text(board, 0)}")
                if table.links[number] & layer.crossing[link]:
                    self.refuse(f"the {layer.name} {text} crosses another")
                table.links[number] |= 1 << link

    def _place(self, given: dict[str, str], to_move: int) -> tuple[int, int]:
        """The place in the turn order, and 0 for the seats; by default the first recurring place of the player to move.
        """
        order, loop = self.game.rules.order, self.game.rules.loop
        known = [index for index, player in enumerate(order) if player == to_move]
        usual = next(place for place in (*range(loop, len(order)), *range(loop)) if order[place] == to_move)
        word = given.pop(_pie_word(self.game, "turn"), str(usual))
        if not re.fullmatch("[0-9]{1,9}", word) or int(word) not in known:
            self.refuse(f"the turn is {word}, expected a place at which {self.game.players[to_move]} moves: "
                        + ", ".join(map(str, known)))
        return int(word), 0

    def _turn(self, given: dict[str, str]) -> tuple[int, int]:
        """The turn and the seats; by default the turn is past every pie rule, and the seats are kept."""
        pies = self.game.rules.pies
        turn = seats = 0
        if pies:
            last = max(pie.turn + 1 for pie in pies)
            word = given.pop(_pie_word(self.game, "turn"), str(last))
            if not re.fullmatch("[0-9]{1,9}", word) or int(word) > last:
                self.refuse(f"the turn is {word}, expected 0..{last}")
            turn = int(word)
        if any(pie.by_seats for pie in pies):
            word = given.pop(_pie_word(self.game, "seats"), "kept")
            if word not in ("kept", "exchanged"):
                self.refuse(f"the seats are {word}, expected kept or exchanged")
            seats = int(word == "exchanged")
        return turn, seats

    def _nothing_else(self, given: dict[str, str]) -> None:
        game = self.game
        for name in given:
            said = hir.said_variables(game.rules)
            known = [*(kind.name for kind in said), *(layer.name for layer in game.board.layers)]
            known += [_pie_word(game, "turn")] * bool(game.rules.pies or game.rules.order)
            known += [_pie_word(game, "seats")] * any(pie.by_seats for pie in game.rules.pies)
            self.refuse(f"the game has no variable '{name}'" + f", expected {', '.join(known)}" * bool(known))


def _check(game: Game, state: State, reader: _Reader) -> None:
    """Refuse a state that the rules would have changed or taken back, whoever moved last."""
    first = ""
    for mover in _movers(game, state):
        reason = _unsettled(game, state, mover)
        if not reason:
            return
        first = first or reason
    reader.refuse(first)


def _movers(game: Game, state: State) -> list[int]:
    """The players who may have made the last move that was not a pass."""
    rules, movers = game.rules, game.engine.last_movers(state)
    if rules.passing is not None or rules.no_moves == "passes":
        movers += [player for player in range(len(game.players)) if player not in movers]
    return movers


def _unsettled(game: Game, state: State, mover: int) -> str:
    """The reason why a state cannot be one after a move of `mover`; '' where it can."""
    try:
        pending = game.engine.pending(state, mover)
    except RuleError as problem:
        return f"a forced rule would still apply, and fail: {problem.phrase}"
    if pending is not None:
        return f"the forced rule '{pending.name}' (line {pending.span.line}) would still apply"
    taken_back = game.engine.taken_back(state, mover)
    return "" if taken_back is None else f"'illegal when' (line {taken_back.line}) takes such a position back"
