"""Compares a game with a second implementation; as a program, given a case and a time, in its own process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from dslgame.testing import check_against
from tests.discovery import OracleCase


def hold(case: OracleCase, seconds: float) -> None:
    """Compare the game with its second implementation; `seconds` are shared by all cases of the game."""
    seconds /= len(case.oracle.cases)
    if not case.oracle.own_process:
        check_against(case.game(), case.rules(), games=50, plies=150, seconds=seconds)
        return
    command = [sys.executable, "-m", "tests.lockstep", case.text, str(seconds)]
    done = subprocess.run(command, cwd=Path(__file__).parent.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


if __name__ == "__main__":
    alone = OracleCase.read(sys.argv[1])
    check_against(alone.game(), alone.rules(), games=50, plies=150, seconds=float(sys.argv[2]))
