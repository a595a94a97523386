"""The files of a solution's parts: sorted positions, and their values, in blocks that can be read separately.

`tier-T/PPPP.keys` has the positions of a part, `tier-T/PPPP-BBBB.values` the values of a batch of them: a value is four
times the remoteness, plus 1 for a draw, or 2 + the winner's number (see `solver.tables.codes`).
"""

from __future__ import annotations

import zlib
from itertools import pairwise

import numpy as np

from solver.cluster.containers import Container, Damaged
from solver.cluster.runs import BLOCK, Run
from solver.cluster.store import Store
from solver.native.functions import Shorts


def keys_name(tier: int, part: int) -> str:
    """The name of the file with a part's positions."""
    return f"tier-{tier}/{part:04d}.keys"


def values_name(tier: int, part: int, batch: int) -> str:
    """The name of the file with the values of a batch."""
    return f"tier-{tier}/{part:04d}-{batch:04d}.values"


def new_name(tier: int, part: int, turn: int) -> str:
    """The name of the file with the positions that a turn added to a part."""
    return f"work/new-{tier}-{part}-{turn}.keys"


def pass_name(tier: int, part: int, batch: int, number: int) -> str:
    """The name of the file with the values of a batch after the pass with this number."""
    return f"work/pass-{tier}-{part}-{batch}-{number}.values"


def write_keys(store: Store, name: str, run: Run) -> int:
    """Write sorted positions; return how many there are. Raises OSError."""
    store.write_arrays(name, {
        "directory": run.directory, "payload": run.payload, "same_at": run.same_at, "same": run.same},
        {"count": run.count, "words": run.words, "block": BLOCK})
    return run.count


def count_of(store: Store, name: str) -> int:
    """The number of positions in a file. Raises Refused, OSError."""
    return int(store.open_arrays(name).about["count"])


def read_all_keys(store: Store, name: str) -> Run:
    """Read all positions of a file. Raises Refused, OSError."""
    return read_keys(store, name, 0, max(BLOCK, -(-count_of(store, name) // BLOCK) * BLOCK))


def read_keys(store: Store, name: str, number: int, batch: int) -> Run:
    """Read batch `number` of a file's positions, with `batch` positions per batch: a multiple of `BLOCK`.

    Raises Refused, OSError.
    """
    result = store.open_arrays(name)
    try:
        return _batch(result, number, batch)
    except Damaged as problem:
        raise store.damaged(name, problem) from None


def _batch(result: Container, number: int, batch: int) -> Run:
    directory, words, count = result.array("directory"), int(result.about["words"]), int(result.about["count"])
    first, last = number * batch // BLOCK, min(len(directory), (number + 1) * batch // BLOCK)
    start = int(directory[first, words]) if first < len(directory) else 0
    end = int(directory[last, words]) if last < len(directory) else int(result.listed["payload"][1][0])
    payload = result.bytes_of("payload", start, end)
    part = directory[first:last].copy()
    part[:, words] -= np.uint64(start)
    ends = [*part[1:, words].tolist(), len(payload)]
    for block, (begin, stop) in enumerate(zip(part[:, words].tolist(), ends, strict=True)):
        if zlib.crc32(payload[begin:stop]) != int(part[block, words + 1]):
            raise Damaged(f"its block {first + block} has another checksum")
    same_at, same = result.array("same_at"), result.array("same")
    here = (same_at >= first * BLOCK) & (same_at < last * BLOCK)
    many = max(0, min(count, last * BLOCK) - first * BLOCK)
    return Run(many, part, np.frombuffer(payload, np.uint8), same_at[here] - np.uint32(first * BLOCK), same[here])


def write_values(store: Store, name: str, values: Shorts) -> int:
    """Write the values of a batch; return the size of the file in bytes. Raises OSError."""
    width = 1 if not len(values) or int(values.max()) < 256 else 2
    narrow = values.astype(f"<u{width}")
    blocks = [zlib.compress(narrow[start : start + BLOCK].tobytes(), 1) for start in range(0, len(narrow), BLOCK)]
    ends = np.cumsum([0, *map(len, blocks)]).astype(np.uint64)
    sums = np.array([zlib.crc32(block) for block in blocks], np.uint64)
    return store.write_arrays(name, {
        "ends": ends, "sums": sums, "payload": np.frombuffer(b"".join(blocks), np.uint8)},
        {"count": len(values), "width": width})


def value_at(result: Container, place: int) -> int:
    """Read the value of one position from an open file: of the payload only its block is read. Raises Damaged."""
    block, rest = divmod(place, BLOCK)
    ends, width = result.array("ends"), int(result.about["width"])
    content = result.bytes_of("payload", int(ends[block]), int(ends[block + 1]))
    if zlib.crc32(content) != int(result.array("sums")[block]):
        raise Damaged(f"its block {block} has another checksum")
    return int.from_bytes(_unpacked(content, width)[rest * width : (rest + 1) * width], "little")


def read_values(store: Store, name: str) -> Shorts:
    """Read the values of a batch: uint16[n]. Raises Refused, OSError."""
    result = store.read_arrays(name)
    try:
        payload, ends = result.array("payload").tobytes(), result.array("ends").tolist()
        width = int(result.about["width"])
        whole = b"".join(_unpacked(payload[first:last], width) for first, last in pairwise(ends))
    except Damaged as problem:
        raise store.damaged(name, problem) from None
    return np.frombuffer(whole, f"<u{width}").astype(np.uint16)


def _unpacked(content: bytes, width: int) -> bytes:
    """Unpack a block of values. Raises Damaged where it is none; it takes no more memory than a block's."""
    unpacker = zlib.decompressobj()
    try:
        result = unpacker.decompress(content, BLOCK * width + 1)
    except zlib.error as problem:
        raise Damaged(str(problem)) from None
    if len(result) > BLOCK * width or not unpacker.eof:
        raise Damaged("a block has more values than it can have")
    return result
