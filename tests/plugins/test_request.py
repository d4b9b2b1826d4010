import re

import pytest

from runbook.plugins.catalog import catalog
from runbook.plugins.request import CANARY, artefacts, requests

PROBES = catalog("probes").names()
CHANGES = re.compile(
    r"\b(PUT|PATCH|DELETE|Create|Alter|Delete|Produce|Write|Incremental\w*|Elect\w*|Update\w*|rm|mv|cp|tee|sed|kill|"
    r"systemctl|sh|bash|sudo)\b"
)


@pytest.mark.parametrize("name", PROBES)
def test_what_a_probe_asks_is_on_the_list_of_each_way_to_ask_it(name: str) -> None:
    probe = catalog("probes").load(name).PROBE
    listed = {request.request for request in requests(list(probe.connections))}
    assert set(probe.requests) <= listed
    assert all(
        name in request.probes for request in requests(list(probe.connections)) if request.request in probe.requests
    )


def test_every_connection_publishes_what_it_may_send() -> None:
    assert {request.connection for request in requests()} == {*catalog("connections").names(), CANARY}


def test_nothing_on_the_list_changes_anything() -> None:
    found = [
        request.request for request in requests() if CHANGES.search(request.request) and request.connection != CANARY
    ]
    assert found == []
    assert CHANGES.search("DELETE /api/v1/pods")


def test_what_the_canary_alone_may_send_is_told_apart_from_all_else() -> None:
    [kafka, canary] = [{request.request for request in requests([kind])} for kind in ("kafka", CANARY)]
    assert canary
    assert kafka & canary == set()
    assert {request.parts["only"] for request in requests([CANARY])} == {
        "runbook drill --allow-canary, runbook measure --allow-measure"
    }


def test_programs_get_a_request_in_the_words_of_its_protocol() -> None:
    parts = {(request.connection, request.request): request.parts for request in requests()}
    assert parts["kafka", "Metadata"] == {"api": "Metadata", "key": 3}
    assert parts["kubernetes", "GET /apis/apps/v1/namespaces/{namespace}/statefulsets"] == {
        "method": "GET",
        "path": "/apis/apps/v1/namespaces/{namespace}/statefulsets",
        "verb": "list",
        "group": "apps",
        "resource": "statefulsets",
    }
    assert parts["ssh", "date -u +%s.%N"] == {"command": "clock", "argv": ["date", "-u", "+%s.%N"]}
    assert parts["zookeeper", "the four-letter word mntr to {server}"] == {"word": "mntr"}
    assert parts["prometheus", "GET {page} of an exporter"] == {"method": "GET", "path": "{page}"}


def test_the_numbers_of_kafkas_requests_are_those_of_the_protocol() -> None:
    from kafka.protocol import admin, consumer, metadata, producer

    for request in requests(["kafka", CANARY]):
        rooms = (admin, metadata, producer, consumer)
        found = next((getattr(room, f"{request.request}Request", None) for room in rooms), None)
        assert found is None or request.parts["key"] == found.API_KEY


def test_what_administrators_set_allows_no_change() -> None:
    made = artefacts()
    assert made.keys() >= {"kafka-acls", "kubernetes-role", "ssh-allow-list"}
    assert set(re.findall(r"--operation (\w+)", made["kafka-acls"])) == {"Describe", "DescribeConfigs"}
    assert set(re.findall(r"verbs: \[(.*?)\]", made["kubernetes-role"])) == {"get", "list", "get, list"}


@pytest.mark.usefixtures("fakes")
def test_a_connection_of_a_users_own_is_listed_by_what_its_probes_declare() -> None:
    listed = {request.request: request for request in requests(["fake"])}
    assert "fake_act" in listed["Nothing"].probes
    assert all(request.parts == {} for request in listed.values())
