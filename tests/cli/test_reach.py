import pytest

from runbook.cli.reach import describe
from runbook.model.fact import Fact, Gap
from support.small_runbooks import target

KAFKA = {"kafka": {"bootstrap.servers": "a:1"}}


def test_what_waits_for_a_word_of_the_inventory_is_told_and_is_no_lack():
    facts = {name: Fact(name, {}, [Gap("not allowed")]) for name in ("kafka_record", "kafka_entry")}
    told, complete = describe(target("prod", KAFKA), facts)
    assert complete
    lines = {line.split()[1]: line for line in told.splitlines() if line.startswith("  waits")}
    assert "active: true" in lines["kafka_entry"]
    assert "may_read: [" in lines["kafka_record"]


@pytest.mark.parametrize(("pinned", "wrong"), [("abc", False), ("", False), ("other", True)])
def test_another_cluster_than_the_pinned_one_is_told(pinned: str, *, wrong: bool):
    cluster = Fact("kafka_cluster", {"cluster_id": ["abc"]})
    told, complete = describe(target("prod", KAFKA, cluster_id=pinned), {"kafka_cluster": cluster})
    said = "WRONG    cluster_id       this is cluster abc; the inventory pins prod to other: correct cluster_id:"
    assert (said in told, complete) == (wrong, not wrong)


def test_what_is_allowed_and_can_not_be_seen_is_a_lack():
    told, complete = describe(target("prod", KAFKA, may_read=["orders"]), {"kafka_record": Fact("x", {}, [Gap("no")])})
    assert not complete
    assert "waits" not in told
