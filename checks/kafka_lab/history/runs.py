"""The runs of one environment of a history, as the engine would have kept them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import timedelta
from random import Random

from msgspec import Struct, field

from kafka_lab.history.calendar import Calendar
from kafka_lab.history.chance import chance, digest
from kafka_lab.history.definitions import InventedCheck
from kafka_lab.history.environments import MadeEnvironment
from kafka_lab.history.fate import Incident, SimulatedOutcome, fates, incidents
from kafka_lab.history.verdict import verdict_of
from kafka_lab.history.waivers import SimulatedWaiver, waivers
from runbook import __version__
from runbook.judge.common_cause import common
from runbook.judge.waiver import Waived, apply_waivers
from runbook.model import moment, objective
from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.model.link import Mirror
from runbook.model.result import Evidence, Outcome, Result
from runbook.model.run import DeclaredWaiver, Expected, Head, Run, Trigger
from runbook.parse.inventory import Waiver

_PARTIAL = 0.08  # of the weeks see a person look at a few checks
_FEW = 5
_DOWN = "ha/broker-is-down"


class _Life(Struct, frozen=True):
    """All that is decided about an environment before its runs are told."""

    environment: MadeEnvironment
    definitions: Sequence[InventedCheck]
    fated: Mapping[str, Sequence[SimulatedOutcome]]
    incidents: Sequence[Incident]
    declared: Sequence[SimulatedWaiver]
    calendar: Calendar
    seed: int


class _Use(Struct):
    """A waiver in one run: whether something needed it, and what is to be said of it."""

    waiver: Waiver
    needed: bool = False
    notes: list[str] = field(default_factory=list)


def runs_of(
    environment: MadeEnvironment, definitions: Sequence[InventedCheck], calendar: Calendar, seed: int
) -> Iterator[Run]:
    """Tell every run of an environment: one scheduled each week, manual and incident ones in between."""
    life = _life(environment, definitions, calendar, seed)
    for week in range(calendar.weeks):
        if not environment.speaks(week):
            continue
        dice = chance(seed, "runs", environment.name, week)
        there = [definition for definition in life.definitions if definition.begins <= week]
        yield from _run(life, week, there, "scheduled", day=0, minute=environment.minute)
        if any(incident.begins == week for incident in life.incidents):
            first = there[0].runbook
            concerned = [check for check in there if check.runbook == first]
            yield from _run(life, week, concerned, "incident", day=dice.randrange(5), minute=dice.randrange(420, 1400))
        if dice.random() < _PARTIAL:
            few = dice.sample(there, min(_FEW, len(there)))
            yield from _run(life, week, few, "manual", day=dice.randrange(5), minute=dice.randrange(420, 1080))


def _life(environment: MadeEnvironment, definitions: Sequence[InventedCheck], calendar: Calendar, seed: int) -> _Life:
    weeks = calendar.weeks
    happened = incidents(environment, weeks, seed)
    here = [definition for definition in definitions if definition.applies(environment.tier)]
    fated = {check.check: fates(check, environment, happened, weeks, seed) for check in here}
    return _Life(environment, here, fated, happened, waivers(environment, here, fated, calendar, seed), calendar, seed)


def _run(
    life: _Life, week: int, chosen: Sequence[InventedCheck], trigger: Trigger, *, day: int, minute: int
) -> Iterator[Run]:
    """Tell one run, unless it would begin after the history's end."""
    environment = life.environment
    started_at = life.calendar.moment(week, day=day, minute=minute)
    if started_at is None:
        return
    stamp = started_at[:19].replace("-", "").replace(":", "")
    books = {check.runbook for check in chosen}
    declared = [
        waiver.waiver
        for waiver in life.declared
        if waiver.begins <= week < waiver.ends and waiver.waiver.check.partition("/")[0] in books
    ]
    uses = {waiver.check: _Use(waiver) for waiver in declared}
    results = [_result(life, check, week, started_at, uses.get(check.check)) for check in chosen]
    dice = chance(life.seed, "took", environment.name, started_at)
    yield Run(
        id=f"{stamp}Z-{digest(life.seed, environment.name, started_at)[:12]}",
        tool_version=__version__,
        trigger=trigger,
        complete=trigger != "manual",
        started_at=started_at,
        deadline_ms=10_000,
        heads=[_head(life, week, started_at, dice, uses.values())],
        results=results,
        expected=_expected(life, week, books),
        took_ms=dice.randint(900, 6000),
        generated=True,
        diagnoses=_diagnoses(life, week, results),
    )


def _expected(life: _Life, week: int, books: set[str]) -> list[Expected]:
    return [
        definition.expected(week)
        for definition in life.definitions
        if definition.begins <= week and definition.runbook in books
    ]


def _head(life: _Life, week: int, started_at: str, dice: Random, uses: Collection[_Use]) -> Head:
    environment = life.environment
    away = any(incident.begins <= week < incident.ends for incident in life.incidents)
    return Head(
        environment=environment.name,
        cluster_id=environment.cluster_id,
        kafka_version=environment.kafka(week),
        mode="kraft",
        brokers=environment.brokers,
        answering=environment.brokers - away,
        ranking=list(objective.DEFAULT),
        collected_at=moment.written(moment.read(started_at) + timedelta(milliseconds=dice.randint(200, 800))),
        notes=[
            "this environment does not exist: its results are generated",
            *(note for use in uses for note in use.notes),
        ],
        waivers=[
            DeclaredWaiver(waiver.check, waiver.owner, waiver.reason, waiver.expires, waiver.rows, needed=use.needed)
            for use in uses
            for waiver in [use.waiver]
        ],
        labels={"tier": environment.tier, "region": environment.region},
        owner=f"platform-{environment.region}",
        owners={"payments-*": "payments"},
    )


def _diagnoses(life: _Life, week: int, results: Sequence[Result]) -> list[Diagnosis]:
    """One cause for what fails over the broker of an incident, as the engine names it."""
    found = []
    for incident in life.incidents:
        value = str(incident.broker)
        struck = [
            result.check
            for result in results
            if result.outcome is Outcome.FAIL
            and any(one.entity == "broker" and one.value == value and one.touched == one.of for one in result.common)
        ]
        if incident.begins <= week < incident.ends and struck:
            says = f"Broker {value} is down (generated)"
            keys: dict[str, list[object]] = {"broker": [incident.broker]}
            found.append(CauseFound(cause=_DOWN, title=says, says=says, certain=True, explains=struck, keys=keys))
    return [Diagnosis(environment=life.environment.name, causes=found)] if found else []


def _result(life: _Life, one: InventedCheck, week: int, started_at: str, use: _Use | None) -> Result:
    environment = life.environment
    verdict = verdict_of(one, environment, life.fated[one.check][week], life.seed)
    marked = Waived(verdict.rows, None, [], [])
    if use is not None:
        marked = apply_waivers(one.check, verdict, (), [use.waiver], moment.read(started_at))
        use.needed, use.notes = bool(marked.needed), marked.notes
    source = f"generated_{one.about}"
    seen = Evidence(
        name=one.about,
        source=source,
        digest=digest(environment.name, source, started_at),
        rows=verdict.judged,
        complete=not verdict.gaps,
        collected_at=started_at,
    )
    linked = one.over_link
    return Result(
        check=one.check,
        environment=environment.name,
        outcome=verdict.outcome,
        reason=verdict.reason,
        rows=marked.rows,
        title=one.title,
        severity=one.severity,
        objectives=list(one.objectives),
        subject=Mirror(environment.mirrored_from, environment.name).name if linked else environment.name,
        subject_kind="link" if linked else "environment",
        judged=verdict.judged,
        failed=verdict.failed,
        undecided=verdict.undecided,
        gaps=verdict.gaps,
        common=common(marked.rows, verdict.gaps) if verdict.outcome in {Outcome.FAIL, Outcome.UNKNOWN} else [],
        waiver=marked.use,
        ranking=list(objective.DEFAULT),
        params={},
        overridden=[],
        proof=one.proof,
        remedy=one.remedy,
        evidence=[seen],
        runbook=one.runbook,
        runbook_version=one.version(week),
        runbook_digest=one.runbook_digest,
        check_digest=one.digest(week),
    )
