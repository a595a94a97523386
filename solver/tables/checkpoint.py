"""The work folder of a solution: checkpoints from which an interrupted run resumes.

The folder has the columns of the tiers, which are append-only files, and `state.json` with the length and the checksum
of each at the time of the checkpoint. The state is written after the columns are on disk, under a temporary name that
is then renamed, so that it is valid at any moment.
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

from dsl.whole_file import HALF, write_whole
from solver.errors import Refused
from solver.tables.columns import NAMES, Damaged, Saved, check
from solver.tables.enumeration import Enumeration

VERSION = 1
_ITEMS = {"keys": 8, "sames": 1, "counts": 2, "kids": 4, "which": 1, "values": 2}
"""Bytes per entry; of the keys, per word."""


@attrs.define(eq=False)
class WorkFolder:
    """A folder for the columns of tiers; a later run can resume from one that is `kept`."""

    path: Path
    kept: bool
    identity: Mapping[str, Any]
    """The identity of the solution; another solution's folder is refused."""
    _lock: Any = None

    @classmethod
    def temporary(cls) -> WorkFolder:
        """Create a folder for data that memory cannot hold, removed with the object or the process. Raises OSError."""
        folder = cls(Path(tempfile.mkdtemp(prefix="dslgame-")), kept=False, identity={})
        weakref.finalize(folder, shutil.rmtree, folder.path, ignore_errors=True)
        return folder

    @classmethod
    def beside(cls, target: Path, identity: Mapping[str, Any]) -> WorkFolder:
        """Open or create, and lock, the folder of a solution that will be saved. Raises Refused and OSError."""
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
        """The file with the state of the last checkpoint."""
        return self.path / "state.json"

    def write(self, enumeration: Enumeration) -> None:
        """Write a checkpoint. Raises OSError; the one before is still valid then."""
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
        """Load the checkpoint, and return whether there was one. Raises Refused and OSError."""
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
        """Delete the checkpoint, so that the work begins anew. Raises OSError."""
        self.state_file.unlink(missing_ok=True)
        for file in self.path.glob("tier-*"):
            file.unlink()

    def close(self) -> None:
        """Release the lock, so that another process can resume."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def remove(self) -> None:
        """Remove the folder, once the work is done; under another name first, so that it is never half a folder."""
        gone = self.path.with_name(f"{self.path.name}{HALF}")
        shutil.rmtree(gone, ignore_errors=True)
        with contextlib.suppress(OSError):
            self.path.rename(gone)
        shutil.rmtree(gone if gone.exists() else self.path, ignore_errors=True)
        self.close()
