"""How a canary's processes are told what to do, and what they tell: lines of JSON over standard input and output."""

import os
import queue
import sys
import threading
from typing import Any, Literal

import msgspec
from msgspec import Struct

from runbook.model.measurement import Consumed, Produced, Trial
from runbook.safety.redaction import Redaction


class Made(Struct, frozen=True, omit_defaults=True):
    """A topic that was made.

    Attributes:
        cluster: the id of the cluster in which it is.
        partitions: how many it has.
        copies: of each partition.
        insisted: whether two of these have to be in sync for an acknowledgement, by the topic's own setting.
        idle: brokers that were not given a partition to lead.
        swept: topics of earlier measurements that were removed; `standing` those of one that may still go on.
    """

    cluster: str = ""
    partitions: int = 0
    copies: int = 0
    insisted: bool = False
    idle: list[int] = []
    swept: list[str] = []
    standing: list[str] = []


class CanaryJob(Struct, frozen=True, kw_only=True):
    """What one process is for: the first line that it is told.

    Attributes:
        role: writer or reader of a drill; load or sink of a measurement; cleaner, which only removes topics.
        settings: of the Kafka connection, secrets as references.
        topic: that it writes to; that which was written at the target, for the reader.
        mark: what the names of all topics of this drill hold, and no others do.
        acks, rate, size, seconds: how the writer writes, and for how long at most.
        alone: whether the topic is read where it is written, and no link copies it.
        trials: what a measurement does, in this order.
        cluster: the id that its cluster must have; "": any.
    """

    role: Literal["writer", "reader", "load", "sink", "cleaner"]
    settings: dict[str, Any]
    topic: str
    mark: str
    acks: str = "all"
    rate: int = 1
    size: int = 64
    seconds: float = 60.0
    alone: bool = False
    trials: list[Trial] = []
    cluster: str = ""


class CanaryReport(Struct, frozen=True, omit_defaults=True):
    """One thing that a process tells.

    Attributes:
        kind: creating (a topic is about to be asked for: from then on it may be there), ready, acknowledged, copied
            (records of the source, read at the target), read (records that were read where they were written), measured
            (a trial is over), ended (nothing more comes), cleaned, or failed.
        why: of `failed`, and of `ended` where what it told is not all there is.
        records: numbers and times of records.
        left: topics that could not be removed.
        made: of `ready`, the topic that the writer made.
        written, seen: of `measured`, what the producer and the consumer saw of a trial.
    """

    kind: Literal["creating", "ready", "acknowledged", "copied", "read", "measured", "ended", "cleaned", "failed"]
    why: str = ""
    records: list[tuple[int, float]] = []
    left: list[str] = []
    made: Made | None = None
    written: Produced | None = None
    seen: Consumed | None = None


class ParentLine:
    """The line to the process that started this one. When that is gone, it is as if it had said `stop` and `clean`."""

    def __init__(self) -> None:
        """Take over standard input and output; what libraries print by themselves goes nowhere."""
        self._out = os.fdopen(os.dup(1), "wb")
        silence = os.open(os.devnull, os.O_WRONLY)
        for descriptor in (1, 2):
            os.dup2(silence, descriptor)
        self._lock = threading.Lock()
        self._words: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.redaction = Redaction([])

    def job(self) -> CanaryJob:
        """The first line; after it, words are listened for."""
        job = msgspec.json.decode(sys.stdin.buffer.readline(), type=CanaryJob)
        threading.Thread(target=self._listen, daemon=True).start()
        return job

    def _listen(self) -> None:
        for line in sys.stdin.buffer:
            self._words.put(line.decode().strip())
        for word in ("stop", "clean"):
            self._words.put(word)

    def heard(self, word: str, seconds: float = 0.0) -> bool:
        """Wait so long at most for a word; whether it came."""
        try:
            return self._words.get(timeout=seconds) == word if seconds else self._words.get_nowait() == word
        except queue.Empty:
            return False

    def said(self) -> str:
        """A word that came; "" if none did."""
        try:
            return self._words.get_nowait()
        except queue.Empty:
            return ""

    def wait(self) -> str:
        """Wait for the next word, as long as it takes."""
        return self._words.get()

    def tell(self, report: CanaryReport) -> None:
        """Tell one thing, without secrets."""
        plain = self.redaction.record(report) if report.why or report.left else report
        with self._lock:
            try:
                self._out.write(msgspec.json.encode(plain) + b"\n")
                self._out.flush()
            except BrokenPipeError:
                return  # nobody listens any more: what is left is to clean up
