import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_what_is_used_is_within_what_is_allowed(way: str):
    fact = Played(way).observe("jvm_memory")
    assert fact.complete
    assert fact.columns["broker"] == [1, 2, 3]
    for row in fact.rows():
        assert 0 < row["heap_used"] <= row["heap_committed"] <= row["heap_max"]
        assert min(row["nonheap_used"], row["direct_used"], row["mapped_files"]) > 0


def test_both_ways_tell_the_same_bound():
    assert (
        Played("jolokia").observe("jvm_memory").columns["heap_max"]
        == (Played("pages").observe("jvm_memory").columns["heap_max"])
    )


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    played.tell(
        "java.lang:type=Memory",
        HeapMemoryUsage={"used": 11, "committed": 12, "max": 13},
        NonHeapMemoryUsage={"used": 14},
    )
    played.tell("java.nio:type=BufferPool,name=direct", MemoryUsed=15)
    played.tell("java.nio:type=BufferPool,name=mapped", Count=16)
    assert played.row("jvm_memory", broker=1) == {
        "broker": 1,
        "heap_used": 11,
        "heap_committed": 12,
        "heap_max": 13,
        "nonheap_used": 14,
        "direct_used": 15,
        "mapped_files": 16,
    }


def test_each_value_of_a_page_comes_under_its_own_name():
    played = Played("pages")
    played.show(
        """
        jvm_memory_used_bytes{area="heap"} 11
        jvm_memory_committed_bytes{area="heap"} 12
        jvm_memory_max_bytes{area="heap"} 13
        jvm_memory_used_bytes{area="nonheap"} 14
        jvm_buffer_pool_used_bytes{pool="direct"} 15
        jvm_buffer_pool_used_buffers{pool="mapped"} 16
        jvm_buffer_pool_used_bytes{pool="mapped"} 17
        """
    )
    assert played.row("jvm_memory", broker=1) == {
        "broker": 1,
        "heap_used": 11,
        "heap_committed": 12,
        "heap_max": 13,
        "nonheap_used": 14,
        "direct_used": 15,
        "mapped_files": 16,
    }
