"""A canary in one environment during a drill: it writes and reads in one place from the beginning to the end."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import structs

from runbook.canary.child import Child, deadline
from runbook.canary.link_records import Doubts
from runbook.canary.messages import CanaryReport, Made
from runbook.canary.processes import START, CanaryProcesses, ago, doubt
from runbook.canary.single_cluster_records import GOING_ON, OutageMeasurements
from runbook.model import moment
from runbook.model.canary import CanaryHere
from runbook.procedure.walk_record import Measured

TAKE_OFF = 30.0  # seconds in which every partition must take records and give them back. Our judgement
GO_ON = 30.0  # the same, after the last step of the drill: clients may still be finding a new leader. Our judgement
SETTLE = 15.0  # seconds in which what was acknowledged must be readable, beside those of reading to the end. Likewise

Say = Callable[[str], None]


class SingleClusterCanary:
    """One canary, for one drill of one environment."""

    def __init__(self, canary: CanaryHere, name: str, settings: Mapping[str, Any]) -> None:
        """Prepare; nothing is sent yet. The environment is given by name and Kafka settings, secrets as references."""
        self._canary = canary
        self.name = name
        self._settings = {**settings, **canary.kafka}
        self._crew = CanaryProcesses(canary, alone=True)
        self.mark = self._crew.mark
        self._stay = OutageMeasurements()
        self._lock = threading.Lock()
        self._writer: Child | None = None
        self._reader: Child | None = None

    def begin(self, say: Say) -> None:
        """Make the topic, and begin to write and read; wait until every partition takes part.

        Raises:
            CannotLook: it can't be made, or not all of it can be written and read; nothing is left, as far as known.
        """
        left, crew = deadline(START), self._crew
        self._writer = crew.writer(self.name, self._settings, self.mark, self._sent)
        crew.await_ready(self._writer, "write", self.name, left())
        self._stay.partitions = self._writer.made.partitions
        self._reader = crew.reader(self._settings, self.mark, self._came)
        crew.await_ready(self._reader, "read", self.name, left())
        self._writer.say("go")
        self._until(self._stay.took_off, self._long(TAKE_OFF), "the canary waits for its first records", say)
        with self._lock:
            flies = self._stay.took_off()
            self._stay.began = time.monotonic()
        if not flies:
            why = self._writer.why or self._reader.why or f"not every partition took {GOING_ON} records and gave them"
            crew.refuse(f"the canary can't write and read at {self.name}: {why}")

    def switch(self) -> str:
        """There is nowhere to go; says so."""
        return "the canary stays where it is: the drill is of one environment"

    def status(self) -> str:
        """How it goes, in a line."""
        with self._lock:
            sent, read, now = self._stay.sent, self._stay.read, time.monotonic()
            acknowledged = f"{len(sent):,} records acknowledged{ago(sent.values(), now)}, {len(read):,} read"
            return f"canary: {acknowledged}{ago(read.values(), now)}"

    def measure(self, say: Say) -> Measured:
        """End it: see that writing and reading go on, stop, read what is left, remove the topic; give the figures."""
        writer, reader = self._writer, self._reader
        if writer is None or reader is None:
            return self.abandon("the canary did not begin")
        with self._lock:
            self._stay.landing = time.monotonic()
        self._until(self._stay.went_on, self._long(GO_ON), "the canary waits for every partition to go on", say)
        writer.say("stop")
        written = writer.wait("ended", 15)
        self._until(self._whole, SETTLE, "the canary waits for acknowledged records that it has not read", say)
        reader.say("stop")
        complete = reader.wait("ended", 60)
        doubts = Doubts(
            sent=doubt(writer, "the canary's writer", ended=written),
            copied=doubt(reader, "the canary's reader", ended=complete),
        )
        with self._lock:
            measured = self._stay.measured(moment.now(), doubts, self.caveats(writer.made))
        say("the canary removes its topic")
        return structs.replace(measured, left=self.land())

    def caveats(self, made: Made) -> list[str]:
        """What the figures do not show, as the canary or its topic is weaker than it could be."""
        found = []
        if self._canary.acks != "all":
            found.append("acks=1: nothing follows for producers that wait for all copies in sync (acks=all)")
        elif not made.insisted:
            found.append(f"its topic has {made.copies} copies: one broker alone may have acknowledged a record")
        if made.idle:
            some = ", ".join(str(broker) for broker in made.idle)
            found.append(f"brokers {some} led no partition of its topic: stopping one of these interrupts nothing")
        return found

    def abandon(self, reason: str) -> Measured:
        """End it before its time: nothing is known then."""
        with self._lock:
            measured = self._stay.unmeasured(moment.now(), reason)
        return structs.replace(measured, left=self.land())

    def land(self) -> list[str]:
        """End everything and remove the topic; gives it with its place if it is left."""
        self._writer = self._reader = None
        return self._crew.land()

    def _long(self, seconds: float) -> float:
        """So long, and the time in which every partition is written to often enough besides."""
        return seconds + GOING_ON * self._stay.partitions / self._canary.rate

    def _until(self, done: Callable[[], bool], seconds: float, words: str, say: Say) -> None:
        """Wait so long at most until something is so, or can't come to be any more."""
        left = deadline(seconds)
        while left() and not self._gone():
            with self._lock:
                if done():
                    return
            say(words)
            time.sleep(0.2)

    def _gone(self) -> bool:
        return any(child is None or bool(child.why) for child in (self._writer, self._reader))

    def _whole(self) -> bool:
        return not self._stay.lacking()

    def _sent(self, report: CanaryReport) -> None:
        with self._lock:
            self._stay.sent.update(report.records)

    def _came(self, report: CanaryReport) -> None:
        with self._lock:
            self._stay.copies.update(number for number, _ in report.records)
            for number, at in report.records:
                self._stay.read.setdefault(number, at)
