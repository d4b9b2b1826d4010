"""A real registry and real Connect workers, as a user of the command sees them, well, and with credentials refused."""

import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from kafka_lab import LabState, connect, parts, registry
from runbook.connections.schema_registry import connect as to_registry
from runbook.model.fact import tabulate
from runbook.model.probe import Deadline
from runbook.plugins.catalog import catalog
from runbook.plugins.request import requests
from support import gateways
from support.ecosystem.lab import changed, inventory

pytestmark = pytest.mark.live

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
WRONG = "planted-secret-of-nobody"


def check(document: dict[str, Any], folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Check both runbooks, as a user would."""
    file = folder / "environments.yaml"
    file.write_text(json.dumps(document), "utf-8")
    command = [RUNBOOK, "check", "schema-governance", "error-handling", "-i", str(file), "--deadline", "40s", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=800, check=False)


def test_a_lab_that_is_well_passes(ecosystem: LabState, tmp_path: Path):
    done = check(inventory(ecosystem), tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert " 0 fail   0 unknown " in done.stdout


def test_wrong_credentials_are_unknown_and_do_not_show(ecosystem: LabState, tmp_path: Path):
    password = tmp_path / "wrong.password"
    password.touch(0o600)
    password.write_text(WRONG, "ascii")
    login = {"username": "nobody", "password": {"file": str(password)}}
    with ExitStack() as stack:
        registries = [stack.enter_context(gateways.asking(address)) for address in registry.addresses(ecosystem)]
        workers = {
            worker.name: stack.enter_context(gateways.asking(worker.url)) for worker in connect.workers_of(ecosystem)
        }
        changes = {"schema_registry": {"url": registries, **login}, "connect": {"workers": workers, **login}}
        document = changed(ecosystem, changes, absent={"tls": "nothing is tried from outside"})
        done = check(document, tmp_path, "-f", "json")
    assert WRONG not in done.stdout + done.stderr
    results = {result["check"]: result for result in json.loads(done.stdout)["results"]}
    for asked in ("schema-governance/every-subject-is-guarded", "error-handling/connectors-run"):
        assert (results[asked]["outcome"], "401" in json.dumps(results[asked])) == ("unknown", True)


@pytest.mark.parametrize("probe", [name for name in catalog("probes").names() if name.startswith("schema_")])
def test_each_probe_sees_all_of_it_in_requests_that_are_listed(ecosystem: LabState, probe: str):
    module = catalog("probes").load(probe)
    connection = to_registry(parts.connections(ecosystem)["schema_registry"], Deadline(60))
    try:
        fact = tabulate(probe, module.PROBE.columns, module.observe(connection))
    finally:
        connection.close()
    assert len(fact) > 0 or "proposes no schema" in fact.inapplicable
    assert fact.gaps == []
    assert set(module.PROBE.requests) <= {request.request for request in requests(["schema_registry"])}
