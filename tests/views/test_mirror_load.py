from runbook.views import mirror_load
from support.mirror_facts import fact_of, seen


def test_the_rates_of_all_partitions_are_added() -> None:
    rows = [
        {"target": "us", "byte_rate": 10.0},
        {"target": "us", "byte_rate": 2.5},
        {"target": "ap", "byte_rate": None},
    ]
    assert seen(mirror_load, partition=fact_of("mirror_partition", rows)) == [
        {"target": "ap", "partitions": 1, "bytes_per_second": None},
        {"target": "us", "partitions": 2, "bytes_per_second": 12.5},
    ]
