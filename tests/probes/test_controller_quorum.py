import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_all_members_name_the_same_leader(way: str):
    fact = Played(way).observe("controller_quorum")
    assert fact.complete
    assert len(set(fact.columns["leader"])) == 1
    assert all(row["log_end_offset"] >= row["high_watermark"] > 0 for row in fact.rows())


def test_states_are_told_by_jmx_and_not_by_numbers():
    assert sorted(Played("jolokia").observe("controller_quorum").columns["state"]) == ["follower", "follower", "leader"]
    assert Played("pages").observe("controller_quorum").columns["state"] == [None, None, None]
