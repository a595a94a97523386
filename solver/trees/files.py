"""Trees on disk: a folder with a manifest and one file for each column of numbers, all of them checksummed.

Their size is not limited: columns are memory-mapped when a tree is opened. A folder that is not right (made with other
rules, truncated, changed by a byte, not a tree at all) is refused with the file and the offset in it.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from interpreter.game import Game
from solver.trees.filters import read_filter
from solver.trees.positions import Positions
from solver.trees.rule import Rule
from solver.trees.tree import Tree
from solver.trees.unfolding import Unfolding

FORMAT = "dslgame tree 1"
_BLOCK = 1 << 20
"""Bytes per checksum."""
_COLUMNS = ("rows", "outcomes", "movers", "ends", "targets", "moves", "same", "left_out")


class BadTree(Exception):
    """A file of a tree is not right; gives its name, the offset in bytes, and the reason."""

    def __init__(self, file: str | Path, offset: int, reason: str) -> None:
        super().__init__(f"{file}: at byte {offset}: {reason}")
        self.file, self.offset, self.reason = str(file), offset, reason


def save(tree: Tree, folder: str | Path) -> None:
    """Write a tree to a folder, replacing a tree that is there. Raises OSError."""
    folder = Path(folder)
    if folder.exists() and not (folder / "manifest.json").is_file():
        raise FileExistsError(17, "is there already and is no tree", str(folder))
    parent = folder.absolute().parent
    if not parent.is_dir():
        raise FileNotFoundError(2, "No such file or directory", str(folder))
    fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=parent))
    try:
        columns = {name: _write(fresh / f"{name}.column", values) for name, values in _arrays(tree)}
        text = json.dumps({"format": FORMAT, **_header(tree), "columns": columns}, indent=1, sort_keys=True)
        seal = blake2b(text.encode(), digest_size=16).hexdigest()
        (fresh / "manifest.json").write_text(text + "\n" + seal + "\n", encoding="utf-8")
        if folder.exists():
            old = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=parent))
            os.replace(folder, old / "old")
            os.replace(fresh, folder)
            shutil.rmtree(old)
        else:
            os.replace(fresh, folder)
        os.chmod(folder, 0o755)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def _arrays(tree: Tree) -> Iterator[tuple[str, Any]]:
    for name in _COLUMNS:
        yield name, getattr(tree.positions, name)
    if tree.unfolding is not None:
        for level, values in enumerate(tree.unfolding.edges, start=1):
            yield f"edges{level}", values
        for level, values in enumerate(tree.unfolding.kids):
            yield f"kids{level}", values


def _header(tree: Tree) -> dict[str, object]:
    graph, rule = tree.positions, tree.positions.rule
    return {
        "game": tree.game.title, "params": tree.game.params, "rules": fingerprint(tree.game), "played": tree.played,
        "ignore_ends": tree.game.engine.ignore_ends, "levels": graph.levels, "removed": graph.removed,
        "merge": rule.merge, "colours": rule.colours, "wins": rule.wins, "first": rule.first, "cut": tree.cut,
        "skip_when": [item.text for item in rule.filters],
        "loops": None if tree.unfolding is None else tree.unfolding.loops,
        "depth": 0 if tree.unfolding is None else tree.unfolding.depth,
    }


def fingerprint(game: Game) -> str:
    """A hash of a game's rules and params."""
    text = game.rules.source.text + "\0" + json.dumps(game.params, sort_keys=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _write(path: Path, values: Any) -> dict[str, object]:
    """Write a column, and return its entry in the manifest."""
    values = np.ascontiguousarray(values)
    data = memoryview(values.reshape(-1).view(np.uint8)) if values.size else memoryview(b"")
    sums = []
    with open(path, "wb") as stream:
        for start in range(0, len(data), _BLOCK):
            block = data[start : start + _BLOCK]
            sums.append(zlib.crc32(block))
            stream.write(block)
    return {"type": values.dtype.str, "shape": values.shape, "bytes": len(data), "sums": sums}


def load(game: Game, folder: str | Path) -> Tree:
    """Load the tree in a folder, which must be made with the same rules. Raises BadTree and OSError."""
    folder = Path(folder)
    manifest = folder / "manifest.json"
    if not folder.is_dir():
        if folder.exists():
            raise BadTree(folder, 0, "is a file, expected the folder of a tree")
        raise FileNotFoundError(2, "No such file or directory", str(folder))
    if not manifest.is_file():
        raise BadTree(manifest, 0, "there is no such file, so the folder is no tree")
    head = _manifest(manifest)
    if head["ignore_ends"]:
        game = attrs.evolve(game, engine=game.endless)
    if head["rules"] != fingerprint(game):
        raise BadTree(manifest, 0, f"the tree is of {head['game']} with other rules or params than those given")
    columns: Mapping[str, Any] = head["columns"]
    result = {name: _read(folder / f"{name}.column", said) for name, said in columns.items()}
    filters = tuple(read_filter(game, text) for text in head["skip_when"])
    rule = Rule(head["merge"], head["colours"], head["wins"], filters, tuple(head["first"]))
    positions = Positions(game, rule, levels=list(head["levels"]), removed=list(head["removed"]),
                          **{name: result[name] for name in _COLUMNS})
    positions.left_out = positions.left_out.copy()
    unfolding = None
    if head["loops"] is not None:
        depth = head["depth"]
        unfolding = Unfolding(positions, head["loops"], [result[f"edges{level}"] for level in range(1, depth + 1)],
                              [result[f"kids{level}"] for level in range(depth)])
    return Tree(positions, unfolding, tuple(head["played"]), head["cut"])


def _manifest(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    text, _, seal = data.rstrip(b"\n").rpartition(b"\n")
    if f'"format": "{FORMAT}"'.encode() not in data:
        raise BadTree(path, 0, f"it does not say '{FORMAT}', so it is no tree of ours")
    if blake2b(text, digest_size=16).hexdigest().encode() != seal:
        raise BadTree(path, len(text), "the checksum is wrong: the file was changed or cut short")
    result: dict[str, Any] = json.loads(text)
    return result


def _read(path: Path, said: Mapping[str, Any]) -> Any:
    """Verify the checksums of a column, and map it into memory."""
    if not path.is_file():
        raise BadTree(path, 0, "there is no such file")
    size, expected = path.stat().st_size, int(said["bytes"])
    if size != expected:
        raise BadTree(path, min(size, expected), f"it has {size} bytes, expected {expected}")
    with open(path, "rb") as stream:
        for number, checksum in enumerate(said["sums"]):
            if zlib.crc32(stream.read(_BLOCK)) != checksum:
                raise BadTree(path, number * _BLOCK, f"the checksum of the {_BLOCK} bytes from there is wrong")
    shape = tuple(said["shape"])
    if not expected:
        return np.zeros(shape, said["type"])
    return np.memmap(path, dtype=said["type"], mode="r", shape=shape)


__all__ = ["FORMAT", "BadTree", "fingerprint", "load", "save"]
