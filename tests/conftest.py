"""Settings for all tests: Hypothesis profiles, verification of IR, bytecode, signals, and garbage collection.

`pytest --hypothesis-profile thorough` searches longer. The IR of every kernel that tests make is verified. Bytecode is
written even where the environment forbids it: otherwise each worker rewrites every test module, and each program that a
test starts compiles all of our modules in every run (two thirds of a second per program).
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

os.environ["DSLGAME_VERIFY_IR"] = "1"
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # run in the background; programs would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)
_GAMES = settings(
    max_examples=35,
    deadline=None,  # one example may be a whole game
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("games", _GAMES)
settings.register_profile("thorough", _GAMES, max_examples=3000)
settings.load_profile("games")


def pytest_collection_finish() -> None:
    """Exclude the modules and tests, which live to the end, from garbage collection.

    Scanning them took one second in ten; now it happens once after each module.
    """
    _pass_over_what_stays()
    gc.disable()


@pytest.fixture(autouse=True, scope="session")
def _short_matches() -> Iterator[None]:
    """Let the level `solver` choose its search by shorter matches if no result is cached: seconds for each game.

    The results are cached under another name than those of full matches.
    """
    from solver.players import comparison

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison, "SECONDS", 0.2)
        yield


@pytest.fixture(autouse=True, scope="module")
def _passed_over() -> Iterator[None]:
    """Exclude the games and kernels in the caches of a module's tests from garbage collection as well.

    With a gigabyte of them one full collection takes 1.6 s, and each speed measurement triggers one.
    """
    yield
    _pass_over_what_stays()


def _pass_over_what_stays() -> None:
    gc.collect()
    gc.freeze()
