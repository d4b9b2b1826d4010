import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_a_process_tells_its_start_and_its_descriptors(way: str):
    fact = Played(way).observe("jvm_process")
    assert fact.complete
    for row in fact.rows():
        assert row["started"].startswith("20")
        assert 0 < row["open_fds"] < row["max_fds"]
        assert row["processors"] >= 1


def test_both_ways_tell_the_same_start():
    starts = [[start[:19] for start in Played(way).observe("jvm_process").columns["started"]] for way in WAYS]
    assert starts[0] == starts[1]


@pytest.mark.parametrize("way", WAYS)
def test_a_broker_that_is_down_costs_itself_only(way: str):
    played = Played(way)
    settings = played.recording["settings"]
    url = settings["agents"]["2"] + "/" if way == "jolokia" else settings["scrape"]["2"]
    played.silent = {url}
    fact = played.observe("jvm_process")
    assert fact.columns["broker"] == [1, 3]
    assert [gap.keys for gap in fact.gaps] == [{"broker": 2}]
