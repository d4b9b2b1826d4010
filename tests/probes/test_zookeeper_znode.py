from runbook.answers.zookeeper import CREDENTIALS, NODES
from runbook.probes.zookeeper_znode import PROBE
from support.zookeeper_servers import Played


def test_servers_that_speak_no_sessions_are_a_gap_and_never_a_row():
    fact = Played("healthy").observe("zookeeper_znode")
    assert (len(fact), fact.complete) == (0, False)
    assert "session" in fact.gaps[0].reason


def test_nodes_that_hold_credentials_are_among_those_asked_for():
    assert set(CREDENTIALS) < set(NODES)
    assert "holds_credentials" in {column.name for column in PROBE.columns}
