from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.replica_folders import VIEW, compute

REPLICA = Fact("kafka_replica", {"topic": ["t", "t"], "partition": [0, 1], "broker": [1, 1]})


def compared(*dirs: tuple[int | None, list[str] | None]) -> list[dict[str, Any]]:
    log_dir = Fact(
        "host_log_dir",
        {
            "host": ["a"] * len(dirs),
            "broker": [broker for broker, _ in dirs],
            "partitions": [folders for _, folders in dirs],
            "stray": [["s-0"]] * len(dirs),
        },
    )
    return list(tabulate("replica_folders", VIEW.columns, compute(replica=REPLICA, log_dir=log_dir)).rows())


def test_folders_of_all_log_directories_of_a_broker_count_together():
    [row] = compared((1, ["t-0"]), (1, ["t-1", "__cluster_metadata-0"]))
    assert (row["host"], row["missing"], row["surplus"]) == ("a", [], [])


def test_missing_and_surplus_folders_are_named():
    [row] = compared((1, ["t-0", "old-3"]))
    assert (row["missing"], row["surplus"], row["stray"]) == (["t-1"], ["old-3"], ["s-0"])


def test_a_directory_that_was_not_seen_leaves_the_broker_unknown():
    [row] = compared((1, ["t-0"]), (1, None))
    assert (row["missing"], row["surplus"], row["stray"]) == (None, None, None)


def test_a_broker_whose_id_is_not_known_makes_no_row():
    assert compared((None, ["t-0"])) == []
