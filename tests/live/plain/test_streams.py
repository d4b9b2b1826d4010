"""Topics that Kafka Streams makes for its kinds of stores are as they should be; those of another kind are not."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kafka_lab import LabState, streams
from kafka_lab.admin import change_settings, delete_group, kafka_python
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.jars import fetch_jars
from kafka_lab.tools import class_path
from kafka_lab.waiting import wait_until
from runbook.folders import cache_folder
from runbook.java import find_java
from support.java_compiler import compile_into, no_compiler

pytestmark = pytest.mark.live
APPLICATION = "stores"
_READ = ("left", "right")
_PROGRAM = Path(__file__).parents[2] / "support" / "java" / "StateTopics.java"
_JOIN, _COUNT = (f"{APPLICATION}-{store}-changelog" for store in ("named-this-join-store", "counts"))


@pytest.fixture
def lab_with_stores(healthy_lab: LabState, tmp_path: Path) -> Iterator[LabState]:
    """The lab after an application with a store of each kind has run; its topics go in the end."""
    if reason := no_compiler():
        pytest.skip(reason)
    try:
        _makes_topics(healthy_lab, tmp_path)
        yield healthy_lab
    finally:
        with kafka_python(healthy_lab) as admin:
            made = [name for name in admin.list_topics() if name.startswith(f"{APPLICATION}-")]
        delete_topics(healthy_lab, [*made, *_READ])
        wait_until(lambda: delete_group(healthy_lab, APPLICATION), "its group to be empty", within=240)


def _makes_topics(lab: LabState, folder: Path) -> None:
    library = fetch_jars(streams.JARS, cache_folder(), lambda _: None)
    compile_into(folder, [_PROGRAM], lab, [library])
    create_topics(lab, dict.fromkeys(_READ, (2, 3, {})))
    path = f"{class_path(lab)}:{library}/*:{folder}"
    command = [find_java(), f"-Djava.io.tmpdir={folder}", "-cp", path, "StateTopics", lab.bootstrap, APPLICATION]
    done = subprocess.run([*map(str, command), *_READ], capture_output=True, text=True, timeout=800, check=False)
    assert done.stdout.endswith("ran\n"), done.stderr


def failures(inventory: Path, *checks: str) -> dict[str, list[Any]]:
    """Checks of everything, of medium severity and above, that fail because of a topic of the application."""
    only = [word for check in checks for word in ("--only", check)]
    command = [
        Path(sys.executable).with_name("runbook"),
        "check",
        "-i",
        inventory,
        "-f",
        "json",
        "--severity",
        "medium",
    ]
    done = subprocess.run([*map(str, command), *only], capture_output=True, text=True, timeout=800, check=False)
    found = {
        result["check"]: [row for row in result["rows"] if f"{APPLICATION}-" in json.dumps(row["key"])]
        for result in json.loads(done.stdout)["results"]
        if result["outcome"] == "fail"
    }
    return {check: rows for check, rows in found.items() if rows}


def test_stores_of_every_kind_are_well_and_those_of_another_kind_are_named(
    lab_with_stores: LabState, lab_inventory: Path
) -> None:
    assert failures(lab_inventory) == {}
    wrong = {_JOIN: {"cleanup.policy": "compact"}, _COUNT: {"cleanup.policy": "delete"}}
    change_settings(lab_with_stores, "topic", wrong)
    found = failures(lab_inventory, "topics/changelogs-are-compacted")["topics/changelogs-are-compacted"]
    assert {row["key"]["name"]: row["message"].rpartition("; ")[2] for row in found} == {
        _JOIN: "the store of a join needs delete",
        _COUNT: "this store needs compact",
    }
