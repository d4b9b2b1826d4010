from typing import Any

from runbook.model.fact import Fact
from runbook.views import mirror_quota
from support.mirror_facts import fact_of, seen

FLOW = {"connector": "mirror-source", "kind": "source", "source": "primary", "enabled": True}
NAMES = ("who", "limit", "value", "default", "about")
EVERY = ("every client", "producer_byte_rate", 20000.0, True, "client")
OWN = ("client connector-producer-mirror-source-0", "producer_byte_rate", 5e6, False, "client")


def quotas(*rows: tuple[str, str, float, bool, str]) -> Fact:
    return fact_of("kafka_quota", [dict(zip(NAMES, row, strict=True)) for row in rows])


def late(overdue: list[bool | None]) -> Fact:
    columns = {"topic": ["orders"] * len(overdue), "partition": [*range(len(overdue))], "overdue": [*overdue]}
    return Fact("mirror_overdue", columns)


def told(there: Fact, here: Fact | None = None, missing: Fact | None = None, **flow: Any) -> list[dict[str, Any]]:
    given = {"source": here or quotas(), "target": there, "late": missing or late([True, False]), "alias": "primary"}
    return seen(mirror_quota, connector=fact_of("mirror_connector", [FLOW | flow]), **given)


def test_a_default_of_the_target_limits_what_is_written_there() -> None:
    [row] = told(quotas(EVERY))
    assert (row["at"], row["connectors"], row["overdue"]) == ("target", ["mirror-source"], 1)
    assert row["entity"] == "--entity-type clients --entity-default"


def test_a_quota_of_its_own_client_id_comes_before_the_default() -> None:
    [row] = told(quotas(EVERY, OWN))
    assert row["entity"] == "--entity-type clients --entity-name connector-producer-mirror-source-0"


def test_what_is_read_is_limited_at_the_source_alone() -> None:
    reads = ("every user", "consumer_byte_rate", 1000.0, True, "user")
    assert told(quotas(reads)) == []
    [row] = told(quotas(), quotas(reads, EVERY))
    assert (row["at"], row["limit"], row["entity"]) == (
        "source",
        "consumer_byte_rate",
        "--entity-type users --entity-default",
    )


def test_quotas_of_others_and_of_addresses_are_left_out() -> None:
    others = ("user ada", "producer_byte_rate", 5.0, False, "user")
    address = ("every ip", "connection_creation_rate", 5.0, True, "ip")
    assert told(quotas(others, address)) == []


def test_without_a_flow_from_there_nothing_is_said() -> None:
    assert told(quotas(EVERY), source="asia") == []
    assert told(quotas(EVERY), enabled=False) == []


def test_how_many_are_late_is_unknown_where_none_is_known_to_be_and_of_one_it_is_not() -> None:
    assert told(quotas(EVERY), missing=late([None, False]))[0]["overdue"] is None
    assert told(quotas(EVERY), missing=late([None, True]))[0]["overdue"] == 1
    assert told(quotas(EVERY), missing=late([False]))[0]["overdue"] == 0
