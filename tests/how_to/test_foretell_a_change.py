"""The sample of the page on changes is what the command prints, and the lines that it explains are those it writes."""

import inspect
import json
import re
from pathlib import Path
from typing import Any

from runbook.model.fact import Fact
from runbook.show import change_lines
from support.commands_here import Command, command, here
from support.documented import ROOT
from support.small_layouts import RACKS, broker, keep, partition, quorum

__all__ = ["command", "here"]  # fixtures
PAGE = (ROOT / "docs/how-to/foretell-a-change.md").read_text("utf-8")


def test_its_sample_is_what_the_command_prints(here: Path, command: Command) -> None:
    audit = partition({"audit": [[1]]})
    audit.columns |= {"needs": [1], "min_insync_replicas": [2]}
    size: dict[str, list[Any]] = {"topic": ["audit"], "partition": [0], "broker": [1], "size": [3_000_000_000]}
    cluster = Fact("kafka_cluster", {"cluster_id": ["abc"], "kafka_version": ["4.3"]})
    facts = [audit, broker(RACKS), quorum((1, 2, 3)), cluster, Fact("kafka_replica_size", size)]
    keep(here / "facts.json", facts)
    plan = {"version": 1, "partitions": [{"topic": "audit", "partition": 0, "replicas": [1, 2, 3]}]}
    (here / "plan.json").write_text(json.dumps(plan), "utf-8")
    [(line, printed)] = re.findall(r'title="A topic with.*?\n\$ runbook (.*?)\n(.*?)```', PAGE, re.DOTALL)
    ended = command(*line.replace("--env prod", "--from facts.json").split())
    assert (ended.out, ended.code) == (printed, 1)


def test_the_lines_that_it_explains_are_written() -> None:
    explained = re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE)
    assert len(explained) == 6
    assert [line for line in explained if f'"{line}: "' not in inspect.getsource(change_lines)] == []
