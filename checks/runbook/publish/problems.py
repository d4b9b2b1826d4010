"""What to fix first: failing checks as problems, each counted once.

Checks that the run's diagnosis explains by one cause are that cause. What is left is one problem for each check, over
all environments in which it fails. What a waiver covers is no problem: it has an owner and an end.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from runbook.model.run import NamedCause
from runbook.publish.evidence_links import EvidenceLinks
from runbook.publish.first_steps import FirstStep
from runbook.publish.owners import Owners
from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_rows import Failing, rank
from runbook.publish.site_paths import built, environment_page


class WeekProblem(Struct, frozen=True, kw_only=True):
    """One mistake, wherever it shows: what it is, what it would heal, whose it is, and where to begin.

    Attributes:
        kind: whether it is a cause that a run named, or a check.
        name: of the cause or of the check, RUNBOOK/ID.
        says: the problem in one sentence, as the environment says that is worst off.
        title: of the check; None where it has none, and of a cause.
        severity: the worst of its checks.
        environments: where, the longest failing first.
        checks: which pass once it is fixed, as far as is known.
        heals: how many failing checks that are, each environment counted by itself.
        owners: who answers for it; empty where the inventory names nobody.
        since: when it began, RFC 3339.
        days: how long it has lasted, in whole days.
        at_least: whether it failed in the first week that is known, so that it may have lasted longer.
        new: whether all of it began in the week shown.
        first: what to do first, in a sentence; empty where no runbook here says.
        href: the block that says more, seen from the root of the site; else the page of its environment.
    """

    kind: str
    name: str
    says: str
    title: str | None
    severity: str
    environments: list[str]
    checks: list[str]
    heals: int
    owners: list[str]
    since: str
    days: int
    new: bool
    at_least: bool = False
    first: str = ""
    href: str = ""


def problems(
    card: Scorecard, links: EvidenceLinks, owners: Owners, steps: Mapping[str, FirstStep] | None = None
) -> list[WeekProblem]:
    """All problems of the last week: by severity, then by environments times how long they have failed."""
    groups: dict[tuple[str, str, str], list[Failing]] = {}
    causes: dict[tuple[str, str, str], NamedCause] = {}
    for row in card.tables.failing:
        if row.waived:
            continue
        cause = links.cause(row.environment, row.check, row.run)
        key = ("cause", *cause.same) if cause else ("check", row.check, "")
        groups.setdefault(key, []).append(row)
        if cause:
            causes.setdefault(key, cause)
    found = [_problem(card, key, rows, causes.get(key), owners, steps or {}) for key, rows in groups.items()]
    return sorted(found, key=_first)


def _first(one: WeekProblem) -> tuple[int, float, str]:
    return -rank(one.severity), -len(one.environments) * (one.days + 7), one.name


def _problem(
    card: Scorecard,
    key: tuple[str, str, str],
    rows: list[Failing],
    cause: NamedCause | None,
    owners: Owners,
    steps: Mapping[str, FirstStep],
) -> WeekProblem:
    kind, name, _ = key
    longest = sorted(rows, key=lambda row: (-row.failing_days, row.environment, row.subject))
    worst = max(rows, key=lambda row: (rank(row.severity), row.failed))
    step = steps.get(name)
    return WeekProblem(
        kind=kind,
        name=name,
        says=cause.says if cause else worst.reason,
        title=None if cause else worst.title,
        severity=worst.severity,
        environments=list(dict.fromkeys(row.environment for row in longest)),
        checks=list(dict.fromkeys(row.check for row in rows)),
        heals=len(rows),
        owners=list(dict.fromkeys(_owners(longest, owners))),
        since=min(row.since_at for row in rows),
        days=longest[0].failing_days,
        at_least=card.began_before(longest[0].environment, longest[0].since_week),
        new=all(row.since_week == card.week for row in rows),
        first=step.says(cause.keys if cause else None) if step else "",
        href=step.href if step else built(environment_page(worst.environment)),
    )


def _owners(rows: list[Failing], owners: Owners) -> Iterator[str]:
    for row in rows:
        yield from owners.of_failing(row)
