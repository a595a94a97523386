"""The command as a process: closed pipes, full disks, Ctrl-C, and terminals with other encodings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.test_cli import MESSY

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "dslgame"]
posix = pytest.mark.skipif(os.name != "posix", reason="signals and /dev/full")


def environment(**changes: str) -> dict[str, str]:
    """The environment with the checkout on Python's path, for use in any directory."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **changes}


_TELLING = """
import os, sys
from dslgame import __main__
from dslgame.cli.common import Session

def tell(session, name, value, pipe=int(sys.argv.pop(1))):
    object.__setattr__(session, name, value)
    if name == "doing" and value:
        os.write(pipe, value.encode() + b"\\n")

Session.__setattr__ = tell
__main__.main()
"""
"""Runs the command and writes each of its activities to a pipe as soon as it begins."""


def interrupted(*arguments: str, cwd: Path, doing: str) -> subprocess.CompletedProcess[str]:
    """Run the command and send it Ctrl-C once it reports a given activity."""
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", _TELLING, str(writing), *arguments], cwd=cwd, env=environment(), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pass_fds=[writing],
    )
    os.close(writing)
    with open(reading, encoding="utf-8") as told:
        assert any(line.rstrip() == doing for line in told), process.communicate()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


@posix
def test_interrupted_solve_says_what_was_being_done(tmp_path: Path) -> None:
    """Ctrl-C ends with exit code 130, without a traceback or part of a JSON object."""
    result = interrupted("solve", "hex", "-p", "size=7", "--json", cwd=tmp_path, doing="solving Hex (size=7)")
    assert (result.returncode, result.stdout) == (130, "")
    assert result.stderr == "interrupted while solving Hex (size=7)\n"


@posix
def test_interrupted_play(tmp_path: Path) -> None:
    """Ctrl-C while waiting for a move ends with exit code 130."""
    result = interrupted("play", "nex", cwd=tmp_path, doing="playing Nex (rows=3, columns=3)")
    assert result.returncode == 130
    assert result.stderr == "interrupted while playing Nex (rows=3, columns=3)\n"


@posix
def test_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    """A closed pipe, as by `| head -1`, ends the command without a message."""
    process = subprocess.Popen([*COMMAND, "show", "hex", "-p", "size=26"], cwd=tmp_path, env=environment(),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.wait(timeout=20) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("arguments", [["show", "hex"], ["show", "hex", "--json"], ["--help"], ["show", "-h"]], ids=str)
def test_full_disk_is_a_message(tmp_path: Path, arguments: list[str]) -> None:
    """A full disk ends with exit code 1 and one message."""
    with open("/dev/full", "w") as full:
        result = subprocess.run([*COMMAND, *arguments], cwd=tmp_path, env=environment(), stdout=full,
                                stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr == "error: cannot write the output: No space left on device\n"


@pytest.mark.slow
@posix
def test_closed_standard_output_leaves_the_exit_code(tmp_path: Path) -> None:
    """Without a standard output the exit code is still that of the command."""
    for name, code in (("nex", 0), ("nexx", 1)):
        result = subprocess.run(f"{sys.executable} -m dslgame check {name} >&-", shell=True, cwd=tmp_path, check=False,
                                env=environment(), stderr=subprocess.PIPE)
        assert result.returncode == code
        assert b"Traceback" not in result.stderr


@posix
def test_disk_full_while_formatting_leaves_the_file(tmp_path: Path) -> None:
    """If the disk is full, simulated by a limit on file sizes, the file stays and no other remains."""
    path = tmp_path / "m.game"
    text = MESSY + ("# a comment" * 8 + "\n") * 500
    path.write_text(text)
    script = "import resource, signal, runpy, sys\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n" \
             "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\nsys.argv = ['dslgame', 'fmt', 'm.game']\n" \
             "runpy.run_module('dslgame', run_name='__main__')"
    result = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False,
                            env=environment(PYTHONDONTWRITEBYTECODE="1"))
    assert result.returncode == 1, result.stderr
    assert result.stderr == "error: m.game: File too large\n"
    assert path.read_text() == text
    assert os.listdir(tmp_path) == ["m.game"]


def test_internal_error_is_short_and_shows_more_on_request(tmp_path: Path) -> None:
    """An internal error has exit code 70 and one line; DSLGAME_DEBUG=1 adds the traceback."""
    script = "import sys\nfrom dslgame.cli import show\n" \
             "show.load = lambda *_: 1 / 0\nfrom dslgame.cli.app import main\nmain(['show', 'nex'])"
    command = [sys.executable, "-c", script]
    short = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert short.returncode == 70
    assert short.stderr.startswith("internal error: ZeroDivisionError")
    assert "DSLGAME_DEBUG=1" in short.stderr
    assert "Traceback" not in short.stderr
    env = environment(DSLGAME_DEBUG="1")
    long = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert long.returncode == 70
    assert "Traceback" in long.stderr


def test_what_the_terminal_cannot_show_is_escaped(tmp_path: Path) -> None:
    """Characters outside the terminal's encoding are escaped, also in JSON."""
    text = (ROOT / "games" / "tic_tac_toe.game").read_text().replace("Tic-Tac-Toe", "Drei ★")
    (tmp_path / "k.game").write_text(text, encoding="utf-8")
    env = environment(PYTHONIOENCODING="latin-1")
    result = subprocess.run([*COMMAND, "show", "k.game"], cwd=tmp_path, env=env, capture_output=True, check=False)
    assert result.returncode == 0
    assert result.stdout.startswith(b"Drei \\u2605\n")
    command = [*COMMAND, "show", "k.game", "--json"]
    result = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=False)
    assert b'"game": "Drei \\u2605"' in result.stdout


_EARLY = """
import sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "dslgame.cli.app":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
from dslgame.__main__ import main
main()
"""


def test_interrupted_while_it_starts(tmp_path: Path) -> None:
    """Ctrl-C during the imports also ends with exit code 130 and without a traceback."""
    result = subprocess.run([sys.executable, "-c", _EARLY, "--version"], cwd=tmp_path, env=environment(),
                            capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "interrupted\n")
