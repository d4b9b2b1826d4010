from typing import Any

import pytest

from runbook.parse.index import search
from runbook.parse.runbook import parse_runbook

BOOK = """---
title: Disks
version: 1.0.0
changes: [{version: 1.0.0, date: 2026-01-01, note: first}]
summary: Everything about storage.
alerts: [KafkaDiskFull]
tags: [retention]
---
```yaml {.check}
id: disks-have-room
title: Every log directory has room
severity: high
facts: {dir: {probe: kafka_log_dir}}
expect: {each: dir, that: "true"}
effect: writers stop when the volume fills up
remedy: Delete segments that expired.
```
```yaml {.diagnostic}
id: a-disk-is-full
title: A disk is full
symptom: A broker stopped by itself.
alerts: [KafkaDiskFull, KafkaLogDirOffline > 0]
errors: ["No space left on device", KAFKA_STORAGE_ERROR]
causes:
  - cause: Retention was raised without room for it
```
```yaml {.procedure}
id: move-replicas
title: Move replicas away
steps: [{do: Write a reassignment plan.}]
```
"""


@pytest.fixture(scope="module")
def found() -> Any:
    """Search the book for a text: names of hits, the best first."""
    book = parse_runbook(BOOK, "disks", "disks.md")

    def names(text: str) -> list[str]:
        return [hit.name for hit in search([book], text)]

    return names


@pytest.mark.parametrize(
    "text",
    [
        "KafkaDiskFull",
        "kafkadiskfull",
        "[FIRING:2] KafkaDiskFull (prod-eu critical)",
        "KafkaLogDirOffline",
        "java.io.IOException: No space left on device",
        "No  space left\non device",
        "org.apache.kafka.common.errors.KAFKA_STORAGE_ERROR: Disk error when trying to access log file",
        "KAFKA_STORAGE",
        "retention was raised",
    ],
)
def test_an_alert_or_error_however_it_is_pasted_leads_to_its_diagnostic_first(found: Any, text: str):
    assert found(text)[0] == "disks/a-disk-is-full"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("log directory room", "disks/disks-have-room"),
        ("reassignment plan", "disks/move-replicas"),
        ("storage", "disks"),
        ("segments expired", "disks/disks-have-room"),
    ],
)
def test_words_lead_to_what_speaks_of_them(found: Any, text: str, name: str):
    assert name in found(text)


def test_a_diagnostic_helps_more_than_the_runbook_that_names_the_same_alert(found: Any):
    assert found("KafkaDiskFull") == ["disks/a-disk-is-full", "disks"]


@pytest.mark.parametrize("text", ["", "  ", "...", "Something else entirely", "x"])
def test_what_nobody_speaks_of_is_not_found(found: Any, text: str):
    assert found(text) == []


def test_a_hit_says_why_it_is_one():
    book = parse_runbook(BOOK, "disks", "disks.md")
    assert search([book], "IOException: No space left on device")[0].why == "error No space left on device"
    assert search([book], "replicas")[0].why == "speaks of replica"


def test_the_order_of_equal_hits_does_not_depend_on_the_order_of_runbooks():
    first, second = parse_runbook(BOOK, "a", "a.md"), parse_runbook(BOOK, "b", "b.md")
    assert search([first, second], "disk") == search([second, first], "disk")
