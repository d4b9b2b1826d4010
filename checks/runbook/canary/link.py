"""A canary's flight over a link during a drill: begin, move with the clients, land, and say what was lost."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import structs

from runbook.canary.child import Child, deadline
from runbook.canary.link_records import Doubts, LossMeasurements
from runbook.canary.messages import CanaryReport
from runbook.canary.processes import START, CanaryProcesses, ago, doubt
from runbook.model import moment
from runbook.model.canary import Canary
from runbook.procedure.walk_record import Measured

SETTLE = (
    15.0  # seconds without a new record after which nothing more is expected to come through the link. Our judgement
)
TAKEN = 30.0  # seconds in which the target must take a first record, and give it back. Our judgement

Say = Callable[[str], None]


class LinkCanary:
    """One canary, for one drill."""

    def __init__(
        self, canary: Canary, source: tuple[str, Mapping[str, Any]], target: tuple[str, Mapping[str, Any]]
    ) -> None:
        """Prepare; nothing is sent yet. Both sites are given by name and Kafka settings, secrets as references."""
        self._canary = canary
        self.source, self.target = source[0], target[0]
        self._crew = CanaryProcesses(canary)
        self.mark = self._crew.mark
        self._settings = {
            self.source: {**source[1], **canary.source},
            self.target: {**target[1], **canary.target},
        }
        self._ledger = LossMeasurements()
        self._lock = threading.Lock()
        self._last = time.monotonic()
        self._sender: Child | None = None
        self._taker: Child | None = None
        self._reader: Child | None = None
        self._lost = ""

    def begin(self, say: Say) -> None:
        """Make the topics, begin to write at the source, and wait until a first record comes through the link.

        That it does not come is no error: the figures that need it are unknown then.

        Raises:
            CannotLook: a topic can't be made, or a site can't be reached; nothing of it is left, as far as known.
        """
        left = deadline(START)
        crew, there = self._crew, f"{self.mark}-target"
        # The source first: it is cleaned up first then, and what the link copies is not copied again.
        self._sender = crew.writer(self.source, self._settings[self.source], self.mark, self._sent)
        self._taker = crew.writer(self.target, self._settings[self.target], there, self._taken)
        for child, site in ((self._sender, self.source), (self._taker, self.target)):
            crew.await_ready(child, "write", site, left())
        if self._sender.made.cluster == self._taker.made.cluster:
            crew.refuse(f"{self.source} and {self.target} are one cluster: what is written there is never lost")
        self._reader = crew.reader(self._settings[self.target], there, self._came)
        crew.await_ready(self._reader, "read", self.target, left())
        self._sender.say("go")
        self._await_first(say)

    def _await_first(self, say: Say) -> None:
        patience = self._canary.wait * 60.0
        began, left = time.monotonic(), deadline(patience)
        while left() and not self._ledger.copies and not self._reader_gone():
            say(f"the canary waits for its first record to come through the link: {time.monotonic() - began:.0f} s")
            time.sleep(0.2)
        if not self._ledger.copies:
            self._lost = f"no record came through the link in {self._canary.wait} min"

    def _reader_gone(self) -> bool:
        return self._reader is None or bool(self._reader.why)

    def switch(self) -> str:
        """Move with the clients: write at the target from now on."""
        with self._lock:
            move = self._ledger.switched is None
            if move:
                self._ledger.switched = time.monotonic()
        if move and self._sender and self._taker:
            self._taker.say("go")
            self._sender.say("stop")
        return "the canary moves with the producers"

    def status(self) -> str:
        """How it goes, in a line."""
        with self._lock:
            ledger, now = self._ledger, time.monotonic()
            here = f"{len(ledger.sent):,} records acknowledged at {self.source}{ago(ledger.sent.values(), now)}"
            there = f"{len(ledger.sent.keys() & ledger.copies.keys()):,} of them read at {self.target}"
            moved = f"; {len(ledger.taken):,} acknowledged at {self.target}" if ledger.switched is not None else ""
        return f"canary: {here}, {there}{moved}{f'; {self._lost}' if self._lost else ''}"

    def measure(self, say: Say) -> Measured:
        """End it: stop writing, read what is left, remove the topics; give the figures, as far as they are known."""
        sender, taker, reader = self._sender, self._taker, self._reader
        if sender is None or taker is None or reader is None:
            return self.abandon("the canary did not begin")
        moved = self._ledger.switched is not None
        if moved:
            self._await_target(taker, say)
        for child in (sender, taker):
            child.say("stop")
        ended = [sender.wait("ended", 15), taker.wait("ended", 15) or not moved]
        self._settle(say)
        reader.say("stop")
        complete = reader.wait("ended", 60)
        doubts = Doubts(
            sent=doubt(sender, f"the canary's writer at {self.source}", ended=ended[0]),
            copied=doubt(reader, f"the canary's reader at {self.target}", ended=complete),
            moved=doubt(taker, f"the canary's writer at {self.target}", ended=ended[1]) if moved else "",
        )
        with self._lock:
            if self._lost and not self._ledger.copies and not reader.why:
                doubts.copied = self._lost
            measured = self._ledger.measured(moment.now(), doubts)
        say("the canary removes its topics")
        return structs.replace(measured, left=self.land())

    def _await_target(self, taker: Child, say: Say) -> None:
        """Wait until a record that was written at the target was read there; without it there is no figure."""
        left = deadline(TAKEN)
        while left() and not taker.why and not self._reader_gone():
            with self._lock:
                if self._ledger.taken and self._ledger.read:
                    return
            say(f"the canary waits for its first record at {self.target}")
            time.sleep(0.2)

    def _settle(self, say: Say) -> None:
        """Wait while records still come through the link."""
        with self._lock:
            self._last = max(self._last, time.monotonic() - SETTLE / 3)
        while time.monotonic() < self._last + SETTLE and not self._reader_gone():
            with self._lock:
                lacking = len(self._ledger.lacking()) if self._ledger.copies else 0
            if not lacking:
                return
            say(f"the canary waits for {lacking:,} records that may still come through the link")
            time.sleep(0.2)

    def abandon(self, reason: str) -> Measured:
        """End it before its time: nothing is known then."""
        with self._lock:
            measured = self._ledger.unmeasured(moment.now(), reason)
        return structs.replace(measured, left=self.land())

    def land(self) -> list[str]:
        """End everything and remove the topics; gives those that are left, with their site."""
        self._sender = self._taker = self._reader = None
        return self._crew.land()

    def _sent(self, report: CanaryReport) -> None:
        with self._lock:
            self._ledger.sent.update(report.records)

    def _taken(self, report: CanaryReport) -> None:
        with self._lock:
            self._ledger.taken.update(report.records)

    def _came(self, report: CanaryReport) -> None:
        with self._lock:
            if report.kind == "read":
                self._ledger.read += [time for _, time in report.records]
                return
            self._last = time.monotonic()
            self._ledger.copies.update(number for number, _ in report.records)
            self._ledger.copied += [at for _, at in report.records]
