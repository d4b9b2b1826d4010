import json
from pathlib import Path
from typing import Any

import pytest

from runbook.model.errors import Denied, Garbled

FOLDER = Path(__file__).with_name("recorded")


def with_rights(cluster: Any, name: str) -> Any:
    """A cluster that also tells who may do what, as recorded from the lab's part `security`."""
    cluster.recording["answers"][:0] = json.loads((FOLDER / f"rights_{name}.json").read_text("utf-8"))
    return cluster


def test_every_binding_is_a_row_in_kafkas_own_words(healthy: Any):
    fact = with_rights(healthy, "loose").observe("kafka_acl")
    assert fact.complete
    rows = {tuple(row.values()) for row in fact.rows()}
    assert ("User:*", "*", "Read", "Allow", "Topic", "*", "Literal") in rows
    assert ("User:billing", "*", "All", "Allow", "Topic", "payments", "Prefixed") in rows
    assert ("User:billing", "*", "Write", "Deny", "Topic", "payments-audit", "Literal") in rows
    assert ("User:deployer", "10.0.0.9", "AlterConfigs", "Allow", "Cluster", "kafka-cluster", "Literal") in rows
    assert len(rows) == len(fact)


def test_all_of_them_are_asked_for_and_no_name_is_left_to_a_default(healthy: Any, monkeypatch: pytest.MonkeyPatch):
    asked: list[Any] = []
    answer = healthy.python.ask_any
    monkeypatch.setattr(
        healthy.python, "ask_any", lambda build, **how: (asked.append(build()), answer(build, **how))[1]
    )
    with_rights(healthy, "healthy").observe("kafka_acl")
    [request] = [request for request in asked if type(request).__name__ == "DescribeAclsRequest"]
    assert (request.resource_name_filter, request.principal_filter, request.host_filter) == (None, None, None)
    kinds = (request.resource_type_filter, request.pattern_type_filter, request.operation, request.permission_type)
    assert kinds == (1, 1, 1, 1)


def test_without_an_authorizer_the_question_has_no_meaning(healthy: Any):
    from kafka.protocol.admin import DescribeAclsResponse

    answer = DescribeAclsResponse(throttle_time_ms=0, error_code=54, error_message="", resources=[])
    healthy.recording["answers"].append(
        {"request": "DescribeAcls", "node": None, "version": 2, "bytes": bytes(answer.encode(version=2)).hex()}
    )
    assert "no authorizer" in healthy.observe("kafka_acl").inapplicable


def test_without_the_right_to_ask_nothing_is_known(healthy: Any):
    healthy.python.refused["DescribeAcls"] = 31
    with pytest.raises(Denied):
        healthy.observe("kafka_acl")


def test_a_code_of_a_later_version_is_not_guessed(healthy: Any, monkeypatch: pytest.MonkeyPatch):
    from runbook.connections.kafka import rights_requests

    monkeypatch.delitem(rights_requests._OPERATIONS, 3)
    with pytest.raises(Garbled, match="code 3"):
        with_rights(healthy, "loose").observe("kafka_acl")
