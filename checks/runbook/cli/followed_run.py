"""A run as a command makes it: its words are read, it is followed on the terminal, its facts are kept."""

import shlex
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from runbook import __version__
from runbook.cli.asked_blocks import read_words
from runbook.evidence.bundle import Bundle, save_bundle
from runbook.incident.last_observation import LastObservation
from runbook.incident.recent_walks import RecentWalks
from runbook.model import moment
from runbook.model.block import OBJECTIVES, Objective
from runbook.model.diagnosis import ChangesSince
from runbook.model.errors import Problem, UsageError, did_you_mean
from runbook.model.result import Outcome
from runbook.model.run import Run, Trigger, run_id
from runbook.parse.runbook import Runbook
from runbook.procedure.ends import drills_folder
from runbook.reports import ErrorSays
from runbook.run.check_run import CheckRun, Options, start
from runbook.run.diagnosis.changes_since import diagnosis_of
from runbook.run.judgement.known_findings import excuse_known
from runbook.run.judgement.runner import Progress
from runbook.run.sources.base_files import files_at
from runbook.terminal import clock
from runbook.terminal.progress import progress_line
from runbook.terminal.status import Status, meanwhile

Word = TypeVar("Word", bound=str)


class CheckDone(Struct):
    """A finished run, the runbooks it was of, and where and how its results are to be kept.

    Attributes:
        mistakes: of the project's own runbooks that were left out for them.
        facts: what is to be kept beside its results, for `keep_facts` seconds; None: nothing.
        named: the environments that it is of; that of a link's other end is none of them.
        unsaved: why its facts could not be saved; empty where they were, or were not to be.
        picked: whether only some checks are meant, as those of a symptom.
        error_says: the cause that an error text names which was asked for; None where there is none.
    """

    run: Run
    runbooks: list[Runbook]
    store: str
    store_settings: dict[str, Any]
    facts: Bundle | None = None
    keep_facts: float = 0.0
    mistakes: list[Problem] = []
    named: list[str] = []
    unsaved: str = ""
    picked: bool = False
    error_says: ErrorSays | None = None


def execute(options: Options, save: Path | None = None, began: float | None = None) -> CheckDone:
    """Carry out a run, and show on the terminal how far it is; its facts are kept as the bundle `save`, if given.

    What it took counts from the moment `began` on the monotonic clock; without, from that at which the command began.

    Raises:
        UsageError: something asked for is not there; with the remedy.
    """
    started = _begun(options, clock.began() if began is None else began)
    last = _last_look(started)
    walks = None if options.bundle else RecentWalks(filter(None, map(drills_folder, started.looked_at)))
    _follow(started)
    unsaved = _save(save, started) if save else ""
    if last and any(result.outcome is Outcome.FAIL or result.is_unknown for result in started.run.results):
        _tell_changes(started, last)
    if walks:
        walks.tell(started.run.diagnoses)
    facts = started.collected() if started.keep_facts else None
    return CheckDone(
        started.run,
        started.runbooks,
        started.store,
        started.store_settings,
        facts,
        started.keep_facts,
        started.mistakes,
        started.named,
        unsaved,
        started.picked,
    )


def nothing_checked(options: Options) -> CheckDone:
    """A run in which nothing is asked and nothing judged: what was asked for has no check."""
    began = moment.now()
    return CheckDone(
        Run(run_id(began), __version__, options.trigger, complete=False, started_at=began, deadline_ms=0), [], "", {}
    )


def judged(options: Options) -> CheckRun:
    """Carry out a run whose facts are wanted and not its report; the terminal shows how far it is.

    Raises:
        UsageError: something asked for is not there; with the remedy.
    """
    started, status = _begun(options, clock.began()), Status()
    try:
        for event in started.judged():
            if isinstance(event, Progress):
                status.show(progress_line(event, clock.elapsed()))
    finally:
        status.clear()
    return started


def _save(file: Path, started: CheckRun) -> str:
    """Keep the facts as a bundle; say what went wrong, if anything did: it never costs the report."""
    try:
        save_bundle(file, started.collected())
    except UsageError as error:
        return str(error)
    return ""


@contextmanager
def compared(options: Options, ref: str) -> Iterator[Options]:
    """Options of a run that also knows its files as a commit of git has them.

    Raises:
        UsageError: git does not know the commit, or the files are none of its.
    """
    with TemporaryDirectory(prefix="runbook-base-") as folder:
        files = [_from_here(path) for path in options.files]
        files_at(ref, files, Path(folder))
        yield replace(options, files=files, before=folder)


def _from_here(path: str) -> str:
    """A path as it is called from the working directory, if it is below that."""
    return str(Path(path).relative_to(Path.cwd())) if Path(path).is_relative_to(Path.cwd()) else path


def without_known(done: CheckDone, options: Options, ref: str) -> None:
    """Excuse in a finished run what its files fail as they were before, too; paths that are new had nothing."""
    paths = [f"{options.before}/{each}" for each in options.files]
    held = [path for path in paths if glob(path, recursive=True)]  # noqa: PTH207 - the patterns are absolute
    failed = sorted({result.check for result in done.run.results if result.outcome is Outcome.FAIL})
    if not held or not failed:
        return
    exclude = [*options.exclude, *(f"{options.before}/{each}" for each in options.exclude)]
    kept = replace(options, files=held, exclude=exclude, before="", only=failed, severity="info", objectives=())
    before = start(kept)
    for _ in before.judged():
        pass
    excuse_known(done.run, before.run, ref)


def _begun(options: Options, began: float) -> CheckRun:
    """Read and plan; on a terminal, a line says so until there is more to tell."""
    with meanwhile("reading runbooks and inventory"):
        asked = read_words(options)
        if asked.unchecked:
            word = asked.words[0]
            raise UsageError(f"no check can tell the cause of {word}: runbook find {shlex.quote(word)}")
        return start(asked.options, began=began)


def execute_twice(options: Options, save: Path | None = None) -> CheckDone:
    """Carry out a run twice, a few seconds apart; what the two contradict each other about is unknown.

    Each look has the whole deadline. What is kept are the facts of the second.

    Raises:
        UsageError: something asked for is not there; with the remedy.
    """
    from runbook.run.diagnosis.repeated_run import APART, agreed

    first = execute(options)
    if first.run.interrupted:
        return first
    waiting = Status()
    waiting.show(f"looked once; again in {APART:.0f} s")
    time.sleep(APART)
    waiting.clear()
    second = execute(options, save, time.monotonic())
    second.run = agreed(first.run, second.run)
    return second


def _last_look(started: CheckRun) -> LastObservation | None:
    """The last kept look, read beside the asking; of one environment only, as of several the causes alone are told."""
    if not started.keeps_facts or len(started.run.heads) != 1:
        return None
    return LastObservation(started.run.heads[0].environment, started.store, started.store_settings)


def _tell_changes(started: CheckRun, last: LastObservation) -> None:
    try:
        kept = last.facts()
    except UsageError as error:
        diagnosis_of(started.run, last.environment).changes = ChangesSince(unread=str(error))
        return
    if kept is not None:
        started.tell_changes(kept, last.environment)


def read_objectives(words: Sequence[str]) -> list[Objective]:
    """The objectives that words name, in their own order.

    Raises:
        UsageError: there is none of a name.
    """
    return sorted({_word(word, OBJECTIVES) for word in words}, key=OBJECTIVES.index)


def read_trigger(word: str) -> Trigger:
    """Why a run is made, by its word.

    Raises:
        UsageError: there is none of that name.
    """
    return _word(word, get_args(Trigger), "--trigger ")


def _word(word: str, known: Sequence[Word], option: str = "") -> Word:
    for spelling in known:
        if spelling == word:
            return spelling
    raise UsageError(f"{option}{word}: {did_you_mean(word, list(known))}")


def _follow(started: CheckRun) -> None:
    """Follow a run on the terminal: verdicts as they are known, and a line that counts.

    A Ctrl-C ends the asking, not the report.
    """
    from runbook.reports.console import line_for

    status = Status()
    try:
        for event in started.events():
            if isinstance(event, Progress):
                status.show(progress_line(event, clock.elapsed()))
            elif event.outcome is Outcome.FAIL or event.is_unknown:
                status.keep(line_for(event))
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the report comes at once; a second one must not lose it
        started.interrupt()
    finally:
        status.clear()
