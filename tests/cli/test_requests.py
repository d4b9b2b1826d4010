import json
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from runbook.plugins.request import artefacts

Command = Callable[..., Any]


def test_the_list_is_the_same_in_every_format(command: Command):
    output = command("requests", "kafka")
    listed = json.loads(command("requests", "kafka", "-f", "json").out)
    assert output.code == 0
    assert [request["parts"]["api"] for request in listed] == [
        line.strip().partition(",")[0] for line in output.out.splitlines()[1::2] if line.startswith("  ")
    ]
    assert yaml.safe_load(command("requests", "kafka", "-f", "yaml").out) == listed


def test_all_connections_are_listed_without_a_name(command: Command):
    listed = json.loads(command("requests", "--format", "json").out)
    assert {"kafka", "kubernetes", "ssh", "zookeeper"} <= {request["connection"] for request in listed}


@pytest.mark.parametrize("name", artefacts())
def test_what_to_set_is_printed_as_it_is(command: Command, name: str):
    assert command("requests", "--for", name).out == artefacts()[name]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("kafkaa",), "did you mean kafka?"),
        (("--for", "kafka-acl"), "did you mean kafka-acls?"),
        (("--format", "xml"), "known: console, json, yaml"),
        (("kafka", "--for", "kafka-acls"), "leave connections and --format away"),
    ],
)
def test_a_mistake_is_told_with_the_way_out(command: Command, words: tuple[str, ...], said: str):
    ended = command("requests", *words)
    assert ended.code == 2
    assert said in ended.err


def test_a_request_that_reads_records_is_marked(command: Command):
    [line] = [line for line in command("requests", "kafka").out.splitlines() if line.startswith("  Fetch")]
    assert "reads records: of topics under may_read of the inventory only" in line
