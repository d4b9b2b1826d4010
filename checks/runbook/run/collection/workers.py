"""Run workers: one process per environment and connection, bounded in number and in time."""

import contextlib
import queue
import select
import signal
import struct
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from runbook.judge.table import BEFORE
from runbook.model.ask import FactQuestion
from runbook.model.errors import CannotLook
from runbook.model.fact import Fact, Gap
from runbook.model.gap_kind import GapKind
from runbook.plugins import debugging
from runbook.plugins.guard import attempt
from runbook.run.collection.fork_server import WorkerProcess
from runbook.run.collection.prewarmed_workers import AT_ONCE, PrewarmedWorkers
from runbook.run.collection.run_clock import LOADING, RunClock
from runbook.run.collection.time_budget import late_start
from runbook.run.collection.worker import OF_NO_ASK, Frame, Job, blank, decoded

MOST = 40  # processes, with those whose systems are silent; forked ones share most of their memory. Our judgement
_SILENT = 0.5  # seconds without a word after which a system counts as silent. Our judgement
LONGEST = 1 << 28  # bytes of a frame; the largest facts we measured have a tenth. Our judgement
_TICK = 0.1  # seconds between two looks at the clock, and for an answer that is on its way at the end. Our judgement
_LAST = 0.3
MARGIN = 0.15  # seconds a worker has less than the run, to report what it could not find out
_NO_TURN = "not asked: the deadline was reached first"


class _Noise(Exception):  # noqa: N818 - not an error of ours
    """What a worker sent is no frame: something else writes to its pipe."""


class Answered(Struct, frozen=True):
    """An ask has its facts (two of them for two looks)."""

    ask: FactQuestion
    facts: dict[str, Fact]


class Work(Struct, frozen=True):
    """What one worker process is for."""

    environment: str
    connection: str
    settings: Mapping[str, Any]
    asks: list[FactQuestion]


def awaited(asks: Iterable[FactQuestion]) -> list[str]:
    """Who has not answered yet, in words for whoever waits: `kafka_broker of prod`, each once."""
    return sorted({f"{ask.probe} of {ask.environment}" for ask in asks})


class Workers:
    """All workers of a run. Each ask is answered, whatever happens, before the deadline.

    Attributes:
        answers: those that came.
        clock: says when the first of them asked, and how much time is left.
    """

    def __init__(
        self, works: Iterable[Work], seconds: float, user_checks: list[str], prewarmed: PrewarmedWorkers | None = None
    ) -> None:
        """Start; `seconds` go by from the first request to the deadline."""
        self._prewarmed = prewarmed or PrewarmedWorkers()
        self.answers: queue.SimpleQueue[Answered] = queue.SimpleQueue()
        self._works: queue.SimpleQueue[Work] = queue.SimpleQueue()
        self._user_checks = user_checks
        self._processes: set[WorkerProcess] = set()
        self._room = threading.Semaphore(AT_ONCE)
        works = list(works)
        self.clock = RunClock(seconds, min(AT_ONCE, len(works)))
        self._open = sum(len(work.asks) for work in works)  # those that `come` has not handed over
        for work in works:
            self._works.put(work)
        for connection, count in Counter(work.connection for work in works).items():
            if count > 1:
                self._prewarmed.prepare(connection, count)
        for _ in range(min(MOST, len(works))):
            threading.Thread(target=self._serve, daemon=True).start()

    def come(self) -> Iterator[Answered | None]:
        """Answers as they come, and None while none does: whoever shows how far it is lets its clock go on."""
        while self._open:
            late = self.left() <= 0
            try:
                answered = self.answers.get(timeout=_LAST if late else _TICK)
            except queue.Empty:
                # Workers give up by themselves at the deadline; a little later, something is wrong with them.
                if late:
                    return
                yield None
            else:
                self._open -= 1
                yield answered

    def stop(self) -> None:
        """End every worker now; what they had not answered stays unanswered."""
        self.clock.stop()
        self._prewarmed.stop()
        for process in list(self._processes):
            process.kill()
        for _ in range(MOST):  # who waits for room has nothing to wait for any more
            self._room.release()

    def _serve(self) -> None:
        while True:
            try:
                work = self._works.get_nowait()
            except queue.Empty:
                return
            session = _Session(self, work)
            # When time is up, what is still to be begun is told so, without any room.
            session.holds_room = self._finds_room()
            session.awaited = session.holds_room and self.clock.joins()
            failure = attempt(session.run)
            session.make_room()
            session.loaded()
            if isinstance(failure, CannotLook):  # a fault of ours must not leave the run waiting
                session.give_up(Gap.of(failure, says=f"the {work.connection} worker could not be served: {failure}"))

    def _finds_room(self) -> bool:
        while self.left() > 0:  # which is less all at once when the deadline begins to count
            if self._room.acquire(timeout=min(self.left(), _TICK)):
                return True
        return False

    def make_room(self) -> None:
        """Let one more begin."""
        self._room.release()

    def left(self) -> float:
        """Seconds until the deadline, or until nobody waits for the first request any more."""
        return self.clock.left()


class _Session:
    """One work, served by a process, and by a fresh one where a client library takes the first down."""

    def __init__(self, workers: Workers, work: Work) -> None:
        self._workers = workers
        self._work = work
        self._open = dict(enumerate(work.asks))
        self._begun: dict[int, float] = {}  # number of an ask -> when, on the monotonic clock
        self._had: float | None = (
            None  # seconds there were when a process could ask: since then it waits for the system
        )
        self.awaited = False  # whether others wait until it has loaded
        self.holds_room = False  # whether it counts among those that run at once

    def run(self) -> None:
        while self._open:
            before = len(self._open)
            gap = self._serve() or _crash(f"the {self._work.connection} worker ended without an answer")
            if self._workers.left() <= 0:
                if self._begun:  # it connected, so that the others waited for their turn
                    waiting = [number for number in self._open if number not in self._begun]
                    self.give_up(_no_turn(f"{self._whose()} was not asked this"), waiting)
                self.give_up(gap)
                return
            self.give_up(gap, [number for number in self._open if number in self._begun])
            if len(self._open) == before:  # it died before it began anything: a fresh one would die as well
                self.give_up(gap)

    def make_room(self) -> None:
        """Count no more among those that run at once: it ended, or waits for a system that is silent."""
        if self.holds_room:
            self.holds_room = False
            self._workers.make_room()

    def loaded(self) -> None:
        """Keep nobody waiting any more: it has loaded, or never will."""
        if self.awaited:
            self.awaited = False
            self._workers.clock.loaded()

    def give_up(self, gap: Gap, numbers: Iterable[int] | None = None) -> None:
        """Answer open asks, all or some of them, with the gap that is left."""
        for number in list(self._open if numbers is None else numbers):
            ask = self._open.pop(number)
            facts = {"": blank(ask, gap)} | ({BEFORE: blank(ask, gap)} if ask.looks else {})
            self._workers.answers.put(Answered(ask, facts))

    def _serve(self) -> Gap | None:
        """Serve the open asks by one process; say why it left some of them open, if it did."""
        workers = self._workers
        if workers.left() <= 0:
            return _no_turn(f"{self._whose()} was not asked") if self._had is None else self._late()
        try:
            process = workers._prewarmed.take(self._work.connection, workers.left)  # noqa: SLF001 - the session is the workers' own
        except OSError as error:
            return _crash(f"no process could be started for {self._work.connection}: {error.strerror}")
        workers._processes.add(process)  # noqa: SLF001 - same
        try:
            assert process.stdin is not None
            process.stdin.write(msgspec.json.encode(self._job()) + b"\n")
            process.stdin.flush()
            ended = self._read(process)
        except BrokenPipeError:
            ended = True
        except _Noise:
            return _crash(f"the {self._work.connection} worker sent something that is no answer")
        finally:
            process.kill()
            process.wait()
            for end in filter(None, (process.stdin, process.stdout)):
                with contextlib.suppress(BrokenPipeError):
                    end.close()
            workers._processes.discard(process)  # noqa: SLF001 - same
        if not self._open:
            return None
        return self._death(process.returncode or 0) if ended else self._late()

    def _late(self) -> Gap:
        """Why there is no answer when time is up."""
        whose, clock = self._whose(), self._workers.clock
        if self._had is not None:
            remark = late_start(clock.limit, clock.limit - self._had)
            return Gap(f"{whose} had not answered by the deadline{remark}", kind=GapKind.DEADLINE)
        if clock.asked_at is None:
            return Gap(f"{whose} was not asked: its libraries had not loaded in {LOADING:g} s", kind=GapKind.NO_TURN)
        late = f"{whose} was not asked: its libraries had not loaded, so {_NO_TURN}"
        return Gap(late, kind=GapKind.NO_TURN)

    def _whose(self) -> str:
        return f"{self._work.connection} of {self._work.environment}"

    def _job(self) -> Job:
        work, workers = self._work, self._workers
        folders, whole = workers._user_checks, workers.clock.limit  # noqa: SLF001 - same
        return Job(work.connection, dict(work.settings), 0.0, self._open, folders, whole)

    def _let_ask(self, process: WorkerProcess, took: float) -> None:
        """Tell a process that has loaded until when it may ask, once it may."""
        assert process.stdin is not None
        self.loaded()
        clock = self._workers.clock
        clock.ask(took)
        self._had = clock.left()
        process.stdin.write(b"%r\n" % (clock.end - MARGIN))
        process.stdin.close()

    def _read(self, process: WorkerProcess) -> bool:
        """Take frames until all asks are answered, the process ends (True) or time is up (False)."""
        assert process.stdout is not None
        data = bytearray()
        while self._open:
            ready, _, _ = select.select([process.stdout], [], [], min(self._workers.left(), _SILENT))
            if not ready:
                if self._workers.left() <= 0:
                    return False
                if self._had is not None:  # who is dead must not keep the living waiting
                    self.make_room()
                continue
            chunk = process.stdout.read1(1 << 20)  # type: ignore[attr-defined]  # a BufferedReader, which has it
            if not chunk:
                process.wait()
                return True
            data += chunk
            self._take(data, process)
        return True

    def _take(self, data: bytearray, process: WorkerProcess) -> None:
        start = 0
        while len(data) - start >= 4:  # noqa: PLR2004 - the length of a length
            (length,) = struct.unpack_from(">I", data, start)
            if length > LONGEST:
                raise _Noise
            if len(data) - start - 4 < length:
                break
            try:
                frame = decoded(bytes(data[start + 4 : start + 4 + length]))
            except ValueError as error:
                raise _Noise from error
            start += 4 + length
            if frame.loaded is None:
                self._accept(frame)
            else:
                self._let_ask(process, frame.loaded)
        del data[:start]

    def _accept(self, frame: Frame) -> None:
        whose = f"{self._work.environment} {self._work.connection}"
        if frame.number == OF_NO_ASK:
            if frame.debug:
                debugging.say(frame.debug, whose)
            return
        ask = self._open.get(frame.number)
        if ask is None:
            raise _Noise
        if frame.facts is None:
            self._begun[frame.number] = time.monotonic()
        elif set(frame.facts) == ({"", BEFORE} if ask.looks else {""}):
            debugging.say(f"{ask.probe} {_took(self._begun.get(frame.number), frame.facts)}", whose)
            self._workers.answers.put(Answered(self._open.pop(frame.number), frame.facts))
        else:
            raise _Noise

    def _death(self, code: int) -> Gap | None:
        if code == 0:
            return None
        how = f"with exit code {code}"
        if code < 0:
            how = f"by {signal.Signals(-code).name}"
        return _crash(f"the {self._work.connection} client library took its process down ({how})")


def _crash(sentence: str) -> Gap:
    return Gap(sentence, kind=GapKind.CRASHED)


def _no_turn(sentence: str) -> Gap:
    return Gap(f"{sentence}: {_NO_TURN}", kind=GapKind.NO_TURN)


def _took(began: float | None, facts: Mapping[str, Fact]) -> str:
    """How long an answer took, and how much it was."""
    seconds = f"{time.monotonic() - began:.2f} s" if began is not None else "an unknown time"
    rows, gaps = sum(map(len, facts.values())), sum(len(fact.gaps) for fact in facts.values())
    return f"took {seconds}: {rows} rows, {gaps} gaps"
