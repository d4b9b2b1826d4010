"""A real registry of two instances: what is right when it is well, what faults break, the commands of the runbook."""

import json
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from documented import titled
from runbook import lab as labs
from runbook.connections.schema_registry import connect
from runbook.engine.catalog import catalog
from runbook.engine.fact import tabulate
from runbook.engine.probe import Clock
from runbook.engine.request import requests
from runbook.lab import LabState, parts, registry

pytestmark = pytest.mark.live

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
PAGE = "runbooks/schema-governance.md"
# fault -> (the checks that fail, the checks that are unknown); the last one stays, as healing it takes long
EXPECTED: dict[str, tuple[set[str], set[str]]] = {
    "incompatible-schema": ({"every-version-keeps-the-promise", "identifying-fields-stay"}, set()),
    "no-compatibility": ({"the-registry-guards-what-has-no-level", "every-subject-is-guarded"}, set()),
    "frozen-registry": ({"the-registry-takes-new-schemas"}, set()),
    "raw-records": ({"records-carry-a-known-schema"}, set()),
    "unsafe-registry-topic": ({"the-registrys-topic-has-copies"}, set()),
    "stop-registry": ({"the-registry-answers", "all-instances-answer"}, {"instances-agree"}),
}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """A lab with a registry."""
    if reason := parts.lacking("registry"):
        pytest.skip(reason)
    home = tmp_path_factory.mktemp("schemas")
    try:
        yield labs.up("schemas", home=home, progress=logging.getLogger("lab").info, with_parts=["registry"])
    finally:
        labs.down("schemas", home=home)


def judged(lab: LabState, folder: Path | None = None) -> dict[str, str]:
    """The outcome of every check of the runbook, with the lab's own inventory or that of another folder."""
    inventory = Path(folder or lab.folder, "environments.yaml")
    command = [RUNBOOK, "check", "schema-governance", "-i", str(inventory), "-f", "json"]
    done = subprocess.run([*command, "--deadline", "30s"], capture_output=True, text=True, timeout=90, check=False)
    assert done.stderr == ""
    return {one["check"].rpartition("/")[2]: one["outcome"] for one in json.loads(done.stdout)["results"]}


def test_a_registry_that_asks_nobody_is_told_where_that_may_be_tried(lab: LabState, tmp_path: Path):
    inventory = yaml.safe_load(Path(lab.folder, "environments.yaml").read_text("utf-8"))
    environment = inventory["environments"][lab.name]
    assert environment["absent"].pop("tls")
    tmp_path.joinpath("environments.yaml").write_text(
        yaml.safe_dump({"environments": {lab.name: environment | {"tls": {}, "active": True}}}), "utf-8"
    )
    assert named(judged(lab, tmp_path), "fail") == {"the-registry-asks-who-is-there"}


def test_a_proposal_that_does_not_do_is_told_and_not_stored(lab: LabState, tmp_path: Path):
    inventory = yaml.safe_load(Path(lab.folder, "environments.yaml").read_text("utf-8"))
    environment = inventory["environments"][lab.name]
    files = {"good": "[]", "bad": '[{"name": "id", "type": "long"}]'}
    for name, fields in files.items():
        schema = f'{{"type": "record", "name": "Event", "namespace": "shop", "fields": {fields}}}'
        tmp_path.joinpath(f"{name}.avsc").write_text(schema, "utf-8")
    registry.register(lab, "proposed", tmp_path.joinpath("good.avsc").read_text("utf-8"))
    found = {}
    for name in files:
        environment["schema_registry"]["proposals"] = [{"subject": "proposed", "path": str(tmp_path / f"{name}.avsc")}]
        tmp_path.joinpath("environments.yaml").write_text(yaml.safe_dump(inventory), "utf-8")
        found[name] = judged(lab, tmp_path)["what-is-proposed-would-do"]
    assert found == {"good": "pass", "bad": "fail"}
    assert registry.request("GET", registry.required(lab), "/subjects/proposed/versions") == [1]
    forget_samples(lab)


def named(outcomes: dict[str, str], outcome: str) -> set[str]:
    return {name for name, found in outcomes.items() if found == outcome}


def test_a_registry_that_is_well_passes_all_but_what_clients_would_tell(lab: LabState):
    found = judged(lab)
    assert named(found, "fail") == named(found, "unknown") == set()
    assert len(named(found, "pass")) > len(named(found, "not_applicable"))


@pytest.mark.parametrize("probe", [name for name in catalog("probes").names() if name.startswith("schema_")])
def test_each_probe_sees_all_of_it_in_requests_that_are_listed(lab: LabState, probe: str):
    module = catalog("probes").load(probe)
    connection = connect(parts.connections(lab)["schema_registry"], Clock(60))
    try:
        fact = tabulate(probe, module.PROBE.columns, module.observe(connection))
    finally:
        connection.close()
    assert len(fact) > 0 or "proposes no schema" in fact.inapplicable
    assert fact.gaps == []
    assert set(module.PROBE.requests) <= {one.request for one in requests(["schema_registry"])}


def forget_samples(lab: LabState) -> None:
    """Delete the subjects of the samples for good: they have no topic."""
    address = registry.required(lab)
    for subject in registry.request("GET", address, "/subjects?deleted=true"):
        if subject.startswith("purchases-") or subject in ("envelope", "proposed"):
            if subject in registry.request("GET", address, "/subjects"):
                registry.request("DELETE", address, f"/subjects/{subject}")
            registry.request("DELETE", address, f"/subjects/{subject}?permanent=true")


def test_a_deleted_subject_is_told_until_it_is_deleted_for_good(lab: LabState):
    registry.register(lab, "purchases-value", titled(PAGE, "purchase.avsc"))
    registry.request("DELETE", registry.required(lab), "/subjects/purchases-value")
    assert named(judged(lab), "fail") == {"deleted-subjects-are-few"}
    forget_samples(lab)
    assert named(judged(lab), "fail") == set()


@pytest.fixture
def folder(lab: LabState, tmp_path: Path) -> Path:
    """A folder with the schemas of the page; what the samples ask for is in the registry."""
    if missing := [tool for tool in ("curl", "jq", "bash") if shutil.which(tool) is None]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    for name in ("purchase.avsc", "purchase.proto", "envelope.avsc"):
        tmp_path.joinpath(name).write_text(titled(PAGE, name), "utf-8")
    registry.register(lab, "purchases-value", titled(PAGE, "purchase.avsc"))
    return tmp_path


def shell(lab: LabState, folder: Path, title: str) -> str:
    """Run a sample of the page; gives what it printed."""
    variables = os.environ | {"REGISTRY": registry.required(lab), "no_proxy": "127.0.0.1"}
    command = ["bash", "-eu", "-o", "pipefail", "-c", titled(PAGE, title)]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def compatible(printed: str) -> bool:
    [found] = [line for line in printed.splitlines() if "is_compatible" in line]
    return "true" in found


def test_the_commands_of_the_page_look_try_and_register(lab: LabState, folder: Path):
    printed = shell(lab, folder, "Look, try, register: Avro")
    assert printed.replace(" ", "").count('"name":"Purchase"') == 2
    assert compatible(printed)
    assert int(printed.splitlines()[-1]) > 0
    assert int(shell(lab, folder, "Register: Protobuf")) > 0


def test_trying_a_change_that_does_not_do_stores_nothing(lab: LabState, folder: Path):
    schema: dict[str, Any] = json.loads(titled(PAGE, "purchase.avsc"))
    schema["fields"].append({"name": "new", "type": "string"})
    folder.joinpath("purchase.avsc").write_text(json.dumps(schema), "utf-8")
    tried = titled(PAGE, "Look, try, register: Avro").partition("# register;")[0]
    variables = os.environ | {"REGISTRY": registry.required(lab), "no_proxy": "127.0.0.1"}
    done = subprocess.run(
        ["bash", "-euc", tried], cwd=folder, env=variables, capture_output=True, text=True, timeout=60, check=True
    )
    assert not compatible(done.stdout)
    assert registry.request("GET", registry.required(lab), "/subjects/purchases-value/versions") == [1]


def test_the_envelope_of_the_page_is_a_schema(lab: LabState, folder: Path):
    assert registry.register(lab, "envelope", folder.joinpath("envelope.avsc").read_text("utf-8")) > 0


@pytest.mark.parametrize("fault", EXPECTED)
def test_a_fault_fails_exactly_the_checks_it_concerns(lab: LabState, fault: str):
    forget_samples(lab)
    home = Path(lab.folder).parent
    labs.break_(lab.name, fault, home=home)
    found = judged(lab)
    if fault != [*EXPECTED][-1]:
        labs.heal(lab.name, home=home)
        healed = judged(lab)
        assert named(healed, "fail") == named(healed, "unknown") == set()
    assert (named(found, "fail"), named(found, "unknown")) == EXPECTED[fault]
