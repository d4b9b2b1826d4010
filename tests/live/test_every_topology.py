"""Every check of topologies.md on real clusters, where all is right and where it is not.

Here three zones with KRaft; what needs two places, ZooKeeper or metrics is seen where such a lab runs.
"""

import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from looked import Results, look
from runbook import lab as labs
from runbook.engine import moment
from runbook.engine.walk_record import Ended, Measured, Skipped
from runbook.lab import LabState
from seen_live import checks_of, shown_by
from small_walks import BEGUN, written

pytestmark = pytest.mark.live

DURABILITY = ["durability", "availability", "latency", "throughput"]
AVAILABILITY = ["availability", "durability", "latency", "throughput"]
ZONES = ["az-a", "az-b", "az-c"]

PASS = {
    "right": {
        "brokers-stand-where-they-should",
        "the-layout-is-as-decided",
        "a-node-lost-costs-no-record",
        "copies-are-in-two-data-centres",
        "copies-in-sync-are-in-two-data-centres",
        "acknowledged-records-are-in-two-data-centres",
        "any-data-centre-may-fail",
        "controllers-outlive-any-data-centre",
        "consumers-say-where-they-are",
        "losing-a-broker-was-drilled",
    },
    "right, availability first": {"writes-go-on-without-any-data-centre"},
    "one place": {"one-location-has-three-controllers"},
}
FAIL = {
    "wrong": {
        "brokers-stand-where-they-should": "decided on was [az-a, az-b, elsewhere]",
        "the-layout-is-as-decided": "it is 3",
        "a-node-lost-costs-no-record": "sessions",
        "copies-are-in-two-data-centres": "audit",
        "copies-in-sync-are-in-two-data-centres": "audit",
        "acknowledged-records-are-in-two-data-centres": "sessions",
        "any-data-centre-may-fail": "audit",
        "brokers-let-consumers-read-nearby": "replica.selector.class=",
        "consumers-say-where-they-are": "client.rack=nowhere",
        "losing-a-broker-was-drilled": "7 acknowledged records lost, no writing for 99.0 s, 1 steps left out",
    },
    "wrong, availability first": {"writes-go-on-without-any-data-centre": "invoices"},
}
"""State → the checks that pass, or fail with what their evidence says."""

OF_STRETCHED = "live/test_topologies.py::"
WELL = OF_STRETCHED + "test_a_stretched_cluster_that_is_well_lacks_a_third_place_only"
LOPSIDED = OF_STRETCHED + "test_topics_that_one_data_centre_holds_or_acknowledges_are_found"
ZOOKEEPER = "live/test_zookeeper.py::test_servers_of_zookeeper_stand_in_data_centres_or_do_not"
PASS_ELSEWHERE = {
    "brokers-let-consumers-read-nearby": WELL,
    "each-of-two-data-centres-has-two-copies": WELL,
    "the-layout-with-zookeeper-is-as-decided": ZOOKEEPER,
    "zookeeper-outlives-any-data-centre": ZOOKEEPER,
    "one-location-has-three-zookeeper-servers": ZOOKEEPER,
    "the-distance-costs-writers-little": "live/test_metrics.py::test_what_writers_wait_for_followers_is_measured",
}
FAIL_ELSEWHERE = {
    "controllers-outlive-any-data-centre": WELL,
    "each-of-two-data-centres-has-two-copies": LOPSIDED,
    "the-layout-with-zookeeper-is-as-decided": ZOOKEEPER,
    "zookeeper-outlives-any-data-centre": ZOOKEEPER,
    "brokers-use-zookeeper-of-their-data-centre": ZOOKEEPER,
}
"""Check → the test that sees it."""

HIERARCHY = "the lab's ensemble has three servers and no groups, which Kafka 4 has no use for: recorded servers only"
NEVER_PASS = {
    "brokers-use-zookeeper-of-their-data-centre": "brokers of the lab know all servers, as ha.md asks of them",
    "zookeeper-groups-are-data-centres": HIERARCHY,
}
NEVER_FAIL = {
    "zookeeper-groups-are-data-centres": HIERARCHY,
    "one-location-has-three-controllers": "labs have three voters; one taken away would stay so if the test broke off",
    "one-location-has-three-zookeeper-servers": "fewer servers are another lab; without a majority of three "
    "brokers can't tell where they stand",
    "the-distance-costs-writers-little": "how long copies take to be made on one machine is not the test's to say",
}
"""Check → why no live system shows it so; stored facts do."""


def drilled(lab: LabState, folder: Path, *, wrong: bool) -> Path:
    """A folder with the record of a drill in which a broker was lost."""
    at = moment.written(dt.datetime.now(dt.UTC) - dt.timedelta(days=3))
    begun = replace(
        BEGUN, procedure="topologies/lose-a-broker", environment=lab.name, target=lab.name, drill=True, at=at
    )
    lost = 7 if wrong else 0
    figures = Measured(at=at, acknowledged=900, rpo_records=lost, rto_write=99.0 if wrong else 9.0, rto_read=9.0)
    left_out = [Skipped("step 1", "ada", at, "no time")] if wrong else []
    kept = folder / ("wrong" if wrong else "right")
    kept.mkdir(exist_ok=True)
    (kept / "drill.jsonl").write_bytes(written([begun, *left_out, figures, Ended("completed", "ada", at)]))
    return kept


def inventory(lab: LabState, folder: Path, objectives: list[str], rack: str, **params: Any) -> dict[str, Any]:
    """The lab's own, with an owner's decisions, a consumer that says where it is, and the record of a drill."""
    file = folder / f"{rack}.properties"
    file.write_text(f"group.id=billing\nclient.rack={rack}\n", "utf-8")
    document: dict[str, Any] = yaml.safe_load(Path(lab.folder, "environments.yaml").read_text("utf-8"))
    environment = document["environments"][lab.name]
    environment["objectives"] = objectives
    environment["params"] = {"topologies/*": params}
    environment["files"] = {"clients": [{"name": "billing", "kind": "consumer", "path": str(file)}]}
    environment["records"] = {"drills": str(drilled(lab, folder, wrong=rack not in ZONES))}
    for kind in ("files", "records"):
        del environment["absent"][kind]
    return document


@pytest.fixture(scope="module")
def told(lab: LabState, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Results]]:
    """What was seen in each state."""
    folder = tmp_path_factory.mktemp("topologies")
    home = Path(lab.folder).parent

    def seen(objectives: list[str], rack: str, **params: Any) -> Results:
        return look("topologies", inventory(lab, folder, objectives, rack, **params), folder / "environments.yaml")

    labs.heal(lab.name, home=home)
    looks = {
        "right": seen(DURABILITY, ZONES[0], data_centres=ZONES, layout="3"),
        "right, availability first": seen(AVAILABILITY, ZONES[0]),
        "one place": seen(DURABILITY, ZONES[0], sites=["*=here"]),
    }
    try:
        labs.break_(lab.name, "unsafe-topic", home=home)
        looks["wrong"] = seen(DURABILITY, "nowhere", data_centres=[*ZONES[:2], "elsewhere"], layout="2.5")
        looks["wrong, availability first"] = seen(AVAILABILITY, "nowhere")
        yield looks
    finally:
        labs.heal(lab.name, home=home)


@pytest.mark.parametrize(("state", "check"), [(state, one) for state, checks in PASS.items() for one in sorted(checks)])
def test_a_check_passes_where_all_is_right(told: dict[str, Results], state: str, check: str):
    result = told[state][check]
    assert (result["outcome"], result["gaps"]) == ("pass", []), result["reason"]
    assert result["judged"] > 0


@pytest.mark.parametrize(
    ("state", "check", "evidence"), [(state, *one) for state, checks in FAIL.items() for one in checks.items()]
)
def test_a_check_fails_and_names_what_is_wrong(told: dict[str, Results], state: str, check: str, evidence: str):
    result = told[state][check]
    assert result["outcome"] == "fail", (result["reason"], result["gaps"])
    assert evidence in json.dumps(result["rows"], ensure_ascii=False)


def test_what_is_right_beside_all_that_is_wrong_does_not_fail(told: dict[str, Results]):
    failed = {name for name, one in told["wrong"].items() if one["outcome"] == "fail"}
    assert failed == set(FAIL["wrong"])


def elsewhere(tests: dict[str, str]) -> set[str]:
    return {check for check, test in tests.items() if shown_by(test, check)}


def test_every_check_is_seen_to_pass_or_it_is_said_why_not():
    here = set().union(*PASS.values())
    assert {check.id for check in checks_of("topologies")} - here - elsewhere(PASS_ELSEWHERE) == set(NEVER_PASS)


def test_every_check_is_seen_to_fail_or_it_is_said_why_not():
    here = {check for checks in FAIL.values() for check in checks}
    assert {check.id for check in checks_of("topologies")} - here - elsewhere(FAIL_ELSEWHERE) == set(NEVER_FAIL)
