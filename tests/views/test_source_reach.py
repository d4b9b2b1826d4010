from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.model.old_gaps import from_sentence
from runbook.model.recovery import withhold_where
from runbook.run.collection.fact_assembly import compute_view
from runbook.views.source_reach import compute
from support.kafka_facts import fact

AT, EARLIER = "2026-11-24T10:00:00.000Z", "2026-11-24T09:00:00.000Z"
REFUSED = "no bootstrap server answers: kafka-1:9092 can't be reached: connection refused"
SILENT = "no bootstrap server answers: kafka-1:9092 did not answer within 3 s"


def beats(*rows: tuple[str, str | None]) -> Fact:
    return fact(
        "kafka_partition_offset", [{"topic": topic, "partition": 0, "newest": newest} for topic, newest in rows]
    )


def cluster(*gaps: str, **cells: Any) -> Fact:
    seen = fact("kafka_cluster", [{"cluster_id": "a"} | cells] if cells else [])
    seen.gaps = [from_sentence(reason) for reason in gaps]
    return seen


def withheld_cluster() -> Fact:
    return withhold_where(cluster(REFUSED), lambda _: True)


@pytest.mark.parametrize(
    ("seen", "answers"),
    [
        (cluster(brokers=3), True),
        (withheld_cluster(), True),  # it would answer without the cause
        (cluster("broker 2 did not answer", brokers=3), True),
        (cluster(REFUSED), False),
        (cluster(SILENT), False),
        (cluster("it had not answered by the deadline"), None),
        (cluster(REFUSED, "kafka-2:9092 does not let us look: a login is refused"), None),
        (cluster("the inventory gives no kafka connection for prod"), None),
        (cluster("not asked: the deadline was reached first"), None),
        (cluster(), None),
    ],
)
def test_it_is_dark_only_where_all_that_was_tried_is_out_of_reach(seen: Fact, answers: bool | None) -> None:  # noqa: FBT001 - a cell
    [row] = compute(cluster=seen, heartbeat=beats(), standby=cluster(brokers=3)).rows
    assert (row.answers, row.reached, row.standby) == (answers, answers is True, True)
    assert (row.why is not None) is (answers is False)
    [other] = compute(cluster=cluster(brokers=3), heartbeat=beats(), standby=seen).rows
    assert (other.answers, other.reached, other.standby) == (True, True, answers)
    assert (other.standby_why is not None) is (answers is False)


def test_its_newest_heartbeat_is_of_the_topic_that_the_link_names() -> None:
    topics = beats(("heartbeats", AT), ("dc1.heartbeats", EARLIER), ("dc2.heartbeats", AT))
    [row] = compute(
        cluster=cluster(REFUSED), heartbeat=topics, standby=cluster(brokers=3), heartbeats="dc1.heartbeats"
    ).rows
    assert (row.heartbeats, row.newest, row.why) == ("dc1.heartbeats", EARLIER, REFUSED)


@pytest.mark.parametrize("topics", [beats(), beats(("dc1.heartbeats", None)), beats(("dc2.heartbeats", AT))])
def test_without_one_its_time_is_not_known(topics: Fact) -> None:
    [row] = compute(
        cluster=cluster(REFUSED), heartbeat=topics, standby=cluster(brokers=3), heartbeats="dc1.heartbeats"
    ).rows
    assert row.newest is None


def test_how_many_of_its_brokers_answer_is_told_as_far_as_it_is_known() -> None:
    [row] = compute(cluster=cluster(brokers=3, answering=2), heartbeat=beats(), standby=cluster(REFUSED)).rows
    assert (row.brokers, row.answering) == (3, 2)
    [row] = compute(cluster=cluster(REFUSED), heartbeat=beats(), standby=cluster(REFUSED)).rows
    assert (row.brokers, row.answering) == (None, None)


def test_what_it_tells_of_what_was_not_seen_is_no_gap_of_it() -> None:
    seen = compute_view(
        "source_reach", {"cluster": cluster(REFUSED), "heartbeat": beats(), "standby": cluster(SILENT)}, {}
    )
    assert (len(seen), seen.gaps) == (1, [])
