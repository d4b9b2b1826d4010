"""The proof that all is wrong: asked of the brokers, the workers and the registries themselves."""

import json
from typing import Any

from kafka_lab import LabState, connect, connect_signs, http, registry
from kafka_lab.admin import committed, end_offsets, partitions, topic_setting
from kafka_lab.breaking import in_force
from kafka_lab.state import known
from support import gateways, wrong_schemas
from support.ecosystem import wrong
from support.ecosystem.lab import SECRET
from support.ecosystem.records import headers_in, members, oldest_in
from support.ecosystem.right import may_write

_DAY = 86_400.0


def of_topics(lab: LabState) -> dict[str, bool]:
    """Topics with too few copies, the wrong settings and nobody to see to them."""
    there = partitions(lab)
    claims = {}
    for topic, (count, copies, asked) in {**wrong.TOPICS, **_OF_THE_LEFT}.items():
        held = [len(partition.replicas) for partition in there.get(topic, {}).values()]
        claims[f"{topic} has {count} partitions of {copies} replicas"] = held == [copies] * count
        for key, value in asked.items():
            claims[f"{topic} has {key}={value}"] = topic_setting(lab, topic, key) == value
    letter_days = oldest_in(lab, "clicks.dlq") / _DAY
    return claims | {
        f"{registry.STORAGE} forgets after a week": topic_setting(lab, registry.STORAGE, "retention.ms") == wrong.WEEK,
        "clicks.dlq holds a letter of more than a week": letter_days > 7,
        "its letters tell no group": headers_in(lab, "clicks.dlq") == [set(), set()],
        "nobody may write to clicks.dlq": not may_write(lab, "clicks.dlq"),
        "payments has neither dead letters nor retries": not there.keys() & {"payments.dlq", "payments-retry"},
        "retries tell neither how often nor when": headers_in(lab, "orders-retry") == [set()] * 5,
        "five retries wait for two hours": oldest_in(lab, "orders-retry") >= 7200
        and (committed(lab, wrong.WAITING, "orders-retry"), end_offsets(lab, "orders-retry")) == (0, 5),
        "no member of a group reads them": members(lab, wrong.WAITING) == 0,
    }


_OF_THE_LEFT: dict[str, tuple[int, int, dict[str, str]]] = {
    f"{wrong.LEFT}-offsets": (1, 1, {"cleanup.policy": "delete"}),
    "mute-letters": (1, 1, {}),
}


def of_connectors(lab: LabState, left: connect.LabWorker) -> dict[str, bool]:
    """Connectors that tolerate errors in silence, and a worker that is not like the others."""
    silent, leaky, mute, lost = (
        connect_signs.configured(lab, f"{name}")
        for name in ("silent-intake", "leaky-archive", "mute-archive", "lost-archive")
    )
    mine, theirs = (http.ask(f"{worker.url}/") for worker in (connect.workers_of(lab)[0], left))
    known_to = [_plugins(worker) for worker in (connect.workers_of(lab)[0], left)]
    return {
        "silent-intake tolerates errors and logs none": _tolerates(silent) and "errors.log.enable" not in silent,
        "silent-intake is paused": set(connect_signs.states(lab, "silent-intake")) == {"PAUSED"},
        "leaky-archive tolerates errors, and has no queue": _tolerates(leaky) and wrong.QUEUE not in leaky,
        "leaky-archive shows a password": leaky.get("connection.password") == SECRET,
        "leaky-archive has dropped a record": connect_signs.counted(lab, "leaky-archive", "total-records-skipped") > 0,
        "mute-archive's letters have no headers": mute.get(wrong.QUEUE) == "mute-letters"
        and "errors.deadletterqueue.context.headers.enable" not in mute,
        "lost-archive's queue is not there": lost.get(wrong.QUEUE) == wrong.LOST and wrong.LOST not in partitions(lab),
        "a worker is of another release": (mine["version"] != wrong.PATCHED, theirs["version"])
        == (True, wrong.PATCHED),
        "it has plugins that the others lack": bool(known_to[1] - known_to[0]),
        "it runs one connector, the others more than six": _connectors(left) == 1
        and _connectors(connect.workers_of(lab)[0]) > 6,
        "its connector has no task": http.ask(f"{left.url}/connectors/{wrong.IDLE}/status")["connector"]["state"]
        == "RUNNING"
        and http.ask(f"{left.url}/connectors/{wrong.IDLE}/tasks") == [],
        "workers serve anybody": gateways.status(f"{left.url}/") == 200,
    }


def _tolerates(configuration: dict[str, str]) -> bool:
    return configuration.get("errors.tolerance") == "all"


def _plugins(worker: connect.LabWorker) -> set[str]:
    return {one["class"] for one in http.ask(f"{worker.url}/connector-plugins")}


def _connectors(worker: connect.LabWorker) -> int:
    return len(http.ask(f"{worker.url}/connectors"))


def of_schemas(lab: LabState) -> dict[str, bool]:
    """Subjects that are not guarded, and schemas that hold what they should not."""
    there = set(registry.answers(lab, "/subjects")[0])
    with_deleted = set(registry.answers(lab, "/subjects?deleted=true")[0])
    claims = {
        f"{wrong.subject} has the wrong schema": _latest(lab, wrong.subject) == _parsed(wrong.versions[-1])
        for wrong in wrong_schemas.WRONG
        if wrong.subject != wrong_schemas.DELETED
    }
    body = {"schema": wrong_schemas.PROPOSED}
    path = "/compatibility/subjects/customers-value/versions/latest"
    tried = registry.request("POST", registry.required(lab), path, body)
    return claims | {
        f"{wrong_schemas.DELETED} is deleted, and can be had back": wrong_schemas.DELETED in with_deleted - there,
        "parcels-key has two versions": registry.answers(lab, "/subjects/parcels-key/versions")[0] == [1, 2],
        "parcels has a schema for keys only": "parcels-key" in there and "parcels-value" not in there,
        "the level of every instance is NONE": _values(lab, "/config", "compatibilityLevel") == {"NONE"},
        "customers-value has the level FULL": _values(lab, "/config/customers-value", "compatibilityLevel") == {"FULL"},
        "payments-value is open for imports": _values(lab, "/mode/payments-value", "mode") == {"IMPORT"},
        "the registry takes no new schemas": _values(lab, "/mode", "mode") == {"READONLY"},
        "what is proposed would not do": tried["is_compatible"] is False,
    }


def of_registries(lab: LabState, shared: str, foreign: str, nobody: str) -> dict[str, bool]:
    """Two registries behind one address, of which one has an id for another schema, and an instance that is away."""
    of_foreign = registry.request("GET", foreign, "/subjects/foreign-value/versions/1")
    subjects = registry.request("GET", shared, "/subjects")
    return {
        "one address tells of both registries": {"orders-value", "foreign-value"} <= set(subjects),
        "an id is of two schemas": _by_id(registry.required(lab), of_foreign["id"]) not in ("", of_foreign["schema"]),
        "another registry has another level": registry.request("GET", foreign, "/config")["compatibilityLevel"]
        == "BACKWARD",
        "one address refuses": gateways.status(nobody) == 0,
        "the registry serves anybody": gateways.status(f"{shared}/config") == 200,
    }


def of_faults(lab: LabState, home: Any) -> dict[str, bool]:
    """What shows the lab's faults."""
    now = known(lab.name, home)
    return {claim: holds for fault in wrong.FAULTS for claim, holds in in_force(now, fault).items()}


def _by_id(address: str, number: int) -> str:
    return str(registry.request("GET", address, f"/schemas/ids/{number}").get("schema", ""))


def _values(lab: LabState, path: str, key: str) -> set[str]:
    return {(answer or {}).get(key, "") for answer in registry.answers(lab, path)}


def _latest(lab: LabState, subject: str) -> Any:
    answer = registry.answers(lab, f"/subjects/{subject}/versions/latest")[0]
    return answer and _parsed(answer["schema"])


def _parsed(schema: str) -> Any:
    """A schema as it means: the registry may write JSON in other words."""
    try:
        return json.loads(schema)
    except ValueError:
        return schema.split()
