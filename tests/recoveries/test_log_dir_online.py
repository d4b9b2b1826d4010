from runbook.recoveries.log_dir_online import RECOVERY
from support.kafka_facts import brokers, fact, partition, situation


def test_the_directory_works_and_what_is_in_it_was_never_seen() -> None:
    rows = [
        {"broker": 3, "path": f"/data/{name}", "error": error, "total_bytes": 9, "replicas": 4}
        for name, error in (("a", ""), ("b", "KAFKA_STORAGE_ERROR"))
    ]
    there = fact("kafka_log_dir", rows)
    made = RECOVERY.sets["kafka_log_dir"](there, situation({"brokers": [3], "paths": ["/data/b"]}, there))
    assert made.columns["error"] == ["", ""]
    assert made.columns["total_bytes"] == [9, None]
    assert made.columns["replicas"] == [4, None]


def test_what_its_broker_holds_catches_up() -> None:
    there = fact("kafka_partition", [partition(0, 1, (1, 2)), partition(1, 1, (1,))])
    given = {"brokers": [3], "paths": ["/data/b"]}
    made = RECOVERY.sets["kafka_partition"](there, situation(given, there, brokers()))
    assert made.columns["isr"] == [[1, 2, 3], [1, 3]]
