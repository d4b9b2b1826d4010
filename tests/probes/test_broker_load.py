import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_a_running_broker_says_so_and_how_much_it_has_left(way: str):
    fact = Played(way).observe("broker_load")
    assert fact.complete
    for row in fact.rows():
        assert row["state"] == 3
        assert 0 <= row["handler_idle"] <= 1.1
        assert 0 <= row["network_idle"] <= 1.1
        assert row["bytes_in"] >= 0
        assert not [name for name, cell in row.items() if cell is None]
