"""A score as a sum of weights."""

from typing import Any

import msgspec

from runbook.model.scorecard import ALL
from runbook.publish.score_sums import SeverityShare, sums
from runbook.publish.scorecard import Scorecard


def test_a_score_is_the_weight_that_complies_of_the_weight_that_applies(card: Any) -> None:
    found = sums(msgspec.convert(card, Scorecard), "broken", "hostile")
    assert found.parts == [SeverityShare("high", 8, 8, 6, 5)]
    assert (found.complies, found.applies, found.passes) == (48, 64, 40)


def test_all_runbooks_are_added_up_by_severity(card: Any) -> None:
    high = card["tables"]["scores"][2]
    card["runbooks"].append("other")
    card["tables"]["scores"] += [
        high | {"runbook": "other"},
        high | {"runbook": "other", "severity": "low", "passed": 1, "failed": 0, "waived": 0, "expected": 2},
    ]
    found = sums(msgspec.convert(card, Scorecard), "broken", ALL)
    assert found.parts == [SeverityShare("high", 8, 16, 12, 10), SeverityShare("low", 2, 1, 1, 1)]
    assert (found.complies, found.applies, found.passes) == (98, 130, 82)


def test_an_environment_that_nothing_is_known_of_has_no_parts(card: Any) -> None:
    assert sums(msgspec.convert(card, Scorecard), "elsewhere", ALL).parts == []
