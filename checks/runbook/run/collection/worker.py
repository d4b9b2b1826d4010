"""The process in which one connection to one environment is made and asked.

Client libraries hang, crash and write to the terminal; here they can do no harm. The job arrives on standard input;
answers leave as frames (4 bytes of length, then JSON) over a private copy of standard output, each as soon as it is
known. Secrets are resolved here and nowhere else, and every frame is redacted before it leaves.
"""

import contextlib
import datetime as dt
import gc
import os
import resource
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from runbook import SELDOM
from runbook.judge.table import BEFORE
from runbook.model import moment
from runbook.model.ask import FactQuestion, seconds
from runbook.model.errors import CannotLook, Mistake
from runbook.model.fact import Fact, Gap, tabulate
from runbook.model.parameter import with_defaults
from runbook.model.probe import Deadline
from runbook.model.tape import Tape
from runbook.parse.allowed import require_allowed
from runbook.plugins import debugging
from runbook.plugins.catalog import add_user_checks, catalog
from runbook.plugins.guard import attempt
from runbook.recording.secrets import without_secrets
from runbook.recording.tape import Header, Recorder, on_behalf_of
from runbook.run.collection.fork_process import FORKS, serve
from runbook.run.collection.packed_facts import packed, unpacked
from runbook.run.collection.run_clock import LOADING
from runbook.run.collection.time_budget import TimeBudget
from runbook.run.planning.deadline import no_second_look
from runbook.run.sources.secret_references import resolve
from runbook.safety.redaction import Redaction

GRACE = 1.0  # seconds after its deadline at which a worker that nobody stopped ends
MEMORY = 4 << 30  # bytes of address space; threads and client libraries reserve a quarter of it. Our judgement
THREADS = 8  # probes at once; they share one client, so more only waits. Our judgement
RECORD = "RUNBOOK_RECORD"
"""The environment variable that names a folder in which workers keep the raw answers of systems, for tests."""
OF_NO_ASK = -1
"""The number of a frame that is of no ask: that all is loaded, that there is work, or something for who debugs."""
_EVERY = 0.2  # seconds between two looks at whether this process works
_STARTED = time.monotonic()  # in a forked worker, when the one started that loaded for it
_WORKS = 0.01  # seconds of work in that time; who waits for a system that is silent has less. Our judgement


class Job(Struct):
    """What a worker is to do: `asks` by their number in the run, until `end` on the monotonic clock.

    That clock is one for all processes of a machine. The end is known when the worker may ask, and told then.
    `whole` are the seconds that the run has from its first request on; 0 where nobody says.
    """

    connection: str
    settings: dict[str, Any]
    end: float
    asks: dict[int, FactQuestion]
    user_checks: list[str] = []
    whole: float = 0.0

    def left(self) -> float:
        """Seconds until its end, at least a tenth: who connects needs some."""
        return max(0.1, self.end - time.monotonic())


class Frame(Struct):
    """What a worker says of one ask: that it began (`facts` is None), or what came of it.

    `facts` has the fact under "", and the first of two looks under "before". `debug` is of no ask, and so is `loaded`:
    the seconds that it took to load all that asking needs.
    `counts` is on the way only: the facts are packed there.
    """

    number: int
    facts: dict[str, Fact] | None = None
    counts: dict[str, dict[str, list[int]]] = {}
    debug: str = ""
    loaded: float | None = None


class Outlet:
    """Sends frames, one at a time, without secrets."""

    def __init__(self, stream: BinaryIO) -> None:
        """Send to this stream."""
        self._stream = stream
        self._lock = threading.Lock()
        self.redaction: Redaction | None = None  # until secrets are known

    def send(self, frame: Frame) -> None:
        """Send one frame."""
        try:
            data = _encoded(frame)
        except UnicodeEncodeError:  # what was no UTF-8 came as half characters, which can't be sent
            frame = _changed(frame, _legible)
            data = _encoded(frame)
        redaction = self.redaction or Redaction([])
        if frame.facts and redaction.found_in(data.decode()):
            data = _encoded(_changed(frame, redaction.value))
        self._write(data)

    def say(self, text: str) -> None:
        """Send words for whoever looks for a mistake. Before secrets are known nothing is said: it could hold them."""
        if self.redaction is not None:
            self._write(_encoded(Frame(OF_NO_ASK, debug=self.redaction.text(_legible(text)))))

    def _write(self, data: bytes) -> None:
        with self._lock:
            self._stream.write(struct.pack(">I", len(data)) + data)
            self._stream.flush()


def _encoded(frame: Frame) -> bytes:
    """A frame in the order in which a bundle stores it, so that judging either gives the same to the byte."""
    small = {look: packed(fact) for look, fact in (frame.facts or {}).items()}
    facts = None if frame.facts is None else {look: fact for look, (fact, _) in small.items()}
    counts = {look: {**found} for look, (_, found) in small.items()}
    return msgspec.json.encode(replace(frame, facts=facts, counts=counts), order="deterministic")


def decoded(data: bytes) -> Frame:
    """The frame that was sent.

    Raises:
        ValueError: it is none.
    """
    frame = msgspec.json.decode(data, type=Frame)
    if frame.facts is None:
        return frame
    return Frame(frame.number, {look: unpacked(fact, frame.counts.get(look, {})) for look, fact in frame.facts.items()})


def _changed(frame: Frame, change: Callable[[Any], Any]) -> Frame:
    """A frame with all that was observed changed. The names of columns are ours: a password may be called as one."""

    def of(fact: Fact) -> Fact:
        columns = {name: change(cells) for name, cells in fact.columns.items()}
        gaps = [
            replace(
                gap,
                reason=change(gap.reason),
                keys={entity: change(value) for entity, value in gap.keys.items()},
                at=change(gap.at),
                right=change(gap.right),
            )
            for gap in fact.gaps
        ]
        return replace(fact, columns=columns, gaps=gaps, inapplicable=change(fact.inapplicable))

    return Frame(frame.number, {look: of(fact) for look, fact in (frame.facts or {}).items()})


def _legible(value: Any) -> Any:
    """A structure of plain values whose texts are all Unicode; what is not, is shown as its escape."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, list):
        return [_legible(item) for item in value]
    if isinstance(value, dict):
        return {_legible(key): _legible(item) for key, item in value.items()}
    return value


def run_job(job: Job, outlet: Outlet) -> None:
    """Connect, ask, send; every ask ends in a frame whatever happens."""
    clock = Deadline(job.left())
    _serve(job, outlet, clock, lambda: _prepared(job, clock, outlet))


def replay_job(job: Job, outlet: Outlet, tape: Tape) -> None:
    """Answer the asks from a recording, one after the other; the job's settings hold no secrets, and no references."""
    clock = Deadline(job.whole, tape=tape)
    module = catalog("connections").load(job.connection)
    _serve(job, outlet, clock, lambda: partial(module.connect, job.settings, clock), 1)


def _serve(
    job: Job, outlet: Outlet, clock: Deadline, prepare: Callable[[], Callable[[], Any]], threads: int = THREADS
) -> None:
    """Answer the asks; what `prepare` gives connects, each time anew."""
    budget = TimeBudget(clock, job.whole)
    made = attempt(lambda: _connected(prepare()))
    if isinstance(made, CannotLook):
        gap = budget.told(_gap("connection", job.connection, made), clock.left())
        for number, ask in job.asks.items():
            outlet.send(Frame(number, {name: blank(ask, gap) for name in _looks(ask)}))
        return
    connection, connect = made
    with ThreadPoolExecutor(threads) as pool:
        for number, ask in job.asks.items():
            pool.submit(_answer, number, ask, connection, connect, outlet, budget)
    connection.close()
    clock.tape.close()


def _add_user_checks(job: Job) -> None:
    for folder in job.user_checks:
        add_user_checks(Path(folder))


def _connected(connect: Callable[[], Any]) -> tuple[Any, Callable[[], Any]]:
    """A connection, and what makes another one for a second look."""
    return connect(), connect


def _prepared(job: Job, clock: Deadline, outlet: Outlet) -> Callable[[], Any]:
    _add_user_checks(job)
    module = catalog("connections").load(job.connection)
    apart = [getattr(module, name, ()) for name in ("BUILDS_ON", "OF_THE_ENVIRONMENT")]
    require_allowed(job.connection, job.settings, *apart)
    settings, outlet.redaction = resolve(job.settings)
    debugging.overhear()
    if record := os.environ.get(RECORD):
        clock.tape = _recorder(Path(record), job, settings, outlet.redaction, clock)
    return partial(module.connect, settings, clock)


def _recorder(folder: Path, job: Job, settings: Mapping[str, Any], redaction: Redaction, clock: Deadline) -> Recorder:
    hide = without_secrets(redaction)
    header = Header(
        environment=next(iter(job.asks.values())).environment,
        connection=job.connection,
        settings=dict(settings),
        asks={str(number): ask for number, ask in job.asks.items()},
        whole=job.whole,
        left=clock.left(),
    )
    return Recorder(folder / f"{time.time_ns()}-{os.getpid()}.recording", header, hide)


def _answer(
    number: int, ask: FactQuestion, connection: Any, connect: Callable[[], Any], outlet: Outlet, budget: TimeBudget
) -> None:
    outlet.send(Frame(number))
    began = budget.clock.left()
    with on_behalf_of(number):
        facts: dict[str, Fact | CannotLook] = {"": attempt(lambda: _observe(ask, connection, budget.clock))}
    if ask.looks and budget.clock.left() <= seconds(ask.looks):
        late = no_second_look(ask.looks, budget.whole)
        facts = dict.fromkeys((BEFORE, ""), late)
    elif ask.looks:
        budget.clock.sleep(seconds(ask.looks))
        with on_behalf_of(number, second=True):
            # A connection remembers its answers, so the second look needs a second connection.
            facts = {BEFORE: facts[""], "": attempt(lambda: _observe(ask, connect(), budget.clock))}
    known = {
        name: blank(ask, _gap("probe", ask.probe, fact)) if isinstance(fact, CannotLook) else fact
        for name, fact in facts.items()
    }
    for fact in known.values():
        fact.gaps = [budget.told(replace(gap, connection=ask.connection), began) for gap in fact.gaps]
    budget.clock.tape.note_answered(number)
    outlet.send(Frame(number, known))


def _gap(kind: str, name: str, why: CannotLook) -> Gap:
    """The gap of a question without an answer; a mistake in code is told as that, and says whose code it is."""
    mistake = f"a mistake in the {kind} {name}: {why} {debugging.HINT}"
    return Gap.of(why, says=mistake if isinstance(why, Mistake) else "")


def _looks(ask: FactQuestion) -> tuple[str, ...]:
    return (BEFORE, "") if ask.looks else ("",)


def _observe(ask: FactQuestion, connection: Any, clock: Deadline) -> Fact:
    module = catalog("probes").load(ask.probe)
    start = time.monotonic()
    given = with_defaults(module.PROBE.parameters, ask.parameters())
    fact = tabulate(ask.probe, module.PROBE.columns, module.observe(connection, **given))
    fact.took_ms = round((time.monotonic() - start) * 1000)
    fact.collected_at = moment.written(dt.datetime.fromtimestamp(clock.now(f"collected {ask}"), dt.UTC))
    return fact


def blank(ask: FactQuestion, gap: Gap | None = None, *, inapplicable: str = "") -> Fact:
    """The fact of a question that was not answered: typed, without rows, and with the reason."""
    columns = catalog("probes").load(ask.probe).PROBE.columns if ask.probe in catalog("probes") else ()
    gaps = [replace(gap, connection=gap.connection or ask.connection)] if gap is not None else []
    return Fact(ask.probe, {column.name: [] for column in columns}, gaps, inapplicable)


def _tell_of_work(outlet: Outlet, ended: threading.Event) -> None:
    """Say now and then that this process works, while it does: on a busy machine that is no silent system."""
    before = time.process_time()
    while not ended.wait(_EVERY):
        worked = time.process_time()
        if worked - before >= _WORKS:
            outlet.send(Frame(OF_NO_ASK))
        before = worked


def _prepare(connection: str) -> float:
    """Load what a kind of connection needs, while the parent still reads runbooks; gives how long that took."""
    signal.setitimer(signal.ITIMER_REAL, LOADING + GRACE)
    attempt(lambda: _load_client(connection))
    signal.setitimer(signal.ITIMER_REAL, 0)
    return time.monotonic() - _STARTED


def _load_client(connection: str) -> None:
    module = catalog("connections").load(connection)
    if hasattr(module, "prepare"):
        module.prepare()


def _load(job: Job) -> None:
    """Load the rest of what its asks need: their time counts from then on. What fails fails again when it is used."""
    attempt(lambda: _add_user_checks(job))
    attempt(lambda: _load_client(job.connection))
    for probe in {ask.probe for ask in job.asks.values()}:
        attempt(partial(catalog("probes").load, probe))


def main() -> None:
    """Serve one job, for the kind of connection that the first argument names; with a second, fork who serve more."""
    gc.set_threshold(SELDOM)
    if sys.argv[2:] == [FORKS]:
        took = _prepare(sys.argv[1])
        serve(socket.socket(fileno=os.dup(0)), lambda: _work(_silenced(), took))
        return
    frames = _silenced()
    _work(frames, _prepare(sys.argv[1]))


def _silenced() -> BinaryIO:
    """Where frames go: a private copy of standard output, on which nothing that a library prints by itself comes."""
    frames = os.fdopen(os.dup(1), "wb")
    silence = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):  # that belongs on nobody's terminal
        os.dup2(silence, descriptor)
    return frames


def _work(frames: BinaryIO, prepared: float) -> None:
    received = sys.stdin.buffer.readline()
    if not received:  # prepared, and not needed
        return
    began = time.monotonic()
    job = msgspec.json.decode(received, type=Job)
    # The kernel's own clock and limit: they hold when a library hangs in C code and when the parent is gone.
    signal.setitimer(signal.ITIMER_REAL, LOADING + GRACE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # an image of this process would hold its secrets
    outlet = Outlet(frames)
    ended = threading.Event()
    threading.Thread(target=_tell_of_work, args=(outlet, ended), daemon=True).start()
    debugging.send_to(outlet.say)
    _load(job)
    outlet.send(Frame(OF_NO_ASK, loaded=prepared + time.monotonic() - began))
    told = sys.stdin.buffer.readline()
    if not told:  # nobody wants it any more
        return
    job.end = float(told)
    signal.setitimer(signal.ITIMER_REAL, job.left() + GRACE)
    run_job(job, outlet)
    ended.set()
    frames.close()
    os._exit(0)  # threads of a hung client library must not keep the process


if __name__ == "__main__":
    main()
