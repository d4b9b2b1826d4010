"""Single faults in 300 resources of Strimzi, and who finds them: runbook, kubeconform with Strimzi's schemas, conftest.

The repository is that of `support/platform_repository.py`, the faults those of `support/single_faults.py`, and the
policies for conftest those of `tests/records/policies`. A fault is found if a tool says something that it does not say
of the repository without the fault.

Run: .venv/bin/python tests/benchmarks/beside_linters.py CRDS TOOLS
CRDS is a folder with the definitions that Strimzi installs (packaging/install/cluster-operator), TOOLS one with the
programs kubeconform and conftest.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))
from support.platform_repository import JUDGED
from support.pull_request import apply, repository
from support.single_faults import single_faults

RUNBOOK: Final = str(Path(sys.executable).with_name("runbook"))
POLICIES: Final = Path(__file__).parents[1] / "records" / "policies"


class Heard(NamedTuple):
    """What a tool says, a line each, and the seconds it took."""

    lines: frozenset[str]
    seconds: float


def schemas(definitions: Path, folder: Path) -> None:
    """Write the schema of each kind and version, closed to fields that it does not name, as kubeconform wants it."""
    for file in sorted(definitions.glob("*Crd*.yaml")):
        definition = yaml.safe_load(file.read_text("utf-8"))["spec"]
        for version in definition["versions"]:
            name = f"{definition['names']['kind'].lower()}_{version['name']}.json"
            (folder / name).write_text(json.dumps(_closed(version["schema"]["openAPIV3Schema"], root=True)))


def _closed(node: Any, *, root: bool = False) -> Any:
    if not isinstance(node, dict):
        return node
    done = {key: _closed(value) for key, value in node.items()}
    if done.pop("x-kubernetes-int-or-string", False):
        done = {key: value for key, value in done.items() if key != "type"} | {"type": ["string", "integer"]}
    free = done.pop("x-kubernetes-preserve-unknown-fields", False)
    if isinstance(done.get("properties"), dict) and not (root or free):
        done.setdefault("additionalProperties", False)
    return done


def heard(command: list[str], folder: Path) -> Heard:
    """Run a tool in the repository."""
    began = time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    took = time.monotonic() - began
    return Heard(frozenset(_said(done.stdout or json.dumps(done.stderr))), took)


def _said(text: str) -> list[str]:
    """What a report has against a resource, without places: the same for the same finding."""
    report = json.loads(text)
    if isinstance(report, str):
        return [report.strip()]
    if isinstance(report, list):  # conftest
        return [each["msg"] for file in report for each in file.get("failures", [])]
    if "resources" in report:  # kubeconform
        wrong = [each for each in report["resources"] if each["status"] not in ("statusValid", "statusSkipped")]
        return [f"{each['kind']} {each['name']}: {each['msg'].partition('.json#')[2] or each['msg']}" for each in wrong]
    bad = [result for result in report["results"] if result["outcome"] in ("fail", "unknown") and not result["waived"]]
    return [f"{result['check'].partition('/')[2]}" for result in bad]


def commands(tools: Path, schema_folder: Path) -> dict[str, list[str]]:
    """The command of each tool."""
    location = f"{schema_folder}/{{{{.ResourceKind}}}}_{{{{.ResourceAPIVersion}}}}.json"
    conform = [
        "-strict",
        "-skip",
        "ConfigMap",
        "-ignore-filename-pattern",
        "kustomization.yaml",
        "-schema-location",
        location,
        "-output",
        "json",
    ]
    judged = [word for folder in JUDGED for word in ("--manifests", folder)]
    prod = ["--inventory", "ci/environments.yaml", "--env", "prod", *judged, "--base", "main", "--format", "json"]
    return {
        "runbook": [RUNBOOK, "check", "kubernetes", *prod],
        "kubeconform": [str(tools / "kubeconform"), *conform, *JUDGED],
        "conftest": [str(tools / "conftest"), "test", "--policy", str(POLICIES), "--output", "json", *JUDGED],
    }


def main() -> None:
    """Print a line for each fault, and totals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("definitions", type=Path)
    parser.add_argument("tools", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        (schema_folder := Path(name) / "schemas").mkdir()
        schemas(given.definitions, schema_folder)
        asked = commands(given.tools.absolute(), schema_folder)
        folder = repository(Path(name) / "platform", {})
        before = {tool: heard(command, folder) for tool, command in asked.items()}
        for tool, said in before.items():
            print(f"{tool} without a fault: {len(said.lines)} findings: {sorted(said.lines)[:3]}")
        found: dict[str, list[bool]] = {tool: [] for tool in asked}
        seconds: dict[str, list[float]] = {tool: [] for tool in asked}
        for fault, edit in single_faults().items():
            apply(folder, edit)
            cells = []
            for tool, command in asked.items():
                said = heard(command, folder)
                new = sorted(said.lines - before[tool].lines)
                found[tool].append(bool(new))
                seconds[tool].append(said.seconds)
                cells.append(f"{tool}: {'; '.join(new)[:160] or '-'}")
            print(f"{fault}\n    " + "\n    ".join(cells), flush=True)
            subprocess.run(["git", "checkout", "-q", "."], cwd=folder, check=True)
        for tool in asked:
            print(f"{tool}: {sum(found[tool])} of {len(found[tool])}, {median(seconds[tool]):.1f} s")


if __name__ == "__main__":
    main()
