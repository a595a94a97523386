"""How Hypothesis searches, in all tests; `pytest --hypothesis-profile thorough` searches longer.

The IR of every kernel that tests make is checked.
"""

from __future__ import annotations

import gc
import os

from hypothesis import HealthCheck, settings

os.environ["DSLGAME_VERIFY_IR"] = "1"
_GAMES = settings(
    max_examples=50,
    deadline=None,  # one example may be a whole game
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("games", _GAMES)
settings.register_profile("thorough", _GAMES, max_examples=3000)
settings.load_profile("games")


def pytest_collection_finish() -> None:
    """Have the collector of garbage pass over the modules and the tests themselves, which stay to the end.

    It looked at them again and again, for one second in twenty. And it looks as seldom as it does in the commands.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
