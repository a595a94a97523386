"""Two hundred concurrent players on the page's server."""

from __future__ import annotations

import asyncio
import sys

import pytest

if sys.platform == "win32":
    pytest.skip("the benchmark measures processor time as POSIX has it", allow_module_level=True)

from bench import web


@pytest.mark.slow
def test_two_hundred_players_keep_their_games() -> None:
    """Every request is answered and no games are lost or mixed; the times are printed."""
    played = asyncio.run(web.play(clients=200, moves=3, pause=1.0, workers=2))
    print(played.plain())
    assert played.refused == []
    assert played.wrong == []
    assert len(played.waits["move"]) >= 500
