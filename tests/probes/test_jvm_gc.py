import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_each_collector_of_each_broker_is_a_row(way: str):
    fact = Played(way).observe("jvm_gc")
    assert fact.complete
    assert {(row["broker"], row["collector"]) for row in fact.rows()} == {
        (broker, collector) for broker in (1, 2, 3) for collector in ("Copy", "MarkSweepCompact")
    }
    assert all(row["time_ms"] >= row["count"] > 0 for row in fact.rows() if row["collector"] == "Copy")
    assert {row["last_ms"] is None for row in fact.rows()} == {way == "pages"}


def test_how_long_the_last_collection_took_is_not_known_before_there_was_one():
    played = Played("jolokia")
    value = {
        "java.lang:name=Copy,type=GarbageCollector": {"CollectionCount": 0, "CollectionTime": 0, "LastGcInfo": None}
    }
    played.change("java.lang:type=GarbageCollector,name=*", {"status": 200, "value": value})
    assert played.row("jvm_gc", broker=1) == {
        "broker": 1, "collector": "Copy", "count": 0, "time_ms": 0, "last_ms": None
    }  # fmt: skip


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    played.tell(
        "java.lang:type=GarbageCollector,name=*", CollectionCount=11, CollectionTime=12, LastGcInfo={"duration": 13}
    )
    assert played.row("jvm_gc", broker=1) == {
        "broker": 1,
        "collector": "x",
        "count": 11,
        "time_ms": 12,
        "last_ms": 13,
    }


def test_each_value_of_a_page_comes_under_its_own_name():
    played = Played("pages")
    played.show('jvm_gc_collection_seconds_count{gc="Copy"} 11\njvm_gc_collection_seconds_sum{gc="Copy"} 0.5\n')
    expected = {"broker": 1, "collector": "Copy", "count": 11, "time_ms": 500, "last_ms": None}
    assert played.row("jvm_gc", broker=1) == expected
