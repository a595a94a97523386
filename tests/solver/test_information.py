"""Games with hidden information: exact values, learned and saved strategies, and refusals."""

from __future__ import annotations

import gc
import json
import math
import weakref
from collections.abc import Callable
from fractions import Fraction
from hashlib import sha256
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import dslgame
from dsl.syntax.source import Source
from dslgame.cli.app import app
from interpreter.game import Game, Position
from solver.errors import Refused, TooLarge
from solver.game_space import solve_game
from solver.information import solving, tree
from solver.information.matrix import Payoffs
from solver.information.regret import Learner, learn
from solver.information.response import behaviour_of, exact_value, plan_of
from solver.information.strategies import Behaviour, Strategies, is_strategies
from solver.information.tree import SequenceForm, sequence_form
from solver.players.levels import Level

PENNIES = """\
game "Pennies"
values side = heads, tails
players Even, Odd
board square(1, 1)
var shown[player] in side
var done in boolean
players move together
move show(s in {heads, tails}):
    shown[mover] := s
after every move:
    done := true
win Even when done and shown[Even] = shown[Odd]
win Odd when done
payoff Even = (3 if shown[Even] = heads else 1) if shown[Even] = shown[Odd] else 0 - 2
"""
"""Even gets 3, 1 or -2: the value of [[3, -2], [-2, 1]] is -1/8."""
KUHN = """\
game "Kuhn"
players Ann, Bob
board square(1, 1)
var card[player] in 1..3 or none
var bet[player] in 1..2 = 1
var acts in 0..3
var folded in players or none
hidden card[p] from others of p
chance deal(a in 1..3, b in 1..3 where b != a) when card[Ann] = none:
    card[Ann] := a
    card[Bob] := b
define facing = bet[opponent] > bet[mover]
move check when not facing:
    acts += 1
move bet when not facing:
    bet[mover] := 2
    acts += 1
move call when facing:
    bet[mover] := 2
    acts += 1
move fold when facing:
    folded := mover
    acts += 1
define over = folded != none or (acts >= 2 and bet[Ann] = bet[Bob])
define first = folded = Bob or (folded = none and card[Ann] > card[Bob])
win Ann when over and first
win Bob when over
payoff Ann = bet[Bob] if first else 0 - bet[Ann]
"""


def made(text: str) -> Game:
    return Game.of(Source("test.game", text))


def kuhn_worth(deal: tuple[int, int], actions: str) -> int:
    """The payoff of the first player in Kuhn poker, from its rules alone; p passes or folds, b bets or calls."""
    higher = 1 if deal[0] > deal[1] else -1
    return {"pp": higher, "pbp": -1, "pbb": 2 * higher, "bp": 1, "bb": 2 * higher}[actions]


def test_kuhn_poker_is_worth_minus_one_eighteenth() -> None:
    """Kuhn 1950; each player has twelve moves in six information states."""
    game = made(KUHN)
    form = sequence_form(game)
    assert [len(side.states) for side in form.players] == [6, 6]
    assert [side.sequences for side in form.players] == [13, 13]
    assert sum(form.worth) == sum(Fraction(1, 6) * kuhn_worth(deal, actions) for deal in permutations((1, 2, 3), 2)
                                  for actions in ("pp", "pbp", "pbb", "bp", "bb"))
    found = solve_game(game).strategies
    assert found is not None
    assert (found.method, found.exact) == ("linear", "-1/18")
    assert found.expected == pytest.approx(-1 / 18)


def test_a_matrix_game_has_its_value() -> None:
    """Both players choose at once; the value is -1/8, and the first side has probability 3/8."""
    found = solve_game(made(PENNIES)).strategies
    assert found is not None
    assert found.exact == "-1/8"
    shares = found.at(made(PENNIES).start())
    assert shares is not None
    assert shares.probabilities == pytest.approx((3 / 8, 5 / 8))


@pytest.mark.parametrize("plus", [False, True])
def test_learning_comes_to_the_value(plus: bool) -> None:
    """Discounted CFR and CFR+ close in on the value, which lies between their bounds at every step."""
    form = sequence_form(made(KUHN))
    learner = Learner(form, plus=plus)
    for count in (10, 100):
        while learner.iterations < count:
            learner.step()
        lower, upper = learner.payoffs.bounds(*learner.plans())
        assert lower <= -1 / 18 + 1e-12 <= upper + 2e-12
    found = learn(form, exploitability=1e-3, plus=plus)
    assert found.exploitability <= 1e-3
    assert found.lower - 1e-9 <= -1 / 18 <= found.upper + 1e-9


def test_expectation_is_that_of_all_lines_of_play() -> None:
    """The expectation of two uniformly random strategies equals a sum over deals and actions."""
    form = sequence_form(made(KUHN))
    plans = [plan_of(side, behaviour_of(side, np.zeros(side.sequences))) for side in form.players]
    by_hand = sum(kuhn_worth(deal, actions) / 6 * 0.5 ** len(actions) for deal, actions in product(
        permutations((1, 2, 3), 2), ("pp", "pbp", "pbb", "bp", "bb")))
    assert Payoffs(form).expected(*plans) == pytest.approx(by_hand)


def test_a_fraction_is_told_only_where_it_is_shown() -> None:
    """Strategies that are not optimal prove no exact value."""
    form = sequence_form(made(KUHN))
    even = [behaviour_of(side, np.zeros(side.sequences)) for side in form.players]
    assert exact_value(form, even) is None


def test_strategies_are_saved_and_asked(tmp_path: Path) -> None:
    """The command saves strategies with the rules, and `query` answers by what the player knows."""
    file, saved = tmp_path / "kuhn.game", tmp_path / "kuhn.strategy"
    file.write_text(KUHN, encoding="utf-8")
    solved = CliRunner().invoke(app, ["solve", str(file), "--save", str(saved), "--json"])
    assert solved.exit_code == 0, solved.output
    told = json.loads(solved.stdout)
    assert (told["exact"], told["winner"], told["method"]) == ("-1/18", None, "linear")
    answers = []
    for deal in ("deal:2-1", "deal:2-3"):
        asked = CliRunner().invoke(app, ["query", str(saved), "--moves", f"{deal} bet", "--json"])
        assert asked.exit_code == 0, asked.output
        answers.append(json.loads(asked.stdout)["moves"])
    fold, call = ({item["move"]: item["probability"] for item in moves} for moves in answers)
    assert fold["fold"] == pytest.approx(1)
    assert call["call"] == pytest.approx(1)
    assert len(Strategies.open(saved).players[0]) == 6


TWICE = """\
game "Twice"
players A, B
board square(1, 1)
var wins[player] in 0..2, pick[player] in 0..1, rounds in 0..2
players move together
move say(n in 0..1):
    pick[mover] := n
after every move:
    if pick[A] = pick[B]:
        wins[A] += 1
    else:
        wins[B] += 1
    rounds += 1
    pick[A], pick[B] := 0
win A when rounds = 2 and wins[A] > wins[B]
win B when rounds = 2 and wins[B] > wins[A]
draw when rounds = 2
"""
"""Matching pennies in two rounds: A expects 0, and half a win or loss after a round."""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.fixture
def twice(tmp_path: Path) -> str:
    """The path of the game's file."""
    path = tmp_path / "twice.game"
    path.write_text(TWICE, encoding="utf-8")
    return str(path)


def test_position_after_whole_rounds_has_a_value(twice: str) -> None:
    """Where players move together and nothing else is hidden, all know the position when all have chosen."""
    told = json.loads(run("solve", twice, "--moves", "1 1", "--json").stdout)
    assert told["exact"] == "1/2"
    assert [item["probability"] for item in told["moves"]] == [pytest.approx(1 / 2)] * 2


def test_position_within_a_round_is_refused_with_the_reason(twice: str) -> None:
    """A choice that waits for the others is no position that all know."""
    found = run("solve", twice, "--moves", "1 1 0")
    assert found.exit_code == 1
    assert "players of Twice move together, and after these moves not all have chosen: give the moves of whole " \
        "rounds" in found.stderr


def test_value_in_a_query_is_that_of_the_start(twice: str, tmp_path: Path) -> None:
    """Strategies hold no value of later positions, and the value that is shown says where it holds."""
    saved = str(tmp_path / "twice.strategy")
    assert run("solve", twice, "--save", saved).exit_code == 0
    assert run("query", saved).stdout.splitlines()[1] == "A expects 0"
    assert run("query", saved, "--moves", "1 1").stdout.splitlines()[1:3] == ["after: 1 1", "at the start A expects 0"]


def test_strategies_of_a_position_are_asked_from_there(twice: str, tmp_path: Path) -> None:
    """Moves of a query follow the position that was solved."""
    saved = str(tmp_path / "later.strategy")
    assert run("solve", twice, "--moves", "1 1", "--save", saved).exit_code == 0
    shown = run("query", saved, "--moves", "0")
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.splitlines()[2] == "in the position that was solved A expects 1/2 (0.500000)"
    assert run("query", saved).stdout.splitlines()[1].startswith("in the position that was solved A expects")
    with pytest.raises(ValueError, match="from another position than the start"):
        Level.of(f"strategy file={saved}").player(dslgame.load(twice))


def test_what_a_player_does_not_know_makes_no_difference() -> None:
    """The strategy is the same whatever the opponent holds."""
    game = made(KUHN)
    strategies = solve_game(game).strategies
    assert strategies is not None
    one, other, third = (game.start().play(deal).play("bet") for deal in ("deal:2-1", "deal:3-1", "deal:2-3"))
    assert strategies.at(one) == strategies.at(other)
    assert strategies.at(one) != strategies.at(third)


def test_a_file_that_holds_no_strategies_is_refused(tmp_path: Path) -> None:
    """A file without strategies is refused with its name and without a traceback."""
    path = tmp_path / "x.strategy"
    path.write_text('{"format": "dslgame strategies 3"}', encoding="utf-8")
    with pytest.raises(Refused, match=r"x\.strategy holds no strategies"):
        Strategies.open(path)


def written_anew(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the content of a file of strategies, and give it the digest of what it then holds."""
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    rest = {key: item for key, item in content.items() if key not in ("format", "digest")}
    digest = sha256(json.dumps(rest, ensure_ascii=False).encode()).hexdigest()
    path.write_text(json.dumps({**content, "digest": digest}, ensure_ascii=False), encoding="utf-8")


def shares_of(content: dict[str, Any]) -> dict[str, float]:
    """The probabilities in the first information state of the first player."""
    found: dict[str, float] = next(iter(content["players"][0].values()))
    return found


@pytest.mark.parametrize(("change", "why"), [
    (lambda content: shares_of(content).update(bet=0.9, check=0.9), "check bet are 0.9, 0.9, which do not sum to 1"),
    (lambda content: shares_of(content).update(bet=1.5, check=-0.5), "which do not sum to 1"),
    (lambda content: shares_of(content).update(bet=math.nan), "NaN is no number"),
    (lambda content: shares_of(content).clear(), "which do not sum to 1"),
    (lambda content: content.update(expected=math.inf), "Infinity is no number"),
    (lambda content: content.update(exact="1e999999999"), "none that solving gives"),
    (lambda content: content.update(players=content["players"][:1]), "none that solving gives"),
    (lambda content: content.update(rules="no game"), "holds no strategies"),
    (lambda content: content.update(params={"size": 3}), "holds no strategies"),
    (lambda content: content.update(root="nowhere"), "holds no strategies"),
])
def test_strategies_that_solving_does_not_write_are_refused(change: Callable[[dict[str, Any]], object], why: str,
                                                            tmp_path: Path) -> None:
    """Probabilities that do not sum to 1, and numbers, rules and positions that are none, are refused."""
    path = tmp_path / "kuhn.strategy"
    solve_game(made(KUHN), save=path)
    written_anew(path, change)
    with pytest.raises(Refused, match=why):
        Strategies.open(path)


def test_damaged_strategies_are_refused(tmp_path: Path) -> None:
    """A file that was changed has another digest; moves that are not legal are refused where they would be played."""
    path, game = tmp_path / "kuhn.strategy", made(KUHN)
    solve_game(game, save=path)
    text = path.read_text(encoding="utf-8")
    for changed in (text.replace('"exploitability": ', '"exploitability": 1'), text.replace("bet", "bid")):
        path.write_text(changed, encoding="utf-8")
        with pytest.raises(Refused, match="it is damaged"):
            Strategies.open(path)
    path.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(Refused, match="holds no strategies"):
        Strategies.open(path)
    path.write_text(text, encoding="utf-8")
    written_anew(path, lambda content: content["players"][0].update(
        {key: {"fly" if move == "bet" else move: share for move, share in item.items()}
         for key, item in content["players"][0].items()}))
    with pytest.raises(Refused, match=r"have the moves .*fly.* where .*bet.* are legal"):
        Strategies.open(path).at(game.start().play("deal:2-1"))


def test_strategies_do_not_say_where_the_game_was(tmp_path: Path) -> None:
    """The file names the game's file without its folder, and solving elsewhere gives the same file."""
    written = []
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        file, target = tmp_path / folder / "kuhn.game", tmp_path / folder / "kuhn.strategy"
        file.write_text(KUHN, encoding="utf-8")
        solve_game(dslgame.load(str(file)), save=target)
        written.append(target.read_bytes())
    assert json.loads(written[0])["name"] == "kuhn.game"
    assert written[0] == written[1]


def test_methods_for_open_games_do_not_take_hidden_ones() -> None:
    """Methods for open games refuse games with hidden information, and the other way round."""
    with pytest.raises(Refused, match="every player to see everything"):
        solve_game(made(KUHN), method="strong")
    with pytest.raises(Refused, match="something is hidden"):
        solve_game(dslgame.load("tic_tac_toe"), method="linear")


def test_too_many_histories_are_said_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """An estimate tells, long before the limit is reached, that a game has too many histories, and how to go on."""
    monkeypatch.setattr(tree, "ESTIMATED_AFTER", 200)
    game, told = dslgame.load("liars_dice"), []
    with pytest.raises(TooLarge, match=r"about [\d,]+ histories by an estimate, and the limit is 1,000; .* --nodes N"):
        sequence_form(game, most=1_000, tell=lambda nodes, expected: told.append((nodes, expected)))
    assert told == [(nodes, None) for nodes in range(1, 200)]
    with pytest.raises(TooLarge, match=r"more than 50 histories, .* --nodes N"):
        solve_game(made(KUHN), nodes=50)


def test_estimate_of_histories_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of all histories is estimated by random walks; those of Kuhn Poker are 55."""
    monkeypatch.setattr(tree, "ESTIMATED_AFTER", 10)
    told = []
    form = sequence_form(made(KUHN), tell=lambda nodes, expected: told.append((nodes, expected)))
    assert told[0] == (1, None)
    nodes, expected = told[-1]
    assert nodes == form.nodes
    assert expected == pytest.approx(nodes, rel=0.1)


def test_what_is_no_game_of_two_against_each_other_is_refused() -> None:
    """Games that are not zero-sum, or for more than two players, are refused."""
    with pytest.raises(Refused, match="what one player wins must be what the other loses"):
        sequence_form(made(PENNIES.replace("payoff Even = ", "payoff each = ")))
    with pytest.raises(Refused, match="for one or two players"):
        sequence_form(made(PENNIES.replace("players Even, Odd\n", "players Even, Odd, Third\n").split("payoff")[0]))


def test_sequence_form_is_handed_on_and_released(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learning takes the sequence form of the linear program that gave way, and no method leaves one in memory."""
    built: list[weakref.ref[SequenceForm]] = []

    def counting(game: Game, **given: Any) -> SequenceForm:
        result = sequence_form(game, **given)
        built.append(weakref.ref(result))
        return result

    monkeypatch.setattr(solving, "sequence_form", counting)
    monkeypatch.setattr(solving, "MOST_SEQUENCES", 1)
    assert solve_game(made(KUHN), exploitability=0.1).method == "regret"
    monkeypatch.undo()
    monkeypatch.setattr(solving, "sequence_form", counting)
    assert solve_game(made(KUHN)).method == "linear"
    gc.collect()
    assert [form() for form in built] == [None, None]


def test_too_many_histories_are_refused() -> None:
    """More histories than the limit are refused, instead of exhausting the memory."""
    with pytest.raises(Refused, match="more than 20 histories"):
        sequence_form(made(KUHN), most=20)


def test_levels_that_see_everything_do_not_play_hidden_games() -> None:
    """Levels that look at the whole position refuse games with hidden information, and `strategy` refuses open ones."""
    game = made(KUHN)
    for kind in ("alphabeta", "mcts", "solver", "expectimax"):
        with pytest.raises(ValueError, match="looks at the whole position"):
            Level.of(kind).player(game)
    with pytest.raises(ValueError, match="shows everything"):
        Level.of("strategy").player(dslgame.load("tic_tac_toe"))


def test_a_level_plays_by_saved_strategies(tmp_path: Path) -> None:
    """The level always calls with the best card and always folds the worst; a file of another game is refused."""
    game, path = made(KUHN), tmp_path / "kuhn.strategy"
    found = solve_game(game).strategies
    assert found is not None
    found.save(path)
    player = Level.of(f"strategy file={path}").player(game, seed=3)
    for deal, answer in (("deal:2-3", "call"), ("deal:2-1", "fold")):
        position = game.start().play(deal).play("bet")
        assert {player.choose(position).text for _ in range(20)} == {answer}
    with pytest.raises(ValueError, match="other rules or params"):
        Level.of(f"strategy file={path}").player(made(PENNIES))


def test_people_are_shown_what_they_see(tmp_path: Path) -> None:
    """The terminal shows a person the own card, but neither the opponent's nor the deal."""
    file = tmp_path / "kuhn.game"
    file.write_text(KUHN, encoding="utf-8")
    played = CliRunner().invoke(app, ["play", str(file), "--as", "Bob=random", "--seed", "1"], input="check\n")
    assert played.exit_code == 0, played.output
    assert "as Ann sees it:" in played.stdout
    assert "deal:" not in played.stdout
    assert "Bob=?" in played.stdout
    assert "Bob=1" not in played.stdout.replace("bet: Ann=1, Bob=1", "")


TOGGLE = """
game "Toggle"
players A, B
board graph:
    t
var secret in 1..2 or none
var s in 0..1
var clock in 0..5 aside
hidden secret from B
chance deal(a in 1..ENDS) when secret = none:
    secret := a
move toggle:
    s := 1 - s
    clock := min(5, clock + 1)
move wait when clock > 0 and s = 1:
    clock := min(5, clock + 2)
win A when clock = 5
repetition RULE
"""


def naive(position: Position) -> Fraction:
    """The value of a position for A by all lines of play, of players who see everything."""
    if position.over:
        return Fraction({"A": 1, "B": -1}.get(position.outcome or "", 0))
    if position.game.engine.chance.decides(position.state):
        outcomes = position.game.engine.chance.outcomes(position.state)
        return sum((item.probability * naive(position.play(item.move)) for item in outcomes), Fraction(0))
    values = [naive(position.play(move)) for move in position.legal()]
    return max(values) if position.to_move == "A" else min(values)


@pytest.mark.parametrize("ends", [1, 2])
@pytest.mark.parametrize("rule", ["draws", "draws at third", "loses", "loses at third", "forbidden"])
@pytest.mark.parametrize("method", ["linear", "regret"])
def test_the_repetition_rule_ends_lines_of_play(method: str, rule: str, ends: int) -> None:
    """What is hidden does not matter here, so the value is that of players who see everything."""
    text = TOGGLE.replace("ENDS", str(ends)).replace("RULE", rule)
    game = made(text + ("no moves loses\n" if rule == "forbidden" else ""))
    found = solve_game(game, method=method)
    assert found.report is not None
    assert float(found.report.score) == pytest.approx(float(naive(game.start())), abs=2e-3)


KO = """
game "Ko"
players B, A
board graph:
    table

var coin in 1..2
var over in boolean
hidden coin from A

move keep when mover = B:
    coin := coin

move flip when mover = B and coin = 1:
    coin := 3 - coin

move stay when mover = A:
    coin := coin

move end when mover = A:
    over := true

win B when over
no moves loses
repetition forbidden
"""


def test_strategies_tell_apart_what_has_other_legal_moves(tmp_path: Path) -> None:
    """A does not see the coin, and may stay only where that repeats no position: it wins then."""
    game = dslgame.loads(KO)
    path = tmp_path / "ko.strategy"
    strategies = solve_game(game, save=path).strategies
    assert strategies is not None
    for known in (strategies, Strategies.open(path)):
        kept, flipped = known.at(game.start().play("keep")), known.at(game.start().play("flip"))
        assert kept == Behaviour(("end",), (1.0,))
        assert flipped is not None
        assert dict(zip(flipped.moves, flipped.probabilities, strict=True))["stay"] == pytest.approx(1)
    for seed in range(4):
        assert dslgame.player(game, "strategy", seed=seed).choose(game.start().play("flip")).text == "stay"


LEAK = """
game "Leak"
players A, B
board graph:
    table

var coin in 0..2
var done in boolean
hidden coin from A

chance toss(k in 1..2) when coin = 0:
    coin := k

move heads when coin = 1:
    done := true

move tails when coin = 2:
    done := true

move wait when coin > 0:
    coin := 0
    done := true

win A when done and coin > 0
win B when done
"""


def test_moves_of_a_strategy_are_legal_where_rules_leak(tmp_path: Path) -> None:
    """Moves that tell what is hidden are an information of their own; nature's position has no player's moves."""
    game = dslgame.loads(LEAK)
    for seed in range(3):
        for toss, call in (("toss:1", "heads"), ("toss:2", "tails")):
            assert dslgame.player(game, "strategy", seed=seed).choose(game.start().play(toss)).text == call
    file = tmp_path / "leak.game"
    file.write_text(LEAK, encoding="utf-8")
    solved = CliRunner().invoke(app, ["solve", str(file), "--json"])
    told = json.loads(solved.stdout)
    assert (told["to_move"], told["moves"], told["exact"]) == (None, [], "1")


def test_strategies_of_another_version_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.strategy"
    path.write_text('{"format": "dslgame strategies 1"}', encoding="utf-8")
    assert is_strategies(path)
    with pytest.raises(Refused, match="the format of another version of dslgame: solve the game again"):
        Strategies.open(path)
