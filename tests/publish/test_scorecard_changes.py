"""The page of what changed in a scorecard since the week before."""

from typing import Any

import msgspec
import pytest

from runbook.publish.evidence_links import EvidenceLinks
from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_changes import MOST, SHOWN, changes_page


def _page(card: Any) -> str:
    return changes_page(msgspec.convert(card, Scorecard), EvidenceLinks([]), ["hostile"]).text


@pytest.mark.parametrize(
    "shown",
    [
        "Newly failing: 1",
        "Fixed: 1",
        "Newly unknown: 1",
        "Flapping: 1",
        "Waivers to look at: 3",
        "Drills overdue or not known: 1",
        "Definitions changed: 1",
    ],
)
def test_everything_that_is_new_is_counted(card: Any, shown: str) -> None:
    assert shown in _page(card)


def test_long_lists_are_cut_and_say_so(card: Any) -> None:
    (change,) = [row for row in card["tables"]["changes"] if row["change"] == "fixed"]
    card["tables"]["changes"] = [change | {"subject": f"s{number}"} for number in range(MOST + 5)]
    text = _page(card)
    assert f"Fixed: {MOST + 5}" in text
    assert "5 more: on the pages of their environments" in text


def test_the_worst_comes_first(card: Any) -> None:
    card["tables"]["failing"] = []
    change = card["tables"]["changes"][0]
    card["tables"]["changes"] = [
        change | {"severity": severity, "title": f"One {severity}"} for severity in ("low", "critical")
    ]
    text = _page(card)
    assert text.index("One critical") < text.index("One low")


def test_many_lines_of_one_kind_are_folded_away(card: Any) -> None:
    news = _page(card)
    assert "<details" not in news
    row = next(row for row in card["tables"]["changes"] if row["change"] == "fixed")
    card["tables"]["changes"] += [row] * (SHOWN + 1)
    news = _page(card)
    assert news.count("<details") == news.count("</details>") == 1
    seen, _, folded = news.partition('<h2 id="fixed">')[2].partition("<h2")[0].partition("<details")
    assert "<summary>2 more lines</summary>" in folded
    assert (seen.count("<td><a href"), folded.count("<td><a href")) == (SHOWN, 2)


def test_an_environment_is_a_link_and_flips_are_set_off(card: Any) -> None:
    news = _page(card)
    assert news.count('<td><a href="../scorecard/environments/broken.html">broken</a></td>') == 4 + 3 + 1
    assert "</span> · 3 changes in 28 days" in news
