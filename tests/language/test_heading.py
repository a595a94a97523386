"""Titles, params and players read without parsing (`dsl.syntax.heading`), and the list of games built from them."""

from __future__ import annotations

import subprocess
import sys

import pytest

import dslgame
from dsl.syntax.heading import Heading, credits, heading, title
from dslgame import bundled

PLAIN = 'game "A # b"  # c\nparam size = 3 in 1..9   # c\nparam low = -2\nplayers X , O\nboard square(size, size)\n'


@pytest.mark.slow
def test_heading_is_what_whole_files_say() -> None:
    """Every bundled game is written in the plain forms, so that the list parses none of them."""
    for name in bundled.names():
        game = dslgame.load(name)
        found = heading(game.rules.source.text)
        assert found is not None
        assert found == Heading(game.title, dict(game.params), game.players, game.genre, found.credits), name
        assert list(found.params) == list(game.params)


def test_plain_forms_are_read() -> None:
    """Comments, spaces and negative defaults are handled; words in comments and strings declare nothing."""
    assert heading(PLAIN) == Heading("A # b", {"size": 3, "low": -2}, ("X", "O"), credits="c")
    assert heading("# players A, B\n" + PLAIN + 'show x as "game"\n') == heading(PLAIN)
    sums = heading(PLAIN.replace("low = -2", "low = -(size + 1) * 2 div 3 - 7 mod 4"))
    assert sums is not None
    assert sums.params == {"size": 3, "low": -6}
    found = heading(PLAIN.replace('"A # b"', '"A"  in "Lines, # and more"'))
    assert found == Heading("A", {"size": 3, "low": -2}, ("X", "O"), "Lines, # and more", "c")


def test_several_params_stand_in_one_line() -> None:
    found = heading(PLAIN.replace("param low = -2", "param low = -2 in -3..0, high = size + 1 in 2..9  # c"))
    assert found is not None
    assert found.params == {"size": 3, "low": -2, "high": 4}


def test_credits_are_the_comment_behind_the_title() -> None:
    assert bundled.headings()["hex"].credits == "Piet Hein, 1942, and John Nash, 1948"
    assert credits('game "A"\n# B\n') == credits("") == credits("game A  # C") == ""


@pytest.mark.parametrize(("old", "new"), [
    ("size = 3", "size = max(2, 3)"), ("size = 3", "size = low"),
    ("size = 3", "size = 3 div 0"), ("players X , O", "players X , 3"), ("players X , O", ""), ('"A # b"', "A"),
    ("param low", "param size"), ("players X , O", "players X\nplayers O"), ('game "A # b"', 'game "A" "B"'),
])
def test_other_forms_are_left_to_the_parser(old: str, new: str) -> None:
    """Broken files too return None, so that the parser reports the errors."""
    assert PLAIN.replace(old, new) != PLAIN
    assert heading(PLAIN.replace(old, new)) is None


def test_title_alone_is_read_from_any_text() -> None:
    """The title is read even if the rest is broken; None if there is no title."""
    assert title("nonsense\ngame \"Nim\"\nplayers 3") == "Nim"
    assert title("games \"Nim\"\n  game \"x\"") is None


def test_list_loads_no_parser() -> None:
    """Lark and the interpreter take ten times as long to load as the list of games takes."""
    code = ("import sys; from dslgame.cli.app import app; app.main(['list'], standalone_mode=False); "
            "wanted = {'lark', 'dsl.syntax.rules', 'interpreter.game', 'numpy'} & set(sys.modules); "
            "print(sorted(wanted), file=sys.stderr)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")]
    assert sorted(listed) == bundled.names()


def test_every_bundled_game_names_its_genre() -> None:
    """No bundled game falls into the chapter of other games."""
    assert bundled.OTHER not in bundled.by_genre()
