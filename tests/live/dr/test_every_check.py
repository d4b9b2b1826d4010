"""Every check of dr.md on two real clusters, once when all is right and once when as much as can be is wrong."""

import datetime as dt
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

import two_sites
from looked import RUNBOOK, Results, look
from runbook.engine.block import Check
from runbook.engine.walk_record import Ended, Measured, Overruled, Skipped
from runbook.lab import LabState, connect, mirrors, parts
from runbook.lab.inventory import write_inventory
from seen_live import checks_of, shown_by
from small_walks import BEGUN, written
from two_sites import CONNECTOR, LATE, READS_BOTH, READS_ONE, STANDS_BY, Sites

PATIENT = 120.0  # seconds until what was done is seen
pytestmark = pytest.mark.live

OF_TEST_DR = "live/dr/test_dr.py::test_a_fault_fails_the_checks_that_are_about_it_until_it_is_healed"
FAIL_ELSEWHERE = {
    "the-standby-is-another-cluster": "live/test_topologies.py::"
    "test_a_link_is_between_two_clusters_and_brings_every_topic",
    **dict.fromkeys(
        [
            "the-standby-can-be-read",
            "replication-keeps-its-promise",
            "heartbeats-arrive",
            "topics-have-their-mirror",
            "mirrors-have-all-partitions",
            "mirrors-keep-as-long",
            "the-flow-runs",
            "names-are-as-declared",
            "filters-take-what-is-meant",
            "no-state-of-applications-is-mirrored",
            "no-mirrored-state-is-there",
            "nothing-goes-round",
            "no-mirror-of-a-mirror-of-ones-own",
            "the-flow-takes-the-largest-records",
            "groups-would-not-read-much-again",
        ],
        OF_TEST_DR,
    ),
}
"""Check → the test that sees it fail. Those that need a fault of their own are there."""

NEVER_FAIL = {"the-plan-is-known": "what nobody has signed off, or no longer, is unknown: it may be so all the same"}
"""Check → why no system shows it so."""

WRONG = {
    "the-link-has-bandwidth-to-spare": "bytes a second",
    "mirrors-have-three-copies": two_sites.THIN,
    "mirrors-need-copies-in-sync": "min.insync.replicas 1, 2 at the primary",
    "the-standby-takes-the-largest-records": "max.message.bytes 1000",
    "rights-are-there-too": "Deny Read on primary.orders for User:mallory",
    "quotas-are-there-too": "2000000.0 at the standby, 1000000.0 at the primary",
    "schemas-are-there-too": "stands for another at the standby",
    "nothing-flows-back-unasked": two_sites.BACK,
    "the-flow-has-several-tasks": "tasks.max 1",
    "workers-share-the-copying": "tasks",
    "new-mirrors-get-three-copies": "replication.factor 1",
    "its-own-topics-have-three-copies": two_sites.OWN_WITH_ONE_COPY,
    "no-setting-is-dropped": "write producer.override.linger.ms",
    "the-flow-fetches-in-bulk": "fetch.min.bytes 2",
    "the-flow-writes-in-batches": "batch.size 99",
    "the-flow-compresses": "compression.type none",
    "the-flow-polls-as-declared": "max.poll.records 77",
    "positions-are-translated": "sync.group.offsets.enabled false",
    "groups-have-a-position-there": LATE,
    "no-position-is-copied-raw": "the mirror ends at",
    "groups-at-the-standby-read-both": READS_ONE,
    "standby-applications-keep-up": "empty, lags by 0",
    "connectors-are-there-too": CONNECTOR,
    "the-failover-was-drilled": "1 drills; the last ended",
    "the-drill-kept-the-rpo": "40 acknowledged records were lost, 3600.0 s of writing; 60 s are promised",
    "the-drill-kept-the-rto": "nobody could write for 7200.0 s",
    "no-gate-was-gone-through-closed": "1 closed gates, 1 steps left out",
    "rpo-0-is-no-accident": two_sites.CARELESS,
    "the-strategy-is-the-declared-one": two_sites.CARELESS,
    "nothing-is-lost-with-a-site": two_sites.CARELESS,
}
MISPLACED = {
    "the-link-has-promises": "no promise is declared",
    "the-standby-is-whole": "[2] of [3] brokers answer",
    "the-standby-takes-writes": two_sites.NEEDS_ALL,
    "the-flow-is-there": "flows from [standby] are there too",
    "the-flow-has-several-workers": "[stray]: answers [true]",
    "mirrormaker-runs-at-the-standby": "the standby is",
}
AT_TIMES = {"the-flow-runs"}  # a task is moved for a while after its connector was changed
FROM_A_FILE = {
    "no-setting-is-dropped": "consumer.fetch.min.bytes",
    "the-flow-fetches-in-bulk": "fetch.min.bytes 3",
    "the-flow-compresses": "compression.type none",
    "new-mirrors-get-three-copies": "replication.factor 1",
    "positions-are-translated": "sync.group.offsets.enabled false",
    "names-are-as-declared": "identity",
    "nothing-flows-back-unasked": "standby",
}
"""What the evidence of each says, in the three states in which something is wrong."""

DEDICATED = """\
clusters = primary, standby
primary.bootstrap.servers = {here}
standby.bootstrap.servers = {there}
primary->standby.enabled = true
primary->standby.topics = .*
standby->primary.enabled = false
replication.factor = 3
tasks.max = 2
sync.group.offsets.enabled = true
primary.consumer.fetch.min.bytes = 1048576
standby.producer.compression.type = lz4
"""
TURNED_WRONG = {
    "standby->primary.enabled = false": "standby->primary.enabled = true",
    "replication.factor = 3": "replication.factor = 1",
    "sync.group.offsets.enabled = true": "replication.policy.class = "
    "org.apache.kafka.connect.mirror.IdentityReplicationPolicy",
    "primary.consumer.fetch.min.bytes = 1048576": "primary.consumer.fetch.min.bytes = 3\nconsumer.fetch.min.bytes = 9",
    "compression.type = lz4": "compression.type = none",
}


def ago(**units: float) -> str:
    """A moment of the past, as records have it."""
    return (dt.datetime.now(dt.UTC) - dt.timedelta(**units)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def keep_records(folder: Path, sites: Sites, *, wrong: bool) -> dict[str, str]:
    """Files of a drill and of what was signed off; gives the connection that reads them."""
    end = ago(days=100) if wrong else ago(days=2)
    begun = replace(
        BEGUN,
        procedure="dr/fail-over",
        environment=sites.there.name,
        source=sites.here.name,
        target=sites.there.name,
        drill=True,
        at=ago(days=101 if wrong else 3),
    )
    figures = Measured(
        at=end,
        acknowledged=900,
        rpo_records=40 if wrong else 0,
        rpo_seconds=3600.0 if wrong else 0.0,
        duplicates=0,
        rto_write=7200.0 if wrong else 60.0,
        rto_read=7200.0 if wrong else 60.0,
    )
    around = [Overruled("before", "ada", begun.at, "no time", ["x"]), Skipped("step 1", "ada", begun.at, "no time")]
    folder.mkdir()
    (folder / "drill.jsonl").write_bytes(
        written([begun, *(around if wrong else []), figures, Ended("completed", "ada", end)])
    )
    [check] = [check for check in checks_of("dr") if check.id == "the-plan-is-known"]
    signed = {"statement": "So it is.", "by": "Ada", "evidence": "ticket 7"}
    days = {"at": ago(days=60)[:10], "expires": ago(days=30 if wrong else -30)[:10]}
    statements = [{"id": name, **signed, **days} for name in ids_of(check)]
    attested = folder / "attestations.yaml"
    attested.write_text(yaml.safe_dump({"attestations": statements}), "utf-8")
    return {"drills": str(folder), "attestations": str(attested)}


def ids_of(check: Check) -> list[str]:
    """What is to be signed off."""
    found: list[str] = check.params["ids"].default
    return found


class Inventory:
    """The lab's inventory with what an owner of these clusters would say, told in a file."""

    def __init__(self, sites: Sites, folder: Path) -> None:
        write_inventory(Path(sites.here.folder).parent)
        self._document = yaml.safe_load(Path(sites.here.folder, "environments.yaml").read_text("utf-8"))
        self._folder = folder
        environments = self._document["environments"]
        self.here, self.there = environments[sites.here.name], environments[sites.there.name]
        [self.link] = self._document["mirrors"]
        for environment in (self.here, self.there):
            environment["objectives"] = ["durability", "availability", "throughput", "latency"]
        self.link["params"] = {
            "dr/groups-at-the-standby-read-both": {"groups": [READS_BOTH]},
            "dr/standby-applications-keep-up": {"groups": [STANDS_BY]},
        }

    def give(self, kind: str, settings: dict[str, Any], *environments: dict[str, Any]) -> None:
        """Say how something is reached."""
        for environment in environments:
            environment[kind] = settings
            environment["absent"].pop(kind, None)

    def check(self, name: str) -> Results:
        """Look once; gives the results of checks over the link, and of the primary where a check is over none."""
        return look("dr", self._document, self._folder / f"{name}.yaml")


def settled(once: Callable[[], Results], outcome: str, wanted: set[str]) -> Results:
    """The first look in which all these have this outcome; else the last one."""
    end = time.monotonic() + PATIENT
    while True:
        found = once()
        if wanted <= {name for name, one in found.items() if one["outcome"] == outcome} or time.monotonic() > end:
            return found


@pytest.fixture(scope="module")
def told(lab: LabState, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Results]]:
    """What was seen in each state; afterwards the lab is as it was."""
    if reason := parts.lacking("registry"):
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("every-check")
    sites = Sites(lab, mirrors.standby_of(lab))
    looks: dict[str, Results] = {}
    with two_sites.applications(sites):
        try:
            two_sites.make_right(sites)
            looks["right"] = look_when_right(sites, folder)
            two_sites.make_wrong(sites)
            looks["wrong"] = look_when_wrong(sites, folder)
            two_sites.lose_a_broker(sites.there)
            looks["misplaced"] = look_at_the_wrong_place(sites, folder)
            looks["file"], looks["wrong file"] = look_into_files(sites, folder)
            yield looks
        finally:
            two_sites.restore(sites)


def look_when_right(sites: Sites, folder: Path) -> Results:
    inventory = Inventory(sites, folder)
    inventory.give("records", keep_records(folder / "right", sites, wrong=False), inventory.here, inventory.there)
    with two_sites.standing_by(sites.there):
        return settled(lambda: inventory.check("right"), "pass", {check.id for check in checks_of("dr")})


def look_when_wrong(sites: Sites, folder: Path) -> Results:
    inventory = Inventory(sites, folder)
    inventory.give("records", keep_records(folder / "wrong", sites, wrong=True), inventory.here, inventory.there)
    inventory.link["groups"].append(LATE)
    inventory.link["params"] |= {
        "dr/groups-at-the-standby-read-both": {"groups": [READS_BOTH, READS_ONE]},
        "dr/the-link-has-bandwidth-to-spare": {"mbit": 0.001, "percent": 1.0},  # heartbeats alone are more
        "dr/workers-share-the-copying": {"most": 0},  # three tasks of two workers; Connect itself never does worse
    }
    return settled(lambda: inventory.check("wrong"), "fail", set(WRONG))


def look_at_the_wrong_place(sites: Sites, folder: Path) -> Results:
    """MirrorMaker is looked for at the primary's Connect, which has one worker."""
    inventory = Inventory(sites, folder)
    del inventory.link["promises"]
    [worker] = connect.workers_of(sites.here)
    inventory.give("connect", {"workers": {"stray": worker.url}}, inventory.there)
    return settled(lambda: inventory.check("misplaced"), "fail", set(MISPLACED))


def look_into_files(sites: Sites, folder: Path) -> tuple[Results, Results]:
    """Both ends have a dedicated MirrorMaker's file and no Connect."""
    inventory = Inventory(sites, folder)
    right = DEDICATED.format(here=sites.here.bootstrap, there=sites.there.bootstrap)
    wrong = right
    for before, after in TURNED_WRONG.items():
        assert before in wrong
        wrong = wrong.replace(before, after)
    looks = []
    for name, text in (("mm2", right), ("wrong-mm2", wrong)):
        file = folder / f"{name}.properties"
        file.write_text(text, "utf-8")
        for environment in (inventory.here, inventory.there):
            environment.pop("connect", None)
            environment["absent"]["connect"] = "MirrorMaker runs in its dedicated mode"
        inventory.give("files", {"mirror_maker": [str(file)]}, inventory.here, inventory.there)
        looks.append(inventory.check(name))
    return looks[0], looks[1]


EVERY = sorted(check.id for check in checks_of("dr"))


# First of all: what follows takes a broker away until the end.
@pytest.mark.parametrize(
    ("probe", "site", "log"),
    [
        ("mirror_checkpoint", mirrors.STANDBY, mirrors.remote("checkpoints.internal")),
        ("mirror_offset_sync", mirrors.PRIMARY, f"mm2-offset-syncs.{mirrors.STANDBY}.internal"),
    ],
)
def test_positions_that_mirrormaker_notes_may_be_read_by_the_labs_own_inventory(
    healthy: LabState, probe: str, site: str, log: str
):
    name = mirrors.standby_of(healthy).name if site == mirrors.STANDBY else healthy.name
    words = [RUNBOOK, "probe", probe, "-i", str(Path(healthy.folder, "environments.yaml")), "-e", name]
    done = subprocess.run([*words, "-f", "json", "--deadline", "30s"], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)[name]["columns"]["log"]) == {log}


@pytest.mark.parametrize("check", EVERY)
def test_a_check_passes_where_all_is_right(told: dict[str, Results], check: str):
    result = told["right"][check]
    assert (result["outcome"], result["gaps"]) == ("pass", []), result["reason"]
    assert result["judged"] > 0


@pytest.mark.parametrize(
    ("state", "check", "evidence"),
    [
        *(("wrong", *one) for one in WRONG.items()),
        *(("misplaced", *one) for one in MISPLACED.items()),
        *(("wrong file", *one) for one in FROM_A_FILE.items()),
    ],
)
def test_a_check_fails_and_names_what_is_wrong(told: dict[str, Results], state: str, check: str, evidence: str):
    result = told[state][check]
    assert result["outcome"] == "fail", (result["reason"], result["gaps"])
    assert evidence in json.dumps(result["rows"], ensure_ascii=False)


def test_what_was_signed_off_too_long_ago_is_unknown(told: dict[str, Results]):
    result = told["wrong"]["the-plan-is-known"]
    assert result["outcome"] == "unknown"
    assert "expired after" in json.dumps(result["gaps"])


def test_what_is_right_beside_all_that_is_wrong_does_not_fail(told: dict[str, Results]):
    failed = {name for name, one in told["wrong"].items() if one["outcome"] == "fail"}
    assert failed - AT_TIMES == set(WRONG)


@pytest.mark.parametrize("check", sorted(FROM_A_FILE))
def test_a_file_of_a_dedicated_mirrormaker_is_as_good_as_connect(told: dict[str, Results], check: str):
    assert told["file"][check]["outcome"] == "pass", told["file"][check]["reason"]


def test_every_check_is_seen_to_fail_or_it_is_said_why_not():
    seen = {*WRONG, *MISPLACED, *FROM_A_FILE} | {one for one, test in FAIL_ELSEWHERE.items() if shown_by(test, one)}
    assert set(EVERY) - seen == set(NEVER_FAIL)
