"""Every check of the runbooks on schemas and on errors, seen to pass and to fail on real systems.

One lab is first put into a state where everything is right, then into one where everything is wrong that another test
does not break; each state is judged in one run. Two tests at the end keep account: a check that is never seen to pass,
or never to fail, has to be named there with the reason.
"""

import contextlib
import json
import logging
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
import yaml

import gateways
import registry_and_connect as states
import registry_clients
import wrong_schemas
from documented import ROOT
from runbook import lab as labs
from runbook.engine.block import Check
from runbook.engine.runbook import read_runbook
from runbook.lab import LabState, connect, parts, registry
from runbook.lab.registry import request
from schema_registry import schema_registry

pytestmark = [pytest.mark.live, pytest.mark.timeout(900)]

RUNBOOK: Final = str(Path(sys.executable).with_name("runbook"))
BOOKS: Final = ("schema-governance", "error-handling")
CHECKS: Final = sorted(
    one.name
    for book in BOOKS
    for one in read_runbook(Path(ROOT, "runbooks", f"{book}.md")).checks()
    if isinstance(one.block, Check)
)
"""Their global names."""

Results = dict[str, dict[str, Any]]
"""By global name, what the report says of a check."""

WRONG: Final = {
    "error-handling/connect-asks-who-is-there": "{worker}",
    "error-handling/connect-plugins-are-everywhere": "MirrorHeartbeatConnector",
    "error-handling/connect-topics-are-compacted": f"{states.LEFT}-offsets",
    "error-handling/connect-topics-have-the-right-partitions": f"{states.LEFT}-offsets",
    "error-handling/connect-topics-have-three-copies": f"{states.LEFT}-offsets",
    "error-handling/connect-work-is-shared": "connectors",
    "error-handling/connect-workers-are-alike": states.PATCHED,
    "error-handling/connectors-keep-secrets-elsewhere": "leaky-archive",
    "error-handling/connectors-run": "silent-intake",
    "error-handling/dead-letter-topics-of-sinks-exist": states.LOST,
    "error-handling/dead-letters-are-dealt-with": "clicks.dlq",
    "error-handling/dead-letters-are-kept-long-enough": "clicks.dlq",
    "error-handling/dead-letters-are-not-compacted": "clicks.dlq",
    "error-handling/dead-letters-are-watched": "clicks.dlq",
    "error-handling/dead-letters-of-sinks-are-as-safe-as-their-source": "mute-letters",
    "error-handling/dead-letters-of-sinks-are-dated-by-arrival": "clicks.dlq",
    "error-handling/dead-letters-of-sinks-tell-why": "mute-archive",
    "error-handling/endless-retries-are-not-cut-short": "order-entry",
    "error-handling/error-topics-are-as-safe-as-their-source": "clicks.dlq",
    "error-handling/no-group-waits-at-a-record": "orders-again",
    "error-handling/no-new-dead-letters": "clicks.dlq",
    "error-handling/retried-sources-have-a-retry-topic": "payments",
    "error-handling/retries-are-drained": "orders-again",
    "error-handling/retries-are-not-overdue": "orders-retry",
    "error-handling/retries-are-read": "orders-retry",
    "error-handling/retries-end-in-dead-letters": "orders-retry",
    "error-handling/retries-have-as-many-partitions": "orders-retry",
    "error-handling/retries-tell-how-often": "orders-retry",
    "error-handling/set-aside-records-tell-their-group": "clicks.dlq",
    "error-handling/sinks-drop-nothing-silently": "leaky-archive",
    "error-handling/skipped-records-become-dead-letters": "leaky-archive",
    "error-handling/somebody-may-write-dead-letters": "clicks.dlq",
    "error-handling/sources-have-dead-letter-topics": "payments",
    "error-handling/sources-tell-what-they-skip": "silent-intake",
    "error-handling/streams-that-promise-exactly-once-keep-it": "totals",
    "error-handling/tasks-have-met-no-errors-of-late": "leaky-archive",
    "error-handling/tasks-run": "refunds-archive",
    "schema-governance/all-instances-answer": "{nobody}",
    "schema-governance/an-id-names-one-schema": "foreign-value",
    "schema-governance/avro-readers-say-what-they-give": "billing",
    "schema-governance/clients-reach-the-registry-encrypted": "order-entry",
    "schema-governance/deleted-subjects-are-few": wrong_schemas.DELETED,
    "schema-governance/deserializers-are-the-registrys": "reports",
    "schema-governance/every-subject-is-guarded": "clicks-value",
    "schema-governance/every-version-keeps-the-promise": "orders-value",
    "schema-governance/fields-are-documented": "customers-value",
    "schema-governance/full-compatibility-has-defaults-everywhere": "customers-value",
    "schema-governance/identifying-fields-stay": "orders-value",
    "schema-governance/instances-agree": "{foreign}",
    "schema-governance/key-schemas-never-change": "parcels-key",
    "schema-governance/logins-of-the-registry-take-effect": "order-entry",
    "schema-governance/no-subject-is-left-in-import-mode": "payments-value",
    "schema-governance/nullable-fields-are-null-by-default": "customers-value",
    "schema-governance/other-readers-name-their-class": "page-views",
    "schema-governance/producers-do-not-register-schemas": "order-entry",
    "schema-governance/protobuf-numbers-are-not-free-again": "clicks-value",
    "schema-governance/records-carry-a-known-schema": "deliveries",
    "schema-governance/records-say-where-they-come-from": "customers-value",
    "schema-governance/records-that-stay-need-a-transitive-level": "customers-value",
    "schema-governance/schemas-can-be-read": "broken-value",
    "schema-governance/schemas-hold-no-traps": "customers-value",
    "schema-governance/serializers-are-the-registrys": "order-entry",
    "schema-governance/subject-names-follow-a-strategy": "misnamed",
    "schema-governance/subjects-have-a-topic": "gone-value",
    "schema-governance/the-registry-asks-who-is-there": "{open}",
    "schema-governance/the-registry-guards-what-has-no-level": "{open}",
    "schema-governance/the-registry-takes-new-schemas": "{open}",
    "schema-governance/the-registrys-topic-has-copies": "_schemas",
    "schema-governance/the-registrys-topic-keeps-everything": registry.STORAGE,
    "schema-governance/times-say-that-they-are-times": "customers-value",
    "schema-governance/topics-have-a-schema": "parcels",
    "schema-governance/what-is-proposed-would-do": "customers-value",
}
"""What fails where everything is wrong, and what its evidence names; words in braces are addresses of the run."""

ALONE: Final = {
    "error-handling/connect-workers-answer": "connect-2",
    "error-handling/tasks-are-where-a-worker-answers": "{hidden}",
    "error-handling/connectors-have-tasks": "idle-heartbeats",
}
"""The same for what needs Connect seen from elsewhere: a worker whose port is shut, and one that nobody else knows."""

ELSEWHERE: Final = {
    "error-handling/connect-works-with-this-cluster": "test_mirror_connector.py",
    "error-handling/dead-letters-do-not-grow": "test_connect.py",
    "schema-governance/the-registry-answers": "test_schema_registry.py",
}
"""What fails in another live test, which names the check."""

NEVER_PASSES: Final[dict[str, str]] = {}
NEVER_FAILS: Final[dict[str, str]] = {}
"""Check -> why it can't be seen on real systems here."""


class Seen(NamedTuple):
    """What the runs said: all right, all wrong, Connect from elsewhere; and the addresses that only a run knows."""

    right: Results
    wrong: Results
    alone: Results
    addresses: Mapping[str, str]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seen]:
    """Both states of one lab, judged; the lab is gone afterwards, and with it all that was done to it."""
    if reason := parts.lacking("registry"):
        pytest.skip(reason)
    home, folder = tmp_path_factory.mktemp("ways"), tmp_path_factory.mktemp("files")
    try:
        lab = labs.up("ways", home=home, progress=logging.getLogger("lab").info, with_parts=states.PARTS)
        with states.all_right(lab, folder / "right"):
            right = _right(lab, folder)
        yield Seen(right, *_wrong(lab, folder))
    finally:
        labs.down("ways", home=home)


def _right(lab: LabState, folder: Path) -> Results:
    found = parts.connections(lab)
    with contextlib.ExitStack() as stack:
        guarded = [stack.enter_context(gateways.asking(one)) for one in found["schema_registry"]["url"]]
        workers = {
            one.name: {"address": stack.enter_context(gateways.asking(one.url)), "id": one.url.removeprefix("http://")}
            for one in connect.workers_of(lab)
        }
        latest = request("GET", registry.required(lab), "/subjects/orders-value/versions/latest")["schema"]
        changes = {
            "schema_registry": {
                "url": guarded,
                **gateways.login(folder),
                "proposals": _proposals(folder, "orders-value", latest),
            },
            "connect": {"workers": workers, **gateways.login(folder)},
            "files": {"clients": registry_clients.written(registry_clients.RIGHT, folder / "right-clients")},
            "may_read": ["deliveries", "*.dlq", "*-retry"],
        }
        return _judged(lab, folder / "right.yaml", changes, _PARAMS | _RIGHT_PARAMS)


def _wrong(lab: LabState, folder: Path) -> tuple[Results, Results, dict[str, str]]:
    first, second = parts.connections(lab)["schema_registry"]["url"]
    workers = {one.name: one.url for one in connect.workers_of(lab)}
    with contextlib.ExitStack() as stack:
        nobody, shut = (stack.enter_context(gateways.shut()) for _ in range(2))
        foreign = stack.enter_context(schema_registry(folder))
        request("POST", foreign, "/subjects/foreign-value/versions", {"schema": wrong_schemas.record("Foreign")})
        request("PUT", foreign, "/config", {"compatibility": "BACKWARD"})
        left = stack.enter_context(states.all_wrong(lab, folder / "wrong"))
        shared = stack.enter_context(gateways.both(first, foreign))
        proposals = _proposals(folder, "customers-value", wrong_schemas.PROPOSED)
        changes = {
            "schema_registry": {"url": [shared, second, foreign, nobody], "proposals": proposals},
            "connect": {"workers": {**workers, left.name: left.url}},
            "files": {"clients": registry_clients.written(registry_clients.WRONG, folder / "wrong-clients")},
            "may_read": ["deliveries", "*.dlq", "*-retry"],
        }
        wrong = _judged(lab, folder / "wrong.yaml", changes, _PARAMS | _WRONG_PARAMS)
        hidden = workers["connect-2"].removeprefix("http://")
        seen_from = (
            {"connect-1": workers["connect-1"], "connect-2": {"address": shut, "id": hidden}},
            {left.name: left.url},
        )
        only = (("connect-workers-answer", "tasks-are-where-a-worker-answers"), ("connectors-have-tasks",))
        alone: Results = {}
        for number, (places, names) in enumerate(zip(seen_from, only, strict=True)):
            alone |= _judged(lab, folder / f"alone-{number}.yaml", {"connect": {"workers": places}}, {}, names)
    worker = workers["connect-1"]
    return wrong, alone, {"open": shared, "foreign": foreign, "nobody": nobody, "hidden": hidden, "worker": worker}


_PARAMS: Final = registry_clients.PARAMS | {
    "schema-governance/records-say-where-they-come-from": {"subjects": "^(orders|customers)-value$"},
}
_RIGHT_PARAMS: Final = {
    "schema-governance/topics-have-a-schema": {"exempt": "^(_|kafkasql-|registry-events$|connect-|shipments|parcels)"},
    "error-handling/sources-have-dead-letter-topics": {"sources": [connect.TOPIC, "parcels"]},
    "error-handling/retried-sources-have-a-retry-topic": {"retried": ["parcels"]},
    "error-handling/dead-letters-are-watched": {"alerted": [connect.DEAD_LETTERS, states.LETTERS]},
}
_WRONG_PARAMS: Final = {
    "error-handling/sources-have-dead-letter-topics": {"sources": ["payments"]},
    "error-handling/retried-sources-have-a-retry-topic": {"retried": ["payments"]},
    "error-handling/dead-letters-are-watched": {"alerted": []},
}


def _proposals(folder: Path, subject: str, schema: str) -> list[dict[str, str]]:
    file = folder / f"{subject}.avsc"
    file.write_text(schema, "utf-8")
    return [{"subject": subject, "path": str(file)}]


def _judged(
    lab: LabState, file: Path, changes: Mapping[str, Any], params: Mapping[str, Any], only: Sequence[str] = ()
) -> Results:
    """Judge both runbooks, or some of their checks, in the lab's environment with some of it changed."""
    inventory = yaml.safe_load(Path(lab.folder, "environments.yaml").read_text("utf-8"))
    environment = inventory["environments"][lab.name] | dict(changes)
    environment["absent"] = {name: why for name, why in environment["absent"].items() if name not in changes}
    environment["params"] = environment.get("params", {}) | dict(params)
    file.write_text(yaml.safe_dump({"environments": {lab.name: environment}}), "utf-8")
    command = [RUNBOOK, "check", *BOOKS, "-i", str(file), "-f", "json", "--rows", "all", "--deadline", "60s"]
    command += [word for name in only for word in ("--only", name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=150, check=False)
    assert done.stderr == ""
    return {one["check"]: one for one in json.loads(done.stdout)["results"]}


@pytest.mark.parametrize("check", CHECKS)
def test_a_check_passes_where_everything_is_right(seen: Seen, check: str):
    told = seen.right[check]
    assert (told["outcome"], told["reason"] if told["outcome"] != "pass" else "") == ("pass", "")


@pytest.mark.parametrize("check", WRONG)
def test_a_check_fails_where_everything_is_wrong_and_names_what_is(seen: Seen, check: str):
    _fails(seen.wrong[check], WRONG[check].format(**seen.addresses))


@pytest.mark.parametrize("check", ALONE)
def test_a_check_fails_where_connect_is_seen_from_elsewhere(seen: Seen, check: str):
    _fails(seen.alone[check], ALONE[check].format(**seen.addresses))


def _fails(told: Mapping[str, Any], named: str) -> None:
    assert told["outcome"] == "fail", told["reason"]
    assert named in json.dumps([told["reason"], [row for row in told["rows"] if row["outcome"] == "fail"]])


def test_what_is_wrong_shows_no_credential(seen: Seen):
    assert states.SECRET not in json.dumps([*seen.wrong.values()])


@pytest.mark.parametrize(("check", "file"), ELSEWHERE.items())
def test_what_fails_elsewhere_is_named_there(check: str, file: str):
    assert f'"{check.partition("/")[2]}"' in Path(__file__).with_name(file).read_text("utf-8")


def test_every_check_was_seen_to_pass_or_it_is_said_why_not(seen: Seen):
    passed = {check for check, told in seen.right.items() if told["outcome"] == "pass"}
    assert set(CHECKS) - passed == set(NEVER_PASSES)


def test_every_check_was_seen_to_fail_or_it_is_said_why_not(seen: Seen):
    failed = {check for told in (seen.wrong, seen.alone) for check, one in told.items() if one["outcome"] == "fail"}
    assert set(CHECKS) - failed - set(ELSEWHERE) == set(NEVER_FAILS)
