"""The totals on the page that says how runbooks are proved: those of the records."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from support import faults_page, walks_page
from support.made_page import RECORDS, MadePage

PAGE = MadePage(
    Path(__file__).parents[2] / "docs" / "explanation" / "how-it-is-proved.md",
    "<!-- totals: made by tests/benchmarks/walks.py and causes.py -->",
    "<!-- end of totals -->",
)
_SUMS = 3
"""Lines of a record's own sums, which stand before its table."""
_CLASSES = (
    *("right in the first three lines", "right, but later", "honestly unknown"),
    *("nothing is said", "wrong: a pass, a cause, advice or a proof"),
)
"""The classes of the record of new incidents, in its order."""


def lines() -> Iterator[str]:
    """A sentence or two for each kind of proof."""
    yield f"- **Procedures**: {' '.join(walks_page.PAGE.made()[:_SUMS])}"
    yield f"- **Faults made in a lab, then healed**: {' '.join(faults_page.PAGE.made()[:_SUMS])}"
    played = re.findall(r"^\| \w+: ([^|]+) \| \d+ \| (\d+) \|$", _record("incidents"), re.MULTILINE)
    yield f"- **Incidents that a command plays on real brokers**: {_told(played)}"
    counts = re.search(r"^\| now ((?:\| \d+ )+)\|$", _record("new-incidents"), re.MULTILINE)
    assert counts
    made = zip(_CLASSES, re.findall(r"\d+", counts[1]), strict=True)
    yield f"- **Incidents designed without knowledge of the checks, then made**: {_told([*made])}"


def _record(name: str) -> str:
    return (RECORDS / f"{name}.md").read_text("utf-8")


def _told(counts: Sequence[tuple[str, str]]) -> str:
    total = sum(int(count) for _, count in counts)
    return f"{total}. {'; '.join(f'{count} {what}' for what, count in counts)}."


def page() -> str:
    """The page as it should be."""
    return PAGE.with_lines(lines())
