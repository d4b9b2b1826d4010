"""Runbooks to search in, as small as they can be."""

from typing import Any, Literal

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

HEAD = "---\ntitle: Logins\nversion: 1.0.0\nchanges: [{version: 1.0.0, date: 2026-01-01, note: first}]\n"


def diagnostics(
    name: str = "logins", head: str = "", origin: Literal["built-in", "file"] = "file", **errors: list[str]
) -> Any:
    """A runbook of one diagnostic for each list of errors, by its id."""
    blocks = "".join(
        f"```yaml {{.diagnostic}}\nid: {identifier}\ntitle: Something\nsymptom: ''\nerrors: {texts}\n"
        "causes: [{cause: It is so}]\n```\n"
        for identifier, texts in errors.items()
    )
    return parse_runbook(f"{HEAD}{head}---\n{blocks}", name, f"{name}.md", origin=origin)


def topics(name: str, *titles: str, effect: str = "", extends: str = "") -> str:
    """A runbook of one check for each title, all with the same effect."""
    head = HEAD.replace("title: Logins", f"title: {name}") + (f"extends: {extends}\n" if extends else "")
    return f"{head}---\n" + "".join(
        f"```yaml {{.check}}\nid: check-{number}\ntitle: {title}\nseverity: low\n"
        "facts: {topic: {probe: kafka_topic}}\nexpect: {each: topic, that: 'true'}\n"
        f"effect: {effect or 'none'}\nremedy: None.\n```\n"
        for number, title in enumerate(titles)
    )


def symptoms(*titles: str) -> str:
    """A runbook of one diagnostic for each title."""
    return f"{HEAD}---\n" + "".join(
        f"```yaml {{.diagnostic}}\nid: symptom-{number}\ntitle: {title}\nsymptom: ''\n"
        "causes: [{cause: It is so}]\n```\n"
        for number, title in enumerate(titles)
    )
