"""What two sites say of themselves when all is right there, and when as much as can be is wrong."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kafka.admin import (
    ACLFilter,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ResourcePatternFilter,
    ResourceType,
)

from kafka_lab import LabState, connect, http, link, mirrors, registry
from kafka_lab.admin import committed, end_offsets, kafka_python, metadata, partitions, topic_setting
from kafka_lab.content import GROUP, GROUP_READS
from kafka_lab.errors import LabError
from kafka_lab.signs import losses
from support import two_sites
from support.two_sites import (
    BACK,
    BOTH_READ,
    CARELESS,
    CONNECTOR,
    FOLLOWED,
    LATE,
    NEEDS_ALL,
    OWN_WITH_ONE_COPY,
    READS_BOTH,
    READS_ONE,
    RIGHT_FLOW,
    STANDS_BY,
    SUBJECT,
    THIN,
    WRONG_FLOW,
    Sites,
)
from support.two_sites_flow import comes_through
from support.two_sites_told import LOST

_CHECKPOINT_TASKS = f"/connectors/{mirrors.CHECKPOINT}/tasks"
_FEW_BYTES = 1.25  # a second: a hundredth of the thousandth of a megabit that the link is said to carry
_COPIED = {mirrors.remote(topic) for topic in ("orders", "payments", "clicks")}


def all_is_right(sites: Sites, records: Path) -> Mapping[str, bool]:
    """Everything that was brought into being is there, at both sites, and everything comes through."""
    here, there = sites
    return {
        **comes_through(here),
        f"{mirrors.SOURCE} has the settings it should": _has(there, mirrors.SOURCE, RIGHT_FLOW),
        "the workers measure what they copy": set(_bytes_a_second(here)) >= _COPIED,
        "a right is at both sites": _has_right(here, "ALLOW", "orders")
        and _has_right(there, "ALLOW", mirrors.remote("orders")),
        "both sites limit alike": two_sites.limits(here) == two_sites.limits(there) != "",
        "an id means the same schema at both sites": _meaning(here, _newest_id(here))
        == _meaning(there, _newest_id(here)),
        f"{CONNECTOR} runs at both sites": {*connect.states(here, CONNECTOR), *connect.states(there, CONNECTOR)}
        == {"RUNNING"},
        f"{READS_BOTH} has read both topics": _read_by(there, READS_BOTH) == {BOTH_READ, mirrors.remote(BOTH_READ)},
        f"{STANDS_BY} stands by and has read all": _state_of(there, STANDS_BY) == "Stable"
        and committed(there, STANDS_BY, FOLLOWED) >= end_offsets(there, FOLLOWED),
        "a topic that came from the standby is at the primary": two_sites.RETURNED in partitions(here),
        "the drill's record says that nothing was lost": '"rpo_records":0' in _record(records),
    }


def as_much_as_can_be_is_wrong(sites: Sites, records: Path) -> Mapping[str, bool]:
    """Everything that was brought into disorder is; the flow runs all the same."""
    return {
        **_wrong_topics(sites),
        **_wrong_flow(sites),
        **_wrong_positions(sites.there),
        **_wrong_beside_the_topics(sites),
        f"the drill's record says that {LOST} records were lost": f'"rpo_records":{LOST}' in _record(records),
        "a gate was gone through closed, and a step left out": '"overruled"' in _record(records)
        and '"skipped"' in _record(records),
    }


def is_misplaced(sites: Sites) -> Mapping[str, bool]:
    """The standby lacks a broker and has a topic that needs it, and the primary's Connect copies back."""
    here, there = sites
    [worker] = connect.workers_of(here)
    return {
        **losses(there, {there.brokers[-1].number}),
        f"{NEEDS_ALL} refuses writes": [len(one.isrs) for one in partitions(there)[NEEDS_ALL].values()] == [2]
        and topic_setting(there, NEEDS_ALL, "min.insync.replicas") == "3",
        f"{BACK} runs at the primary": set(connect.states(here, BACK)) == {"RUNNING"},
        "that worker is of the primary's cluster": is_of(worker.url, here),
        **{f"{name} runs": set(connect.states(there, name)) == {"RUNNING"} for name in mirrors.connectors(here)},
    }


def is_of(worker: str, lab: LabState) -> bool:
    """Whether a worker says that it works with the cluster of this lab, and that cluster says so too."""
    return bool(http.ask(worker + "/")["kafka_cluster_id"] == cluster_id(lab))


def cluster_id(lab: LabState) -> str:
    """The id of a cluster, as its brokers tell it."""
    found: str = metadata(lab, lab.bootstrap).cluster_id
    return found


def _wrong_topics(sites: Sites) -> dict[str, bool]:
    here, there = sites
    thin = mirrors.remote(THIN)
    return {
        f"{thin} has one copy": _copies(there, thin) == 1,
        f"{THIN} has three copies": _copies(here, THIN) == 3,
        f"{thin} needs fewer in sync": topic_setting(there, thin, "min.insync.replicas") == "1",
        f"{thin} takes smaller records": topic_setting(there, thin, "max.message.bytes") == "1000",
        f"{OWN_WITH_ONE_COPY} has one copy": _copies(there, OWN_WITH_ONE_COPY) == 1,
        f"{CARELESS} has one copy": _copies(here, CARELESS) == 1,
        f"{CARELESS} has come to the standby": mirrors.remote(CARELESS) in partitions(there),
    }


def _wrong_flow(sites: Sites) -> dict[str, bool]:
    here, there = sites
    workers = Counter({worker.url.removeprefix("http://"): 0 for worker in connect.workers_of(there)})
    for name in mirrors.connectors(here):
        workers.update(connect.places(there, name))
    return {
        **{f"{name} runs": set(connect.states(there, name)) == {"RUNNING"} for name in mirrors.connectors(here)},
        "heartbeats come": mirrors.silence(here) < 10,
        # A group that is new to it makes it share out its work anew, some seconds later; nothing runs meanwhile.
        f"{mirrors.CHECKPOINT} has found {LATE}": LATE in _groups_of(connect.asked(there, _CHECKPOINT_TASKS)),
        f"{mirrors.SOURCE} has the settings it should not": _has(there, mirrors.SOURCE, WRONG_FLOW),
        "positions are not written": _has(there, mirrors.CHECKPOINT, {"sync.group.offsets.enabled": "false"}),
        "workers run different numbers of tasks": len(set(workers.values())) > 1,
        "more than a few bytes a second are copied": sum(_bytes_a_second(here).values()) > _FEW_BYTES,
        f"{BACK} runs at the primary": set(connect.states(here, BACK)) == {"RUNNING"},
        f"{CONNECTOR} is at the primary alone": bool(connect.states(here, CONNECTOR))
        and not connect.configuration(there, CONNECTOR),
    }


def _groups_of(tasks: list[dict[str, Any]] | None) -> set[str]:
    """The groups whose positions these tasks of a checkpoint connector translate."""
    return {group for task in tasks or () for group in task["config"]["task.assigned.groups"].split(",")}


def _wrong_positions(there: LabState) -> dict[str, bool]:
    copy = mirrors.remote(GROUP_READS)
    return {
        f"{LATE} has no position at the standby": not _read_by(there, LATE),
        f"{GROUP} has a position beyond the end": committed(there, GROUP, copy) > end_offsets(there, copy),
        f"{READS_ONE} reads one of two topics": _read_by(there, READS_ONE) == {BOTH_READ},
        f"{STANDS_BY} has no member": _state_of(there, STANDS_BY) == "Empty",
    }


def _wrong_beside_the_topics(sites: Sites) -> dict[str, bool]:
    here, there = sites
    return {
        "what is denied is not denied at the standby": _has_right(here, "DENY", "orders")
        and not _has_right(there, "DENY", mirrors.remote("orders")),
        "the sites limit otherwise": two_sites.limits(here) != two_sites.limits(there),
        "an id means another schema at the standby": _meaning(here, _newest_id(here))
        != _meaning(there, _newest_id(here)),
    }


def _has(lab: LabState, connector: str, settings: Mapping[str, str]) -> bool:
    return connect.configuration(lab, connector).items() >= settings.items()


def _copies(lab: LabState, topic: str) -> int:
    there = partitions(lab).get(topic, {})
    return max((len(one.replicas) for one in there.values()), default=0)


def _has_right(lab: LabState, permission: str, topic: str) -> bool:
    wanted = ACLFilter(
        None,
        None,
        ACLOperation.READ,
        ACLPermissionType[permission],
        ResourcePatternFilter(ResourceType.TOPIC, topic, ACLResourcePatternType.ANY),
    )
    with kafka_python(lab) as admin:
        found, _ = admin.describe_acls(wanted)
    return bool(found)


def _read_by(lab: LabState, group: str) -> set[str]:
    """The topics in which a group has a position."""
    with kafka_python(lab) as admin:
        offsets = admin.list_group_offsets([group])[group]
    return {spot.topic for spot, one in offsets.items() if one.offset >= 0}


def _state_of(lab: LabState, group: str) -> str:
    with kafka_python(lab) as admin:
        state: str = admin.describe_groups([group])[group]["group_state"]
    return state


def _newest_id(lab: LabState) -> int:
    answer = registry.request("GET", registry.required(lab), f"/subjects/{SUBJECT}/versions/latest")
    return int(answer["id"])


def _meaning(lab: LabState, number: int) -> Any:
    """The schema of an id; None where it stands for none."""
    try:
        answer = registry.request("GET", registry.required(lab), f"/schemas/ids/{number}")
    except http.RefusedError:
        return None
    return json.loads(answer["schema"])


def _bytes_a_second(here: LabState) -> dict[str, float]:
    """What the workers' own figures say is copied, by topic."""
    asked = {"type": "read", "mbean": "kafka.connect.mirror:type=MirrorSourceConnector,*", "attribute": "byte-rate"}
    found: Counter[str] = Counter()
    for port in here.parts[link.PART]["jolokia"]:
        answer = http.ask(f"http://127.0.0.1:{port}/jolokia/", method="POST", body=json.dumps(asked).encode())
        if answer["status"] != 200:
            continue
        for name, measured in answer["value"].items():
            names = dict(part.split("=", 1) for part in name.partition(":")[2].split(","))
            found[names["topic"]] += measured["byte-rate"]
    return found  # type: ignore[return-value]  # sums of floats


def _record(records: Path) -> str:
    try:
        return (records / "drill.jsonl").read_text("utf-8").replace(" ", "")
    except OSError as error:
        raise LabError(str(error)) from error
