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


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    played.tell("java.lang:type=Runtime", StartTime=1_700_000_000_000)
    played.tell(
        "java.lang:type=OperatingSystem",
        OpenFileDescriptorCount=12,
        MaxFileDescriptorCount=13,
        ProcessCpuLoad=14,
        AvailableProcessors=15,
    )
    assert played.row("jvm_process", broker=1) == {
        "broker": 1,
        "started": "2023-11-14T22:13:20+00:00",
        "open_fds": 12,
        "max_fds": 13,
        "cpu": 14,
        "processors": 15,
    }


def test_each_value_of_a_page_comes_under_its_own_name():
    played = Played("pages")
    played.show("process_start_time_seconds 1.7E9\nprocess_open_fds 11\nprocess_max_fds 12\n")
    row = played.row("jvm_process", broker=1)
    assert (row["started"], row["open_fds"], row["max_fds"]) == ("2023-11-14T22:13:20+00:00", 11, 12)
