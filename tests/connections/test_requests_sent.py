"""What connections send over HTTP and to ZooKeeper, as the other side receives it, is on the published list."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from runbook.connections import jolokia, prometheus, schema_registry, zookeeper
from runbook.model.probe import Deadline
from runbook.plugins.catalog import catalog
from runbook.plugins.guard import attempt
from runbook.plugins.request import requests
from support.connect_servers import Played as PlayedConnect
from support.http_servers import Answer, Asked, http_server
from support.registry_servers import Content, Style, registry_server
from support.zookeeper_servers import Played

NOT_THERE = {"status": 404, "error_type": "javax.management.InstanceNotFoundException", "error": "x"}


def probes(kind: str) -> list[str]:
    return [name for name in catalog("probes").names() if kind in catalog("probes").load(name).PROBE.connections]


def parts(kind: str) -> list[dict[str, Any]]:
    return [request.parts for request in requests([kind])]


def look(kind: str, connection: Any) -> None:
    """Put every probe; what it makes of the answers is judged elsewhere."""
    for name in probes(kind):
        attempt(lambda name=name: catalog("probes").load(name).observe(connection))  # type: ignore[misc]
    connection.close()


def test_agents_are_asked_to_read_and_nothing_else():
    def answer(asked: Asked) -> Answer:
        return Answer(json.dumps([NOT_THERE for _ in json.loads(asked.body)]).encode())

    with http_server(answer) as (address, asked):
        look("jolokia", jolokia.connect(jolokia.settings_at(address), Deadline(30)))
    [listed] = parts("jolokia")
    assert len(asked) >= 1
    for request in asked:
        assert (request.method, request.path.rpartition("/")[2]) == (listed["method"], "")
        assert {question["type"] for question in json.loads(request.body)} == {listed["body"]["type"]}


def test_prometheus_is_asked_by_query_and_nothing_else():
    nothing = {"status": "success", "data": {"resultType": "vector", "result": []}}
    with http_server(lambda _: Answer(json.dumps(nothing).encode())) as (address, asked):
        look("prometheus", prometheus.connect(prometheus.settings_at(f"http://{address}"), Deadline(30)))
    assert len(asked) >= 1
    assert {(request.method, request.path) for request in asked} <= {
        (part["method"], part["path"]) for part in parts("prometheus")
    }


def test_pages_of_exporters_are_got_and_nothing_else():
    with http_server(lambda _: Answer(b"up 1\n")) as (address, asked):
        given = {"scrape": {1: f"http://{address}/metrics"}}
        look("prometheus", prometheus.connect(given, Deadline(30)))
    assert {(request.method, request.path) for request in asked} == {("GET", "/metrics")}


def test_connects_workers_are_asked_by_get_and_nothing_else():
    played = PlayedConnect("healthy")
    with played.connection() as connection:
        look("connect", connection)
    assert {(request.method, request.path) for request in played.asked} == {
        (part["method"], part["path"]) for part in parts("connect")
    }
    assert {request.body for request in played.asked} == {b""}


def shape(path: str) -> str:
    """A path of a registry with the names of its own in it instead of those of a subject."""
    path = re.sub(r"offset=\d+&limit=\d+", "offset={offset}&limit={limit}", path)
    path = re.sub(r"/(subjects|config|mode)/[^/?]+", r"/\1/{subject}", path)
    return re.sub(r"/versions/\d+", "/versions/{version}", path)


@pytest.mark.parametrize("style", ["confluent", "apicurio"])
def test_a_registry_is_asked_by_get_and_what_is_listed(style: Style):
    with registry_server(Content({"a-value": ["x"]}, style=style)) as (address, asked):
        look("schema_registry", schema_registry.connect(schema_registry.settings_at(address), Deadline(30)))
    assert len(asked) >= 8
    assert {(request.method, shape(request.path)) for request in asked} <= {
        (part["method"], part["path"]) for part in parts("schema_registry")
    }


@contextmanager
def admin_server() -> Iterator[tuple[str, list[Asked]]]:
    answers = Played("healthy", admin=True).answers["zk-1"]

    def answer(asked: Asked) -> Answer:
        text = answers.get(asked.path.rpartition("/commands/")[2])
        return Answer(b"no such command", 404) if text is None else Answer(text.encode())

    with http_server(answer) as (address, asked):
        yield address, asked


def test_zookeepers_admin_server_is_asked_the_listed_commands_and_nothing_else():
    with admin_server() as (address, asked):
        given = {"servers": {"zk-1": {"address": "127.0.0.1:1", "admin": f"http://{address}"}}}
        look("zookeeper", zookeeper.connect(given, Deadline(30)))
    assert len(asked) >= len([part for part in parts("zookeeper") if "path" in part]) - 1
    assert {(request.method, request.path) for request in asked} <= {
        (part["method"], part["path"]) for part in parts("zookeeper") if "path" in part
    }


@pytest.mark.parametrize("word", ["ruok", "envi", "wchs", "dump", "srst", "crst"])
def test_words_that_are_not_needed_are_not_listed(word: str):
    assert word not in {part.get("word") for part in parts("zookeeper")}
