"""What the owner of two sites says of them: the inventory, the record of a drill, what was signed off, a file."""

import datetime as dt
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from msgspec.structs import replace

from kafka_lab.inventory import write_inventory
from runbook.model.block import Check
from runbook.procedure.loss_seen import with_loss
from runbook.procedure.walk_record import Ended, Measured, Overruled, Sighting, Skipped
from support.built_in import checks_of
from support.given_connections import give
from support.small_walks import BEGUN, written
from support.two_sites import LATE, READS_BOTH, READS_ONE, STANDS_BY, Sites

LOST, STOOD_STILL = 40, 7200.0
"""Records and seconds that the bad drill lost."""

_DEDICATED = """\
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
_TURNED_WRONG = {
    "standby->primary.enabled = false": "standby->primary.enabled = true",
    "replication.factor = 3": "replication.factor = 1",
    "sync.group.offsets.enabled = true": "replication.policy.class = "
    "org.apache.kafka.connect.mirror.IdentityReplicationPolicy",
    "primary.consumer.fetch.min.bytes = 1048576": "primary.consumer.fetch.min.bytes = 3\nconsumer.fetch.min.bytes = 9",
    "compression.type = lz4": "compression.type = none",
}


class Inventory:
    """The lab's inventory with what an owner of these clusters would say."""

    def __init__(self, sites: Sites) -> None:
        """Begin with what the lab says as it is now."""
        write_inventory(Path(sites.here.folder).parent)
        self.document: dict[str, Any] = yaml.safe_load(Path(sites.here.folder, "environments.yaml").read_text("utf-8"))
        environments = self.document["environments"]
        self.here, self.there = environments[sites.here.name], environments[sites.there.name]
        [self.link] = self.document["mirrors"]
        for environment in (self.here, self.there):
            environment["objectives"] = ["durability", "availability", "throughput", "latency"]
        self.link["params"] = {
            "dr/groups-at-the-standby-read-both": {"groups": [READS_BOTH]},
            "dr/standby-applications-keep-up": {"groups": [STANDS_BY]},
        }

    def give(self, kind: str, settings: dict[str, Any], *environments: dict[str, Any]) -> None:
        """Say how something is reached."""
        for environment in environments:
            give(environment, **{kind: settings})


def told_when_right(sites: Sites, records: Path) -> Mapping[str, Any]:
    """All that there is, and a good drill."""
    inventory = Inventory(sites)
    inventory.give("records", keep_records(records, sites, wrong=False), inventory.here, inventory.there)
    return inventory.document


def told_when_wrong(sites: Sites, records: Path) -> Mapping[str, Any]:
    """What is not so, too: groups that do not read all, a thin link, tasks that can not be divided evenly."""
    inventory = Inventory(sites)
    inventory.give("records", keep_records(records, sites, wrong=True), inventory.here, inventory.there)
    inventory.link["groups"].append(LATE)
    inventory.link["params"] |= {
        "dr/groups-at-the-standby-read-both": {"groups": [READS_BOTH, READS_ONE]},
        "dr/the-link-has-bandwidth-to-spare": {"mbit": 0.001, "percent": 1.0},  # heartbeats alone are more
        "dr/workers-share-the-copying": {"most": 0},  # three tasks of two workers; Connect itself never does worse
    }
    return inventory.document


def keep_records(folder: Path, sites: Sites, *, wrong: bool) -> dict[str, str]:
    """Files of a drill and of what was signed off; gives the connection that reads them."""
    folder.mkdir()
    (folder / "drill.jsonl").write_bytes(_drill(sites, wrong=wrong))
    [check] = [check for check in checks_of("dr") if check.id == "the-plan-is-known"]
    signed = {"statement": "So it is.", "by": "Ada", "evidence": "ticket 7"}
    days = {"at": _ago(days=60)[:10], "expires": _ago(days=30 if wrong else -30)[:10]}
    statements = [{"id": name, **signed, **days} for name in _to_sign(check)]
    attested = folder / "attestations.yaml"
    attested.write_text(yaml.safe_dump({"attestations": statements}), "utf-8")
    return {"drills": str(folder), "attestations": str(attested)}


def _drill(sites: Sites, *, wrong: bool) -> bytes:
    """The record of a drill: of one that went well the other day, or of a bad one that is long ago."""
    end = _ago(days=100) if wrong else _ago(days=2)
    begun = replace(
        BEGUN,
        procedure="dr/fail-over",
        environment=sites.there.name,
        source=sites.here.name,
        target=sites.there.name,
        drill=True,
        loses="source",
        at=_ago(days=101 if wrong else 3),
    )
    looks = [*_looks(sites, begun.at, dark=False), *_looks(sites, end, dark=True)]
    figures = Measured(
        at=end,
        acknowledged=900,
        rpo_records=LOST if wrong else 0,
        rpo_seconds=3600.0 if wrong else 0.0,
        duplicates=0,
        rto_write=STOOD_STILL if wrong else 60.0,
        rto_read=STOOD_STILL if wrong else 60.0,
        caveats=with_loss([], [begun, *looks]),
    )
    around = [Overruled("before", "ada", begun.at, "no time", ["x"]), Skipped("step 1", "ada", begun.at, "no time")]
    return written([begun, *looks, *(around if wrong else []), figures, Ended("completed", "ada", end)])  # type: ignore[list-item]  # both are records


def _looks(sites: Sites, at: str, *, dark: bool) -> list[Sighting]:
    """What the tool saw at both sites: the primary in service, or dark."""
    stage = "step 1" if dark else "before"
    found = []
    for site in sites:
        lost = dark and site is sites.here
        nodes = [] if lost else [broker.number for broker in site.brokers]
        cluster = "" if lost else site.cluster_id
        found.append(
            Sighting(stage=stage, at=at, took_ms=9, environment=site.name, cluster_id=cluster, serving=nodes, dark=lost)
        )
    return found


def _to_sign(check: Check) -> list[str]:
    found: list[str] = check.params["ids"].default  # type: ignore[assignment]  # they are names
    return found


def _ago(**units: float) -> str:
    """A moment of the past, as records have it."""
    return (dt.datetime.now(dt.UTC) - dt.timedelta(**units)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def says(file: Path, *, wrong: bool) -> Mapping[str, bool]:
    """Whether the file of a MirrorMaker has each line that is right, or wrong."""
    text = file.read_text("utf-8")
    chosen = _TURNED_WRONG.values() if wrong else _TURNED_WRONG
    return {f"the file has {line!r}": line in text for line in chosen}


def file_of_mirrormaker(sites: Sites, folder: Path, *, wrong: bool) -> Path:
    """The file of a MirrorMaker in its dedicated mode."""
    text = _DEDICATED.format(here=sites.here.bootstrap, there=sites.there.bootstrap)
    if wrong:
        for before, after in _TURNED_WRONG.items():
            assert before in text
            text = text.replace(before, after)
    file = folder / ("wrong-mm2.properties" if wrong else "mm2.properties")
    file.write_text(text, "utf-8")
    return file
