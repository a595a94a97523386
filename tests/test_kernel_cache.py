"""Kernels from disk: what one process compiled, another runs, with the same results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """\
import dslgame
from interpreter.kernel.kernel import Kernel

kernel = Kernel.of(dslgame.load("tic_tac_toe"))
print(kernel.perft(5), kernel.play_outs(20, 3), len(kernel.moves(kernel.start())))
"""


def test_another_process_finds_what_one_has_compiled(tmp_path: Path) -> None:
    """Also the functions that walk a tree; recursive ones would crash when they come from disk."""
    environment = {**os.environ, "DSLGAME_CACHE": str(tmp_path), "PYTHONPATH": str(Path(__file__).parent.parent)}
    said = [subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True,
                           env=environment).stdout for _ in range(2)]
    assert said[0].startswith("([9, 72, 504, 3024, 15120], 1440) ")
    assert said[0] == said[1]
    assert len(list(tmp_path.rglob("*.nbc"))) == 3
