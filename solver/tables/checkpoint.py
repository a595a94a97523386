"""The working folder of a solution: what is done stays there, so that work can go on after it was interrupted.

The folder has the columns of the tiers, files that only grow, and `state.json`: how long each was, and its checksum,
when the state was written. The state is written beside its place and renamed, after the columns are on disk; so it is
true at any moment, whatever happens.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from dsl.whole_file import write_whole
from solver.errors import Refused
from solver.tables.columns import NAMES, Damaged, Saved, check
from solver.tables.enumeration import Enumeration

VERSION = 1
_ITEMS = {"keys": 8, "sames": 1, "counts": 2, "kids": 4, "which": 1, "values": 2}
"""Bytes of an entry; of the keys for each word."""


@attrs.define(eq=False)
class WorkFolder:
    """A folder for the columns of tiers; one that is `kept` can be gone on from."""

    path: Path
    kept: bool
    identity: Mapping[str, Any]
    """What is solved; another solution's folder is refused."""
    _lock: Any = None

    @classmethod
    def temporary(cls) -> WorkFolder:
        """A folder for what memory does not hold; it goes with the object, or the process. Raises OSError."""
        folder = cls(Path(tempfile.mkdtemp(prefix="dslgame-")), kept=False, identity={})
        weakref.finalize(folder, shutil.rmtree, folder.path, ignore_errors=True)
        return folder

    @classmethod
    def beside(cls, target: Path, identity: Mapping[str, Any]) -> WorkFolder:
        """The folder of a solution that is to be saved. Raises Refused and OSError."""
        path = target.with_name(target.name + ".work")
        if path.exists() and not path.is_dir():
            raise Refused(f"{path} is in the way: the work is kept there, in a folder")
        try:
            path.mkdir(exist_ok=True)
        except FileNotFoundError:
            raise Refused(f"{target} cannot be written: there is no folder {target.parent}") from None
        folder = cls(path, kept=True, identity=identity)
        folder._take_lock()
        return folder

    def _take_lock(self) -> None:
        with contextlib.suppress(ImportError):
            import fcntl

            self._lock = open(self.path / "lock", "w", encoding="ascii")  # noqa: SIM115  # held as long as the work
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._lock.close()
                raise Refused(f"{self.path} is at work in another process") from None

    @property
    def state_file(self) -> Path:
        """Where it is written how far the work is."""
        return self.path / "state.json"

    def write(self, enumeration: Enumeration) -> None:
        """Put all that is known on disk. Raises OSError; what was written before is then still true."""
        tiers = []
        for tier in enumeration.tiers.values():
            tier.save(self.path, drop=False)
            saved = {name: column.saved for name, column in tier.columns.items()}
            saved |= {"keys": tier.keys_saved, "sames": tier.sames_saved}
            tiers.append({"number": tier.number, "later": tier.later,
                          "columns": {name: [saved[name].entries, saved[name].checksum] for name in NAMES}})
        write_whole(self.state_file, json.dumps({
            "version": VERSION, "identity": dict(self.identity), "flat": enumeration.flat,
            "cyclic": enumeration.cyclic, "tiers": tiers}).encode(), lasting=True)

    def read(self, enumeration: Enumeration) -> bool:
        """Go on from what is in the folder; whether there was anything. Raises Refused and OSError."""
        try:
            text = self.state_file.read_bytes()
        except FileNotFoundError:
            return False
        advice = f"remove the folder {self.path} to begin anew"
        try:
            state = json.loads(text)
            version, identity = state["version"], state["identity"]
            tiers = [(item["number"], item["later"], {name: Saved(*item["columns"][name]) for name in NAMES})
                     for item in state["tiers"]]
            flat, cyclic = bool(state["flat"]), bool(state["cyclic"])
        except (ValueError, KeyError, TypeError):
            raise Refused(f"{self.state_file} is damaged; {advice}") from None
        if version != VERSION:
            raise Refused(f"{self.state_file} was written by another version of dslgame; {advice}")
        if identity != json.loads(json.dumps(dict(self.identity))):
            raise Refused(f"{self.path} holds the unfinished solution of another game, other params or another "
                          f"position; save to another file, or {advice}")
        enumeration.flat, enumeration.cyclic = flat, cyclic
        for number, later, saved in tiers:
            self._read_tier(enumeration, number, later, saved, advice)
        enumeration.reopen(self.path)
        return True

    def _read_tier(self, enumeration: Enumeration, number: int, later: list[int], saved: dict[str, Saved],
                   advice: str) -> None:
        tier = enumeration.tier(number)
        for name, column in saved.items():
            entry = _ITEMS[name] * (tier.width if name == "keys" else 1)
            try:
                check(tier.file(self.path, name), column, entry)
            except Damaged as problem:
                raise Refused(f"{problem}; {advice}") from None
        for name, result in tier.columns.items():
            result.saved = saved[name]
        tier.keys_saved, tier.sames_saved, tier.later = saved["keys"], saved["sames"], list(later)
        tier.count, tier.expanded = saved["keys"].entries, saved["counts"].entries

    def clear(self) -> None:
        """Forget what is in the folder, as the work begins anew. Raises OSError."""
        self.state_file.unlink(missing_ok=True)
        for file in self.path.glob("tier-*"):
            file.unlink()

    def close(self) -> None:
        """Let go of the folder, so that others can go on."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def remove(self) -> None:
        """The work is done: remove the folder."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.close()
