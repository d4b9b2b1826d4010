import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_one_of_three_controllers_is_active(way: str):
    fact = Played(way).observe("controller_state")
    assert fact.complete
    assert sorted(fact.columns["active"]) == [0, 0, 1]
    assert fact.columns["active_brokers"] == [3, 3, 3]
    assert fact.columns["unclean_elections"] == [0, 0, 0]
    assert None not in fact.columns["event_queue_p99"]
