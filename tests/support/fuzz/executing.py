"""Running cases: what is a crash, what took too long, what would act on a terminal, what left its folder."""

import gc
import signal
import sys
import time
import traceback
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any, Final

from msgspec import Struct, field

from runbook.model.errors import UsageError
from runbook.safety.sanitize import sanitize
from runbook.terminal.safe_stdout import SanitizedOutput
from support.fuzz.mutating import case

LIMIT: Final = 1.0
"""Seconds that a case may take of a processor; what else the machine does at the time is not the case's fault."""

WAITED: Final = 20.0
"""Seconds by the clock: what takes no processor either, waits for something that does not come."""

_SHRINKING: Final = 3.0  # seconds for making the shortest input of a kind shorter still
_SHOWN: Final = 20_000  # characters of what a case shows that are looked at
_ACTS: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


class Escaped(Exception):  # noqa: N818 - it reads as what happened
    """Something was written outside of the folder that was given."""


class TooLong(BaseException):
    """The case ran into its limit."""


class Target:
    """A parser to feed.

    Attributes:
        name: unique.
        read: the function under test; gives what a person may be shown of what it read.
        errors: what it is documented to raise; anything else is a crash.
        corpus: valid samples.
    """

    def __init__(
        self,
        name: str,
        samples: Callable[[], Iterable[bytes]],
        read: Callable[[bytes], Iterable[Any]],
        errors: tuple[type[Exception], ...] = (),
    ) -> None:
        self.name, self.read, self.errors = name, read, errors
        self._samples = samples

    @cached_property
    def corpus(self) -> Sequence[bytes]:
        """Valid samples, made when they are first asked for."""
        return tuple(self._samples())


class Failure(Struct):
    """A kind of failure: how often it happened, and the shortest input that did it."""

    kind: str
    what: str
    number: int
    data: bytes
    times: int = 1


class Tally(Struct):
    """What came of a target's cases: how many were read, refused as documented, and failed, by kind."""

    target: str
    cases: int = 0
    refused: int = 0
    slowest: float = 0.0
    failures: dict[tuple[str, str], Failure] = field(default_factory=dict)

    def count(self, kind: str) -> int:
        """How many cases failed in this way."""
        return sum(failure.times for failure in self.failures.values() if failure.kind == kind)


KINDS: Final = ("crash", "slow", "control character", "forged line", "escape")


def run_target(target: Target, seed: int, numbers: Iterable[int], until: float | None = None) -> Tally:
    """Run cases of a target, up to a moment of the monotonic clock at most."""
    tally = Tally(target.name)
    corpus = target.corpus
    with _alarms(), _alone():
        for number in numbers:
            if until is not None and time.monotonic() > until:
                break
            data = case(corpus, seed, target.name, number)
            tally.cases += 1
            begin = time.process_time()
            found, refused = attempt(target, data)
            tally.slowest = max(tally.slowest, time.process_time() - begin)
            tally.refused += refused
            for kind, what in found:
                _note(tally, Failure(kind, what, number, data))
        for failure in tally.failures.values():
            if failure.kind != "slow":  # of which each try takes its second
                failure.data = _shorter(target, failure)
    return tally


def _note(tally: Tally, failure: Failure) -> None:
    before = tally.failures.setdefault((failure.kind, failure.what), failure)
    if before is not failure:
        before.times += 1
        if len(failure.data) < len(before.data):
            before.number, before.data = failure.number, failure.data


def attempt(target: Target, data: bytes) -> tuple[list[tuple[str, str]], bool]:
    """Run one case; gives what failed, as kind and place, and whether it was refused as documented."""
    if signal.getsignal(signal.SIGPROF) is not _late:  # nobody would hear an alarm, and the kernel ends the process
        with _alarms():
            return attempt(target, data)
    begin = time.process_time()
    refused, sentence = False, ""
    shown: list[str] = []
    try:
        try:
            _arm()
            shown.extend(str(found)[:_SHOWN] for found in target.read(data))
        finally:
            _disarm()
    except TooLong as late:
        return [("slow", f"stopped at {late}")], False
    except Escaped as out:
        return [("escape", str(out))], False
    except target.errors as error:
        refused = True
        # The command prints a UsageError as it is; any other becomes a reason in a report, which is one line of it.
        sentence = str(error) if isinstance(error, UsageError) else sanitize(str(error))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever it is (Rust panics are no Exception): this is what is looked for
        return [("crash", f"{type(error).__name__} in {_place(error)}")], False
    found = []
    if (took := time.process_time() - begin) > LIMIT:
        found.append(("slow", f"took {took:.0f} s of a processor"))
    texts = [*shown, sentence]
    if acting := sorted({char for text in texts for char in _acting(_on_a_terminal(text))}):
        found.append(("control character", f"{acting[0]!a} gets through"))
    if any(line.startswith("PASS forged") for line in _on_a_terminal(sentence).splitlines()[1:]):
        found.append(("forged line", "an error's text begins a line of its own"))
    return found, refused


def _on_a_terminal(text: str) -> str:
    """What gets to a terminal of this text, through the one way out of the command."""
    stream = StringIO()
    SanitizedOutput(stream).write(text)
    return stream.getvalue()


def _acting(text: str) -> Iterator[str]:
    if not text.isprintable():
        yield from (char for char in text if char not in "\n\t" and unicodedata.category(char) in _ACTS)


def _place(error: BaseException) -> str:
    """Where it came from: the last line of ours, and what is beneath it."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/runbook/" in frame.filename] or [*frames]
    where = ours[-1]
    return f"{Path(where.filename).name}:{where.lineno} ({where.name})"


def _late(number: int, frame: FrameType | None) -> None:
    while frame is not None and "/runbook/" not in frame.f_code.co_filename and frame.f_back is not None:
        frame = frame.f_back
    where = f"{Path(frame.f_code.co_filename).name} ({frame.f_code.co_name})" if frame else "nowhere"
    raise TooLong(f"{where}, {'of a processor' if number == signal.SIGPROF else 'waiting'}")


@contextmanager
def _alone() -> Iterator[None]:
    """Leave what earlier tests made out of collections: going through that takes a second, in the time of a case."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def _alarms() -> Iterator[None]:
    """Let alarms come here; those of others, such as of pytest, go on afterwards."""
    handlers = {number: signal.signal(number, _late) for number in (signal.SIGPROF, signal.SIGALRM)}
    left, again = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.setitimer(signal.ITIMER_REAL, left, again)


def _arm() -> None:
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    signal.setitimer(signal.ITIMER_REAL, WAITED)


def _disarm() -> None:
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)


def _shorter(target: Target, failure: Failure) -> bytes:
    """A shorter input that fails in the same way, if one is found by leaving parts out."""
    data, end, size = failure.data, time.monotonic() + _SHRINKING, len(failure.data) // 2
    while size and time.monotonic() < end:
        at = 0
        while at < len(data) and time.monotonic() < end:
            less = data[:at] + data[at + size :]
            if (failure.kind, failure.what) in attempt(target, less)[0]:
                data = less
            else:
                at += size
        size //= 2
    return data


def report(tallies: Sequence[Tally], seed: int) -> str:
    """A table of counts, and the shortest failing input of each kind."""
    sums = Counter[str]()
    lines = [f"{'target':32}{'cases':>10}{'refused':>10}{'slowest':>9}" + "".join(f"{kind:>19}" for kind in KINDS)]
    for outcome in tallies:
        counts = {kind: outcome.count(kind) for kind in KINDS}
        sums.update(counts | {"cases": outcome.cases, "refused": outcome.refused})
        numbers = "".join(f"{counts[kind]:>19,}" for kind in KINDS)
        lines.append(f"{outcome.target:32}{outcome.cases:>10,}{outcome.refused:>10,}{outcome.slowest:>8.2f}s{numbers}")
    lines.append(
        f"{'all':32}{sums['cases']:>10,}{sums['refused']:>10,}{'':9}" + "".join(f"{sums[k]:>19,}" for k in KINDS)
    )
    for tally in tallies:
        for failure in tally.failures.values():
            lines.append(f"\n{tally.target}: {failure.kind}, {failure.times} times: {failure.what}")
            lines.append(f"  made again by seed {seed}, number {failure.number}; shortest: {failure.data[:600]!r}")
    return "\n".join(lines)


def flush(text: str) -> None:
    """Print at once, also into a file."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
