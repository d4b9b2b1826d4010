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


TOPIC = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: %s}\nspec: {topicName: %s.v1}\n"
LET_GO = '{strimzi.io/managed: "false"}'


def gone(folder: Path, before: dict[str, str], now: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The topics that files of a folder no longer declare, as they are called."""
    for held, files in ((folder / "before", before), (folder, now)):
        (held / "deploy").mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (held / "deploy" / name).write_text(text)
    monkeypatch.chdir(folder)
    read = manifests.connect({"paths": "deploy", "before": str(folder / "before")}, Deadline(5))
    rows = tabulate("planned_change", planned_change.PROBE.columns, planned_change.observe(read)).rows()
    return [f"{row['action']} {row['name']} {row['source']}" for row in rows]


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ({"a.yaml": TOPIC % ("a", "a")}, {"a.yaml": TOPIC % ("a", "a")}, []),
        ({"a.yaml": TOPIC % ("a", "a")}, {"b.yaml": TOPIC % ("a", "a")}, []),
        ({"a.yaml": TOPIC % ("a", "a")}, {"a.yaml": TOPIC % ("b", "b")}, ["delete a.v1 deploy/a.yaml:2"]),
        ({"a.yaml": TOPIC % ("a", "a")}, {"b.yaml": TOPIC % ("b", "b")}, ["delete a.v1 deploy/a.yaml:2"]),
        ({"a.yaml": TOPIC % ("a", "a")}, {"a.yaml": TOPIC % ("a, namespace: x", "a")}, []),
        (
            {"a.yaml": TOPIC % ("a, namespace: y", "a")},
            {"a.yaml": TOPIC % ("a, namespace: x", "a")},
            ["delete a.v1 deploy/a.yaml:2"],
        ),
        (
            {"a.yaml": TOPIC % (f"a, annotations: {LET_GO}", "a")},
            {"b.yaml": TOPIC % ("b", "b")},
            [],
        ),
        ({}, {"b.yaml": TOPIC % ("b", "b")}, []),
    ],
    ids=[
        "same",
        "moved",
        "renamed",
        "file gone",
        "namespace added",
        "another namespace",
        "let go",
        "none before",
    ],
)
def test_a_topic_of_strimzi_that_files_no_longer_declare_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: dict[str, str], now: dict[str, str], told: list[str]
):
    assert gone(tmp_path, before, now, monkeypatch) == told


def test_a_topic_that_may_stand_in_what_can_not_be_read_is_not_called_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    broken = TOPIC % ("a", "a") + "\tx: 1\n"
    assert gone(tmp_path, {"a.yaml": TOPIC % ("a", "a")}, {"a.yaml": broken}, monkeypatch) == []


def test_a_path_that_was_not_there_before_holds_nothing_that_is_gone(tmp_path: Path):
    (tmp_path / "a.yaml").write_text(TOPIC % ("a", "a"))
    read = manifests.connect({"paths": str(tmp_path / "a.yaml"), "before": f"{tmp_path}/nothing"}, Deadline(5))
    assert "no plan" in planned_change.observe(read).inapplicable
