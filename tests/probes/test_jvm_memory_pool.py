import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_a_pool_of_the_heap_tells_what_collections_left_in_it(way: str):
    old = Played(way).row("jvm_memory_pool", broker=1, pool="Tenured Gen")
    assert 0 <= old["after_gc"] <= old["max"]
    assert 0 < old["used"] <= old["max"]


@pytest.mark.parametrize("way", WAYS)
def test_a_pool_that_is_never_collected_tells_nothing_of_it(way: str):
    assert Played(way).row("jvm_memory_pool", broker=1, pool="Metaspace")["after_gc"] is None


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    played.tell("java.lang:type=MemoryPool,name=*", Usage={"used": 11, "max": 12}, CollectionUsage={"used": 13})
    assert played.row("jvm_memory_pool", broker=1) == {
        "broker": 1,
        "pool": "x",
        "used": 11,
        "max": 12,
        "after_gc": 13,
    }


def test_each_value_of_a_page_comes_under_its_own_name():
    played = Played("pages")
    played.show(
        """
        jvm_memory_pool_used_bytes{pool="Eden"} 11
        jvm_memory_pool_max_bytes{pool="Eden"} 12
        jvm_memory_pool_collection_used_bytes{pool="Eden"} 13
        """
    )
    expected = {"broker": 1, "pool": "Eden", "used": 11, "max": 12, "after_gc": 13}
    assert played.row("jvm_memory_pool", broker=1) == expected
