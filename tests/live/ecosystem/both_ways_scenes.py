"""Every check of the runbooks on schemas and on errors: where all is right, and where all is wrong at once."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState, connect, connect_signs, registry
from kafka_lab.registry import request
from live.ecosystem.expectations import BOOKS, every_check
from support import gateways, registry_clients, wrong_schemas
from support.ecosystem import right, wrong, wrong_claims
from support.ecosystem.lab import changed, secrets
from support.evidence.expected import Expected
from support.evidence.scene import State, scene
from support.schema_registry import schema_registry

_ANY: Final = ("pass", "fail", "unknown", "not_applicable")
_RIGHT: Final = {book: Expected(passes=every_check(book)) for book in BOOKS}
_WRONG: Final = {
    "schema-governance": Expected(
        fails={
            "all-instances-answer": "{nobody}",
            "an-id-names-one-schema": "foreign-value",
            "avro-readers-say-what-they-give": "billing",
            "clients-reach-the-registry-encrypted": "order-entry",
            "clients-use-the-format-of-the-subject": "order-entry",
            "deleted-subjects-are-few": wrong_schemas.DELETED,
            "deserializers-are-the-registrys": "reports",
            "every-subject-is-guarded": "clicks-value",
            "every-version-keeps-the-promise": "orders-value",
            "fields-are-documented": "customers-value",
            "full-compatibility-has-defaults-everywhere": "customers-value",
            "identifying-fields-stay": "orders-value",
            "instances-agree": "{foreign}",
            "key-schemas-never-change": "parcels-key",
            "logins-of-the-registry-take-effect": "order-entry",
            "no-subject-is-left-in-import-mode": "payments-value",
            "nullable-fields-are-null-by-default": "customers-value",
            "other-readers-name-their-class": "page-views",
            "producers-do-not-register-schemas": "order-entry",
            "protobuf-numbers-are-not-free-again": "clicks-value",
            "records-carry-a-known-schema": "deliveries",
            "records-say-where-they-come-from": "customers-value",
            "records-that-stay-need-a-transitive-level": "customers-value",
            "schemas-can-be-read": "broken-value",
            "schemas-hold-no-traps": "customers-value",
            "serializers-are-the-registrys": "order-entry",
            "subject-names-follow-a-strategy": "misnamed",
            "subjects-have-a-topic": "gone-value",
            "the-registry-requires-authentication": "{open}",
            "the-registry-guards-what-has-no-level": "{open}",
            "the-registry-takes-new-schemas": "{open}",
            "the-registrys-topic-has-copies": "_schemas",
            "the-registrys-topic-keeps-everything": registry.STORAGE,
            "times-say-that-they-are-times": "customers-value",
            "topics-have-a-schema": "parcels",
            "proposed-schemas-are-compatible": "customers-value",
        },
        unknown={"subjects-have-the-registrys-level"},  # its instances are of two registries
        passes={"the-registry-answers"},
    ),
    "error-handling": Expected(
        fails={
            "connect-requires-authentication": "{worker}",
            "connect-plugins-are-everywhere": "MirrorHeartbeatConnector",
            "connect-topics-are-compacted": f"{wrong.LEFT}-offsets",
            "connect-topics-have-the-right-partitions": f"{wrong.LEFT}-offsets",
            "connect-topics-have-three-copies": f"{wrong.LEFT}-offsets",
            "connect-work-is-shared": "connectors",
            "connect-workers-are-alike": wrong.PATCHED,
            "connectors-keep-secrets-elsewhere": "leaky-archive",
            "connectors-run": "silent-intake",
            "dead-letter-topics-of-sinks-exist": wrong.LOST,
            "dead-letters-are-dealt-with": "clicks.dlq",
            "dead-letters-are-kept-long-enough": "clicks.dlq",
            "dead-letters-are-not-compacted": "clicks.dlq",
            "dead-letters-are-watched": "clicks.dlq",
            "dead-letters-of-sinks-are-as-safe-as-their-source": "mute-letters",
            "dead-letters-of-sinks-are-dated-by-arrival": "clicks.dlq",
            "dead-letters-of-sinks-have-error-headers": "mute-archive",
            "endless-retries-are-not-cut-short": "order-entry",
            "error-topics-are-as-safe-as-their-source": "clicks.dlq",
            "no-group-waits-at-a-record": "orders-again",
            "no-new-dead-letters": "clicks.dlq",
            "retried-sources-have-a-retry-topic": "payments",
            "retries-are-drained": "orders-again",
            "retries-are-not-overdue": "orders-retry",
            "retries-are-read": "orders-retry",
            "retries-end-in-dead-letters": "orders-retry",
            "retries-have-as-many-partitions": "orders-retry",
            "retried-records-count-their-attempts": "orders-retry",
            "retried-records-name-their-consumer-group": "clicks.dlq",
            "sinks-drop-nothing-silently": "leaky-archive",
            "skipped-records-become-dead-letters": "leaky-archive",
            "acls-let-applications-write-dead-letters": "clicks.dlq",
            "sources-have-dead-letter-topics": "payments",
            "source-connectors-log-skipped-records": "silent-intake",
            "streams-that-promise-exactly-once-keep-it": "totals",
            "tasks-have-met-no-errors-of-late": "leaky-archive",
            "tasks-run": "refunds-archive",
        },
        passes={
            "connect-workers-answer",
            "connect-works-with-this-cluster",
            "connectors-have-tasks",
            "dead-letters-do-not-grow",
            "tasks-are-where-a-worker-answers",
        },
    ),
}
"""What fails, and what its evidence names; words in braces are addresses of the run."""

_HIDDEN: Final = {
    "error-handling": Expected(
        fails={"connect-workers-answer": "connect-2", "tasks-are-where-a-worker-answers": "{hidden}"}, others=_ANY
    )
}
_LEFT: Final = {"error-handling": Expected(fails={"connectors-have-tasks": wrong.IDLE}, others=_ANY)}
"""What needs Connect seen from elsewhere: where a worker's port is shut, and by a worker that nobody else knows."""


@scene({"right": _RIGHT})
def everything_right(lab: LabState, folder: Path) -> Iterator[State]:
    """All is as the runbooks want it, and everybody has to say who he is."""
    with right.brought_about(lab, folder) as (inventory, claims):
        yield State("right", inventory, claims, secrets=secrets(lab))


@scene({"wrong": _WRONG, "hidden": _HIDDEN, "left-alone": _LEFT}, faults=wrong.FAULTS)
def everything_wrong(lab: LabState, folder: Path) -> Iterator[State]:
    """All is wrong at once; then Connect is seen from where one worker can't be reached, and where one is alone."""
    first, second = registry.addresses(lab)
    workers = {one.name: one.url for one in connect.workers_of(lab)}
    home, hidden = Path(lab.folder).parent, workers["connect-2"].removeprefix("http://")
    with ExitStack() as stack:
        nobody, shut = (stack.enter_context(gateways.shut()) for _ in range(2))
        foreign = stack.enter_context(schema_registry(folder))
        request("POST", foreign, "/subjects/foreign-value/versions", {"schema": wrong_schemas.record("Foreign")})
        request("PUT", foreign, "/config", {"compatibility": "BACKWARD"})
        left = stack.enter_context(wrong.all_wrong(lab, folder))
        shared = stack.enter_context(gateways.both(first, foreign))
        proposals = right.proposal(folder, "customers-value", wrong_schemas.PROPOSED)
        changes: dict[str, Any] = {
            "schema_registry": {"url": [shared, second, foreign, nobody], "proposals": proposals},
            "connect": {"workers": {**workers, left.name: left.url}},
            "files": {"clients": registry_clients.written(registry_clients.WRONG, folder / "wrong-clients")},
            "may_read": right.MAY_READ,
        }

        def claims() -> dict[str, bool]:
            return {
                **wrong_claims.of_topics(lab),
                **wrong_claims.of_connectors(lab, left),
                **wrong_claims.of_schemas(lab),
                **wrong_claims.of_registries(lab, shared, foreign, nobody),
                **wrong_claims.of_faults(lab, home),
            }

        words = {"open": shared, "foreign": foreign, "nobody": nobody, "worker": workers["connect-1"]}
        yield State("wrong", changed(lab, changes, params=_WRONG_PARAMS), claims, words, secrets(lab))

        seen_from = {"connect-1": workers["connect-1"], "connect-2": {"address": shut, "id": hidden}}
        yield State(
            "hidden",
            changed(lab, {"connect": {"workers": seen_from}}),
            lambda: {
                "the port that the inventory names refuses": gateways.status(shut) == 0,
                "connect-2 runs a task": hidden in connect_signs.workers_of_tasks(lab),
            },
            {"hidden": hidden},
            secrets(lab),
        )
        yield State(
            "left-alone",
            changed(lab, {"connect": {"workers": {left.name: left.url}}}),
            lambda: wrong_claims.of_connectors(lab, left),
            secrets=secrets(lab),
        )


_WRONG_PARAMS: Final = right.PARAMS | {
    "schema-governance/topics-have-a-schema": {},  # no topic is exempt but those that the runbook itself leaves out
    "error-handling/sources-have-dead-letter-topics": {"sources": ["payments"]},
    "error-handling/retried-sources-have-a-retry-topic": {"retried": ["payments"]},
    "error-handling/dead-letters-are-watched": {"alerted": []},
}
SCENES = [everything_right, everything_wrong]
