"""Carry out a run for a command: read, plan, ask, judge, keep."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from msgspec import Struct, structs

from runbook import __version__
from runbook.cli import clock
from runbook.cli.sources import choose, compile_all, load_inventory, read_all
from runbook.cli.terminal import Status
from runbook.engine import moment
from runbook.engine.ask import seconds
from runbook.engine.block import OBJECTIVES, SEVERITIES
from runbook.engine.bundle import Bundle, inventory_of, load_bundle, save_bundle
from runbook.engine.catalog import add_user_checks
from runbook.engine.errors import UsageError
from runbook.engine.inventory import FLEET, Inventory, Target
from runbook.engine.plan import HEAD_CONNECTION, Selection, asks_of, plan
from runbook.engine.result import Outcome, Result
from runbook.engine.run import Expected, Head, Run, Trigger, run_id
from runbook.engine.runbook import Runbook
from runbook.engine.runner import Progress, Runner
from runbook.engine.schema import did_you_mean
from runbook.engine.workers import Spares

SHORTEST, LONGEST = 0.5, 3600.0  # seconds a deadline may be; our judgement


class Request(Struct, kw_only=True):
    """What `runbook check` was asked.

    Attributes:
        link: the source and the target of the one link that checks of links are to look at; all links without.
    """

    runbooks: list[str]
    inventory: Path | None
    environments: list[str]
    only: list[str]
    severity: str
    objectives: list[str]
    deadline: str
    save: Path | None
    bundle: Path | None
    trigger: str
    user_checks: list[Path]
    link: tuple[str, str] | None = None


class Done(Struct):
    """A finished run, the runbooks it was of, and where and how its results are to be kept."""

    run: Run
    runbooks: list[Runbook]
    store: str
    store_settings: dict[str, Any]


def execute(request: Request) -> Done:
    """Carry out a run.

    Raises:
        UsageError: something asked for is not there; with the remedy.
    """
    for folder in request.user_checks:
        add_user_checks(folder)
    selection = _selection(request)
    limit = read_deadline(request.deadline)
    trigger = _trigger(request.trigger)
    if request.bundle and trigger == "scheduled":
        raise UsageError(
            "--trigger scheduled: a run --from a bundle looks at nothing, so that it can't count as a round"
        )
    bundle = load_bundle(request.bundle) if request.bundle else None
    inventory = inventory_of(bundle, str(request.bundle)) if bundle else load_inventory(request.inventory)
    if request.link is not None:
        meant = [one for one in inventory.mirrors if (one.from_, one.to) == request.link]
        inventory = structs.replace(inventory, mirrors=meant)
    targets = _targets(bundle, inventory, request.environments)
    spares = Spares()
    for target in [] if bundle else targets:
        # Every run asks this of each cluster. Which other client libraries it takes is known once runbooks are read.
        if HEAD_CONNECTION in target.connections:
            spares.prepare(HEAD_CONNECTION)
    runbooks = read_all(request.runbooks)
    compiled = compile_all(runbooks)
    judgements = plan(compiled, inventory, targets, selection)
    _known(request.only, [check.placed.name for _, checks in compiled for check in checks])
    concerned = {t.name: t for t in targets} | {t.name: t for j in judgements for t in j.targets}
    about = {target.name for target in targets} | {judgement.environment for judgement in judgements}
    started_at = bundle.started_at if bundle else moment.now()
    run = Run(
        id=bundle.run if bundle else run_id(started_at),
        tool_version=__version__,
        trigger=trigger,
        rejudged=bundle is not None,
        complete=selection.everything,
        started_at=started_at,
        deadline_ms=round(limit * 1000),
        heads=[Head(name) for name in concerned if name in about],
        ends=[Head(name) for name in concerned if name not in about],
        expected=[
            Expected(c.placed.name, c.check.severity, c.placed.digest(), book.name, book.front.version)
            for book, checks in compiled
            for c in checks
        ],
    )
    if any(judgement.environment == FLEET for judgement in judgements):
        run.heads.append(Head(FLEET))
    runner = Runner(run, judgements, asks_of(judgements, concerned), inventory)
    live = [str(folder.resolve()) for folder in request.user_checks]
    events = runner.kept(bundle) if bundle else runner.live(clock.began() + limit, live, spares)
    _watch(runner, events)
    if request.save:
        save_bundle(request.save, runner.bundle())
    kept = ("", {}) if bundle else (inventory.results, inventory.results_settings)
    return Done(run, runbooks, *kept)


def read_deadline(text: str) -> float:
    """Seconds of a deadline.

    Raises:
        UsageError: it is no duration, or out of bounds.
    """
    try:
        limit = seconds(text)
    except ValueError as error:
        raise UsageError(f"--deadline {error}") from error
    if not SHORTEST <= limit <= LONGEST:
        raise UsageError(f"--deadline {text}: between {SHORTEST:g}s and {LONGEST / 3600:g}h, please")
    return limit


def _watch(runner: Runner, events: Iterator[Result | Progress]) -> None:
    """Follow a run on the terminal: verdicts as they are known, and a line that counts.

    A Ctrl-C ends the asking, not the report.
    """
    from runbook.reports.console import line_for

    status = Status()
    try:
        for event in events:
            if isinstance(event, Progress):
                status.show(_line(event))
            elif event.outcome in (Outcome.FAIL, Outcome.UNKNOWN):
                status.keep(line_for(event))
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the report comes at once; a second one must not lose it
        runner.interrupt()
    finally:
        status.clear()


def _line(progress: Progress) -> str:
    counted = f"facts {progress.facts}/{progress.facts_in_all} · checks {progress.checks}/{progress.checks_in_all}"
    waiting = f" · waiting for {', '.join(progress.waiting_for[:2])}" if progress.waiting_for else ""
    return f"{counted} · {clock.elapsed():.1f} s{waiting}"


def _targets(bundle: Bundle | None, inventory: Inventory, patterns: list[str]) -> list[Target]:
    if bundle and not patterns:
        if strange := [name for name in bundle.selected if name not in inventory.targets]:
            raise UsageError(
                f"{inventory.file} is about {strange[0]}, and holds no such environment: name one by --env"
            )
        return [inventory.targets[name] for name in bundle.selected or inventory.targets]
    return choose(inventory, patterns)


def _selection(request: Request) -> Selection:
    for word, known in [(request.severity, SEVERITIES), *((word, OBJECTIVES) for word in request.objectives)]:
        if word not in known:
            raise UsageError(f"{word}: {did_you_mean(word, list(known))}")
    return Selection(
        only=tuple(request.only),
        severity=next(one for one in SEVERITIES if one == request.severity),
        objectives=tuple(one for one in OBJECTIVES if one in request.objectives),
    )


def _known(only: list[str], names: list[str]) -> None:
    for word in only:
        if not any(name == word or name.endswith(f"/{word}") for name in names):
            raise UsageError(f"--only {word}: no such check; {did_you_mean(word, [n.split('/')[-1] for n in names])}")


def _trigger(word: str) -> Trigger:
    known: tuple[Trigger, ...] = get_args(Trigger)
    for one in known:
        if one == word:
            return one
    raise UsageError(f"--trigger {word}: {did_you_mean(word, list(known))}")
