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
