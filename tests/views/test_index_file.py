from runbook.views import index_file
from support.mirror_facts import fact_of, seen

FIRST = {"host": "kafka-1", "broker": 1, "path": "/data/a", "indexes": 65, "time_indexes": 65}
SECOND = {"host": "kafka-1", "broker": 1, "path": "/data/b", "indexes": 60, "time_indexes": 59}


def counted(*rows: dict[str, object]) -> list[tuple[object, ...]]:
    made = seen(index_file, directory=fact_of("host_log_dir", rows))
    return [(row["broker"], row["directories"], row["indexes"], row["time_indexes"]) for row in made]


def test_the_directories_of_a_broker_are_counted_together() -> None:
    assert counted(FIRST, SECOND, FIRST | {"broker": 2}) == [(1, 2, 125, 124), (2, 1, 65, 65)]


def test_one_that_is_not_known_leaves_the_sum_unknown() -> None:
    assert counted(FIRST, SECOND | {"indexes": None}) == [(1, 2, None, 124)]
