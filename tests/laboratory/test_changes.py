"""Changes of a game file: what is replaced, what is removed, and what is refused."""

from __future__ import annotations

import pytest

import dslgame
from dsl.syntax.formatter import format_text
from dsl.syntax.source import Source
from dslgame import bundled
from dslgame.laboratory.changes import Change, ChangeError, apply, one_by_one, places
from tests.laboratory.families import MNK


def changed(*texts: str, base: str = MNK) -> str:
    return apply(Source("base.game", base), *map(Change.of, texts)).text


def test_declaration_takes_the_place_of_its_kind() -> None:
    """A declaration replaces the one of its kind in its place, and nothing else changes."""
    assert changed("win mover when line(mine, 4)") == MNK.replace("line(mine, k)", "line(mine, 4)")
    assert changed("board hexagon(3)") == MNK.replace("square(rows, columns)", "hexagon(3)")


def test_rules_with_names_are_told_apart_by_them() -> None:
    """A move with a new name is added; one with a known name replaces the whole block."""
    added = changed("move drop(c in empty):\n    c := own")
    assert added.startswith(MNK.rstrip("\n"))
    assert added.endswith("move drop(c in empty):\n    c := own\n")
    assert changed("move place(c in corners and empty):\n    c := own") == MNK.replace("c in empty", "c in corners and "
                                                                                                 "empty")


def test_end_of_a_line_can_be_written_as_in_other_languages() -> None:
    """`\\n` ends a line, so that a rule with a block can be written in one argument."""
    assert changed(r"move place(c in empty):\n    c := own") == MNK
    assert Change.of(r"move pass_on(c in empty):\n    c := own").text.count("\n") == 1


def test_new_param_comes_after_the_others() -> None:
    """A new param is inserted after the others, since the parser needs it before its use."""
    text = changed("param d = 2 in 1..3")
    assert text.index("param k") < text.index("param d") < text.index("players")


def test_rule_is_left_out_by_its_first_words() -> None:
    """`without` removes all rules that begin with the given words."""
    assert changed("without draw") == MNK.replace("draw when no empty\n", "")
    assert "place" not in changed("without move place")


def test_first_words_are_exchanged() -> None:
    """`win to lose` replaces the first words of a rule, as for misere play."""
    assert changed("win to lose") == MNK.replace("win mover", "lose mover")
    assert changed("draw when to lose mover when") == MNK.replace("draw when", "lose mover when")


def test_item_of_a_list_is_changed_by_itself() -> None:
    """Changing one item of a list keeps the others, each on a line of its own."""
    listed = MNK + 'notation place "{c}",  # as usual\n    pass "-"\nsymmetry half turn, left right mirror\n'
    assert changed('notation pass "pass"', base=listed).endswith(
        'notation place "{c}"\nnotation pass "pass"\nsymmetry half turn\nsymmetry left right mirror\n')
    assert "mirror" not in changed("without symmetry left", base=listed)
    assert changed("as it is", base=listed) == listed
    assert changed('show x as "1", o as "2"').endswith('show x as "1"\nshow o as "2"\n')


def test_as_it_is_changes_nothing() -> None:
    """`as it is` stands for the unchanged rules among alternatives."""
    assert changed("as it is", "") == MNK


@pytest.mark.parametrize(("text", "said"), [
    ("without pie rule", "no declaration of base.game begins with 'pie rule'"),
    ("wins to lose", "no declaration of base.game begins with 'wins'"),
    ("win mover when", "is no change of a game"),
    ("hello", "expected a declaration such as"),
])
def test_what_cannot_be_changed_is_refused(text: str, said: str) -> None:
    """Impossible changes raise ChangeError with what was expected."""
    with pytest.raises(ChangeError, match=said):
        changed(text)


@pytest.mark.parametrize("name", ["nex", "trax", "shift_tac_toe", "wolf_goat_cabbage", "twixt"])
def test_exchanging_every_declaration_for_itself_changes_no_rule(name: str) -> None:
    """Replacing each declaration by itself, with all its lines, changes no rule."""
    source = Source(name, bundled.path_of(name).read_text(encoding="utf-8"))
    text = source.text
    lines = source.lines
    for key in dict.fromkeys(place.key for place in places(source)):
        own = "\n".join("\n".join(lines[place.first:place.stop]) for place in places(source) if place.key == key)
        text = apply(Source(name, text), Change.of(own)).text
    before, after = (dslgame.loads(each) for each in (source.text, text))
    apart = one_by_one(source).text
    assert sorted(format_text(text).split()) == sorted(format_text(apart).split())
    assert before.start().moves() == after.start().moves()


def test_declarations_that_there_are_are_named_by_words() -> None:
    """The error lists the first words of the declarations, without brackets and commas."""
    with pytest.raises(ChangeError, match="its declarations begin with board square, draw when, game, move place, "):
        apply(Source("mnk.game", MNK), Change.of("without nothing like it"))


def test_payoffs_and_hidden_things_are_told_apart_by_whom_and_what_they_are_about() -> None:
    """A payoff replaces that of the same player, and a hidden variable the line of the same variable."""
    base = MNK + "payoff X = 1\npayoff O = 2\nhidden hand[p] from others of p\nhidden deck\n"
    assert changed("payoff X = 3", base=base) == base.replace("payoff X = 1", "payoff X = 3")
    assert changed("hidden deck from X", base=base) == base.replace("hidden deck", "hidden deck from X")
    assert changed("hidden hand[p] from X", base=base) == base.replace("from others of p", "from X")
