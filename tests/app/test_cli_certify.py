"""`dslgame solve --certificate` and `dslgame certify`: output and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dslgame import bundled
from dslgame.cli.app import app

NEX = ["nex", "-p", "rows=2", "-p", "columns=2"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make a certificate in the working folder and return its name."""
    monkeypatch.chdir(tmp_path)
    done = run("solve", *NEX, "--certificate", "nex.proof")
    assert done.exit_code == 0, done.output
    assert "proven in nex.proof: " in done.output
    return "nex.proof"


def test_proof_is_checked_and_told(proof: str) -> None:
    done = run("certify", proof)
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[:2] == ["Nex (rows=2, columns=2)", "win for Black in 3 plies"]
    assert "rules: those of nex.game" in done.output
    assert run("certify", proof, *NEX).exit_code == 0


def test_json_has_claims(proof: str) -> None:
    found = json.loads(run("certify", proof, "--json").output)
    assert found["claims"] == [{"after": [], "winner": "Black", "most": 3, "least": 3}]
    assert (found["compared"], found["by"]) == ("nex.game", "interpreter")
    solved = json.loads(run("solve", *NEX, "--certificate", "other.proof", "--json").output)
    assert solved["certificate"] == {"file": "other.proof", "bytes": Path("other.proof").stat().st_size,
                                     "positions": found["positions"]}


def test_proof_of_another_game_is_refused(proof: str) -> None:
    """Another game, other params, and a file of the same name with other rules are refused."""
    other = run("certify", proof, "hex")
    assert other.exit_code == 1
    assert "not about the rules of hex" in other.output
    larger = run("certify", proof, "nex")
    assert larger.exit_code == 1
    assert "not about Nex (rows=3, columns=3)" in larger.output
    text = bundled.path_of("nex").read_text(encoding="utf-8").replace('game "Nex"', 'game "Mex"')
    Path("nex.game").write_text(text, encoding="utf-8")
    assert run("solve", "./nex.game", *NEX[1:], "--certificate", "mex.proof").exit_code == 0
    assert "not about the rules of nex.game" in run("certify", "mex.proof").output
    assert "not about the rules of " in run("certify", "mex.proof", str(bundled.path_of("nex"))).output
    assert "rules: those of ./nex.game" in run("certify", "mex.proof", "./nex.game", *NEX[1:]).output


def test_rules_of_its_own_are_named_and_printed(proof: str) -> None:
    text = bundled.path_of("nex").read_text(encoding="utf-8")
    Path("mine.game").write_text(text, encoding="utf-8")
    assert run("solve", "mine.game", *NEX[1:], "--certificate", "mine.proof").exit_code == 0
    done = run("certify", "mine.proof")
    assert done.exit_code == 0
    assert "rules: the file's own, called mine.game, SHA-256 " in done.output
    assert run("certify", "mine.proof", "--rules").output == text
    assert "rules: those of mine.game" in run("certify", "mine.proof", "mine.game", *NEX[1:]).output


def test_damaged_proof_is_refused_with_its_name(proof: str) -> None:
    data = bytearray(Path(proof).read_bytes())
    data[len(data) // 2] ^= 1
    Path("bad.proof").write_bytes(data)
    done = run("certify", "bad.proof")
    assert done.exit_code == 1
    assert done.output.startswith("Error: bad.proof is damaged or truncated")
    assert "is not a certificate" in run("certify", str(bundled.path_of("nex"))).output
    assert run("certify", "none.proof").exit_code == 1


def test_options_that_need_others_say_so(proof: str) -> None:
    assert run("solve", *NEX, "--certify-moves").exit_code == 2
    assert run("certify", proof, "-p", "rows=2").exit_code == 2


def test_no_file_is_made_where_nothing_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value left unknown by a limit has no certificate."""
    monkeypatch.chdir(tmp_path)
    assert run("solve", "hex", "-p", "size=6", "--nodes", "50", "--certificate", "hex.proof").exit_code == 3
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_kernel_checks_the_same(proof: str) -> None:
    found = json.loads(run("certify", proof, "--kernel", "--json").output)
    assert found["by"] == "kernel"
    assert found["positions"] == json.loads(run("certify", proof, "--json").output)["positions"]
