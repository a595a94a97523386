"""Texts for the help line of errors about a value of the wrong sort, for `dsl.resolve.expressions`."""

from __future__ import annotations

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, CELL, CELLS, DIRECTION, NETWORK, PIECE, PLAYER, Integer, Kind, SetOf, Sort
from dsl.words import WORDS


def conversion_help(term: hir.Expr, wanted: Sort) -> str:
    """The help for a term where a value of another sort is wanted; '' where there is none."""
    result = term.sort
    if wanted == CELLS and isinstance(term, hir.Apply) and WORDS[term.function].cells_by:
        word = WORDS[WORDS[term.function].cells_by]
        return f"the cells themselves are '{word.example}'"
    if wanted == BOOLEAN and result == CELLS:
        return "test a set with 'some ...' or 'no ...'"
    if wanted == BOOLEAN and result == PIECE:
        return "one of two values is 'red if P else blue'; whether a piece stands on a cell is 'c is red'"
    if wanted == BOOLEAN and result == PLAYER:
        return "compare it with another player: mover = Red"
    if isinstance(wanted, Integer) and result == CELL and not wanted.role:
        return "the numbers of a cell are 'c.row' and 'c.column', the cell n steps on is 'next(c, d, n)'; cells are " \
               "listed in braces, {a, b}"
    if result == DIRECTION and wanted == CELLS:
        return "a step is 'c.north', all cells that way 'ray(c, north)'; the board's sides are called top, bottom, ..."
    if isinstance(result, SetOf) and result.element == wanted == DIRECTION:
        return "choose one first, 'd in directions', or take all: union(ray(c, d) for d in directions)"
    if isinstance(wanted, Integer) and wanted.role and result == CELL:
        return f"the {wanted.role} of a cell is 'c.{wanted.role}'"
    if isinstance(wanted, Integer) and wanted.role and result == CELLS:
        return f"a {wanted.role} is a number here, from 0 on; that a cell is in a set is 'c is top'"
    if wanted == BOOLEAN and isinstance(result, Integer):
        return "compare the number, for instance with '> 0'"
    if wanted == PIECE and result == CELLS:
        return "name one piece; a set of cells holds many"
    if wanted == PIECE and isinstance(result, Kind):
        return "cases for pieces are asked with the piece, 'steps[piece(c)](c)'; a player's piece of a kind is " \
               "'kind(p)[mover]'"
    if wanted == PIECE and result == PLAYER:
        return "name a piece of the player, or 'own'"
    if wanted == PIECE and result == CELL:
        return "what stands on a cell is 'piece(c)'; 'carry a to b' moves it"
    if wanted == CELL and result == CELLS:
        return "choose one with 'c in ...', or take 'the(S)' of one cell; whether a cell is in a set is 'c in S' or " \
               "'c is empty'"
    if wanted == CELL and result == PIECE:
        return "a piece stands for all its cells; choose one with 'c in ...', or take 'the(king[mover])' of a single " \
               "one; test one with 'c is red'"
    if wanted == CELL and result == PLAYER:
        return "what each player has is written with [...]: score[mover]"
    if wanted == CELLS and result == PLAYER:
        return "name a piece of the player, or 'mine' and 'theirs'"
    if result == NETWORK:
        return "networks are asked with joined, group, loop, spans and distance; a set that is linked stands in " \
               "brackets: (S and T) linked by road"
    if wanted == CELLS and isinstance(result, Integer):
        return "the number of cells of a set is 'count(S)'; that it has none is 'no S'"
    if wanted == PLAYER and result in (CELL, CELLS, PIECE):
        return "players are 'mover', 'opponent' and the names in 'players'"
    if isinstance(result, SetOf) and result != CELLS and (wanted == CELLS or isinstance(wanted, Integer)):
        return f"the number of {result.element}s is 'count(x in S)' with this set as S, for instance 'count(r in rows)'"
    if isinstance(wanted, Integer) and result == CELLS:
        return "the number of cells of a set is 'count(S)'; that it has none is 'no S'"
    return ""


def is_in_help(sort: Sort) -> str:
    """The help for a value of a sort that cannot be in the set it is tested against."""
    if sort == CELLS:
        return "that two sets share a cell is 'some (S and T)', that all of S is in T 'no (S - T)'; 'no S' says that " \
               "there is none"
    if sort == PIECE:
        return "a piece is asked for its kind or owner, 'p is red', 'p is mine'; that one stands in S is 'some (king " \
               "and S)', and of a cell 'c is top'"
    return "to compare a player or a number, use '='" if sort == PLAYER or isinstance(sort, Integer) else ""
