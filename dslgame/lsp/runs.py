"""The commands behind code lenses: `dslgame` commands on a text, and the page on which it is played.

A page serves a file that `follow` rewrites on each change of the text, so that it goes on by the new rules.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import attrs

from dslgame.packages import python_command

PAGE = "web"
"""The command that serves a page."""
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "check": ("check", "-"),
    "solve": ("solve", "-", "--merge", "--nodes", "20000000"),
    "play": (PAGE, "--port", "0", "--workers", "1"),
}
"""The command line for the title of each code lens."""
_PATIENCE = 30.0
"""Seconds within which a page must print its address."""


@attrs.define
class _Page:
    """A running page: its process, the file that it serves, and its address."""

    process: asyncio.subprocess.Process
    file: Path
    address: str


class Runs:
    """Runs commands for texts, and keeps track of the pages that are served."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._pages: dict[str, _Page] = {}

    async def run(self, command: tuple[str, ...], text: str, key: str = "") -> tuple[str, str]:
        """Run a command on a text; its output, and the address of the page that it serves ('' for none)."""
        if command[0] == PAGE:
            return await self._page(command, text, key)
        process = await _start(*command)
        output, problems = await process.communicate(text.encode())
        said = output.decode("utf-8", "replace").strip() or problems.decode("utf-8", "replace").strip()
        return said, ""

    async def _page(self, command: tuple[str, ...], text: str, key: str) -> tuple[str, str]:
        known = self._pages.get(key)
        if known is not None and known.process.returncode is None:
            self.follow(key, text)
            return f"played at {known.address}", known.address
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="dslgame-lsp-")
        file = Path(self._folder.name) / f"edited{len(self._pages)}.game"
        file.write_text(text, encoding="utf-8")
        process = await _start(command[0], str(file), *command[1:])
        assert process.stdout is not None
        try:
            address = (await asyncio.wait_for(process.stdout.readline(), _PATIENCE)).decode().strip()
        except TimeoutError:
            address = ""
        if not address.startswith("http"):
            with suppress(ProcessLookupError):
                process.kill()
            _, problems = await process.communicate()
            return problems.decode("utf-8", "replace").strip() or "the page does not answer", ""
        self._pages[key] = _Page(process, file, address)
        return f"played at {address}", address

    def follow(self, key: str, text: str) -> None:
        """Rewrite the file behind a page where its text has changed."""
        page = self._pages.get(key)
        if page is not None and page.file.read_text(encoding="utf-8") != text:
            new = page.file.with_suffix(".new")
            new.write_text(text, encoding="utf-8")
            new.replace(page.file)

    def close(self) -> None:
        """Terminate the servers of all pages."""
        for page in self._pages.values():
            with suppress(ProcessLookupError):
                page.process.terminate()
        self._pages.clear()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


async def _start(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *python_command("from dslgame.__main__ import main; main()", *arguments),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
