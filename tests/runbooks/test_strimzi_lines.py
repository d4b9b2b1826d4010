"""Single faults in files: the checks that are for it find each at the line that changed, and nothing else fails."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
import yaml

from runbook.cli.followed_run import execute
from runbook.plugins.catalog import catalog
from runbook.run.check_run import Options
from support.built_in import checks_of
from support.strimzi_fault import Fault, merged
from support.strimzi_faults import FAULTS
from support.strimzi_played import (
    BRIDGES,
    CONNECTORS,
    CONNECTS,
    KAFKAS,
    MIRRORS,
    POOLS,
    TOPICS,
    USERS,
    platform,
)

KINDS: Final = {
    KAFKAS: "Kafka",
    POOLS: "KafkaNodePool",
    TOPICS: "KafkaTopic",
    USERS: "KafkaUser",
    CONNECTS: "KafkaConnect",
    CONNECTORS: "KafkaConnector",
    MIRRORS: "KafkaMirrorMaker2",
    BRIDGES: "KafkaBridge",
}
PROBES: Final = [
    name for name in catalog("probes").names() if "manifests" in catalog("probes").load(name).PROBE.connections
]
OF_FILES: Final = {
    check.id for check in checks_of("kubernetes") if all(fact.probe in PROBES for fact in check.facts.values())
}
ONES: Final = {
    name: fault
    for name, fault in FAULTS.items()
    if fault.path in KINDS and "status" not in fault.change and fault.checks & OF_FILES
}
WELL: Final = "nothing is wrong"
NO_FIELDS: Final = {"ZooKeeper left in the resource": {"declared-fields-are-known"}}
"""Faults that v1 has no field for."""
AT_ODDS: Final = {
    *("topic-resources-have-a-topic-operator", "user-resources-have-a-user-operator", "every-user-finds-a-listener"),
    *("no-two-groups-of-workers-are-one", "no-two-groups-of-workers-share-topics", "no-topic-is-declared-twice"),
    *("declared-memory-leaves-room-beside-the-heap", "declared-minimum-keeps-two-copies"),
    "declared-topics-outlive-a-broker",
}
"""Checks of two fields, often of two resources, that do not fit each other: the line may be that of the other one."""
Path_ = tuple[str | int, ...]


class Found(NamedTuple):
    """A finding: its check, and the line that it names."""

    check: str
    line: int


class _Plain(yaml.SafeDumper):
    """Writes what is said twice twice: each place has a line of its own."""

    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True


def resource(path: str, thing: dict[str, Any]) -> dict[str, Any]:
    """A resource as its owner writes it."""
    metadata = {key: value for key, value in thing["metadata"].items() if key in ("name", "labels", "annotations")}
    return {"apiVersion": "kafka.strimzi.io/v1", "kind": KINDS[path], "metadata": metadata, "spec": thing["spec"]}


def changed(fault: Fault | None) -> tuple[str, set[int]]:
    """The platform with a fault, and the lines that differ: of what is gone, those of what held it."""
    played = platform()
    documents, lines, above = [], set(), 0
    for path in KINDS:
        for thing in played.items(path):
            whole = resource(path, thing)
            if fault and (fault.path, fault.named) == (path, thing["metadata"]["name"]):
                before, whole = whole, resource(path, merged(thing, fault.change))
                marks = yaml.compose(yaml.dump(whole, Dumper=_Plain, sort_keys=False))
                lines = {above + 2 + at for differs in differences(before, whole) for at in lines_of(marks, differs)}
            documents.append("---\n" + yaml.dump(whole, Dumper=_Plain, sort_keys=False))
            above += documents[-1].count("\n")
    return "".join(documents), lines


def differences(before: Any, after: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The paths of all that differs."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before.keys() | after.keys():
            yield from differences(before.get(key), after.get(key), (*path, key))
    elif isinstance(before, list) and isinstance(after, list):
        for at in range(max(len(before), len(after))):
            yield from differences(*(each[at] if at < len(each) else None for each in (before, after)), (*path, at))
    elif before != after:
        yield path


def lines_of(node: Any, path: Path_) -> Iterator[int]:
    """The lines, from 0, of what is at a path or next above it, with all in that, and of the keys above it."""
    key = node.start_mark.line
    for depth, step in enumerate(path):
        if isinstance(node, yaml.MappingNode):
            known = [(name.start_mark.line, value) for name, value in node.value if name.value == str(step)]
        else:
            known = [(each.start_mark.line, each) for at, each in enumerate(node.value) if at == step]
        if not known:  # it is gone: what is next above it
            break
        [(key, node)] = known
        if depth:
            yield key
    yield from range(key, max(node.end_mark.line, key + 1))


def called(name: str) -> str:
    """The environment of a fault."""
    return f"fault-{sorted([WELL, *ONES]).index(name)}"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[Found]]:
    """Environment → what fails in it; all are of one run."""
    folder: Path = tmp_path_factory.mktemp("manifests")
    environments: dict[str, Any] = {}
    absent = dict.fromkeys(("kubernetes", "kafka", "zookeeper"), "files only")
    for name, fault in {WELL: None, **ONES}.items():
        file = folder / f"{called(name)}.yaml"
        file.write_text(changed(fault)[0])
        manifests = {"paths": [str(file)]}
        environments[called(name)] = {"manifests": manifests, "absent": absent, "labels": {"tier": "prod"}}
    inventory = folder / "environments.yaml"
    inventory.write_text(json.dumps({"environments": environments}))
    inventory.chmod(0o600)
    options = Options(runbooks=["kubernetes"], environments=["*"], inventory=inventory, deadline=300)
    failing: dict[str, set[Found]] = {name: set() for name in environments}
    for result in execute(options).run.results:
        assert result.outcome != "unknown" or result.environment != called(WELL), result
        if result.outcome == "fail":
            check = result.check.removeprefix("kubernetes/")
            failing[result.environment] |= {Found(check, int(row.place.rsplit(":", 2)[1])) for row in result.rows}
    return failing


def test_of_what_is_well_nothing_is_said(found: dict[str, set[Found]]):
    assert found[called(WELL)] == set()


@pytest.mark.parametrize("name", ONES)
def test_each_fault_is_found_at_its_line_and_nothing_else(found: dict[str, set[Found]], name: str):
    fault = ONES[name]
    said = found[called(name)]
    expected = fault.checks & OF_FILES
    assert {each.check for each in said} == expected | NO_FIELDS.get(name, set())
    lines = changed(fault)[1]
    assert expected <= AT_ODDS or any(each.line in lines for each in said), (sorted(said), sorted(lines))
