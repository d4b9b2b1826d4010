"""Repeat the checks and report what recovers."""

import shutil
import sys
import time
from collections.abc import Callable, Sequence

from msgspec import Struct

from runbook.cli.followed_run import CheckDone
from runbook.judge.summary import counted, some, summarize
from runbook.model import moment
from runbook.model.ask import seconds
from runbook.model.block import Severity
from runbook.model.errors import UsageError
from runbook.model.exit_code import ExitCode, exit_code, fails
from runbook.model.run import Run
from runbook.run.diagnosis.healed_checks import Healing, healing
from runbook.safety.sanitize import sanitize
from runbook.terminal.safe_stdout import NotShown, paint

SHORTEST = 1.0  # seconds between two looks; our judgement: each asks every system
_NAMED = 3  # of several checks, so many are named; same
_SILENCE = 60.0  # seconds without a line, after which it says that it goes on; same
_CLEARED = "\x1b[H\x1b[2J\x1b[3J"  # of a terminal: to the top, nothing below, nothing above


class Watching(Struct, frozen=True):
    """How it is watched.

    Attributes:
        every: seconds from the end of one look to the next.
        until_pass: whether it ends once no failure counts and nothing is unknown.
        fail_on: the severity from which on a failure counts.
        within: seconds after which no other look begins; None: as long as it takes.
    """

    every: float
    until_pass: bool
    fail_on: Severity
    within: float | None = None


def read_every(text: str) -> float:
    """Seconds between two looks.

    Raises:
        UsageError: it is no duration, or too short.
    """
    every = _seconds("--every", text)
    if every < SHORTEST:
        raise UsageError(f"--every {text}: each look asks every system: {SHORTEST:g}s at least, please")
    return every


def read_within(text: str) -> float | None:
    """Seconds after which no other look begins; None where nothing is said.

    Raises:
        UsageError: it is no duration.
    """
    return _seconds("--within", text) if text else None


def _seconds(option: str, text: str) -> float:
    try:
        return seconds(text)
    except ValueError as error:
        raise UsageError(f"{option} {error}") from error


def watch(look: Callable[[float], CheckDone], show: Callable[[CheckDone], str], how: Watching) -> CheckDone:
    """Look until Ctrl-C, or until all is well or the time is over where that is wanted; gives the last whole look.

    On a terminal each look takes the place of the one before, as far as it fits. Elsewhere a line for each that differs
    from the one before goes to standard error, so that standard output holds the report of the last one only. Where
    an end is awaited, each minute without a change a line says what keeps it.

    Args:
        look: carries out the run; given the moment from which its deadline counts.
        show: its report, as text for a terminal.
        how: how it is watched.
    """
    on_screen, began = sys.stdout.isatty(), time.monotonic()
    printed = _Printed(how)
    last: CheckDone | None = None
    try:
        while True:
            done = look(time.monotonic())
            if done.run.interrupted:
                return last or done
            lines = _lines(healing(last.run, done.run)) if last else []
            same = last is not None and not lines and _outcomes(last.run) == _outcomes(done.run)
            last = done
            if on_screen:
                above = [f"{_counts(done.run)}; {_next(how)}", *lines, ""]
                paint(_CLEARED + _fitting([*map(sanitize, above), *show(done).splitlines()]), sys.stdout)
                sys.stdout.flush()
            else:
                printed.tell(done.run, None if same else lines)
            if how.until_pass and exit_code(done.run, how.fail_on) in (ExitCode.COMPLIANT, ExitCode.NOTHING):
                return done
            if how.within is not None and time.monotonic() + how.every - began > how.within:
                given_up = f"gives up after {how.within:g} s, having waited {_awaited(done.run, how.fail_on)}"
                print(given_up, file=sys.stderr, flush=True)
                return done
            time.sleep(how.every)
    except (KeyboardInterrupt, NotShown):
        if last is None:
            raise
        return last
    finally:
        if on_screen:
            paint(_CLEARED, sys.stdout)


class _Printed(Struct):
    """What is printed where no terminal shows each look.

    Attributes:
        how: how it is watched.
        changed: when the last look began that differed from the one before.
        told: when the last look began of which something was printed.
    """

    how: Watching
    changed: str = ""
    told: str = ""

    def tell(self, run: Run, lines: Sequence[str] | None) -> None:
        """Print a look that differs from the one before; of one that does not (None), now and then that it goes on."""
        if lines is not None:
            self.changed = run.started_at
            text = "\n".join([_counts(run), *lines])
        elif self.how.until_pass and _apart(self.told, run.started_at) >= _SILENCE:
            since = f"as since {_clock(self.changed)}"
            text = f"{_counts(run)}, {since}; goes on and waits {_awaited(run, self.how.fail_on)}"
        else:
            return
        self.told = run.started_at
        print(text, file=sys.stderr, flush=True)


def _awaited(run: Run, fail_on: Severity) -> str:
    """What keeps it from its end."""
    ways = {
        "pass": [result.check for result in run.results if fails(result, fail_on)],
        "be known": [result.check for result in run.results if result.is_unknown],
    }
    wanted = [f"{some(list(dict.fromkeys(names)), _NAMED)} to {way}" for way, names in ways.items() if names]
    return f"for {' and for '.join(wanted)}"


def _apart(begin: str, end: str) -> float:
    return (moment.read(end) - moment.read(begin)).total_seconds()


def _next(how: Watching) -> str:
    until = ", until all is well" if how.until_pass else ""
    return f"next look in {how.every:g} s{until} (Ctrl-C ends it)"


def _fitting(lines: list[str]) -> str:
    """As many lines as the terminal has, but for the one where the cursor stands: the answer comes first."""
    return "\n".join([*lines[: shutil.get_terminal_size().lines - 1], ""])


def _counts(run: Run) -> str:
    """A look in a line."""
    return f"{_clock(run.started_at)}  {_outcomes(run)}"


def _clock(at: str) -> str:
    return f"{moment.read(at):%H:%M:%S}"


def _outcomes(run: Run) -> str:
    counts = summarize(run.results)
    return f"{counts.passed} pass, {counts.failed} fail, {counts.unknown} unknown"


def _lines(found: Healing) -> list[str]:
    """What became of checks, one line for each way."""
    ways = {"pass now": found.passes, "fail now": found.fails, "unknown now": found.unknown}
    lines = [f"{way}: {some(names, _NAMED)}" for way, names in ways.items() if names]
    alike: dict[str, list[str]] = {}
    for row in found.shrinking:
        fewer = f"{counted(row.now, 'row')}, was {row.before:,}; none in about {_about(row.seconds)}"
        alike.setdefault(fewer, []).append(row.check)
    lines += [f"fewer: {some(names, _NAMED)}: {fewer}" for fewer, names in [*alike.items()][:_NAMED]]
    return [f"          {line}" for line in lines]


def _about(seconds: float) -> str:
    """An estimate, as people say it."""
    minute = 60
    return f"{max(1, round(seconds))} s" if seconds < 2 * minute else f"{round(seconds / minute)} min"
