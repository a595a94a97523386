"""Hidden information on the page: probabilities of moves and players that use one player's knowledge only."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

import dslgame
from dslgame.web.answers import Answers
from dslgame.web.request_schema import Job, Opening, Playing, Refused, Valuing
from solver.game_space import solve_game
from tests.solver.test_information import KUHN


def test_probabilities_are_for_the_player_to_move_and_go_by_what_this_player_knows() -> None:
    """Bob's probabilities do not depend on Ann's card; Ann and spectators are refused them."""
    answers = Answers()
    shown = []
    for deal in ("deal:1-2", "deal:3-2"):
        asked = Valuing(text=KUHN, moves=[deal, "bet"], viewer=1)
        found = answers.answer(Job(do="values", asked=asked))
        shown.append(found["values"])
        assert sum(item["probability"] for item in found["values"]) == pytest.approx(1)
        assert "goes by what Bob knows" in found["strategy"]
        assert answers.answer(Job(do="analyse", asked=asked))["values"] == found["values"]
        for viewer in (0, -2):
            with pytest.raises(Refused):
                answers.answer(Job(do="values", asked=Valuing(text=KUHN, moves=[deal, "bet"], viewer=viewer)))
    assert shown[0] == shown[1]
    calling = {item["move"]: item["probability"] for item in shown[0]}["call"]
    assert calling == pytest.approx(1 / 3, abs=1e-6)


def test_the_file_beside_the_game_is_used(tmp_path: Path) -> None:
    """A saved strategy beside the game is used instead of solving; a file of another game is refused."""
    game = tmp_path / "kuhn.game"
    game.write_text(KUHN)
    found = solve_game(dslgame.load(game)).strategies
    assert found is not None
    attrs.evolve(found, expected=0.25, exact=None).save(tmp_path / "kuhn.strategy")
    job = Job(do="values", asked=Valuing(game="kuhn", moves=["deal:1-2"], viewer=0), path=str(game))
    assert "worth 0.2500 to Ann" in Answers().answer(job)["strategy"]
    game.write_text(KUHN.replace("Kuhn", "Other"))
    with pytest.raises(Refused, match="other rules"):
        Answers().answer(job)


@pytest.mark.slow
def test_moves_for_a_player_go_by_what_the_player_knows() -> None:
    """The solver and `informed` use the player's knowledge only; levels that look at the whole position are refused."""
    answers = Answers()
    for kind in ("solver", "informed"):
        found = answers.answer(Job(do="choose", asked=Playing(text=KUHN, moves=["deal:1-3", "bet"], viewer=1,
                                                              player=kind)))
        assert found["move"] == "call"
        assert "fit what is known" in found["remark"]
    with pytest.raises(Refused, match="looks at the whole position"):
        answers.answer(Job(do="choose", asked=Playing(text=KUHN, moves=["deal:1-3", "bet"], player="strong")))
    assert answers.answer(Job(do="game", asked=Opening(text=KUHN)))["game"]["hides"]
