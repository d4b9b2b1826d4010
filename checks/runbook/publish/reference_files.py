"""Reference pages of the files that people and programs exchange: the inventory, and the results of runs."""

from typing import Any

from runbook.model.fact import Gap
from runbook.model.link import Mirror, Promise
from runbook.model.objective import DEFAULT, Ranking, TopicRanking
from runbook.model.result import Common, Evidence, JudgedRow, Result, WaiverUse
from runbook.model.run import VERSION, DeclaredWaiver, Expected, Head, NamedCause
from runbook.parse.inventory import LONGEST_WAIVER, Environment, Waiver
from runbook.plugins.catalog import catalog
from runbook.publish.page import Page, fragment, heading
from runbook.publish.record_table import fields


def inventory_page() -> Page:
    """Make the page of everything that an inventory may say."""
    head = fragment(
        "inventory_head.html",
        connections=catalog("connections").names(),
        days=LONGEST_WAIVER.days,
        ranking=DEFAULT,
    )
    records = {
        "An environment": Environment,
        "A waiver": Waiver,
        "A ranking": Ranking,
        "A ranking of some topics": TopicRanking,
        "A mirror": Mirror,
        "A promise of a mirror": Promise,
    }
    return _page("reference/inventory.md", "Inventory", [head], records)


def results_page() -> Page:
    """Make the page of the files of a results store, line by line."""
    head = fragment("results_head_reference.html", version=VERSION)
    records = {
        "Run line: its head": Head,
        "Run line: an expected check": Expected,
        "Run line: a declared waiver": DeclaredWaiver,
        "Run line: a cause": NamedCause,
        "Result line": Result,
        "A row": JudgedRow,
        "A gap": Gap,
        "A fact a verdict rests on": Evidence,
        "What rows have in common": Common,
        "The waiver in force": WaiverUse,
    }
    return _page("reference/results.md", "Results", [head], records)


def _page(path: str, title: str, parts: list[Any], records: dict[str, Any]) -> Page:
    for name, record in records.items():
        parts += [f"## {heading(name)}", fields(record)]
    return Page(path, "\n\n".join([f"# {title}", *parts]) + "\n")
