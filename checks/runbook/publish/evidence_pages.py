"""The evidence behind every cell: for each environment its last results, with their rows."""

from collections.abc import Collection, Sequence

from runbook.engine.block import SEVERITIES
from runbook.publish.evidence import Environment, Seen
from runbook.publish.page import STATUS, Page, anchor, fragment, heading, title
from runbook.publish.site_paths import evidence_page

ORDER = ("fail", "unknown", "waived", "not_applicable", "pass")  # what needs a person first
OPEN = ORDER[:3]


def evidence_index(environments: Sequence[Environment]) -> Page:
    """Make the page that lists the environments."""
    listed = [
        {"environment": found, "counts": _counts(found), "href": evidence_page(found.name)[9:-3] + ".html"}
        for found in environments
    ]
    return Page("evidence/index.md", f"# Evidence\n\n{fragment('environments.html', listed=listed, order=ORDER)}\n")


def environment_page(environment: Environment, published: Collection[str]) -> Page:
    """Make the page of one environment; `published` names the runbooks that have a page to link to."""
    parts = [title(environment.name), fragment("environment_head.html", environment=environment)]
    by_status: dict[str, list[Seen]] = {status: [] for status in ORDER}
    for seen in environment.seen():
        by_status[seen.status].append(seen)
    for status, results in by_status.items():
        if not results:
            continue
        parts.append(f"## {heading(STATUS[status].word.capitalize())} ({len(results)})")
        results.sort(key=_worst_first)
        parts += [
            fragment("result.html", seen=seen, place=_place(seen), published=published, open=status in OPEN)
            for seen in results
        ]
    return Page(evidence_page(environment.name), "\n\n".join(parts) + "\n")


def _counts(environment: Environment) -> dict[str, int]:
    counts = dict.fromkeys(ORDER, 0)
    for seen in environment.seen():
        counts[seen.status] += 1
    return counts


def _worst_first(seen: Seen) -> tuple[int, str, str]:
    return -SEVERITIES.index(seen.result.severity), seen.result.check, seen.result.subject


def _place(seen: Seen) -> str:
    return anchor(f"{seen.result.check}-{seen.result.subject}")
