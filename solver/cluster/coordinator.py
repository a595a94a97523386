"""The coordinator: has tiers enumerated from the first to the last, and valued from the last to the first.

All results are in the store: the positions of a tier's parts, then their values. `work/tier-T.json` is written once all
parts of a tier are stored and the parts of their successors are known. So whatever stops the coordinator or a worker,
the same command resumes with the recorded tiers, and with those parts of the next tier that are stored already.
"""

from __future__ import annotations

import json
import secrets
import shutil
import time
from collections.abc import Callable
from typing import TypeAlias

import attrs

from solver.cluster import files, steps
from solver.cluster.containers import Object
from solver.cluster.executors import Executor, Handle
from solver.cluster.job import FORMAT, Job, scratch_folder
from solver.cluster.runs import Run
from solver.cluster.steps import Parts, Place, Valued
from solver.cluster.store import Store
from solver.errors import Refused
from solver.tables.enumeration import OutOfOrder
from solver.tables.valuation import Totals

MANIFEST = "solution.json"
WORK = "work/job.json"
PART = 1 << 20
"""The approximate number of positions per part."""
MOST_PARTS = 1 << 10
FIRST_PARTS = 16
"""The largest number of parts of the first tier where moves may stay within a tier: its size is not known then."""
Sending: TypeAlias = "dict[tuple[int, int], tuple[Handle, dict[Place, int]]]"
"""For each (part, batch) of a tier: the handle of its successors (`steps.Sent`), and how many go to each place."""
Tell = Callable[[int, int, str], None]
"""Called with the number of positions done, the number known, and a text that says what is being done."""


@attrs.define
class TierRecord:
    """The sizes of an enumerated tier, and where its moves lead."""

    number: int
    parts: int
    counts: dict[int, int] = attrs.field(factory=dict)
    """The number of positions in each part that is not empty."""
    later: dict[int, int] = attrs.field(factory=dict)
    """The tiers that moves lead to, with their numbers of parts."""
    edges: int = 0

    @property
    def positions(self) -> int:
        """The number of positions in all parts."""
        return sum(self.counts.values())

    def as_object(self) -> Object:
        """The record as JSON."""
        return {"number": self.number, "parts": self.parts, "edges": self.edges,
                "counts": sorted(self.counts.items()), "later": sorted(self.later.items())}

    @classmethod
    def of_object(cls, result: Object) -> TierRecord:
        """The record from JSON."""
        return cls(result["number"], result["parts"], dict(map(tuple, result["counts"])),
                   dict(map(tuple, result["later"])), result["edges"])


@attrs.define(eq=False)
class Coordinator:
    """Solves the game of a job with steps that an executor runs."""

    job: Job
    store: Store
    executor: Executor
    tell: Tell = lambda done, known, phase: None
    part: int = PART
    acyclic: bool = True
    """Whether it is proven that no position can repeat."""
    tiers: dict[int, TierRecord] = attrs.field(factory=dict)
    """The enumerated tiers, by number."""
    parts: dict[int, int] = attrs.field(factory=dict)
    """The number of parts of each tier that was reached."""
    totals: Totals = attrs.field(factory=Totals)
    resumed: int = 0
    """The number of positions that earlier runs enumerated."""
    size: int = 0
    _sent: dict[int, Sending] = attrs.field(factory=dict)
    _done: int = 0
    _started: float = 0.0

    def run(self) -> None:
        """Enumerate and value all tiers, and write the manifest; resumes what an earlier run left in the store.

        Raises Refused, RuleError, TooLarge, OutOfOrder, OSError; the store is kept then.
        """
        self._begin()
        self._enumerate()
        self._value()
        self._finish()

    # ---- the store

    def _begin(self) -> None:
        about = {"format": FORMAT, "identity": json.loads(self.job.identity), "flat": self.job.flat,
                 "part": self.part, "batch": self.job.batch}
        if self.store.exists(WORK):
            result = self.store.read_object(WORK)
            scratch = result.pop("scratch", "")
            if result != about:
                raise Refused(f"{self.store.url} holds the unfinished solution of another game, other params, another "
                              "position or another version: save to another folder, or remove it to begin anew")
        elif self.store.names():
            raise Refused(f"{self.store.url} is not empty, and holds no unfinished solution: save to another folder")
        else:
            scratch = f"dslgame-{secrets.token_urlsafe(9)}"
            self.store.write_object(WORK, {**about, "scratch": scratch})
        self.job = attrs.evolve(self.job, scratch=scratch)
        if self.store.local:  # a network file system may start threads, which forked processes would lack
            self.executor.prepare(steps.prepare, self.job)
        for name in self.store.names("work"):
            if name.startswith("work/tier-"):
                record = TierRecord.of_object(self.store.read_object(name))
                self.tiers[record.number] = record
                self.parts |= record.later
                self.parts[record.number] = record.parts
        self.resumed = self.positions
        self._started = time.monotonic()

    @property
    def positions(self) -> int:
        """The number of positions in all enumerated tiers."""
        return sum(tier.positions for tier in self.tiers.values())

    # ---- forward

    def _enumerate(self) -> None:
        asked = self.executor.submit(steps.root_run, self.job, MOST_PARTS)
        root_tier, root_part, root = next(iter(self.executor.results([asked])))[1]
        first = 1 if self.job.strict else min(FIRST_PARTS, parts_for(1 << self.job.bits, self.part))
        self.parts.setdefault(root_tier, first)
        waiting = {root_tier, *self.parts} - set(self.tiers)
        for tier in sorted(self.tiers):
            if waiting & set(self.tiers[tier].later):
                self._have_sent(tier)
        while waiting:
            tier = min(waiting)
            self._merge(tier, {root_part % self.parts[tier]: root} if tier == root_tier else {})
            if not self.job.strict:
                self._close(self.tiers[tier])
            self._have_sent(tier)
            waiting = set(self.parts) - set(self.tiers)
            self._forget(waiting)

    def _merge(self, tier: int, root: dict[int, Run]) -> None:
        record = TierRecord(tier, self.parts[tier])
        handles = {}
        for part in range(record.parts):
            sources: list[Handle | Run] = [root[part]] if part in root else []
            sources += self._sources((tier, part))
            if sources and not self.store.exists(files.keys_name(tier, part)):
                handles[self.executor.submit(steps.merge, self.job, tier, part, sources)] = part
            elif sources:
                record.counts[part] = files.count_of(self.store, files.keys_name(tier, part))
        for handle, count in self.executor.results(list(handles)):
            record.counts[handles[handle]] = count
            self._tell_forward(record.positions, f"tier {tier}")
        self.tiers[tier] = record

    def _close(self, record: TierRecord) -> None:
        """Close a tier under its own moves: add the successors within the tier, turn by turn, until none is new.

        Parts that an earlier run left are expanded again from the start, since it is not known how far that run got
        with them; the result is the same.
        """
        tier = record.number
        self._remove_work(f"new-{tier}-")
        for part in range(record.parts):
            if part not in record.counts and self.store.exists(files.keys_name(tier, part)):
                record.counts[part] = files.count_of(self.store, files.keys_name(tier, part))
        parts = Parts(((tier, record.parts),), 1)
        newest, turn = dict(record.counts), 0
        while newest:
            handles = {}
            for part, count in sorted(newest.items()):
                for batch in range(-(-count // self.job.batch)):
                    handle = self.executor.submit(steps.spread, self.job, tier, part, turn, batch, parts)
                    handles[self.executor.derive(steps.sizes_of, handle)] = handle
            sources: dict[int, list[Handle]] = {}
            for asked, (sizes, _) in self.executor.results(list(handles)):
                for place in sizes:
                    sources.setdefault(place[1], []).append(self.executor.derive(steps.pick, handles[asked], place))
            turn += 1
            extended = {self.executor.submit(steps.extend, self.job, tier, part, turn, result): part
                        for part, result in sorted(sources.items())}
            newest = {}
            for handle, (new, count) in self.executor.results(list(extended)):
                record.counts[extended[handle]] = count
                if new:
                    newest[extended[handle]] = new
            self._tell_forward(0, f"tier {tier}, turn {turn}")
        self._remove_work(f"new-{tier}-")

    def _remove_work(self, start: str) -> None:
        for name in self.store.names("work"):
            if name.startswith(f"work/{start}"):
                self.store.remove(name)

    def _sources(self, place: Place) -> list[Handle | Run]:
        """Handles of the runs that the enumerated tiers send to a part; the runs stay with the workers."""
        result = []
        for sent in self._sent.values():
            for handle, sizes in sent.values():
                if place in sizes:
                    result.append(handle if len(sizes) == 1 else self.executor.derive(steps.pick, handle, place))
        return result

    def _have_sent(self, tier: int) -> None:
        """Have a tier's positions expanded, and write its record once it is known to which parts the successors go."""
        record = self.tiers[tier]
        if tier in self._sent:
            return
        known = Parts(tuple(sorted((number, parts) for number, parts in self.parts.items() if number in record.later)),
                      parts_for(record.positions, self.part)) if record.later else Parts(
                          tuple(sorted(self.parts.items())), parts_for(record.positions, self.part))
        handles = {}
        for part, count in sorted(record.counts.items()):
            for batch in range(-(-count // self.job.batch)):
                handle = self.executor.submit(steps.successors, self.job, tier, part, batch, known)
                handles[self.executor.derive(steps.sizes_of, handle)] = part, batch, handle
        sent: Sending = {}
        edges, later = 0, dict[int, int]()
        for asked, (sizes, many) in self.executor.results(list(handles)):
            part, batch, handle = handles[asked]
            sent[part, batch] = handle, sizes
            edges += many
            for number, _ in sizes:
                if number < tier:
                    raise OutOfOrder
                later[number] = known.of(number)
            self._tell_forward(0, f"moves of tier {tier}")
        self._sent[tier] = dict(sorted(sent.items()))
        if not self.store.exists(_record_name(tier)):
            record.later, record.edges = later, edges
            self.parts |= later
            self.store.write_object(_record_name(tier), record.as_object())

    def _forget(self, waiting: set[int]) -> None:
        """Drop the successors of tiers whose moves lead to no waiting tier."""
        for tier in list(self._sent):
            if not waiting & set(self.tiers[tier].later):
                del self._sent[tier]

    def _tell_forward(self, more: int, what: str) -> None:
        known = self.positions + more
        rate = (known - self.resumed) / max(1e-3, time.monotonic() - self._started)
        self.tell(known, known, f"enumerating {what}, {rate:,.0f} positions a second")

    # ---- backward

    def _value(self) -> None:
        self._sent.clear()
        self._done, self._started, first = 0, time.monotonic(), 0
        for tier in sorted(self.tiers, reverse=True):
            record = self.tiers[tier]
            name = f"work/valued-{tier}.json"
            if self.store.exists(name):
                result = self.store.read_object(name)
                first += record.positions
            else:
                result = self._value_tier(record)
                self.store.write_object(name, result)
            self.totals.add(Totals(*result["totals"]))
            self._done += record.positions
            rate = (self._done - first) / max(1e-3, time.monotonic() - self._started)
            left = (self.positions - self._done) / max(1.0, rate)
            self.tell(self._done, self.positions, f"valuing positions, {self._done / self.positions:.0%}, "
                                                  f"{rate:,.0f} a second, {left:,.0f} s left")

    def _value_tier(self, record: TierRecord) -> Object:
        self._have_sent(record.number)
        sent = self._sent.pop(record.number)
        tier, parts = record.number, Parts(tuple(sorted(record.later.items())), 1)
        replies = self._answers(sent, {number for number in record.later if number != tier})
        if tier in record.later:
            passes = self._value_by_passes(tier, sent, replies, parts)
            handles = [self.executor.submit(steps.settle, self.job, tier, part, batch, passes) for part, batch in sent]
        else:
            handles = [self.executor.submit(steps.value, self.job, tier, part, batch, parts, replies[part, batch])
                       for part, batch in sent]
        del sent, replies
        totals, size = Totals(), 0
        for _, result in self.executor.results(handles):
            assert isinstance(result, Valued)
            totals.add(Totals(*result.totals))
            size += result.size
        self._remove_work(f"pass-{tier}-")
        return {"totals": [totals.win, totals.lose, totals.draw, totals.longest], "bytes": size}

    def _answers(self, sent: Sending, tiers: set[int], passes: int = 0) -> dict[tuple[int, int], dict[Place, Handle]]:
        """For each batch the handles of its successors' values in some tiers."""
        asking: dict[Place, list[tuple[int, int]]] = {}
        for batch, (_, sizes) in sent.items():
            for place in sizes:
                if place[0] in tiers:
                    asking.setdefault(place, []).append(batch)
        replies: dict[tuple[int, int], dict[Place, Handle]] = {batch: {} for batch in sent}
        for place, batches in asking.items():
            sources = [sent[batch][0] if len(sent[batch][1]) == 1 else
                       self.executor.derive(steps.pick, sent[batch][0], place) for batch in batches]
            answers = self.executor.submit(steps.answer, self.job, *place, sources, passes)
            for number, batch in enumerate(batches):
                replies[batch][place] = self.executor.derive(steps.pick_answer, answers, number)
        return replies

    def _value_by_passes(self, tier: int, sent: Sending, later: dict[tuple[int, int], dict[Place, Handle]],
                         parts: Parts) -> int:
        """Value a tier with moves within it by passes, remoteness by remoteness: first wins and losses, then draws;
        return the number of passes."""
        number, level, drawing = 0, 0, False
        while True:
            own = self._answers(sent, {tier}, number) if number else {batch: {} for batch in sent}
            number += 1
            asked = steps.Pass(number, level, drawing)
            handles = [self.executor.submit(steps.value_pass, self.job, tier, *batch, parts,
                                        {**later[batch], **own[batch]}, asked) for batch in sent]
            del own
            valued, pending = 0, steps.FAR
            for _, (count, least) in self.executor.results(handles):
                valued, pending = valued + count, min(pending, least)
            self._remove_work_of_pass(tier, number - 1)
            self.tell(self._done, self.positions, f"valuing tier {tier}, pass {number}")
            if valued:
                level += 1
            elif pending < steps.FAR:
                level = pending
            elif drawing:
                return number
            else:
                level, drawing = 0, True

    def _remove_work_of_pass(self, tier: int, number: int) -> None:
        for name in self.store.names("work"):
            if name.startswith(f"work/pass-{tier}-") and name.endswith(f"-{number}.values"):
                self.store.remove(name)

    # ---- the end

    def _finish(self) -> None:
        identity = json.loads(self.job.identity)
        tally = {"win": self.totals.win, "lose": self.totals.lose, "draw": self.totals.draw}
        self.store.write_object(MANIFEST, {
            "format": FORMAT, "identity": identity, "source": self.job.source, "name": self.job.name,
            "flat": self.job.flat, "batch": self.job.batch, "positions": sum(tally.values()),
            "positions_merged": self.positions, "edges": sum(tier.edges for tier in self.tiers.values()),
            "tally": tally, "longest": self.totals.longest,
            "cyclic": not self.acyclic and any(tier.number in tier.later for tier in self.tiers.values()),
            "tiers": [{"number": tier.number, "parts": tier.parts, "counts": sorted(tier.counts.items())}
                      for _, tier in sorted(self.tiers.items())]})
        self.store.remove_halves()
        self.store.remove("work")
        self.executor.everywhere(forget_scratch, self.job)


def forget_scratch(job: Job) -> None:
    """Remove a job's scratch folder on this machine."""
    shutil.rmtree(scratch_folder(job), ignore_errors=True)


def _record_name(tier: int) -> str:
    return f"work/tier-{tier}.json"


def parts_for(positions: int, size: int) -> int:
    """The number of parts of tiers that are first reached from a tier with this many positions: a power of two, so that
    a part of that tier would have at most `size` positions, but `MOST_PARTS` at most."""
    parts = 1
    while parts < MOST_PARTS and positions > parts * size:
        parts *= 2
    return parts
