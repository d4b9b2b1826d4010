"""`runbook check topologies` on a real cluster over two data centres: well, badly laid out, one of them lost."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from runbook import lab as labs
from runbook.engine.bundle import load_bundle
from runbook.engine.fact import Fact
from runbook.lab import LabState
from runbook.lab.errors import LabError
from runbook.lab.parts.stretched import SITES as PATTERNS
from runbook.lab.state import known
from runbook.views.data_centre_loss import VIEW, compute

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
pytestmark = pytest.mark.live
SITES = list(PATTERNS)

ONE_HAS_THE_VOTES = {"controllers-outlive-any-data-centre"}  # true of any two, and said of this lab
WELL = {
    "acknowledged-records-are-in-two-data-centres",
    "any-data-centre-may-fail",
    "brokers-let-consumers-read-nearby",
    "brokers-stand-where-they-should",
    "copies-are-in-two-data-centres",
    "copies-in-sync-are-in-two-data-centres",
    "each-of-two-data-centres-has-two-copies",
    "the-layout-is-as-decided",
}


@pytest.fixture(scope="module")
def stretched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """Four brokers in two data centres."""
    home = tmp_path_factory.mktemp("stretched")
    try:
        yield labs.up("stretched", home=home, progress=logging.getLogger("lab").info, with_parts=["stretched"])
    finally:
        labs.down("stretched", home=home)


@pytest.fixture
def healthy(stretched: LabState) -> Iterator[LabState]:
    """The same with no fault in force, neither before nor after."""
    home = Path(stretched.folder).parent
    labs.heal(stretched.name, home=home)
    yield known(stretched.name, home)
    labs.heal(stretched.name, home=home)


def report(lab: LabState, *arguments: str, name: str = "topologies") -> dict[str, set[str]]:
    """The checks of a runbook by their outcomes."""
    inventory = str(Path(lab.folder).parent / "environments.yaml")
    command = [RUNBOOK, "check", name, "-i", inventory, "-f", "json", "--deadline", "30s", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=dict(os.environ), check=False)
    assert done.stderr == ""
    found: dict[str, set[str]] = {"pass": set(), "fail": set(), "unknown": set(), "not_applicable": set()}
    for result in json.loads(done.stdout)["results"]:
        found[result["outcome"]].add(result["check"].partition("/")[2])
    return found


def test_a_stretched_cluster_that_is_well_lacks_a_third_place_only(healthy: LabState):
    found = report(healthy)
    assert found["fail"] == ONE_HAS_THE_VOTES
    assert found["unknown"] == set()
    assert found["pass"] >= WELL
    assert report(healthy, name="ha")["fail"] <= {"controllers-outlive-any-rack", "any-one-rack-may-fail"}


def test_topics_that_one_data_centre_holds_or_acknowledges_are_found(healthy: LabState):
    labs.break_(healthy.name, "lopsided-topics", home=Path(healthy.folder).parent)
    found = report(healthy)
    assert found["fail"] == ONE_HAS_THE_VOTES | {
        "acknowledged-records-are-in-two-data-centres",
        "any-data-centre-may-fail",
        "copies-are-in-two-data-centres",
        "copies-in-sync-are-in-two-data-centres",
        "each-of-two-data-centres-has-two-copies",
    }
    assert found["unknown"] == set()


def test_a_lost_data_centre_refuses_writes_as_foretold_and_loses_nothing(healthy: LabState):
    availability = report(healthy, "--only", "writes-go-on-without-any-data-centre")
    assert availability["not_applicable"] == {"writes-go-on-without-any-data-centre"}  # durability ranks higher there
    labs.break_(healthy.name, "lose-data-centre", home=Path(healthy.folder).parent)
    found = report(healthy)
    assert found["fail"] == ONE_HAS_THE_VOTES | {
        "any-data-centre-may-fail",
        "copies-in-sync-are-in-two-data-centres",
    }
    assert found["pass"] >= {"acknowledged-records-are-in-two-data-centres", "the-layout-is-as-decided"}
    now = report(healthy, name="ha")
    assert "partitions-take-writes" in now["fail"]  # three of four are needed and two are left
    assert {"every-partition-has-a-leader", "the-cluster-has-a-controller"} <= now["pass"]


def test_a_lab_in_one_place_has_no_data_centre_to_lose(healthy_lab: LabState):
    home = Path(healthy_lab.folder).parent
    for fault in ("lose-data-centre", "lopsided-topics"):
        with pytest.raises(LabError, match="start one with runbook lab up --with stretched"):
            labs.break_(healthy_lab.name, fault, home=home)
    assert labs.heal(healthy_lab.name, home=home) == ["lopsided-topics", "lose-data-centre"]


def test_three_zones_are_three_data_centres_and_outlive_any_of_them(healthy_lab: LabState):
    found = report(healthy_lab)
    assert found["fail"] == {"brokers-let-consumers-read-nearby"}
    assert found["unknown"] == set()
    assert found["pass"] >= {"any-data-centre-may-fail", "controllers-outlive-any-data-centre"}


def test_what_is_foretold_of_a_lost_data_centre_is_what_then_happens(healthy: LabState, tmp_path: Path):
    """Partition by partition, also of topics that are badly laid out."""
    home = Path(healthy.folder).parent
    labs.break_(healthy.name, "lopsided-topics", home=home)
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    report(healthy, "--save", str(before))
    labs.break_(healthy.name, "lose-data-centre", home=home)
    report(healthy, "--save", str(after))
    foretold = compute(kept(before, "kafka_partition"), kept(before, "kafka_broker"), sites=SITES).rows
    [west] = [row for row in foretold if row[0] == "west"]
    names = [column.name for column in VIEW.columns]
    said = dict(zip(names, west, strict=True))
    now = list(kept(after, "kafka_partition").rows())
    refusing = {(row["topic"], row["partition"]) for row in now if len(row["isr"]) < row["needs"] or row["leader"] < 0}
    assert said["refusing_writes"] == len(refusing) > 0
    assert {topic for topic, _ in refusing}.isdisjoint({"east-only", "acknowledged-in-east"})
    assert said["offline"] == sum(row["leader"] < 0 for row in now) == 0
    assert said["brokers"] == sorted(
        row["broker"] for row in kept(after, "kafka_broker").rows() if row["fenced"] or not row["answers"]
    )


def kept(file: Path, probe: str) -> Fact:
    """What a bundle holds of a probe that was given nothing."""
    return next(one.facts[""] for one in load_bundle(file).kept if (one.ask.probe, one.ask.given) == (probe, "{}"))


def linked(folder: Path, source: LabState, target: LabState) -> Path:
    """An inventory in which one lab is mirrored into another."""
    ends = {"here": source, "there": target}
    document = {
        "environments": {name: {"kafka": {"bootstrap.servers": lab.bootstrap}} for name, lab in ends.items()},
        "mirrors": [{"from": "here", "to": "there", "policy": "identity"}],
    }
    file = folder / "linked.yaml"
    file.write_text(yaml.safe_dump(document), "utf-8")
    return file


def over_links(inventory: Path) -> dict[str, str]:
    """The outcomes of the checks that are about a link."""
    command = [RUNBOOK, "check", "dr", "-i", str(inventory), "-e", "there", "-f", "json", "--deadline", "30s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=dict(os.environ), check=False)
    results = json.loads(done.stdout)["results"]
    return {one["check"].partition("/")[2]: one["outcome"] for one in results if one["subject_kind"] == "link"}


def test_a_link_is_between_two_clusters_and_brings_every_topic(
    healthy: LabState, healthy_lab: LabState, tmp_path: Path
):
    # From the lab of this module, whose topics the other has too: tests before have left more there.
    found = over_links(linked(tmp_path, healthy, healthy_lab))
    assert found["the-standby-is-another-cluster"] == "pass"
    assert found["topics-have-their-mirror"] == "pass"  # both labs are filled alike
    assert found["the-flow-runs"] == "unknown"  # nobody may be asked what copies them
    labs.break_(healthy.name, "unsafe-topic", home=Path(healthy.folder).parent)
    assert over_links(linked(tmp_path, healthy, healthy_lab))["topics-have-their-mirror"] == "fail"
    assert over_links(linked(tmp_path, healthy, healthy))["the-standby-is-another-cluster"] == "fail"
