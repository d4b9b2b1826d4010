"""A measurement: writes and reads trials on topics of its own, and removes these however it ends."""

import queue
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self

from msgspec import structs

from runbook.canary.child import Child, deadline
from runbook.canary.leftovers import marked
from runbook.canary.messages import CanaryJob, CanaryReport, Made
from runbook.canary.processes import REMOVE, START
from runbook.model.canary import Load
from runbook.model.errors import CannotLook
from runbook.model.measurement import ProducerSetting, Repetition, Trial

_PATIENCE = 15.0  # seconds beyond those of a trial after which its processes count as hung. Our judgement
DRAIN = 10.0  # seconds in which what was sent must be acknowledged, and then be read. Our judgement
DRAIN_OUTAGE = 30.0  # the same, where a leader may have to be found
WARM = 1.0  # seconds at the beginning of a trial that no figure counts: connections, first batches. Our judgement

Say = Callable[[str], None]


def planned(
    settings: Sequence[ProducerSetting], repeat: int, rate: Callable[[ProducerSetting], float], seconds: float
) -> list[Trial]:
    """The trials of a comparison: all settings in turn, as often as asked, so that what drifts drifts for all."""
    warm = min(WARM, seconds / 3)
    return [
        Trial(
            number=number,
            setting=of,
            topic="",
            rate=wanted,
            seconds=seconds,
            records=max(1, int(wanted * seconds)),
            warm=int(wanted * warm),
            drain=DRAIN,
        )
        for number, (of, wanted) in enumerate([(setting, rate(setting)) for setting in settings] * repeat)
    ]


def steady(setting: ProducerSetting, rate: float, seconds: float) -> Trial:
    """The one trial of numbered records that are spread over partitions in turn, and of which all count."""
    records = max(1, int(rate * seconds))
    return Trial(
        number=0,
        setting=setting,
        topic="",
        rate=rate,
        seconds=seconds,
        records=records,
        spread=True,
        drain=DRAIN_OUTAGE,
    )


def longest(trials: Sequence[Trial]) -> float:
    """Seconds that they can take together, with what comes before and after."""
    return START + REMOVE + sum(trial.seconds + 2 * trial.drain + 2 for trial in trials)


class LoadRun:
    """One run. Use it in a `with`, whose end removes the topics."""

    def __init__(self, consent: Load, settings: Mapping[str, Any], trials: Sequence[Trial], cluster: str = "") -> None:
        """Prepare; nothing is sent yet. Kafka settings hold secrets as references; `cluster` is the id it must have."""
        self.mark = marked(consent.topic, longest(trials))
        self.trials = [structs.replace(trial, topic=f"{self.mark}-{trial.setting.partitions}") for trial in trials]
        self.made = Made()
        self.left: list[str] = []
        self.interrupted = False
        self._left = deadline(longest(trials) - REMOVE)
        self._job = CanaryJob(
            role="load",
            settings={**settings, **consent.kafka},
            topic=consent.topic,
            mark=self.mark,
            trials=self.trials,
            cluster=cluster,
        )
        self._reports: queue.SimpleQueue[CanaryReport] = queue.SimpleQueue()
        self._writer: Child | None = None
        self._reader: Child | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.land()

    def begin(self) -> None:
        """Make the topics, and be ready to write and read.

        Raises:
            CannotLook: it can't be done; topics that were made are removed at the end of the `with`.
        """
        left = deadline(START)
        self._writer = self._ready("load", "write", left())
        self.made = self._writer.made
        self._reader = self._ready("sink", "read", left())

    def _ready(self, role: Any, can: str, seconds: float) -> Child:
        child = Child(structs.replace(self._job, role=role), self._reports.put)
        if role == "load":
            self._writer = child
        if not child.wait("ready", seconds):
            raise CannotLook(f"can't {can} there: {child.why or f'it was not ready in {START:g} s'}")
        return child

    def repetitions(self, say: Say) -> Iterator[Repetition]:
        """Run the trials; ends early when a process is gone, with the reason in the last repetition.

        A Ctrl-C ends the trial that goes on, with what was seen until then; a second one ends that too.

        Raises:
            KeyboardInterrupt: the second one.
        """
        for trial in self.trials:
            try:
                repetition = self._run(trial, say)
            except KeyboardInterrupt:
                assert self._writer is not None
                self._writer.say("stop")
                self.interrupted = True
                repetition = self._run(trial, say, begin=False)
            yield repetition
            if self.interrupted or repetition.written is None or repetition.read is None:
                return

    def _run(self, trial: Trial, say: Say, *, begin: bool = True) -> Repetition:
        writer, reader = self._writer, self._reader
        assert writer is not None
        assert reader is not None
        begun = time.monotonic()

        def progress() -> None:
            what = f"measurement {trial.number + 1} of {len(self.trials)}"
            say(f"{what}: {min(time.monotonic() - begun, trial.seconds):.0f} of {trial.seconds:g} s")

        if begin:
            writer.say("go")
        first = self._report(writer, trial.seconds + trial.drain + _PATIENCE, progress)
        if first is None or first.written is None:
            return Repetition(trial=trial, why=_gone("producer", writer))
        reader.say(f"sent {first.written.sent}")
        second = self._report(reader, trial.drain + _PATIENCE, progress)
        seen = None if second is None else second.seen
        why = "" if seen else _gone("consumer", reader)
        return Repetition(trial=trial, written=first.written, read=seen, why=why)

    def _report(self, child: Child, seconds: float, progress: Callable[[], None]) -> CanaryReport | None:
        left = deadline(min(seconds, self._left()))
        while left():
            try:
                return self._reports.get(timeout=0.2)
            except queue.Empty:
                progress()
                if child.why:
                    return None
        return None

    def land(self) -> None:
        """End everything, and remove the topics; `left` names those that could not be."""
        reader, writer, self._reader, self._writer = self._reader, self._writer, None, None
        if reader is not None:
            reader.say("stop")
            reader.end(3)
        if writer is None:
            return
        for word in ("stop", "clean"):
            writer.say(word)
        writer.wait("cleaned", REMOVE)
        writer.end(1)
        if not writer.wait("creating", 1):  # no topic was asked for: none is there
            return
        if writer.left is None:  # it was killed, or aborted: another one cleans up
            cleaner = Child(structs.replace(self._job, role="cleaner", trials=[]), self._reports.put)
            cleaner.wait("cleaned", REMOVE)
            cleaner.end(1)
            self.left = [self.mark] if cleaner.left is None else cleaner.left
        else:
            self.left = writer.left


def _gone(which: str, child: Child) -> str:
    return f"the {which}: {child.why or 'it did not end in time'}"
