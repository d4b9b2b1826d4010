from typing import Any

from runbook.model.errors import Denied
from runbook.model.fact import Fact
from support.recorded_hosts import BROKER, PROPERTIES, Output, look, recorded, running

A = "/var/lib/kafka/a"
LIST = (
    f"d {A}/orders-0\0d {A}/a-b.c-12\0d {A}/old-1.0123456789abcdef0123456789abcdef-delete\0"
    f"d {A}/moved-2.0123456789abcdef0123456789abcdef-future\0d {A}/lost-3.0123456789abcdef0123456789abcdef-stray\0"
    f"d {A}/lost+found\0f {A}/meta.properties\0f {A}/.lock\0f {A}/recovery-point-offset-checkpoint\0"
)


def fact(**changes: Output) -> Fact:
    settings = f"{PROPERTIES}:node.id=1\n{PROPERTIES}:log.dirs={A}\n"
    meta = f"{A}/meta.properties:cluster.id=abc\n{A}/meta.properties:node.id=1\n"
    outputs = running(BROKER) | {"settings": settings + meta, "log-dir": LIST, "segments": "LITLIT", **changes}
    return look("host_log_dir", recorded({"kafka-1": outputs}))


def row(**changes: Output) -> dict[str, Any]:
    return next(fact(**changes).rows())


def test_folders_of_partitions_are_told_from_those_that_come_and_go():
    seen = row()
    assert seen["partitions"] == ["a-b.c-12", "orders-0"]
    assert (seen["leaving"], seen["arriving"], seen["stray"]) == (["old-1"], ["moved-2"], ["lost-3"])


def test_it_says_whose_data_it_is():
    assert (row()["cluster_id"], row()["owner"]) == ("abc", 1)


def test_a_folder_without_meta_properties_belongs_to_nobody_known():
    seen = row(**{"log-dir": LIST.replace("meta.properties", "other")})
    assert (seen["cluster_id"], seen["owner"]) == (None, None)
    assert "meta.properties" in seen["absent"]


def test_it_counts_segments_and_their_indexes():
    assert (row()["segments"], row()["indexes"], row()["time_indexes"]) == (2, 2, 2)
    assert row(segments="LIL")["time_indexes"] == 0


def test_it_names_the_checkpoint_files_that_are_not_there():
    assert row()["absent"] == [
        "cleaner-offset-checkpoint",
        "log-start-offset-checkpoint",
        "replication-offset-checkpoint",
    ]


def test_a_folder_that_may_not_be_listed_is_a_gap_and_no_row():
    seen = fact(**{"log-dir": Denied("host kafka-1 does not let us read it")})
    assert not len(seen)
    assert [gap.keys for gap in seen.gaps] == [{"host": "kafka-1", "broker": 1, "log_dir": A}]


def test_each_cell_comes_under_its_own_name():
    meta = f"{A}/meta.properties:cluster.id=abc\n{A}/meta.properties:node.id=9\n"
    settings = f"{PROPERTIES}:node.id=1\n{PROPERTIES}:log.dirs={A}\n"
    assert row(settings=settings + meta, segments="LLLIIT") == {
        "host": "kafka-1",
        "broker": 1,
        "path": A,
        "cluster_id": "abc",
        "owner": 9,
        "partitions": ["a-b.c-12", "orders-0"],
        "leaving": ["old-1"],
        "arriving": ["moved-2"],
        "stray": ["lost-3"],
        "absent": ["cleaner-offset-checkpoint", "log-start-offset-checkpoint", "replication-offset-checkpoint"],
        "segments": 3,
        "indexes": 2,
        "time_indexes": 1,
    }
