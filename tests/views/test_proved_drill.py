from typing import Any

from runbook.model.fact import Fact
from runbook.run.collection.fact_assembly import compute_view
from runbook.views import proved_drill

NAMES = proved_drill.VIEW.inputs["drill"].columns


def drill(*rows: dict[str, Any]) -> Fact:
    """Drills as the probe tells them, of one environment where nothing else is said."""
    usual = {"procedure": "p/lose", "source": "", "target": "prod", "rehearsal": False, "drills": 1, "walk": "w"}
    whole = [dict.fromkeys(NAMES) | usual | row for row in rows]
    return Fact("drill", {name: [row[name] for row in whole] for name in NAMES})


def proved(*rows: dict[str, Any], **given: Any) -> Fact:
    """What those drills prove."""
    return compute_view(
        "proved_drill", {"drill": drill(*rows), "cluster": Fact("kafka_cluster", {"cluster_id": ["c"]})}, given
    )


def test_what_was_seen_lost_stands_apart_from_what_the_figures_do_not_show():
    fact = proved({"caveats": ["acks=1", "seen lost: broker 3, from 1 to 2 [cluster c]"]})
    [row] = fact.rows()
    assert fact.complete
    assert (row["lost"], row["caveats"]) == ("broker 3, from 1 to 2 [cluster c]", ["acks=1"])


def test_what_was_not_seen_proves_nothing_and_why_is_told():
    fact = proved({"caveats": ["not seen lost: brokers 1, 2 were in service"]})
    assert fact.columns["lost"] == [None]
    assert fact.columns["caveats"] == [[]]
    [gap] = fact.gaps
    assert gap.reason == "the drill w of p/lose proves nothing: not seen lost: brokers 1, 2 were in service"


def test_a_record_without_a_look_proves_nothing():
    for caveats in ([], ["acks=1"], None):
        fact = proved({"caveats": caveats, "rpo_records": 0})
        assert fact.columns["lost"] == [None]
        assert "holds no look of the tool" in fact.gaps[0].reason


def test_a_procedure_that_was_never_drilled_and_a_rehearsal_are_no_gaps():
    fact = proved({"drills": 0}, {"rehearsal": True})
    assert fact.complete
    assert fact.columns["lost"] == [None, None]


def test_only_drills_of_one_environment_can_be_asked_for():
    fact = proved({"source": "eu"}, {"caveats": ["seen lost: it [cluster c]"]}, alone=True)
    assert fact.complete
    assert fact.columns["source"] == [""]


def test_a_drill_of_another_cluster_of_the_same_name_proves_nothing_here():
    for caveat in ("seen lost: it [cluster d]", "seen lost: it"):
        fact = proved({"caveats": [caveat]})
        assert fact.columns["lost"] == [None]
        assert "and this is c" in fact.gaps[0].reason
