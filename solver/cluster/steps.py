"""What workers do: merge the positions of a part, make the positions after them, look values up, value positions.

Each step takes what it needs from the store and from the results of other steps, and writes files that are the same
whoever writes them, and how often. So a step can be done again by anyone.
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
"""A tier and a part of it."""


class Parts(NamedTuple):
    """Into how many parts tiers are split."""

    known: tuple[tuple[int, int], ...]
    """For tiers that were reached before, their parts."""
    others: int
    """The parts of tiers that are first reached now."""

    def of(self, tier: int) -> int:
        """The parts of a tier."""
        return dict(self.known).get(tier, self.others)


class Sent(NamedTuple):
    """The positions after those of a batch, by the part that they belong to."""

    sizes: dict[Place, int]
    edges: int
    runs: dict[Place, Run]


@attrs.frozen(eq=False)
class Moves:
    """The moves of a batch: for each the place of the position that it leads to, in its tier's runs one after another.
    """

    counts: Shorts
    """uint16[positions]"""
    kids: Indices
    """uint32[moves]"""
    which: Bytes
    """uint8[moves]: which of `later`; empty where that is always the first."""
    later: list[int]
    places: list[Place]
    """The runs, in their order."""
    sizes: list[int]


def root_run(job: Job, parts: int) -> tuple[int, int, Run]:
    """The tier of the root, its part where there are as many as `parts`, and the run that has it alone."""
    machine = machine_of(job)
    key, same, rank = machine.kernel.pack_least(machine.space.root, machine.elements)
    keys, part = np.array([key], np.uint64), np.zeros(1, np.uint16)
    runtime.compiled_entry(sorting.parts_of)(keys, 1, part, np.zeros(parts, np.int64))
    return 0 if job.flat else rank, int(part[0]), Run.of(keys, np.array([same], np.uint8))


def prepare(job: Job) -> None:
    """Load what the steps need, so that processes that are forked have it."""
    machine = machine_of(job)
    runtime.make_ready(position_set.absorb, position_set.tiers_in, position_set.refill, sorted_keys.look_up,
                       sorted_keys.merge, sorted_keys.find, sorted_keys.encode, sorted_keys.decode, sorting.parts_of,
                       sorting.sort_with_numbers, sorting.deal, sorting.invert, sorting.renumber, retrograde.add_up,
                       retrograde.value_from_later)
    machine.worker.expand(root_run(job, 1)[2].keys(), 0, 1)


# ---- forward


def merge(job: Job, tier: int, part: int, sources: Sequence[Sent | Run]) -> int:
    """Write the positions of a part, given what leads to them; how many there are."""
    machine = machine_of(job)
    runs = _runs_for((tier, part), sources, machine)
    return files.write_keys(machine.store, files.keys_name(tier, part), merged(runs, machine.words))


def successors(job: Job, tier: int, part: int, batch: int, parts: Parts) -> Sent:
    """The positions after those of a batch, sorted; the moves are kept on this machine's disk."""
    machine = machine_of(job)
    kept = _kept_sent(machine, tier, part, batch)
    if kept is not None:
        return kept
    moves, runs = _expand(machine, tier, files.keys_name(tier, part), batch, parts)
    _keep(machine, tier, part, batch, moves, runs)
    edges = len(moves.kids)
    del moves
    kept = _kept_sent(machine, tier, part, batch)  # the same, not in memory
    return kept or Sent({place: run.count for place, run in runs.items()}, edges, runs)


def _runs_for(place: Place, sources: Sequence[Sent | Run], machine: Machine) -> list[Run]:
    """What goes to a part, an empty run where a source has nothing for it."""
    return [source if isinstance(source, Run) else source.runs.get(place, empty_run(machine.words))
            for source in sources]


def spread(job: Job, tier: int, part: int, turn: int, batch: int, parts: Parts) -> Sent:
    """The positions of the same tier after those that were found in a turn; the first turn has all that are there."""
    machine = machine_of(job)
    name = files.new_name(tier, part, turn) if turn else files.keys_name(tier, part)
    moves, runs = _expand(machine, tier, name, batch, parts)
    own = {place: run for place, run in runs.items() if place[0] == tier}
    return Sent({place: run.count for place, run in own.items()}, len(moves.kids), own)


def extend(job: Job, tier: int, part: int, turn: int, sources: Sequence[Sent | Run]) -> tuple[int, int]:
    """Add to a part what leads to it and was not known; how many are new, and how many there are.

    What was found new is written first, so that the step can be done again.
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
    """What goes to a part: it alone is sent to the worker that asks for it."""
    return sent.runs[place]


def sizes_of(sent: Sent) -> tuple[dict[Place, int], int]:
    """How many positions go to which parts, and how many moves there are."""
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
    """The positions of a tier by parts, sorted in each: the new place of each, and the runs of parts that have some."""
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


# ---- what is kept on a machine


def _file(machine: Machine, tier: int, part: int, batch: int) -> Path:
    return machine.scratch / f"{tier}-{part}-{batch}"


def _keep(machine: Machine, tier: int, part: int, batch: int, moves: Moves, runs: dict[Place, Run]) -> None:
    """Keep moves on this machine's disk; where there is no room, they are made again."""
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
    """What is on this machine's disk of a batch's moves; None where there is nothing, or it cannot be read."""
    try:
        return Container.mapped(memoryview(Mapped.of(_file(machine, tier, part, batch))), sum_of)
    except (OSError, ValueError, Damaged):
        return None


def _kept_sent(machine: Machine, tier: int, part: int, batch: int) -> Sent | None:
    """What the moves of a batch lead to, from this machine's disk; None where it is not there."""
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
    """The moves of a batch, from this machine's disk; None where they are not there."""
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
    """The values of the positions of some runs of a part: uint16[n] for each.

    They are those that are written down, or those after so many passes.
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
    """What goes back to the batch that asked as the one with this number."""
    return answers[number]


class Pass(NamedTuple):
    """What is done in a pass over a tier."""

    number: int
    """Counted from 1."""
    level: int
    """The remoteness that positions may get."""
    drawing: bool
    """Whether wins and losses are all known, and draws are valued."""


FAR = 1 << 20
"""More than any remoteness."""


class Valued(NamedTuple):
    """What is known of a batch that has values."""

    totals: tuple[int, int, int, int]
    """Positions won, lost, drawn, symmetric ones counted each; the largest remoteness."""
    size: int
    """Bytes of the values."""


def value(job: Job, tier: int, part: int, batch: int, parts: Parts, answers: Mapping[Place, Shorts]) -> Valued:
    """Value the positions of a batch, whose moves lead to later tiers, and write the values."""
    machine = machine_of(job)
    native, run = _tier(machine, tier, part, batch, parts, answers)
    if runtime.compiled_entry(retrograde.value_from_later)(native, 0, run.count, 0):
        raise _too_long()
    return _written(machine, tier, part, batch, run, native)


def value_pass(job: Job, tier: int, part: int, batch: int, parts: Parts, answers: Mapping[Place, Shorts],
               asked: Pass) -> tuple[int, int]:
    """Value the positions of a batch that get a remoteness, of a tier with moves within it; how many did, and the least
    greater remoteness that one may get by what is known, or `FAR`."""
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
    """Write the values of a batch after all passes: positions that have none are draws without an end."""
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
    """A batch as the kernel values it; runs that nobody answered for have open values."""
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
    """Write the values of a batch, and add them up."""
    totals = np.zeros(4, np.int64)
    runtime.compiled_entry(retrograde.add_up)(native.keys, machine.fields, native.values, run.sames(),
                                              len(machine.elements), run.count, totals)
    win, lose, draw, longest = totals.tolist()
    size = files.write_values(machine.store, files.values_name(tier, part, batch), native.values)
    return Valued((win, lose, draw, longest), size)


def _too_long() -> TooLarge:
    return TooLarge(f"a game is longer than {LONGEST:,} moves under best play")
