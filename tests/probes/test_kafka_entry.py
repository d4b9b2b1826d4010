from typing import Any

import pytest

from runbook.connections.kafka import anonymous_access
from runbook.connections.kafka.anonymous_access import AnonymousAccess
from runbook.model.errors import TimedOut
from runbook.probes import kafka_entry


def test_it_is_marked_as_one_that_tries_something():
    assert kafka_entry.PROBE.proof == "active"


def test_every_listener_is_tried_and_one_that_does_not_answer_is_a_gap(healthy: Any, monkeypatch: pytest.MonkeyPatch):
    tried: list[str] = []

    def try_anonymous(host: str, port: int, _: object) -> AnonymousAccess:
        tried.append(f"{host}:{port}")
        if port == away:
            raise TimedOut(f"{host}:{port} did not answer in its time")
        return AnonymousAccess(plain=True, anonymous=True, mechanisms=("PLAIN",), tried="PLAIN", wrong_login="refused")

    listeners = list(healthy.observe("kafka_listener").rows())
    [away] = [row["port"] for row in listeners if (row["broker"], row["listener"]) == (2, "PLAINTEXT")]
    monkeypatch.setattr(anonymous_access, "try_anonymous", try_anonymous)
    fact = healthy.observe("kafka_entry")
    assert sorted(tried) == sorted(f"{row['host']}:{row['port']}" for row in listeners)
    assert len(fact) == len(listeners) - 1
    assert [gap.keys for gap in fact.gaps] == [{"broker": 2, "listener": "PLAINTEXT"}]
    for row in fact.rows():
        assert (row["plain"], row["anonymous"], row["mechanisms"]) == (True, True, ["PLAIN"])
        assert (row["tried"], row["wrong_login"], row["protocol"]) == ("PLAIN", "refused", "PLAINTEXT")
