"""Certificates: the checker, which needs the interpreter only, accepts correct proofs and refuses any change."""

from __future__ import annotations

import ast
import hashlib
import json
import lzma
import random
import tracemalloc
from array import array
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import pytest

import dslgame
from interpreter.game import Position
from solver.certificates import checker, columns
from solver.certificates.checker import HEAD, HOLDS, LASTS, WINS, Child, Claim, Proof, Refuted, Rules, check, read
from solver.certificates.prove import certify
from solver.certificates.strategies import ByValues
from solver.certificates.writer import follow, packed
from solver.errors import Refused
from solver.space import DRAW
from solver.strong import Value

SMALL = [("tic_tac_toe", {}), ("nex", {"rows": 2, "columns": 2}), ("misere_tic_tac_toe", {}), ("nim", {}),
         ("dodgem", {}), ("mu_torere", {}), ("hex", {"size": 3}), ("jugs", {}), ("wolf_goat_cabbage", {}),
         ("pong_hau_ki", {}), ("subtract_a_square", {})]
LOST_PUZZLE = """
game "Lost"

players Solver
board square(1, 3)
pieces stone of Solver

start:
    "a1" := stone

move step(c in mine, d in neighbours(c) where d is empty):
    carry c to d

win mover when count(mine) = 2
draw when "c1" is stone
"""


@cache
def made(name: str, *params: tuple[str, int], every_move: bool = False) -> bytes:
    """The certificate of a bundled game, made from the values of all positions."""
    game = dslgame.load(name, **dict(params))
    solution = dslgame.solve(game, method="strong")
    return certify(game.start(), solution, every_move=every_move).data


def written(folder: Path, data: bytes) -> Path:
    """Write bytes to a file and return its path."""
    path = folder / "some.proof"
    path.write_bytes(data)
    return path


def forged(data: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    """A certificate with a changed header and a matching digest."""
    length = HEAD.unpack_from(data)[2]
    header = json.loads(data[HEAD.size : HEAD.size + length])
    change(header)
    text = json.dumps(header).encode()
    return sealed(HEAD.pack(*HEAD.unpack_from(data)[:2], len(text)) + text + data[HEAD.size + length : -32])


def sealed(data: bytes) -> bytes:
    """Bytes followed by their digest."""
    return data + hashlib.sha256(data).digest()


def test_checker_is_short_and_imports_the_interpreter_alone() -> None:
    """The checker has at most 200 lines, with what unpacks numbers 275, and shares no code with the searches or the
    writer of certificates."""
    texts = [Path(str(part.__file__)).read_text(encoding="utf-8") for part in (checker, columns)]
    assert len(texts[0].splitlines()) <= 200
    assert sum(len(text.splitlines()) for text in texts) <= 275
    ours = set()
    for node in (node for text in texts for node in ast.walk(ast.parse(text))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [])
        ours |= {name for name in names if name.split(".")[0] in ("dsl", "interpreter", "solver", "dslgame")}
    assert ours == {"dsl.diagnostics", "dsl.syntax.source", "interpreter.errors", "interpreter.game",
                    "interpreter.model.state", "solver.certificates.columns"}


def test_numbers_of_a_small_file_do_not_fill_the_memory(tmp_path: Path) -> None:
    """A file of 30 KB with 200 million packed numbers is refused in little memory, as are too many that it claims."""
    data = made("tic_tac_toe")
    length = HEAD.unpack_from(data)[2]
    packer = lzma.LZMACompressor(preset=1)
    bomb = b"".join([*(packer.compress(bytes(1 << 20)) for _ in range(200)), packer.flush()])
    whole = written(tmp_path, sealed(data[: HEAD.size + length] + bomb))

    def change(header: dict[str, Any]) -> None:
        header["proofs"][0]["answers"] = 200 << 20
        for proof in header["proofs"]:
            proof["numbers"] = 0
        header["proofs"] = header["proofs"][:1]

    tracemalloc.start()
    with pytest.raises(Refuted, match="more or fewer packed numbers"):
        read(whole)
    whole.write_bytes(forged(whole.read_bytes(), change))
    certificate = read(whole)
    with pytest.raises(Refuted):
        check(certificate)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(whole.read_bytes()) < 50_000
    assert peak < 30_000_000


def test_numbers_are_unpacked_across_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns of one and two bytes are read alike, wherever the pieces that are unpacked end."""
    monkeypatch.setattr(columns, "_PIECE", 5)
    lists = [list(range(7)), list(range(300, 311)), [], [5] * 3]
    parts = [array(code, numbers) for code, numbers in zip("BHHB", lists, strict=True)]
    found = columns.columns_of(lzma.compress(b"".join(part.tobytes() for part in parts)),
                               [(len(part), part.typecode) for part in parts])
    assert [list(column) for column in found] == lists == [list(column) for column in found]


@pytest.mark.parametrize(("name", "params"), SMALL, ids=[name for name, _ in SMALL])
def test_certificate_proves_the_value(name: str, params: dict[str, int], tmp_path: Path) -> None:
    """Wins with their numbers of plies, draws and puzzles are proven, also where positions repeat."""
    certificate = read(written(tmp_path, made(name, *params.items())))
    solution = dslgame.solve(dslgame.load(name, **params), method="strong")
    (claim,) = certificate.claims
    plies = None if solution.winner == DRAW else solution.remoteness
    assert claim == Claim((), solution.winner or 0, plies, plies)
    assert check(certificate) == sum(proof.positions for proof in certificate.proofs) > 0


def test_certificate_proves_what_each_move_is_worth(tmp_path: Path) -> None:
    certificate = read(written(tmp_path, made("hex", ("size", 2), every_move=True)))
    check(certificate)
    assert {" ".join(claim.after): claim.winner for claim in certificate.claims} == {
        "": 0, "a1": 1, "b1": 0, "a2": 0, "b2": 1}


def test_puzzle_that_cannot_be_solved_has_a_proof_of_that(tmp_path: Path) -> None:
    """The proof chooses no player's moves and follows all of them."""
    game = dslgame.loads(LOST_PUZZLE)
    certificate = read(written(tmp_path, certify(game.start(), dslgame.solve(game, method="strong")).data))
    assert [(proof.kind, proof.player) for proof in certificate.proofs] == [(HOLDS, checker.NOBODY)]
    assert check(certificate) == 2


def test_position_of_its_own_is_proven(tmp_path: Path) -> None:
    """The certificate holds its root, from which plies are counted."""
    game = dslgame.load("tic_tac_toe")
    at = game.start().play("a1").play("b1")
    solution = dslgame.solve(game, at.state)
    certificate = read(written(tmp_path, certify(at, solution).data))
    check(certificate)
    assert certificate.root.state == at.state
    assert certificate.claims == (Claim((), 0, 5, 5),)


# ---- what is changed


@pytest.mark.parametrize(("name", "params"), SMALL[:2], ids=[name for name, _ in SMALL[:2]])
def test_any_byte_changed_is_refused(name: str, params: dict[str, int], tmp_path: Path) -> None:
    """Changing any byte by one bit or by all of its bits is refused."""
    data, chance = made(name, *params.items()), random.Random(1)
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= chance.choice((1, 2, 4, 8, 16, 32, 64, 128, 255))
        with pytest.raises(Refuted):
            read(written(tmp_path, bytes(changed)))


def test_truncated_file_is_refused(tmp_path: Path) -> None:
    data = made("nex", ("rows", 2), ("columns", 2))
    for length in {*range(64), *range(0, len(data), 37), len(data) - 1}:
        with pytest.raises(Refuted, match="truncated"):
            read(written(tmp_path, data[:length]))


@pytest.mark.slow
def test_bytes_changed_with_the_digest_prove_nothing_wrong(tmp_path: Path) -> None:
    """With a corrected digest a changed byte gives a broken file or another proof of the true value.

    One bit of each byte is changed.
    """
    data, chance, refused = made("tic_tac_toe"), random.Random(2), 0
    for place in range(len(data) - 32):
        changed = bytearray(data[:-32])
        changed[place] ^= 1 << chance.randrange(8)
        try:
            certificate = read(written(tmp_path, sealed(bytes(changed))))
            if certificate.game.rules.source.text != dslgame.load("tic_tac_toe").rules.source.text:
                continue
            check(certificate)
        except Refuted:
            refused += 1
        else:
            assert [claim.winner for claim in certificate.claims] == [DRAW]
    assert refused > len(data) * 3 // 4


def _other_winner(header: dict[str, Any]) -> None:
    header["claims"][0]["winner"] = "White"


def _fewer_plies(header: dict[str, Any]) -> None:
    header["claims"][0]["most"] -= 2


def _more_plies(header: dict[str, Any]) -> None:
    header["claims"][0]["least"] += 2


def _no_claim(header: dict[str, Any]) -> None:
    header["claims"] = []


def _other_player(header: dict[str, Any]) -> None:
    header["proofs"][0]["player"] = "White"


def _other_rules(header: dict[str, Any]) -> None:
    header["source"] = header["source"].replace('"Nex"', '"Mex"')


def _other_board(header: dict[str, Any]) -> None:
    header["params"] = {"rows": 3, "columns": 2}


def _other_root(header: dict[str, Any]) -> None:
    header["proofs"][0]["roots"] = [["Ba1?a2"]]


def _too_few(header: dict[str, Any]) -> None:
    header["proofs"][0]["numbers"] -= 1


def _no_kind(header: dict[str, Any]) -> None:
    header["proofs"][0]["kind"] = "hopes"


def _no_key(header: dict[str, Any]) -> None:
    del header["players"]


@pytest.mark.parametrize("change", [_other_winner, _fewer_plies, _more_plies, _no_claim, _other_player, _other_rules,
                                    _other_board, _other_root, _too_few, _no_kind, _no_key])
def test_wrong_claim_is_refused(change: Callable[[dict[str, Any]], None], tmp_path: Path) -> None:
    """Wrong claims are refused even if the digest matches."""
    with pytest.raises(Refuted):
        check(read(written(tmp_path, forged(made("nex", ("rows", 2), ("columns", 2)), change))))


@pytest.mark.parametrize(("place", "value"), [
    (("claims", 0, "after"), [[]]), (("claims", 0, "after"), 7), (("claims", 0, "most"), ""),
    (("claims", 0, "most"), float("nan")), (("claims", 0, "most"), 1.5), (("claims", 0, "least"), []),
    (("claims", 0, "winner"), []), (("name",), []), (("name",), None), (("game",), {}), (("game",), "Chess"),
    (("proofs", 0, "roots"), [[[]]]), (("proofs", 0, "positions"), 1.0)])
def test_values_of_a_wrong_type_are_refused(place: tuple[Any, ...], value: object, tmp_path: Path) -> None:
    """With a valid digest, too; no other exception is raised."""
    def change(header: dict[str, Any]) -> None:
        part: Any = header
        for key in place[:-1]:
            part = part[key]
        part[place[-1]] = value

    path = written(tmp_path, forged(made("tic_tac_toe"), change))
    with pytest.raises(checker.Refuted):
        checker.check(checker.read(path))


def test_changed_rules_are_another_game(tmp_path: Path) -> None:
    """Changed rules with a corrected digest are read, but the proof does not hold for them."""
    def misere(header: dict[str, Any]) -> None:
        header["source"] = header["source"].replace("win mover when line", "lose mover when line")
        header["rules"] = hashlib.sha256(header["source"].encode()).hexdigest()

    certificate = read(written(tmp_path, forged(made("tic_tac_toe"), misere)))
    with pytest.raises(Refuted):
        check(certificate)


# ---- strategies that prove nothing


@attrs.define
class Forgetful(Rules):
    """Rules that omit the last of several legal moves of the opponent."""

    player: int = 0

    def expand(self, positions: Sequence[Any], answers: Sequence[int]) -> list[list[Child]]:
        return [children if state.to_move == self.player else children[: max(1, len(children) - 1)]
                for state, children in zip(positions, Rules(self.game).expand(positions, answers), strict=True)]


@attrs.define
class First:
    """A strategy that takes the first move."""

    def answers(self, positions: Sequence[Hashable], children: Sequence[Sequence[Child]],
                known: Mapping[Hashable, int]) -> list[int]:
        return [0 for _ in positions]


def certificate_of(position: Position, claim: Claim, *proofs: Proof, folder: Path) -> checker.Certificate:
    return read(written(folder, packed(position, [claim], proofs)))


@pytest.mark.parametrize("name", ["tic_tac_toe", "misere_tic_tac_toe"])
def test_reply_that_is_left_out_is_found(name: str, tmp_path: Path) -> None:
    game = dslgame.load(name)
    start, strong = game.start(), dslgame.solve(game, method="strong").strong
    assert strong is not None
    values = {player: ByValues(HOLDS, player, lambda states: [strong.value(state) for state in states])
              for player in (0, 1)}
    proofs = [follow(Forgetful(game, player), HOLDS, player, {(): Rules(game).root(start.state)}, values[player])
              for player in (0, 1)]
    with pytest.raises(Refuted):
        check(certificate_of(start, Claim((), DRAW), *proofs, folder=tmp_path))


def test_strategy_that_does_not_win_is_no_proof(tmp_path: Path) -> None:
    game = dslgame.load("tic_tac_toe")
    rules, start = Rules(game), game.start()
    proof = follow(rules, WINS, 0, {(): rules.root(start.state)}, First())
    with pytest.raises(Refuted, match="ends otherwise"):
        check(certificate_of(start, Claim((), 0), proof, folder=tmp_path))


def test_strategy_that_goes_in_circles_is_no_proof(tmp_path: Path) -> None:
    """A cyclic strategy for a win is refused by the writer and, if forged, by the checker."""
    game = dslgame.load("mu_torere")
    rules, start = Rules(game), game.start()
    with pytest.raises(Refused, match="circles"):
        follow(rules, WINS, 0, {(): rules.root(start.state)}, First())
    proof = follow(rules, HOLDS, 0, {(): rules.root(start.state)}, First())
    numbers = [max(1, 200 - place) for place in range(proof.positions)]
    wins = attrs.evolve(proof, kind=WINS, numbers=numbers)
    with pytest.raises(Refuted):
        check(certificate_of(start, Claim((), 0), wins, folder=tmp_path))


def test_values_that_do_not_fit_are_refused() -> None:
    """A strategy by wrong values is refused, and no certificate is made."""
    game = dslgame.load("tic_tac_toe")
    rules, start = Rules(game), game.start()
    wrong = ByValues(WINS, 0, lambda states: [Value(1, 3) for _ in states])
    with pytest.raises(Refused, match="do not fit"):
        follow(rules, WINS, 0, {(): rules.root(start.state)}, wrong)


def test_play_that_lasts_is_shown_by_the_least_plies(tmp_path: Path) -> None:
    """A claim of too many plies for the loser to last is refused."""
    game = dslgame.load("nex", rows=2, columns=2)
    rules, start, solution = Rules(game), game.start(), dslgame.solve(dslgame.load("nex", rows=2, columns=2))
    assert solution.strong is not None
    assert solution.remoteness is not None
    strong = solution.strong
    winner = solution.winner or 0
    wins = follow(rules, WINS, winner, {(): rules.root(start.state)}, ByValues(
        WINS, winner, lambda states: [strong.value(state) for state in states]))
    lasts = follow(rules, LASTS, 1 - winner, {(): rules.root(start.state)}, ByValues(
        LASTS, 1 - winner, lambda states: [strong.value(state) for state in states]), solution.remoteness + 1)
    claim = Claim((), winner, solution.remoteness, solution.remoteness + 1)
    with pytest.raises(Refuted, match="plies"):
        check(certificate_of(start, claim, wins, lasts, folder=tmp_path))


@pytest.mark.parametrize(("name", "params", "why"), [
    ("go", {"size": 2}, "depend on the moves"), ("pig", {"goal": 3}, "chance"), ("kuhn_poker", {}, "chance")])
def test_games_whose_values_hold_not_for_certain_have_no_certificate(
        name: str, params: dict[str, int], why: str, tmp_path: Path) -> None:
    """Games whose values depend on chance or history have no certificate, and a forged one is refused."""
    game = dslgame.load(name, **params)
    solution = dslgame.solve(dslgame.load("tic_tac_toe"))
    with pytest.raises(Refused, match=why):
        certify(game.start(), attrs.evolve(solution, winner=0))
    proof = Proof(HOLDS, 0, ((),), 1, [0], [])
    with pytest.raises(Refuted, match="no certificate can show"):
        check(certificate_of(game.start(), Claim((), DRAW), proof, folder=tmp_path))


# ---- compiled rules and searches


@pytest.mark.slow
@pytest.mark.parametrize(("name", "params", "method"), [
    ("connect_four", {"rows": 4, "columns": 4}, "strong"), ("nex", {"rows": 3, "columns": 3}, "alphabeta"),
    ("connect_four", {"rows": 4, "columns": 4}, "alphabeta"), ("hex", {"size": 4}, "carriers"),
    ("hex", {"size": 4}, "connections"),
    ("shift_tac_toe", {"rows": 3, "columns": 3}, "strong")])
def test_kernels_make_and_check_certificates(name: str, params: dict[str, int], method: str, tmp_path: Path) -> None:
    """Certificates made with compiled rules are checked by the interpreter and by the kernel with the same count."""
    from solver.certificates.compiled import CompiledRules

    game = dslgame.load(name, **params)
    solution = dslgame.solve(game, method=method, value_only=method == "alphabeta",
                             engine="kernel" if method == "strong" else "auto")
    certificate = read(written(tmp_path, certify(game.start(), solution).data))
    assert certificate.claims[0].winner == solution.winner
    assert check(certificate) == check(certificate, CompiledRules(certificate.game))


@pytest.mark.slow
def test_search_says_where_play_can_go_in_circles() -> None:
    game = dslgame.load("dodgem")
    solution = dslgame.solve(game, method="strong")
    with pytest.raises(Refused, match="--method strong"):
        certify(game.start(), attrs.evolve(solution, strong=None))
