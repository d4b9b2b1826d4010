"""What error-handling.md shows to copy: REST paths there are, jq that works on real answers, JSON that is JSON."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from runbook.answers.connect import CONNECTORS, PLUGINS
from runbook.parse.runbook import read_runbook
from runbook.procedure.placeholders import fill_in
from support.connect_servers import RECORDED
from support.documented import ROOT
from support.shown_commands import Words, shown_by

SHOWN = list(shown_by("error-handling"))
CURLS = [(name, line) for name, line in SHOWN if line[0][0] == "curl"]
FILTERED = [(name, line) for name, line in CURLS if len(line) > 1]

# org.apache.kafka.connect.runtime.rest.resources.ConnectorsResource and ConnectorPluginsResource, Kafka 4.3
REST = {
    "GET": r"/|/connectors|/connectors/[^/]+/(config|status|tasks|offsets)|/connector-plugins",
    "POST": r"/connectors/[^/]+/restart",
    "PUT": r"/connectors/[^/]+/(pause|resume|stop|config)",
    "PATCH": r"/connectors/[^/]+/(offsets|config)",
}


def option(words: Words, name: str, default: str = "") -> str:
    return words[words.index(name) + 1] if name in words else default


def address(words: Words) -> str:
    [found] = [word for word in words if word.startswith("http://")]
    return found


def answer(path: str) -> str:
    """What a recorded worker told: refunds-archive has failed there, and the configuration is one with dead letters."""
    broken, well = (
        json.loads((RECORDED / f"{name}.json").read_text("utf-8"))["connect-1"]["answers"]
        for name in ("broken", "healthy")
    )
    expanded = json.loads(broken[CONNECTORS])
    parts: dict[str, Any] = {
        "status": expanded["refunds-archive"]["status"],
        "config": json.loads(well[CONNECTORS])["shipments-archive"]["info"]["config"],
    }
    if path.startswith("/connectors/"):
        return json.dumps(parts[path.rpartition("/")[2]])
    if path == PLUGINS:
        return str(broken[path])
    return json.dumps(expanded) if path.startswith("/connectors?") else str(broken[path])


@pytest.mark.parametrize(("name", "line"), CURLS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_rest_path_is_one_that_connect_has(name: str, line: list[Words]):
    words = line[0]
    assert re.fullmatch(REST[option(words, "-X", "GET")], urlsplit(address(words)).path), name


@pytest.mark.skipif(shutil.which("jq") is None, reason="there is no jq on the PATH: apt-get install jq")
@pytest.mark.parametrize(("name", "line"), FILTERED, ids=lambda value: value if isinstance(value, str) else "")
def test_jq_finds_something_in_a_real_answer(name: str, line: list[Words]):
    path = address(line[0]).removeprefix("http://WORKER:8083")
    done = subprocess.run(line[1], input=answer(path), capture_output=True, text=True, timeout=800, check=False)
    assert done.returncode == 0, f"{name}: {done.stderr}"
    assert done.stdout.strip() not in ("", "null"), name


def test_jq_shows_the_task_that_failed_and_why():
    if shutil.which("jq") is None:
        pytest.skip("there is no jq on the PATH: apt-get install jq")
    [line] = [line for name, line in FILTERED if name == "restart-a-failed-task"]
    done = subprocess.run(line[1], input=answer("/connectors/NAME/status"), capture_output=True, text=True, check=True)
    first, second, *_ = done.stdout.splitlines()
    assert re.fullmatch(r"task 0 on 127\.0\.0\.1:\d+", first)
    assert "Tolerance exceeded in error handler" in second


def test_the_body_that_moves_an_offset_is_json_as_connect_takes_it():
    [data] = [option(line[0], "-d") for _, line in CURLS if "-d" in line[0]]
    [place] = json.loads(fill_in(data, {"PARTITION": "2", "NEXT_OFFSET": "543"}).text)["offsets"]
    assert set(place["partition"]) == {"kafka_topic", "kafka_partition"}
    assert isinstance(place["offset"]["kafka_offset"], int)


def test_the_file_for_deleting_records_is_json_as_kafka_takes_it():
    [text] = [line[0][1] for _, line in SHOWN if line[0][0] == "echo" and "partitions" in line[0][1]]
    document = json.loads(fill_in(text, {"PARTITION": "0", "OFFSET": "12"}).text)
    assert document["version"] == 1
    assert [set(partition) for partition in document["partitions"]] == [{"topic", "partition", "offset"}]


def test_sample_headers_are_json_of_texts():
    steps = [
        step
        for procedure in read_runbook(Path(ROOT, "runbooks/error-handling.md")).procedures()
        for step in procedure.steps
    ]
    [headers] = [json.loads(text) for step in steps for text in re.findall(r"`({.*})`", step.why)]
    assert all(isinstance(value, str) for value in headers.values())  # a header's value is bytes
    assert {"dlq.topic", "dlq.partition", "dlq.offset", "dlq.group", "dlq.tries-left", "dlq.next-try"} <= set(headers)
