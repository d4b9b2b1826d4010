"""The evidence behind every cell: for each environment and runbook the last results, with their rows.

What needs a person is told in full, what complies in one line each. The first results are open; the others open with a
tap, and for a link that leads to one: an environment in which all fails stays a page that a phone can show.
"""

import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence

from markupsafe import Markup

from runbook.model.block import SEVERITIES
from runbook.model.consequence import reason_for
from runbook.publish.evidence import EnvironmentEvidence, LastSeen
from runbook.publish.observed_facts import load_probe
from runbook.publish.page import STATUS, UNSEARCHED, WIDE, Page, anchor, fragment, heading, title
from runbook.publish.receipt import since_before
from runbook.publish.site_paths import built, evidence_folder, evidence_page, file_name, result_anchor

ORDER = ("fail", "unknown", "waived", "unobserved", "not_applicable", "pass")  # what needs a person first
OPEN = ORDER[:3]
FEW = 3  # results that a page shows open, lines that it does not fold; our judgement: what one reads at once


def evidence_pages(
    environments: Sequence[EnvironmentEvidence],
    published: Collection[str],
    store: str = "",
    silent: Collection[str] = (),
) -> Iterator[Page]:
    """Make every page of evidence.

    Args:
        environments: the last results of each.
        published: the runbooks that have a page to link to.
        store: how a command of the checkout names the store; empty if it is the one that commands take by themselves.
        silent: environments from which nothing came in the week that the scorecard shows.
    """
    yield evidence_index(environments, silent)
    for environment in environments:
        yield environment_index(environment, silent=environment.name in silent)
        for runbook, results in environment.by_runbook().items():
            yield results_page(environment, runbook, results, published, store)


def evidence_index(environments: Sequence[EnvironmentEvidence], silent: Collection[str] = ()) -> Page:
    """Make the page that lists the environments; `silent` as for `evidence_pages`."""
    listed = [
        (found.name, counts(found.seen()), built(evidence_folder(found.name)).removeprefix("evidence/"), found)
        for found in environments
    ]
    generated = any(found.generated for found in environments)
    table = fragment("evidence_index.html", listed=listed, order=ORDER, generated=generated, silent=silent)
    return Page("evidence/index.md", f"{WIDE}# Evidence\n\n{table}\n")


def environment_index(environment: EnvironmentEvidence, *, silent: bool = False) -> Page:
    """Make the page of one environment: its last run, whether it is silent since, and its results by runbook."""
    listed = [
        (runbook, counts(results), f"{file_name(runbook)}.html")
        for runbook, results in environment.by_runbook().items()
    ]
    head = fragment("environment_head.html", environment=environment, silent=silent)
    table = fragment("evidence_runbooks.html", listed=listed, order=ORDER)
    text = "\n\n".join([title(f"Evidence: {environment.name}"), head, table])
    return Page(evidence_folder(environment.name), f"{UNSEARCHED}{text}\n")


def results_page(
    environment: EnvironmentEvidence,
    runbook: str,
    results: Iterable[LastSeen],
    published: Collection[str],
    store: str = "",
) -> Page:
    """Make the page of an environment's results of one runbook; `store` as for `evidence_pages`."""
    verify = " ".join(filter(None, ["runbook results verify", shlex.quote(store) if store else "", "--receipt"]))
    by_status: dict[str, list[LastSeen]] = {status: [] for status in ORDER}
    for seen in sorted(results, key=_worst_first):
        by_status[seen.status].append(seen)
    parts = [
        title(f"Evidence: {runbook} in {environment.name}"),
        fragment("results_head.html", environment=environment, runbook=runbook, published=published),
    ]
    first = [seen for status in OPEN for seen in by_status[status]][:FEW]
    for status, group in by_status.items():
        if group:
            word = STATUS[status].word
            parts.append(f"## {heading(word.capitalize())} ({len(group)}) {{ #{anchor(word)} }}")
            parts += (
                _in_full(group, first, environment, published, verify)
                if status in OPEN
                else [_compact(group, published, verify)]
            )
    return Page(evidence_page(environment.name, runbook), UNSEARCHED + "\n\n".join(parts) + "\n")


def counts(results: Iterable[LastSeen]) -> dict[str, int]:
    """How many results there are of each status."""
    found = dict.fromkeys(ORDER, 0)
    for seen in results:
        found[seen.status] += 1
    return found


def _in_full(
    group: Sequence[LastSeen],
    opened: Collection[LastSeen],
    environment: EnvironmentEvidence,
    published: Collection[str],
    verify: str,
) -> list[Markup]:
    return [
        fragment(
            "result.html",
            seen=seen,
            opened=any(seen is one for one in opened),
            because=reason_for(seen.result.consequence),
            place=_place(seen),
            published=published,
            verify=verify,
            before=(before := environment.earlier.get(seen.about)),
            changed=since_before(seen, before) if before else "",
            is_built_in=lambda source: load_probe(source) is not None,
        )
        for seen in group
    ]


def _compact(group: Sequence[LastSeen], published: Collection[str], verify: str) -> Markup:
    rows = [(seen, _place(seen)) for seen in group]
    return fragment("results_compact.html", rows=rows, few=FEW, published=published, verify=verify)


def _worst_first(seen: LastSeen) -> tuple[int, str, str]:
    return -SEVERITIES.index(seen.result.severity), seen.result.check, seen.result.subject


def _place(seen: LastSeen) -> str:
    return result_anchor(seen.result.check, seen.result.subject)
