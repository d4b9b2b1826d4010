import pytest

from runbook.model.errors import Denied
from support.recorded_kubernetes import Played
from support.strimzi_played import KAFKAS, platform


def test_what_is_asked_for_stands_beside_what_is_in_force() -> None:
    played = platform()
    played.item(KAFKAS, "orders")["spec"]["kafka"] |= {"version": "4.3.0"}
    row = played.row("strimzi_version")
    assert (row["kafka"], row["operator"]) == ("orders", "1.0.0")
    assert (row["version"], row["wanted_version"]) == ("4.2.0", "4.3.0")
    assert (row["level"], row["wanted_level"]) == ("4.2-IV1", "4.2-IV1")
    assert (row["ready"], row["observed"], row["paused"], row["held"]) == (True, True, False, False)


def test_of_one_that_is_paused_the_operator_says_nothing_else() -> None:
    played = platform()
    kafka = played.item(KAFKAS, "orders")
    kafka["metadata"] |= {"generation": 2, "annotations": {"strimzi.io/pause-reconciliation": "true"}}
    paused = {"type": "ReconciliationPaused", "status": "True"}
    kafka["status"] = {"observedGeneration": 1, "clusterId": "x", "conditions": [paused]}
    row = played.row("strimzi_version")
    assert (row["operator"], row["version"], row["level"]) == ("", "", "")
    assert (row["ready"], row["observed"], row["paused"], row["held"]) == (False, False, True, True)


def test_what_nobody_asks_for_is_empty() -> None:
    played = platform()
    spec = played.item(KAFKAS, "orders")["spec"]["kafka"]
    del spec["version"], spec["metadataVersion"]
    row = played.row("strimzi_version")
    assert (row["wanted_version"], row["wanted_level"]) == ("", "")


def test_without_strimzi_it_has_no_meaning() -> None:
    assert Played("healthy").observe("strimzi_version").inapplicable


def test_a_list_that_is_refused_is_not_empty() -> None:
    played = platform()
    played.statuses[KAFKAS] = 403
    with pytest.raises(Denied):
        played.observe("strimzi_version")
