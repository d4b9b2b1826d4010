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
