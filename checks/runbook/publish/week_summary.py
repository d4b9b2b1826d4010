"""The week in a few figures and problems: what the first screen, the page of a week, its JSON and its Markdown say."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from runbook.judge.summary import counted, some
from runbook.model.scorecard import ALL
from runbook.publish.problems import WeekProblem
from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_data import ORIGIN

BOSS = 5
"""So many problems stand in the summary that is copied. Our judgement: as many as one remembers."""


_WHERE = 3  # environments of a problem that are named; same


class WeekStanding(Struct, frozen=True, kw_only=True):
    """Where one environment stands in a week.

    Attributes:
        name: of the environment.
        status: as in the table scores: scored, unknown, silent, not_applicable; None where it is not known.
        failed: how many checks fail, by severity; in weeks of which only the sum is known, under `*`; None where not
            even that is.
        score: percent; None without one.
        coverage: percent; None where it is not known.
        silent_since: the start of its last run, of a silent one, or the week of it where no more is known; None where
            no run is.
    """

    name: str
    status: str | None
    failed: dict[str, int] | None = {}
    score: float | None = None
    coverage: float | None = None
    silent_since: str | None = None

    @property
    def silent_words(self) -> str:
        """Since when it is silent, to the day or the week."""
        return "never reported" if self.silent_since is None else f"since {self.silent_since[:10] or '?'}"

    def of(self, *severities: str) -> int:
        """How many checks of these severities fail."""
        return sum((self.failed or {}).get(severity, 0) for severity in severities)

    @property
    def grave(self) -> tuple[bool, int, int, int, float]:
        """Sorts silent ones first, then by what fails, the gravest first, then by score."""
        counts = (-self.of("critical"), -self.of("high"), -sum((self.failed or {}).values()))
        return (self.status != "silent", *counts, self.score if self.score is not None else -1)


class WeekSummary(Struct, kw_only=True):
    """A week.

    Attributes:
        week: as in 2026-W47.
        as_of: the moment it is of, RFC 3339; empty of a week of which only the trend is known.
        generated: whether it was made up.
        is_first: whether nothing came in any week before, so that nothing can be new or fixed.
        standings: all environments, silent ones first, then the worst.
        newly_failing: how many checks are, by severity.
        fixed, newly_unknown, flapping: how many checks.
        waivers_ending, waivers_ended, drills_due: how many.
        problems: what to fix first; None where it is not known.
    """

    week: str
    as_of: str = ""
    generated: bool = False
    is_first: bool = False
    standings: list[WeekStanding] = []
    newly_failing: dict[str, int] = {}
    fixed: int = 0
    newly_unknown: int = 0
    flapping: int = 0
    waivers_ending: int = 0
    waivers_ended: int = 0
    drills_due: int = 0
    problems: list[WeekProblem] | None = []

    @property
    def critical(self) -> list[WeekStanding]:
        """Environments in which critical checks fail."""
        return [one for one in self.standings if one.of("critical")]

    @property
    def high(self) -> list[WeekStanding]:
        """Environments in which checks of severity high fail."""
        return [one for one in self.standings if one.of("high")]

    @property
    def silent(self) -> list[WeekStanding]:
        """Environments from which nothing came."""
        return [one for one in self.standings if one.status == "silent"]

    @property
    def without_score(self) -> list[WeekStanding]:
        """Environments of which too little is known for a score."""
        return [one for one in self.standings if one.status in {"unknown", None}]

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        count, total = len(self.critical), len(self.standings)
        if not total:
            return "Nothing is known of this week"
        if self.problems is None:  # of severities nothing is known
            failing = sum(bool(one.of(ALL)) for one in self.standings)
            parts = [f"{failing} of {counted(total, 'environment')} {'has' if failing == 1 else 'have'} failing checks"]
        elif count:
            parts = [f"{count} of {counted(total, 'environment')} {'has' if count == 1 else 'have'} critical failures"]
        else:
            parts = [f"No critical failures in {counted(total - len(self.silent), 'environment')}"]
        silent, blind = len(self.silent), len(self.without_score)
        parts += [f"{silent} {'is' if silent == 1 else 'are'} silent"] * bool(silent)
        parts += [f"{blind} {'has' if blind == 1 else 'have'} no score"] * bool(blind)
        return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))

    @property
    def news(self) -> list[str]:
        """What is new, what ends and what is due, in a few words each; what is none is left out, but for the first."""
        new = sum(self.newly_failing.values())
        grave = [f"{self.newly_failing[name]} {name}" for name in ("critical", "high") if self.newly_failing.get(name)]
        told = [
            *(
                ["the first week: there is none to compare it with"]
                if self.is_first
                else [f"{new} newly failing" + (f" ({', '.join(grave)})" if grave else ""), f"{self.fixed} fixed"]
            ),
            *[f"{self.newly_unknown} newly unknown"] * bool(self.newly_unknown),
            *[f"{self.flapping} flapping"] * bool(self.flapping),
            *[f"{counted(self.waivers_ending, 'waiver')} within 14 days of the end"] * bool(self.waivers_ending),
            *[f"{counted(self.waivers_ended, 'waiver')} ended"] * bool(self.waivers_ended),
            *[f"{counted(self.drills_due, 'drill')} due"] * bool(self.drills_due),
        ]
        return told if self.problems is not None else []


def summary_of(
    card: Scorecard, problems: Sequence[WeekProblem], last_runs: Mapping[str, str] | None = None
) -> WeekSummary:
    """The last week of a scorecard; `last_runs` says of environments when the last run began that evidence holds."""
    changes = card.tables.changes
    new = [row.severity for row in changes if row.change == "newly_failing" and not row.waived]
    return WeekSummary(
        week=card.week,
        as_of=card.as_of,
        generated=card.generated,
        is_first=card.is_first_week(),
        standings=sorted(
            (_standing(card, name, (last_runs or {}).get(name)) for name in card.environments),
            key=lambda one: (one.grave, one.name),
        ),
        newly_failing={severity: new.count(severity) for severity in dict.fromkeys(new)},
        fixed=_count(changes, change="fixed"),
        newly_unknown=_count(changes, change="newly_unknown"),
        flapping=_count(changes, change="flapping"),
        waivers_ending=_count(card.tables.waivers, state="expiring"),
        waivers_ended=_count(card.tables.waivers, state="expired"),
        drills_due=len(card.tables.drills),
        problems=list(problems),
    )


def earlier_weeks(card: Scorecard) -> list[WeekSummary]:
    """The weeks before the last, the oldest first, as far as the table trend knows them."""
    whole = [row for row in card.tables.trend if row.runbook == ALL]
    weeks = sorted({week for row in whole for week in row.weeks} - {card.week})
    found = []
    for week in weeks:
        standings = [
            WeekStanding(
                name=row.environment,
                status=status,
                failed=None if not row.failed or (count := row.failed[place]) is None else {ALL: count},
                score=row.score[place],
                coverage=row.coverage[place],
            )
            for row in whole
            if week in row.weeks
            for place in [row.weeks.index(week)]
            if (status := row.status[place]) != "none"
        ]
        standings.sort(key=lambda one: (one.grave, one.name))
        found.append(WeekSummary(week=week, generated=card.generated, standings=standings, problems=None))
    return found


def _standing(card: Scorecard, name: str, last_run: str | None) -> WeekStanding:
    cell = card.cell(name, ALL)
    known = (cell.last_at if cell else None, last_run, card.last_week_of(name))
    since = next((told for told in known if told is not None), None)
    if cell is None:
        return WeekStanding(name=name, status="silent", silent_since=since)
    return WeekStanding(
        name=name,
        status=cell.status,
        failed=card.failed(name),
        score=cell.score,
        coverage=cell.coverage,
        silent_since=since if cell.status == "silent" else None,
    )


def _count(rows: Sequence[Any], **wanted: str) -> int:
    return sum(all(getattr(row, name) == value for name, value in wanted.items()) for row in rows)


def as_markdown(summary: WeekSummary) -> str:
    """The headline and the first problems, to paste into a ticket or a chat."""
    lines = [f"**Kafka, week {summary.week}: {plain(summary.headline)}.**", ""]
    if summary.generated:
        lines += ["Generated, not measured.", ""]
    lines += [plain(", ".join(summary.news)) + "." if summary.news else "", ""]
    lines += [f"- Silent: {plain(one.name)}, {plain(one.silent_words)}" for one in summary.silent]
    for place, one in enumerate((summary.problems or [])[:BOSS], 1):
        lines.append(f"{place}. **{one.severity}** {plain(one.says)} ({plain(about(one))})")
        lines += [f"   First: {plain(one.first)}"] if one.first else []
    rest = len(summary.problems or []) - BOSS
    lines += [f"\n{counted(rest, 'more problem')}"] if rest > 0 else []
    return "\n".join(lines).strip() + "\n"


def about(one: WeekProblem) -> str:
    """Where, how much it would heal, whose it is and how old: in a few words."""
    where = some(one.environments, _WHERE)
    owners = ", ".join(one.owners) or "not set"
    age = "new" if one.new else ("at least " if one.at_least else "") + counted(one.days, "day")
    return f"{where}; heals {counted(one.heals, 'check')}; owner {owners}; {age}"


def plain(text: str) -> str:
    """A text on one line, in which no character of Markdown or HTML means anything."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>|#~" else char for char in " ".join(text.split()))


def as_json(summary: WeekSummary) -> str:
    """The whole as a document."""
    said = {"format": 1, "origin": ORIGIN[summary.generated], "headline": summary.headline, "news": summary.news}
    whole = said | msgspec.to_builtins(summary)
    return msgspec.json.format(msgspec.json.encode(whole), indent=1).decode() + "\n"
