"""A lab with a registry and Connect in which all is as the two runbooks want it."""

import contextlib
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState, connect, connect_signs, registry, rights, security
from kafka_lab.admin import committed, end_offsets, partitions, topic_setting
from kafka_lab.content import create_topics, delete_topics, empty_topic, records_of, write_records
from support import gateways, registry_clients
from support.ecosystem.lab import LETTERS, changed
from support.ecosystem.records import headers_in, members, reading, write
from support.evidence.scene import Claims

RETRIES: Final = "parcels-retry"
GROUP: Final = "parcels-again"
INTAKE: Final = "parcels-intake"
SAFE: Final = {"min.insync.replicas": "2"}
SILENT: Final = {"errors.tolerance": "all"}
MAY_READ: Final = ["deliveries", "*.dlq", "*-retry"]
PARAMS: Final = registry_clients.PARAMS | {
    "schema-governance/clients-use-the-format-of-the-subject": {
        "uses": ["order-entry=orders", "billing=orders", "page-views=clicks"]
    },
    "schema-governance/records-say-where-they-come-from": {"subjects": "^(orders|customers)-value$"},
}

_OF_LETTERS: Final = SAFE | {"retention.ms": str(30 * 86_400_000), "message.timestamp.type": "LogAppendTime"}
_HOUR: Final = 3600.0
_PARAMS: Final = PARAMS | {
    "error-handling/sources-have-dead-letter-topics": {"sources": [connect.TOPIC, "parcels"]},
    "error-handling/retried-sources-have-a-retry-topic": {"retried": ["parcels"]},
    "error-handling/dead-letters-are-watched": {"alerted": [connect.DEAD_LETTERS, LETTERS]},
}


@contextlib.contextmanager
def brought_about(lab: LabState, folder: Path) -> Iterator[tuple[dict[str, Any], Claims]]:
    """A source that logs what it skips, retries that are read, dead letters that were dealt with, logins for all.

    Gives the inventory and the proof.
    """
    topics = {"parcels": (3, 3, SAFE), RETRIES: (3, 3, SAFE), LETTERS: (1, 3, _OF_LETTERS)}
    with contextlib.ExitStack() as stack:
        stack.callback(delete_topics, lab, topics)
        create_topics(lab, topics)
        stack.callback(connect.retire_connector, lab, INTAKE)
        configuration = source(folder / "parcels.jsonl", **SILENT, **{"errors.log.enable": "true"})
        connect.put_connector(lab, INTAKE, configuration)
        write_records(lab, LETTERS, ["a letter that somebody has dealt with"])
        empty_topic(lab, LETTERS)
        due = b"%d" % ((time.time() + _HOUR) * 1000)
        write(lab, RETRIES, headers={"dlq.tries-left": b"2", "dlq.group": b"parcels", "dlq.next-try": due})
        stack.enter_context(reading(lab, RETRIES, GROUP))
        registries = [stack.enter_context(gateways.asking(address)) for address in registry.addresses(lab)]
        workers = {worker.name: stack.enter_context(gateways.asking(worker.url)) for worker in connect.workers_of(lab)}
        guarded = [f"{address}/config" for address in registries] + [f"{address}/" for address in workers.values()]
        yield _inventory(lab, folder, registries, workers), lambda: {**_claims(lab), **_ask_who_is_there(guarded)}


def source(file: Path, **more: str) -> dict[str, str]:
    """The configuration of a connector that writes the lines of a file, made here, to parcels."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('{"parcel": 1}\n{"parcel": 2}\n', "utf-8")
    text = "org.apache.kafka.connect.storage.StringConverter"
    return {
        "connector.class": "org.apache.kafka.connect.file.FileStreamSourceConnector",
        "tasks.max": "1",
        "topic": "parcels",
        "file": str(file),
        "key.converter": text,
        "value.converter": text,
        **more,
    }


def proposal(folder: Path, subject: str, schema: str) -> list[dict[str, str]]:
    """What the inventory says of a schema that is to be registered next."""
    file = folder / f"{subject}.avsc"
    file.write_text(schema, "utf-8")
    return [{"subject": subject, "path": str(file)}]


def _inventory(lab: LabState, folder: Path, registries: list[str], workers: Mapping[str, str]) -> dict[str, Any]:
    ids = {worker.name: worker.url.removeprefix("http://") for worker in connect.workers_of(lab)}
    latest = registry.request("GET", registry.required(lab), "/subjects/orders-value/versions/latest")["schema"]
    login = gateways.login(folder)
    changes = {
        "schema_registry": {"url": registries, **login, "proposals": proposal(folder, "orders-value", latest)},
        "connect": {
            "workers": {name: {"address": where, "id": ids[name]} for name, where in workers.items()},
            **login,
        },
        "files": {"clients": registry_clients.written(registry_clients.RIGHT, folder / "right-clients")},
        "may_read": MAY_READ,
    }
    return changed(lab, changes, params=_PARAMS)


def _ask_who_is_there(guarded: list[str]) -> dict[str, bool]:
    return {
        f"{len(guarded)} addresses answer 401, and 200 with the login": all(
            gateways.status(address) == 401 and gateways.status(address, login=True) == 200 for address in guarded
        )
    }


def _claims(lab: LabState) -> dict[str, bool]:
    there = partitions(lab)
    letters = (LETTERS, connect.DEAD_LETTERS)
    return {
        "the level of every instance is the lab's": _all(lab, "/config", "compatibilityLevel", registry.LEVEL),
        "every instance takes new schemas": _all(lab, "/mode", "mode", "READWRITE"),
        "no subject is deleted": registry.answers(lab, "/subjects?deleted=true") == registry.answers(lab, "/subjects"),
        "the registry's topic has three replicas": {len(one.replicas) for one in there[registry.STORAGE].values()}
        == {3},
        "the registry's topic keeps everything": topic_setting(lab, registry.STORAGE, "retention.ms") == "-1",
        "every record of deliveries begins with an id": _begin_with_an_id(lab),
        **{f"{name} runs": connect_signs.runs(lab, name) for name in (INTAKE, connect.SOURCE, connect.SINK)},
        "no task has met an error": not any(
            connect_signs.counted(lab, name, "total-record-errors") for name in (INTAKE, connect.SOURCE, connect.SINK)
        ),
        **{f"there is no letter in {name}": not records_of(lab, name) for name in letters},
        f"there were letters in {LETTERS}": end_offsets(lab, LETTERS) > 0,
        **{f"the application may write to {name}": may_write(lab, name) for name in letters},
        "a retry says how often, whose and when": headers_in(lab, RETRIES)
        == [{"dlq.tries-left", "dlq.group", "dlq.next-try"}],
        "a member of a group has read it": members(lab, GROUP) == 1 and committed(lab, GROUP, RETRIES) == 1,
    }


def _all(lab: LabState, path: str, key: str, value: str) -> bool:
    return {answer[key] for answer in registry.answers(lab, path)} == {value}


def _begin_with_an_id(lab: LabState) -> bool:
    records = records_of(lab, "deliveries")
    return bool(records) and all(record.value().startswith(b"\0") for record in records)


def may_write(lab: LabState, topic: str) -> bool:
    """Whether an ACL lets the application write to a topic."""
    return rights.allowed(lab, rights.Right(security.APPLICATION, "topic", topic, "write"))
