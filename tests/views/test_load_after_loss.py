"""What the others send, receive and lead when a broker or a rack is lost."""

from typing import Any

from runbook.model.fact import Fact
from runbook.views.load_after_loss import LoadAfterLoss, compute
from support.kafka_facts import fact

NOW = "2026-11-29T10:00:00.000Z"
TEN_SECONDS_AGO = "2026-11-29T09:59:50.000Z"
REPLICAS = [[1, 2, 3], [2, 3, 1], [3, 1, 2]]


def of(
    scenario: str,
    *,
    isr: list[int] | None = None,
    racks: tuple[str | None, ...] = ("a", "b", "c"),
    oldest: str | None = TEN_SECONDS_AGO,
    readers: int = 1,
) -> tuple[LoadAfterLoss, Fact | None]:
    """Three partitions of 1000 bytes a second each, on three brokers; each broker leads one."""
    parts: list[dict[str, Any]] = [
        {"topic": "t", "partition": n, "leader": nodes[0], "replicas": nodes, "isr": isr or nodes}
        for n, nodes in enumerate(REPLICAS)
    ]
    offset = fact(
        "kafka_partition_offset",
        [
            {"topic": "t", "partition": n, "records": 9, "oldest": oldest if n == 0 else TEN_SECONDS_AGO}
            for n in range(3)
        ],
    )
    offset.collected_at = NOW
    observed = compute(
        partition=fact("kafka_partition", parts),
        broker=fact("kafka_broker", [{"broker": n, "rack": rack, "fenced": False} for n, rack in enumerate(racks, 1)]),
        offset=offset,
        size=fact(
            "kafka_replica_size",
            [{"topic": "t", "partition": n, "broker": node, "size": 10000} for n in range(3) for node in (1, 2, 3)],
        ),
        member=fact("kafka_group_member", [{"group": f"g{n}", "member": "m", "topics": ["t"]} for n in range(readers)]),
    )
    [row] = [row for row in observed.rows if row.scenario == scenario]  # type: ignore[attr-defined]
    assert isinstance(row, LoadAfterLoss)
    return row, observed.gaps  # type: ignore[return-value]


def test_the_next_replica_leads_and_sends_to_the_follower_that_is_left_and_to_readers() -> None:
    row, _ = of("broker 1")
    assert (row.busiest, row.leaders_now, row.leaders) == (2, 1, 2)
    assert (row.sent_now, row.sent) == (3000.0, 4000.0)  # then two partitions: one follower and one group each
    assert row.received == 3000.0  # as before
    assert row.offline == 0


def test_each_group_reads_from_the_leader() -> None:
    assert of("broker 1", readers=3)[0].sent == 8000.0


def test_a_rack_is_lost_with_all_its_brokers_and_one_alone_is_no_scenario() -> None:
    row, _ = of("rack a", racks=("a", "a", "b"))
    assert (row.kind, row.lost, row.busiest, row.leaders, row.sent) == ("rack", [1, 2], 3, 3, 3000.0)


def test_replicas_out_of_sync_lead_nothing() -> None:
    row, _ = of("broker 1", isr=[1])
    assert row.offline == 1


def test_a_rate_that_is_not_known_leaves_what_is_sent_unknown_and_a_rack_is_a_gap() -> None:
    row, gaps = of("broker 2", oldest=None, racks=(None, "b", "c"))
    assert (row.received, row.sent, row.sent_now, row.leaders, row.busiest) == (None,) * 5
    assert gaps


def test_the_busiest_is_one_that_receives_most_though_another_sends_more() -> None:
    """As on a real cluster: the largest topic has one replica and no reader, so its broker only receives."""
    offset = fact(
        "kafka_partition_offset",
        [{"topic": t, "partition": 0, "records": 9, "oldest": TEN_SECONDS_AGO} for t in ("alone", "t")],
    )
    offset.collected_at = NOW
    sizes = {("alone", 1): 90000, ("t", 2): 10000, ("t", 3): 10000}
    rows = compute(
        partition=fact(
            "kafka_partition",
            [
                {"topic": "alone", "partition": 0, "leader": 1, "replicas": [1], "isr": [1]},
                {"topic": "t", "partition": 0, "leader": 2, "replicas": [2, 3], "isr": [2, 3]},
            ],
        ),
        broker=fact("kafka_broker", [{"broker": n, "rack": f"r{n}", "fenced": False} for n in (1, 2, 3, 4)]),
        offset=offset,
        size=fact(
            "kafka_replica_size", [{"topic": t, "partition": 0, "broker": n, "size": s} for (t, n), s in sizes.items()]
        ),
        member=fact("kafka_group_member", []),
    ).rows
    [row] = [row for row in rows if isinstance(row, LoadAfterLoss) and row.scenario == "broker 4"]
    assert (row.busiest, row.received, row.sent) == (1, 9000.0, 0.0)
