"""A week as pages: what the first screen shows of it, and a page of its own at an address that stays."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup
from msgspec import Struct

from runbook.evidence.store import write_atomically
from runbook.judge.summary import some
from runbook.publish.evidence import EnvironmentEvidence
from runbook.publish.evidence_links import EvidenceLinks
from runbook.publish.first_steps import FirstStep
from runbook.publish.owners import Owners
from runbook.publish.page import UNSEARCHED, Page, fragment, heading
from runbook.publish.problems import WeekProblem, problems
from runbook.publish.scorecard import Scorecard
from runbook.publish.site_paths import CHANGES_PAGE, built, environment_page, week_file
from runbook.publish.week_summary import (
    BOSS,
    WeekStanding,
    WeekSummary,
    as_json,
    as_markdown,
    earlier_weeks,
    summary_of,
)

FIRST = 6
"""Problems on the first screen. Our judgement: more are not begun on one Monday."""

NAMED = 2
"""Environments that a tile names."""

LISTED = 40
"""Problems on the page of a week: a dozen screens of a phone. All of them are in its JSON."""

_CHANGES = built(CHANGES_PAGE).removeprefix("scorecard/")


class WeekView(Struct, frozen=True):
    """The last week, whose it is, and where its evidence is."""

    summary: WeekSummary
    owners: Owners
    links: EvidenceLinks
    worse: str

    def standing(self, name: str) -> WeekStanding | None:
        """Where an environment stands."""
        return next((one for one in self.summary.standings if one.name == name), None)

    def top(self) -> Markup:
        """The figures of the week, on the first screen."""
        week = built(week_file(self.summary.week)).removeprefix("scorecard/")
        ways = [("one page to print or copy", week), ("JSON", week.replace(".html", ".json"))]
        return _top(self.summary, self.worse, [*ways, ("evidence", "../evidence/index.html")], _CHANGES)

    def first(self) -> Markup:
        """What to fix first, on the first screen."""
        found = self.summary.problems or []
        rest = f"{built(week_file(self.summary.week)).removeprefix('scorecard/')}#more-problems"
        return _table(found[:FIRST], "What to fix first", "../", more=len(found) - FIRST, rest=rest)


def week_view(
    card: Scorecard, environments: Sequence[EnvironmentEvidence], steps: Mapping[str, FirstStep] | None = None
) -> WeekView:
    """The last week of a scorecard, with what the evidence and the runbooks say beside it."""
    owners, links = Owners(environments), EvidenceLinks(environments)
    last_runs = {one.name: one.last.started_at for one in environments if one.last}
    summary = summary_of(card, problems(card, links, owners, steps), last_runs)
    return WeekView(summary, owners, links, card.worst_fall())


def week_pages(card: Scorecard, view: WeekView, kept: Sequence[WeekSummary] = ()) -> Iterator[Page]:
    """A page for each week, and the JSON of those of which more than the trend is known.

    Args:
        card: for the weeks before the last, as far as its trend knows them.
        view: the last week.
        kept: earlier weeks, as they were published when they were the last. Made-up ones are never shown beside
            measured ones, and weeks after the last are not shown.
    """
    fit = [one for one in kept if one.generated == card.generated and one.week < card.week]
    weeks = {one.week: one for one in (*earlier_weeks(card), *fit, view.summary)}
    ordered = [weeks[week] for week in sorted(weeks)]
    for before, week, after in zip([None, *ordered], ordered, [*ordered[1:], None], strict=False):
        yield _page(week, before, after, view.worse if week is view.summary else "")
        if week.problems is not None:
            yield Page(week_file(week.week).replace(".md", ".json"), as_json(week))


def read_kept(folder: Path) -> list[WeekSummary]:
    """The weeks that a folder keeps as JSON; one that can't be read is left out, as the trend still knows it."""
    found = []
    for file in sorted(folder.glob("*.json")):
        try:
            found.append(msgspec.json.decode(file.read_bytes(), type=WeekSummary))
        except (OSError, msgspec.DecodeError):
            continue
    return found


def keep_weeks(site: Path, data: Path) -> None:
    """Keep the weeks of a site that was published as JSON beside the scorecard, for the sites after it.

    Args:
        site: the folder of the site.
        data: the folder that holds `scorecard/`.

    Raises:
        OSError: they can't be written there.
    """
    for file in sorted((site / "scorecard" / "weeks").glob("*.json")):
        place = data / "scorecard" / "weeks" / file.name
        place.parent.mkdir(exist_ok=True)
        write_atomically(place, file.read_bytes())


def _page(week: WeekSummary, before: WeekSummary | None, after: WeekSummary | None, worse: str) -> Page:
    ways = [(f"← week {before.week}", f"{before.week}.html")] if before else []
    ways += [(f"week {after.week} →", f"{after.week}.html")] if after else []
    ways += [("JSON", f"{week.week}.json")] if week.problems is not None else []
    ways += [("scorecard", "../index.html")]
    parts = [
        f"# {heading(week.headline)}",
        _top(week, worse, ways, "" if after else f"../{_CHANGES}"),
    ]
    found, here = week.problems or [], f"{week.week}.html#more-problems"
    if week.problems is None:
        parts.append('<p class="rb-facts">Its problems were not kept: of this week the trend alone is known.</p>')
    else:
        parts += [
            "## Fix first",
            _table(found[:BOSS], "What to fix first", "../../", more=len(found) - BOSS, rest=here),
        ]
    parts += ["## Environments", fragment("week_environments.html", week=week, place=_place, root="../../")]
    if week.problems is not None:
        parts += ["## As Markdown", fragment("week_markdown.html", text=as_markdown(week))]
    if found[BOSS:]:
        rest = found[BOSS:LISTED]
        table = _table(rest, "More problems", "../../", tool=True, more=len(found) - LISTED, rest=f"{week.week}.json")
        parts += ["## More problems", table]
    head = UNSEARCHED.replace("---\n\n", f"title: Week {week.week}\nhide: [navigation, toc]\n---\n\n")
    return Page(week_file(week.week), head + "\n\n".join(parts) + "\n")


def _top(week: WeekSummary, worse: str, ways: Sequence[tuple[str, str]], news: str) -> Markup:
    return fragment("week_top.html", week=week, worse=worse, ways=ways, news=news, places=_places, trust=_trust(week))


def _table(
    rows: Sequence[WeekProblem], label: str, root: str, *, tool: bool = False, more: int = 0, rest: str = ""
) -> Markup:
    values: dict[str, Any] = {"rows": rows, "label": label, "root": root, "tool": tool, "place": _place}
    return fragment("problems.html", more=max(0, more), rest=rest, **values)


def _place(environment: str) -> str:
    return built(environment_page(environment))


def _places(standings: Sequence[WeekStanding]) -> str:
    """The first of these environments by name, and how many more."""
    return some([one.name for one in standings], NAMED)


def _trust(summary: WeekSummary) -> str:
    known = [one.coverage for one in summary.standings if one.coverage is not None]
    return f"{min(known):g} % seen at least" if known else ""
