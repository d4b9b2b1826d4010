"""The recorded agents were not asked for replication: it is added beside what they answered."""

from typing import Any

from support.metrics_played import Played

_BEAN = "kafka.server:type=BrokerTopicMetrics,name="


def told(**rates: int) -> Played:
    """Agents that answer with these rates of the last minute, by the names of the meters."""
    played = Played("jolokia")
    for answers in played.recording["answers"].values():
        of_bytes_in = next((asked for asked, _ in answers if asked[0] == f"{_BEAN}BytesInPerSec"), None)
        if of_bytes_in is None:  # an application's agent
            continue
        asked_of = {name: [f"{_BEAN}{name}", *of_bytes_in[1:]] for name in rates}
        answers[:] = [one for one in answers if one[0] not in asked_of.values()]
        answers += [[asked, _answer(rates[name])] for name, asked in asked_of.items()]
    return played


def _answer(value: int) -> dict[str, Any]:
    return {"status": 200, "value": {"OneMinuteRate": value}}


def test_each_rate_comes_under_its_own_name() -> None:
    played = told(BytesInPerSec=11, BytesOutPerSec=12, ReplicationBytesInPerSec=13, ReplicationBytesOutPerSec=14)
    assert played.row("broker_traffic", broker=1) == {
        "broker": 1,
        "written": 11,
        "read": 12,
        "replication_in": 13,
        "replication_out": 14,
    }


def test_what_an_agent_does_not_have_is_not_known() -> None:
    row = told(BytesInPerSec=11).row("broker_traffic", broker=1)
    assert (row["written"], row["replication_in"], row["replication_out"]) == (11, None, None)
