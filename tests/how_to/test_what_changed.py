"""What the page on changes shows is what the command prints."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from runbook.evidence.bundle import FORMAT, Bundle, Kept, save_bundle
from runbook.model.ask import FactQuestion
from runbook.model.fact import Fact, Gap
from runbook.parse.inventory import Environment, parse_inventory
from runbook.plugins.catalog import catalog
from support.commands_here import command, here
from support.documented import titled

__all__ = ["command", "here"]
PAGE = "docs/how-to/what-changed.md"
SILENT = "broker 2 (kafka-2:9092) can't be reached: connection refused"


def fact(probe: str, rows: list[dict[str, Any]], *gaps: Gap) -> Fact:
    """Rows of a probe; what they do not say is the same at both looks."""
    columns = [column.name for column in catalog("probes").load(probe).PROBE.columns]
    filled = [dict.fromkeys(columns, "") | row for row in rows] if probe == "kafka_acl" else rows
    known = [name for name in columns if any(name in row for row in filled)]
    return Fact(probe, {name: [row.get(name) for row in filled] for name in known}, list(gaps))


def look(*, later: bool) -> list[Fact]:
    """Three brokers, of which one is silent at the second look; a topic whose setting was changed, and a new one."""
    brokers = [{"broker": i, "fenced": False, "answers": True, "silence": ""} for i in (1, 2, 3)]
    settings = [{"broker": i, "setting": "num.io.threads", "value": "8"} for i in (1, 2, 3)]
    topics = [{"name": "payments", "min_insync_replicas": 2, "overrides": {"min.insync.replicas": "2"}}]
    isr = [1, 3] if later else [1, 2, 3]
    partitions = [{"topic": "payments", "partition": i, "isr": isr} for i in range(6)]
    acls = [{"principal": "User:payments", "operation": "Write", "resource": "payments"}]
    if later:
        brokers[1] |= {"fenced": True, "answers": False, "silence": SILENT}
        topics[0] = {"name": "payments", "min_insync_replicas": 3, "overrides": {"min.insync.replicas": "3"}}
        topics.append({"name": "audit", "min_insync_replicas": 2, "overrides": {}})
        partitions.append({"topic": "audit", "partition": 0, "isr": [1]})
        del settings[1]
    gaps = [Gap(SILENT, {"broker": 2})] if later else []
    return [
        fact("kafka_broker", brokers),
        fact("kafka_broker_setting", settings, *gaps),
        fact("kafka_topic", topics),
        fact("kafka_partition", partitions),
        fact("kafka_acl", acls),
        fact("kafka_quorum", [{"node": 1, "voter": True, "lag": 4 if later else 0}]),
    ]


def keep(file: str, at: str, facts: list[Fact]) -> None:
    """A bundle of the environment `prod-eu`."""
    kept = [Kept(FactQuestion("prod-eu", "kafka", fact.source), {"": fact}) for fact in facts]
    of = {"prod-eu": Environment()}
    save_bundle(Path(file), Bundle(FORMAT, "0", "r1", at, of, {"prod-eu": {"kafka": []}}, [], kept))


def test_the_inventory_keeps_facts_for_two_weeks() -> None:
    inventory = parse_inventory(
        titled(PAGE, "Facts are kept for two weeks"), "environments.yaml", dt.date(2026, 11, 24)
    )
    assert inventory.keep_facts == 14 * 86400


def test_the_sample_is_what_the_command_prints(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    keep("monday.json", "2026-11-23T06:00:00.000Z", look(later=False))
    keep("now.json", "2026-11-24T07:30:00.000Z", look(later=True))
    ended = command("diff", "monday.json", "now.json")
    assert f"$ runbook diff monday.json now.json\n{ended.out}" == titled(PAGE, "What changed since Monday")
    assert ended.code == 1
