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


def test_what_is_allowed_and_can_not_be_seen_is_a_lack():
    told, complete = describe(target("prod", KAFKA, may_read=["orders"]), {"kafka_record": Fact("x", {}, [Gap("no")])})
    assert not complete
    assert "waits" not in told
