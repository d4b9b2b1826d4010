from runbook.model.fact import Fact
from runbook.views.acks_promise import AcksPromise, compute


def promise(*partitions: tuple[list[int] | None, list[int] | None, int | None, bool | None]) -> AcksPromise:
    replicas, isr, needs, unclean = ([row[at] for row in partitions] for at in range(4))
    columns = {
        "topic": ["orders"] * len(partitions),
        "internal": [False] * len(partitions),
        "replicas": replicas,
        "isr": isr,
        "needs": needs,
        "unclean_leader_election": unclean,
    }
    [row] = compute(partition=Fact("kafka_partition", columns)).rows
    assert isinstance(row, AcksPromise)
    return row


def test_the_weakest_partition_counts() -> None:
    row = promise(([1, 2, 3], [1, 2], 2, False), ([1, 2, 3], [1, 2, 3], 2, False))
    assert (row.replicas, row.promised, row.in_sync, row.unclean) == (3, 2, 2, False)
    row = promise(([1, 2, 3], [1, 2, 3], 2, False), ([1], [1], 1, False))
    assert (row.replicas, row.promised, row.in_sync) == (1, 1, 1)


def test_no_more_is_promised_than_there_are_replicas() -> None:
    assert promise(([1], [1], 2, False)).promised == 1  # before Kafka 3.7 such a topic refuses every acks=all write


def test_what_one_partition_hides_is_unknown_of_the_topic() -> None:
    row = promise(([1, 2, 3], [1, 2, 3], 2, False), (None, None, None, None))
    assert (row.replicas, row.promised, row.in_sync, row.unclean) == (None, None, None, None)
