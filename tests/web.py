"""Requests to the page's server in tests: an application with quick limits, and a client that distinguishes errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from dslgame.web.pool import Limits
from dslgame.web.server import application

QUICK = {"play": Limits(1, 20, 100), "text": Limits(1, 20, 100), "think": Limits(1, 60, 10), "draft": Limits(1, 60, 10)}
"""One worker for each kind of work, with enough time on a busy machine."""


class Client:
    """Sends requests and checks every answer for content that must never be in one."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def send(self, what: str, body: bytes | str,
             headers: Mapping[str, str] | None = None) -> tuple[int, dict[str, Any]]:
        """Send a body as it is; return the status and the JSON object of the answer."""
        response = self.client.post(f"/api/{what}", content=body,
                                    headers={"content-type": "application/json", **(headers or {})})
        assert response.status_code < 500 or response.status_code == 503, response.text
        assert "Traceback" not in response.text
        found: dict[str, Any] = response.json()
        if response.status_code != 200:
            assert set(found) == {"error"}
            assert found["error"]["kind"]
            assert found["error"]["message"]
        return response.status_code, found

    def ask(self, what: str, **fields: object) -> dict[str, Any]:
        """Send a request that must succeed, and return its answer."""
        import json

        status, found = self.send(what, json.dumps(fields))
        assert status == 200, found
        return found

    def refused(self, what: str, **fields: object) -> tuple[int, str, str]:
        """Send a request that must be refused; return the status, the kind and the message of the error."""
        import json

        status, found = self.send(what, json.dumps(fields))
        assert status != 200, found
        return status, found["error"]["kind"], found["error"]["message"]


@contextmanager
def serving(files: Sequence[Path] = (), lanes: Mapping[str, Limits] = QUICK) -> Iterator[Client]:
    """A client of a server that runs within the context."""
    with TestClient(application(files, lanes=lanes)) as client:
        yield Client(client)
