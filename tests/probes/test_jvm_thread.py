import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_there_were_never_fewer_threads_than_there_are(way: str):
    fact = Played(way).observe("jvm_thread")
    assert fact.complete
    assert all(row["peak"] >= row["count"] > 10 for row in fact.rows())


def test_a_refusal_is_a_gap_for_each_broker():
    played = Played("jolokia")
    played.change("java.lang:type=Threading", {"status": 403, "error": "forbidden"})
    fact = played.observe("jvm_thread")
    assert [gap.keys for gap in fact.gaps] == [{"broker": 1}, {"broker": 2}, {"broker": 3}]
    assert "access policy does not let us read java.lang:type=Threading" in fact.gaps[0].reason


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    played.tell("java.lang:type=Threading", ThreadCount=11, PeakThreadCount=12)
    assert played.row("jvm_thread", broker=1) == {
        "broker": 1,
        "count": 11,
        "peak": 12,
    }


def test_each_value_of_a_page_comes_under_its_own_name():
    played = Played("pages")
    played.show("jvm_threads_current 11\njvm_threads_peak 12\n")
    assert played.row("jvm_thread", broker=1) == {"broker": 1, "count": 11, "peak": 12}
