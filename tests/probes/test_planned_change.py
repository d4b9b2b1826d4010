from pathlib import Path
from typing import Any

import pytest

from runbook.connections import manifests
from runbook.model.fact import tabulate
from runbook.model.probe import Deadline
from runbook.probes import planned_change
from support.strimzi_played import platform
from support.terraform import changed, plan


def rows(file: Path, *changes: Any) -> list[dict[str, Any]]:
    """What is told of a plan of these changes."""
    file.write_text(plan(*changes))
    read = manifests.connect({"paths": str(file)}, Deadline(5))
    return [*tabulate("planned_change", planned_change.PROBE.columns, planned_change.observe(read)).rows()]


@pytest.mark.parametrize(
    ("actions", "action", "loses"),
    [
        (["create"], "create", False),
        (["update"], "update", False),
        (["no-op"], "no-op", False),
        (["delete"], "delete", True),
        (["delete", "create"], "replace", True),
        (["create", "delete"], "replace", True),
        (["forget"], "forget", False),
        (["create", "forget"], "forget", False),
    ],
)
def test_what_loses_records_is_told(tmp_path: Path, actions: list[str], action: str, *, loses: bool):
    values = {"name": "orders", "partitions": 3, "replication_factor": 3}
    after = None if actions in (["delete"], ["forget"]) else values
    before = None if actions == ["create"] else values
    [row] = rows(tmp_path / "plan.json", changed("kafka_topic", actions=actions, before=before, after=after))
    assert (row["action"], row["loses_records"], row["thing"], row["name"]) == (action, loses, "topic", "orders")


def test_a_replacement_tells_the_name_that_goes_and_why(tmp_path: Path):
    before, after = {"name": "orders"}, {"name": "sales"}
    change = changed(
        "kafka_topic", actions=["delete", "create"], before=before, after=after, replace_paths=[["name"], ["a", 0, "b"]]
    )
    [row] = rows(tmp_path / "plan.json", change)
    assert (row["name"], row["because"]) == ("orders", ["a[0].b", "name"])


def test_what_is_left_of_an_earlier_replacement_is_a_change_of_its_own(tmp_path: Path):
    values = {"name": "orders"}
    kept = changed("kafka_topic", actions=["no-op"], before=values, after=values)
    left = changed("kafka_topic", actions=["delete"], before={"name": "old"}) | {"deposed": "1a2b3c4d"}
    assert [(row["resource"], row["name"]) for row in rows(tmp_path / "plan.json", kept, left)] == [
        ("kafka_topic.orders", "orders"),
        ("kafka_topic.orders (deposed 1a2b3c4d)", "old"),
    ]


def test_a_sensitive_name_is_not_shown(tmp_path: Path):
    values = {"name": "planted-secret"}
    change = changed("kafka_topic", actions=["delete"], before=values, before_sensitive={"name": True})
    [row] = rows(tmp_path / "plan.json", change)
    assert row["name"] == "(sensitive)"


def test_an_api_server_tells_no_changes():
    assert "no changes" in platform().observe("planned_change").inapplicable
