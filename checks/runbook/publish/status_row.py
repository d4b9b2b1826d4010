"""The strip of a card: the last result of a check in every environment, what needs a person first."""

from collections.abc import Sequence
from datetime import timedelta

from markupsafe import Markup
from msgspec import Struct

from runbook.judge.template import show
from runbook.parse.runbook import LocatedBlock
from runbook.publish.evidence import EnvironmentEvidence, LastSeen
from runbook.publish.page import fragment
from runbook.publish.site_paths import built, evidence_folder, evidence_page, result_anchor
from runbook.publish.when import oldest

ORDER = ("fail", "unknown", "waived", "unobserved", "none", "not_applicable", "pass")
OPEN = ("fail", "unknown", "waived")  # a person should see these without a click
FEW = 8  # our judgement: as many cells as fit on two lines of a phone held sideways
SHOWN = 12  # our judgement: beyond that even of failures only the count speaks


class StatusCell(Struct, frozen=True):
    """The last result of a check for one subject.

    Attributes:
        name: of the subject.
        status: see `runbook.publish.page.STATUS`.
        at: the moment of its run; empty if there is no result.
        note: what to know before trusting it.
        href: the place of its evidence.
    """

    name: str
    status: str
    at: str
    note: str
    href: str


class StatusGroup(Struct, frozen=True):
    """The cells of one status; `open` if they are shown without a click."""

    status: str
    cells: list[StatusCell]
    open: bool

    @property
    def oldest(self) -> str | None:
        """The moment of the oldest result among them."""
        return oldest(cell.at for cell in self.cells if cell.at)


def status_row(placed: LocatedBlock, environments: Sequence[EnvironmentEvidence], stale_after: timedelta) -> Markup:
    """Render the strip of a check; of many environments, those that need nobody are folded away.

    Args:
        placed: the check.
        environments: all of which something is known.
        stale_after: the age above which a result is marked as old.
    """
    found = _found(placed, environments, stale_after, up="../../")
    if len(found) <= FEW:
        return fragment("strip.html", cells=found)
    noted = sum(bool(cell.note) for cell in found)
    return fragment("strip_of_many.html", groups=_groups(found), noted=noted)


def needing_a_person(
    placed: LocatedBlock, environments: Sequence[EnvironmentEvidence], stale_after: timedelta
) -> list[StatusGroup]:
    """The results of a check that a person should see, by status, for its line in a list."""
    groups = _groups(_found(placed, environments, stale_after, up="../"))
    return [group for group in groups if group.status in OPEN]


def _found(
    placed: LocatedBlock, environments: Sequence[EnvironmentEvidence], stale_after: timedelta, up: str
) -> list[StatusCell]:
    """All cells of a check, what needs a person first; none if no environment has a result of it."""
    found = [cell for environment in environments for cell in _cells(placed, environment, stale_after, up)]
    if all(cell.status == "none" for cell in found):
        return []
    return sorted(found, key=lambda cell: (ORDER.index(cell.status), not cell.note, cell.name))


def _groups(found: Sequence[StatusCell]) -> list[StatusGroup]:
    by_status: dict[str, list[StatusCell]] = {}
    for cell in found:
        by_status.setdefault(cell.status, []).append(cell)
    return [
        StatusGroup(status, group, open=status in OPEN and len(group) <= SHOWN) for status, group in by_status.items()
    ]


def _cells(placed: LocatedBlock, environment: EnvironmentEvidence, stale_after: timedelta, up: str) -> list[StatusCell]:
    """The cells of one environment: one for each subject, or one that says that there is no result."""
    seen = environment.results.get(placed.name, [])
    if not seen:
        return [StatusCell(environment.name, "none", "", "", up + built(evidence_folder(environment.name)))]
    page = up + built(evidence_page(environment.name, placed.runbook))
    return [_cell(placed, last, page, stale_after) for last in seen]


def _cell(placed: LocatedBlock, seen: LastSeen, page: str, stale_after: timedelta) -> StatusCell:
    notes = []
    if seen.stale(stale_after):
        notes.append("older than results may be")
    if seen.result.check_digest != placed.digest():
        notes.append("judged by an earlier definition")
    place = f"{page}#{result_anchor(placed.name, seen.result.subject)}"
    name = seen.result.subject or seen.result.environment
    return StatusCell(name, seen.status, seen.run.started_at, ", ".join(notes), place)


def overrides(placed: LocatedBlock, environments: Sequence[EnvironmentEvidence]) -> dict[str, list[tuple[str, str]]]:
    """Which environments judged with a value of their own: parameter -> (environment, value)."""
    found: dict[str, dict[str, str]] = {}
    for environment in environments:
        for seen in environment.results.get(placed.name, []):
            for name in seen.result.overridden:
                found.setdefault(name, {})[environment.name] = show(seen.result.params.get(name))
    return {name: sorted(values.items()) for name, values in found.items()}
