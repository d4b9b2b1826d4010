import json
from typing import Any

import pytest

from runbook.connections import jolokia
from runbook.formats.metrics import Sheet
from runbook.formats.metrics.meters import UNDER_REPLICATED
from runbook.model.errors import Misconfigured
from runbook.model.probe import Deadline
from runbook.probes import broker_load, jvm_thread
from runbook.probes._metrics import OF_BROKERS, metrics_of
from support.http_servers import Answer, Asked, http_server

THREADS, PEAK = jvm_thread.GROUP.metrics["count"], jvm_thread.GROUP.metrics["peak"]


def respond(asked: Asked, **special: dict[str, Any]) -> Answer:
    """Answer each read with 404 but those of special beans, by the end of their names."""
    responses = []
    for question in json.loads(asked.body):
        found = [answer for bean, answer in special.items() if question["mbean"].endswith(bean)]
        missing = {"status": 404, "error_type": "javax.management.InstanceNotFoundException", "error": "none"}
        responses.append(found[0] if found else missing)
    return Answer(json.dumps(responses).encode())


def look(answer: Any, **settings: Any) -> tuple[list[Sheet], list[str], list[Asked]]:
    """Ask one broker; gives its sheet, the reasons of gaps, and what was asked."""
    with http_server(answer) as (place, asked):
        connection = jolokia.connect({"agents": {"1": f"http://{place}/jolokia"}} | settings, Deadline(60, patience=20))
        sheets, gaps = connection.brokers(metrics_of(OF_BROKERS))
        connection.brokers(metrics_of(OF_BROKERS))
        connection.close()
    return list(sheets), [gap.reason for gap in gaps], asked


def test_each_jvm_is_asked_once_and_only_to_read():
    _, _, asked = look(respond)
    [request] = asked
    assert (request.method, request.path) == ("POST", "/jolokia/")
    questions = json.loads(request.body)
    assert {question["type"] for question in questions} == {"read"}
    assert not [q for q in questions if q["mbean"] == "java.lang:type=Runtime" and "path" not in q
                and "SystemProperties" in q["attribute"]]  # fmt: skip


def test_values_absences_and_refusals_are_told_apart():
    sheets, reasons, _ = look(
        lambda asked: respond(
            asked,
            UnderReplicatedPartitions={"status": 200, "value": {"Value": 2}},
            Threading={"status": 403, "error": "forbidden"},
            LeaderCount={"status": 500, "error": "it broke"},
        )
    )
    assert reasons == []
    [sheet] = sheets
    assert sheet.one(UNDER_REPLICATED) == 2
    assert broker_load.GROUP.metrics["bytes_in"] in sheet.absent
    assert "access policy" in sheet.unknown[THREADS]
    [broken] = [reason for metric, reason in sheet.unknown.items() if metric.bean.endswith("LeaderCount")]
    assert "it broke" in broken


def test_one_attribute_that_fails_costs_no_other():
    cells = {"ThreadCount": 5, "PeakThreadCount": "ERROR: javax.management.AttributeNotFoundException : no such"}
    [sheet], _, _ = look(lambda asked: respond(asked, Threading={"status": 200, "value": cells}))
    assert sheet.one(THREADS) == 5
    assert PEAK in sheet.absent
    cells["PeakThreadCount"] = "ERROR: java.lang.SecurityException : no"
    [sheet], _, _ = look(lambda asked: respond(asked, Threading={"status": 200, "value": cells}))
    assert "SecurityException" in sheet.unknown[PEAK]


def test_the_agent_of_another_broker_is_refused():
    identity = {"status": 200, "value": {"kafka.server:id=7,type=app-info": {"StartTimeMs": 1}}}
    sheets, [reason], _ = look(lambda asked: respond(asked, **{"app-info,id=*": identity}))
    assert sheets == []
    assert "answers for node 7: correct the address in the inventory" in reason


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"status": 403, "error": "no"}',
        b"[1, 2]",
        b"<html>",
        b"\xff\xfe",
        b'[{"value": 1}]',
    ],
)
def test_what_is_not_jolokias_is_a_gap(body: bytes):
    sheets, [reason], _ = look(lambda _: Answer(body))
    assert sheets == []
    assert "the Jolokia agent of broker 1" in reason


def test_ten_megabytes_of_garbage_are_a_gap():
    sheets, [reason], _ = look(lambda _: Answer(b"[" * (10 << 20)))
    assert sheets == []
    assert "more than 8 MB" in reason


def test_where_nothing_is_said_of_applications_nothing_is_claimed():
    connection = jolokia.connect({"agents": {1: "http://127.0.0.1:1"}}, Deadline(60, patience=20))
    sheets, [gap] = connection.applications(())
    assert not sheets
    assert "`applications` of jolokia" in gap.reason
    declared = jolokia.connect({"agents": {1: "http://127.0.0.1:1"}, "applications": {}}, Deadline(60, patience=20))
    assert declared.applications(()) == ([], [])


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, "needs `agents`"),
        ({"agents": {}}, "needs `agents`"),
        ({"agents": ["http://a"]}, "must map names to addresses"),
        ({"agents": {"orders": "http://a"}}, "named by node id"),
        ({"agents": {1: "nonsense://a"}}, "must be an address"),
        ({"agent": {1: "http://a"}}, "did you mean agents"),
    ],
)
def test_settings_that_can_not_be_used_are_said_with_a_remedy(settings: dict[str, Any], says: str):
    with pytest.raises(Misconfigured, match=says):
        jolokia.connect(settings, Deadline(60, patience=20))
