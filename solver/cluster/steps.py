"""The steps that workers run: merge the positions of a part, expand positions, look values up, value positions.

Each step reads its input from the store and from the results of other steps, and writes the same files whichever worker
runs it, and however often. So any worker can repeat a step.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import attrs
import numpy as np

from solver.cluster import files
from solver.cluster.containers import Array, Container, Damaged, packed, sum_of
from solver.cluster.job import Job, Machine, machine_of
from solver.cluster.results import ALIGNED, Mapped
from solver.cluster.runs import Run, empty_run, merged, sort_with_numbers
from solver.native import position_set, retrograde, runtime, sorted_keys, sorting
from solver.native.functions import Bytes, Indices, Shorts
from solver.tables.codes import DRAWN, LONGEST, NEVER
from solver.tables.columns import Tier
from solver.tables.enumeration import BLOCK, Enumeration, TooLarge
from solver.tables.passes import ALL_LISTED

Place = tuple[int, int]
"""A tier and one of its parts."""


class Parts(NamedTuple):
    """The number of parts of each tier."""

    known: tuple[tuple[int, int], ...]
    """Pairs of a tier that was reached before and its number of parts."""
    others: int
    """The number of parts of tiers that are first reached now."""

    def of(self, tier: int) -> int:
        """The number of parts of a tier."""
        return dict(self.known).get(tier, self.others)


class Sent(NamedTuple):
    """The successors of a batch's positions, in one run for each part that they belong to."""

    sizes: dict[Place, int]
    edges: int
    runs: dict[Place, Run]


@attrs.frozen(eq=False)
class Moves:
    """The moves of a batch: for each its child's index in the concatenated runs of the child's tier."""

    counts: Shorts
    """uint16[positions]: how many moves each position has."""
    kids: Indices
    """uint32[moves]"""
    which: Bytes
    """uint8[moves]: the index in `later` of the child's tier; empty where `later` has one tier."""
    later: list[int]
    places: list[Place]
    """The tier and part of each run, in the order of the runs."""
    sizes: list[int]


def root_run(job: Job, parts: int) -> tuple[int, int, Run]:
    """The root's tier, its part if that tier has `parts` parts, and a run of the root alone."""
    machine = machine_of(job)
    key, same, rank = machine.kernel.pack_least(machine.space.root, machine.elements)
    keys, part = np.array([key], np.uint64), np.zeros(1, np.uint16)
    runtime.compiled_entry(sorting.parts_of)(keys, 1, part, np.zeros(parts, np.int64))
    return 0 if job.flat else rank, int(part[0]), Run.of(keys, np.array([same], np.uint8))


def prepare(job: Job) -> None:
    """Load or compile all functions that the steps need, so that processes forked afterwards have them."""
    machine = machine_of(job)
    runtime.make_ready(position_set.absorb, position_set.tiers_in, position_set.refill, sorted_keys.look_up,
                       sorted_keys.merge, sorted_keys.find, sorted_keys.encode, sorted_keys.decode, sorting.parts_of,
                       sorting.sort_with_numbers, sorting.deal, sorting.invert, sorting.renumber, retrograde.add_up,
                       retrograde.value_from_later)
    machine.worker.expand(root_run(job, 1)[2].keys(), 0, 1)


# ---- forward


def merge(job: Job, tier: int, part: int, sources: Sequence[Sent | Run]) -> int:
    """Merge what the sources have for a part, and write its positions; return how many there are."""
    machine = machine_of(job)
    runs = _runs_for((tier, part), sources, machine)
    return files.write_keys(machine.store, files.keys_name(tier, part), merged(runs, machine.words))


def successors(job: Job, tier: int, part: int, batch: int, parts: Parts) -> Sent:
    """Expand a batch: return its successors, sorted, and keep its moves on this machine's disk."""
    machine = machine_of(job)
    kept = _kept_sent(machine, tier, part, batch)
    if kept is not None:
        return kept
    moves, runs = _expand(machine, tier, files.keys_name(tier, part), batch, parts)
    _keep(machine, tier, part, batch, moves, runs)
    edges = len(moves.kids)
    del moves
    kept = _kept_sent(machine, tier, part, batch)  # the same, mapped from the file instead of held in memory
    return kept or Sent({place: run.count for place, run in runs.items()}, edges, runs)


def _runs_for(place: Place, sources: Sequence[Sent | Run], machine: Machine) -> list[Run]:
    """The run that each source has for a part; an empty run where it has none."""
    return [source if isinstance(source, Run) else source.runs.get(place, empty_run(machine.words))
            for source in sources]


def spread(job: Job, tier: int, part: int, turn: int, batch: int, parts: Parts) -> Sent:
    """Expand a batch of the positions that turn `turn` added to a part (turn 0: of all its positions); return their
    successors within the tier."""
    machine = machine_of(job)
    name = files.new_name(tier, part, turn) if turn else files.keys_name(tier, part)
    moves, runs = _expand(machine, tier, name, batch, parts)
    own = {place: run for place, run in runs.items() if place[0] == tier}
    return Sent({place: run.count for place, run in own.items()}, len(moves.kids), own)


def extend(job: Job, tier: int, part: int, turn: int, sources: Sequence[Sent | Run]) -> tuple[int, int]:
    """Add to a part the positions of the sources that it lacks; return how many are new, and how many it has then.

    The new positions are written first, to a file of their own, so that the step can be repeated.
    """
    machine = machine_of(job)
    name, new_name = files.keys_name(tier, part), files.new_name(tier, part, turn)
    known = files.read_all_keys(machine.store, name) if machine.store.exists(name) else empty_run(machine.words)
    if machine.store.exists(new_name):
        new = files.read_all_keys(machine.store, new_name)
    else:
        result = merged(_runs_for((tier, part), sources, machine), machine.words)
        keys, marks = result.keys(), np.empty(result.count, np.uint8)
        runtime.compiled_entry(sorted_keys.mark_new)(keys, known.keys(), marks)
        here = marks != 0
        new = Run.of(keys[here], result.sames()[here])
        files.write_keys(machine.store, new_name, new)
    if not new.count:
        return 0, known.count
    return new.count, files.write_keys(machine.store, name, merged([known, new], machine.words))


def pick(sent: Sent, place: Place) -> Run:
    """The run for a part, taken out so that only this run is sent to the worker that needs it."""
    return sent.runs[place]


def sizes_of(sent: Sent) -> tuple[dict[Place, int], int]:
    """How many positions go to each part, and how many moves there are."""
    return sent.sizes, sent.edges


def _expand(machine: Machine, tier: int, name: str, batch: int, parts: Parts) -> tuple[Moves, dict[Place, Run]]:
    keys = files.read_keys(machine.store, name, batch, machine.job.batch).keys()
    enumeration = Enumeration(machine.kernel, machine.elements, machine.job.flat, threads=1)
    source = Tier(tier, machine.words, keys=keys, count=len(keys))
    for start in range(0, len(keys), BLOCK):
        enumeration.take(source, machine.worker.expand(keys, start, min(len(keys), start + BLOCK)))
    kids, which = source.kids.whole(None), source.which.whole(None)
    places: list[Place] = []
    runs: dict[Place, Run] = {}
    renumber = runtime.compiled_entry(sorting.renumber)
    for number, later in enumerate(source.later):
        rank, result = _split(enumeration.tiers[later], parts.of(later))
        renumber(kids, which, number, rank)
        for part, run in result.items():
            places.append((later, part))
            runs[later, part] = run
    if len(source.later) == 1:
        which = np.zeros(0, np.uint8)
    counts = source.counts.whole(None)
    return Moves(counts, kids, which, source.later, places, [runs[place].count for place in places]), runs


def _split(tier: Tier, parts: int) -> tuple[Indices, dict[int, Run]]:
    """Divide a tier's positions into parts, and sort each part; return the new index of each position, counted over all
    parts, and the runs of the parts that are not empty."""
    keys, numbers, ends = tier.keys[: tier.count], np.arange(tier.count, dtype=np.uint32), [tier.count]
    if parts > 1:
        part, sizes = np.empty(len(keys), np.uint16), np.empty(parts, np.int64)
        runtime.compiled_entry(sorting.parts_of)(keys, len(keys), part, sizes)
        ends, dealt = np.cumsum(sizes).tolist(), np.empty_like(keys)
        runtime.compiled_entry(sorting.deal)(keys, len(keys), part, np.cumsum(sizes) - sizes, dealt, numbers)
        keys = dealt
    start = 0
    for end in ends:
        keys[start:end], numbers[start:end] = sort_with_numbers(keys[start:end], numbers[start:end])
        start = end
    rank = np.empty(len(numbers), np.uint32)
    runtime.compiled_entry(sorting.invert)(numbers, rank)
    others = rank[np.flatnonzero(tier.sames[: tier.count] != 1)]
    others.sort()
    runs, start = {}, 0
    for index, end in enumerate(ends):
        if end > start:
            here = others[np.searchsorted(others, start) : np.searchsorted(others, end)]
            runs[index] = Run.with_exceptions(keys[start:end], here - np.uint32(start), tier.sames[numbers[here]])
        start = end
    return rank, runs


# ---- moves on a machine's own disk


def _file(machine: Machine, tier: int, part: int, batch: int) -> Path:
    return machine.scratch / f"{tier}-{part}-{batch}"


def _keep(machine: Machine, tier: int, part: int, batch: int, moves: Moves, runs: dict[Place, Run]) -> None:
    """Write moves and runs to this machine's disk; where it is full or not writable, they are recomputed later."""
    arrays: dict[str, Array] = {"counts": moves.counts, "kids": moves.kids, "which": moves.which}
    for number, place in enumerate(moves.places):
        run = runs[place]
        arrays |= {f"directory-{number}": run.directory, f"payload-{number}": run.payload,
                   f"same_at-{number}": run.same_at, f"same-{number}": run.same}
    about = {"edges": len(moves.kids), "later": moves.later, "places": [list(place) for place in moves.places],
             "sizes": moves.sizes}
    file = _file(machine, tier, part, batch)
    half = file.with_name(f"{file.name}.{os.getpid()}-{id(moves)}.half")  # workers of a machine share the folder
    try:
        machine.scratch.mkdir(exist_ok=True)
        with open(half, "wb") as stream:
            for piece in packed(arrays, about, sum_of, ALIGNED):
                stream.write(piece)
        half.replace(file)
    except OSError as problem:
        half.unlink(missing_ok=True)
        if problem.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS):
            raise


def _kept(machine: Machine, tier: int, part: int, batch: int) -> Container | None:
    """Map the file with a batch's moves on this machine's disk; None where it is missing or unreadable."""
    try:
        return Container.mapped(memoryview(Mapped.of(_file(machine, tier, part, batch))), sum_of)
    except (OSError, ValueError, Damaged):
        return None


def _kept_sent(machine: Machine, tier: int, part: int, batch: int) -> Sent | None:
    """The successors of a batch from this machine's disk; None where they are missing or damaged."""
    result = _kept(machine, tier, part, batch)
    if result is None:
        return None
    try:
        runs = {(int(place[0]), int(place[1])): Run(int(size), *(
            result.array(f"{name}-{number}") for name in ("directory", "payload", "same_at", "same")))
                for number, (place, size) in enumerate(zip(result.about["places"], result.about["sizes"], strict=True))}
    except Damaged:
        return None
    return Sent({place: run.count for place, run in runs.items()}, int(result.about["edges"]), runs)


def _kept_moves(machine: Machine, tier: int, part: int, batch: int) -> Moves | None:
    """The moves of a batch from this machine's disk; None where they are missing or damaged."""
    result = _kept(machine, tier, part, batch)
    if result is None:
        return None
    places = [(int(later), int(number)) for later, number in result.about["places"]]
    try:
        return Moves(result.array("counts"), result.array("kids"), result.array("which"), list(result.about["later"]),
                     places, list(result.about["sizes"]))
    except Damaged:
        return None


# ---- backward


def answer(job: Job, tier: int, part: int, sources: Sequence[Sent | Run], passes: int = 0) -> list[Shorts]:
    """Look up the values of the positions that each source has for a part: uint16[n] for each source.

    The values are the final ones, or with `passes` above 0 those after that many passes.
    """
    machine = machine_of(job)
    look_up = runtime.compiled_entry(sorted_keys.look_up)
    wanted = [run.keys() for run in _runs_for((tier, part), sources, machine)]
    result = [np.zeros(len(keys), np.uint16) for keys in wanted]
    missing = sum(len(keys) for keys in wanted)
    name = files.keys_name(tier, part)
    for batch in range(-(-files.count_of(machine.store, name) // job.batch)):
        keys = files.read_keys(machine.store, name, batch, job.batch).keys()
        values = files.read_values(machine.store, files.pass_name(tier, part, batch, passes) if passes else
                                   files.values_name(tier, part, batch))
        missing -= sum(len(run) - look_up(keys, values, run, codes) for run, codes in zip(wanted, result, strict=True))
    if missing:
        raise AssertionError(f"{missing} positions of tier {tier}, part {part} are not stored")
    return result


def pick_answer(answers: Sequence[Shorts], number: int) -> Shorts:
    """The values for the source with this number, taken out to go back to the batch that asked for them."""
    return answers[number]


class Pass(NamedTuple):
    """One pass over a tier with moves within it."""

    number: int
    """Counted from 1."""
    level: int
    """The largest remoteness that positions get in this pass."""
    drawing: bool
    """Whether the pass values draws, as all wins and losses are known."""


FAR = 1 << 20
"""Larger than any remoteness."""


class Valued(NamedTuple):
    """Statistics of a batch whose values are written."""

    totals: tuple[int, int, int, int]
    """The numbers of positions that the player to move wins, loses and draws, not merged by symmetry; the largest
    remoteness."""
    size: int
    """Bytes of the values."""


def value(job: Job, tier: int, part: int, batch: int, parts: Parts, answers: Mapping[Place, Shorts]) -> Valued:
    """Value the positions of a batch whose moves all lead to later tiers, and write the values."""
    machine = machine_of(job)
    native, run = _tier(machine, tier, part, batch, parts, answers)
    if runtime.compiled_entry(retrograde.value_from_later)(native, 0, run.count, 0):
        raise _too_long()
    return _written(machine, tier, part, batch, run, native)


def value_pass(job: Job, tier: int, part: int, batch: int, parts: Parts, answers: Mapping[Place, Shorts],
               asked: Pass) -> tuple[int, int]:
    """Run one pass over a batch of a tier with moves within it, and write the values; return how many positions got a
    value, and the least remoteness above the level that a position may get by the known values, or `FAR`."""
    machine = machine_of(job)
    native, run = _tier(machine, tier, part, batch, parts, answers)
    if asked.number > 1:
        native.values[:] = files.read_values(machine.store, files.pass_name(tier, part, batch, asked.number - 1))
    pending = np.array([FAR], np.int64)
    valued = runtime.compiled_entry(retrograde.value_pass)(
        native, ALL_LISTED, 0, run.count, asked.level, int(asked.drawing), pending)
    if LONGEST < pending[0] < FAR:
        raise _too_long()
    files.write_values(machine.store, files.pass_name(tier, part, batch, asked.number), native.values)
    return valued, int(pending[0])


def settle(job: Job, tier: int, part: int, batch: int, passes: int) -> Valued:
    """Write the final values of a batch after all passes; positions without a value become draws without an end."""
    machine = machine_of(job)
    run = files.read_keys(machine.store, files.keys_name(tier, part), batch, job.batch)
    values = files.read_values(machine.store, files.pass_name(tier, part, batch, passes)).copy()
    values[values == 0] = NEVER * 4 + DRAWN
    nothing = np.zeros(0, np.uint16)
    native = retrograde.Tier(run.keys(), machine.fields, nothing, np.zeros(0, np.uint32), np.zeros(0, np.uint8),
                             np.zeros(1, np.int64), nothing, values)
    return _written(machine, tier, part, batch, run, native)


def _tier(machine: Machine, tier: int, part: int, batch: int, parts: Parts,
          answers: Mapping[Place, Shorts]) -> tuple[retrograde.Tier, Run]:
    """A batch as the compiled valuation takes it, and its run; the values of runs without an answer are open (0)."""
    name = files.keys_name(tier, part)
    moves = _kept_moves(machine, tier, part, batch) or _expand(machine, tier, name, batch, parts)[0]
    run = files.read_keys(machine.store, name, batch, machine.job.batch)
    codes = [answers[place] if place in answers else np.zeros(size, np.uint16)
             for place, size in zip(moves.places, moves.sizes, strict=True)]
    offsets, total, at = [], 0, 0
    for later in moves.later:
        offsets.append(total)
        while at < len(moves.places) and moves.places[at][0] == later:
            total += moves.sizes[at]
            at += 1
    which = moves.which if len(moves.later) > 1 else np.zeros(len(moves.kids), np.uint8)
    return retrograde.Tier(run.keys(), machine.fields, moves.counts, moves.kids, which,
                           np.array(offsets or [0], np.int64), np.concatenate([np.zeros(0, np.uint16), *codes]),
                           np.zeros(run.count, np.uint16)), run


def _written(machine: Machine, tier: int, part: int, batch: int, run: Run, native: retrograde.Tier) -> Valued:
    """Write the values of a batch, and compute their statistics."""
    totals = np.zeros(4, np.int64)
    runtime.compiled_entry(retrograde.add_up)(native.keys, machine.fields, native.values, run.sames(),
                                              len(machine.elements), run.count, totals)
    win, lose, draw, longest = totals.tolist()
    size = files.write_values(machine.store, files.values_name(tier, part, batch), native.values)
    return Valued((win, lose, draw, longest), size)


def _too_long() -> TooLarge:
    return TooLarge(f"a game is longer than {LONGEST:,} moves under best play")
