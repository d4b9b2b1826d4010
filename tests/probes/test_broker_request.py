import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_only_kinds_of_request_that_came_have_rows(way: str):
    fact = Played(way).observe("broker_request")
    assert fact.complete
    kinds = {row["request"] for row in fact.rows()}
    assert {"Produce", "FetchFollower"} <= kinds
    assert all(row["requests"] > 0 for row in fact.rows())


@pytest.mark.parametrize("way", WAYS)
def test_each_place_where_a_produce_request_waits_is_told(way: str):
    row = Played(way).row("broker_request", broker=1, request="Produce")
    assert row["total_p99"] > 0
    assert not [name for name, cell in row.items() if cell is None]
