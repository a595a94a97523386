"""How Hypothesis searches, in all tests; `pytest --hypothesis-profile thorough` searches longer.

The IR of every kernel that tests make is checked. Byte code is written even where the environment forbids it: else each
worker rewrites every test module, and each program that a test starts compiles every module of ours, in every run (two
thirds of a second a program).
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

os.environ["DSLGAME_VERIFY_IR"] = "1"
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
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
    """Have the collector of garbage pass over the modules and the tests themselves, which stay to the end.

    It looked at them again and again, for one second in ten; now it looks once after each module.
    """
    _pass_over_what_stays()
    gc.disable()


@pytest.fixture(autouse=True, scope="session")
def _short_matches() -> Iterator[None]:
    """Have the level `solver` choose its search by shorter matches, where nothing is kept: seconds for each game.

    What is kept stands under another name than what people's matches found.
    """
    from solver.players import comparison

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison, "SECONDS", 0.2)
        yield


@pytest.fixture(autouse=True, scope="module")
def _passed_over() -> Iterator[None]:
    """The same for the games and kernels that a module's tests leave in their caches.

    With a gigabyte of them one look at everything takes 1.6 s, and what measures speed has a look each time.
    """
    yield
    _pass_over_what_stays()


def _pass_over_what_stays() -> None:
    gc.collect()
    gc.freeze()
