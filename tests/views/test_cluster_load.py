from runbook.model.fact import Gap
from runbook.views.cluster_load import ClusterLoad, compute
from support.kafka_facts import fact


def load(*brokers: tuple[float | None, float | None]) -> list[dict[str, float | None]]:
    return [{"broker": n, "messages_in": messages, "bytes_in": size} for n, (messages, size) in enumerate(brokers, 1)]


def test_what_all_brokers_take_is_added_up() -> None:
    assert compute(load=fact("broker_load", load((10.0, 1000.0), (30.0, 5000.0)))).rows == [
        ClusterLoad(brokers=2, messages_in=40.0, bytes_in=6000.0, record_size=150.0)
    ]


def test_a_sum_is_not_known_where_a_part_is_not() -> None:
    [row] = compute(load=fact("broker_load", load((10.0, None), (None, 5.0)))).rows
    assert row == ClusterLoad(brokers=2, messages_in=None, bytes_in=None, record_size=None)
    [row] = compute(load=fact("broker_load", load((10.0, 5.0)), Gap("broker 2 did not answer"))).rows
    assert row == ClusterLoad(brokers=1, messages_in=None, bytes_in=None, record_size=None)


def test_without_records_they_have_no_size_and_without_brokers_there_is_no_row() -> None:
    [row] = compute(load=fact("broker_load", load((0.0, 0.0)))).rows
    assert row == ClusterLoad(brokers=1, messages_in=0.0, bytes_in=0.0, record_size=None)
    assert list(compute(load=fact("broker_load", [])).rows) == []
