import pytest

from runbook.connections import tls
from runbook.connections.tls import outside
from runbook.model.errors import TimedOut
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import web_entry

SETTINGS = {"jolokia": {"agents": {"1": "a:8778", "2": "b:8778"}}, "prometheus": {"url": "https://p.example"}}


def observe(monkeypatch: pytest.MonkeyPatch, statuses: dict[str, int], settings: dict[str, object] = SETTINGS) -> Fact:
    """What is seen where these hosts answer with these statuses, and others do not."""

    def answer(url: str, _: float) -> int:
        host = url.partition("://")[2].partition("/")[0].partition(":")[0]
        if host not in statuses:
            raise TimedOut("did not answer in its time")
        return statuses[host]

    monkeypatch.setattr(outside, "status_for_anybody", answer)
    connection = tls.connect(settings, Deadline(5))
    return tabulate("web_entry", web_entry.PROBE.columns, web_entry.observe(connection))


def test_who_serves_anybody_is_told_from_who_refuses(monkeypatch: pytest.MonkeyPatch):
    fact = observe(monkeypatch, {"a": 200, "b": 401, "p.example": 403})
    assert fact.complete
    assert [(row["connection"], row["owner"], row["status"], row["served"]) for row in fact.rows()] == [
        ("jolokia", "1", 200, True),
        ("jolokia", "2", 401, False),
        ("prometheus", "", 403, False),
    ]
    assert fact.columns["encrypted"] == [False, False, True]


@pytest.mark.parametrize("status", [302, 400, 404, 500])
def test_other_statuses_neither_serve_nor_refuse(monkeypatch: pytest.MonkeyPatch, status: int):
    fact = observe(monkeypatch, {"a": status, "b": 401})
    assert [row["owner"] for row in fact.rows()] == ["2"]
    first, second = (gap.reason for gap in fact.gaps)
    assert f"HTTP {status}, which neither serves nor refuses" in first
    assert second.endswith("did not answer in its time")


def test_where_nothing_is_asked_over_http_there_is_nothing_to_try(monkeypatch: pytest.MonkeyPatch):
    assert observe(monkeypatch, {}, {"endpoints": ["a:1"]}).inapplicable == "the inventory names no address over HTTP"


def test_it_is_marked_as_one_that_tries_something():
    assert web_entry.PROBE.proof == "active"
