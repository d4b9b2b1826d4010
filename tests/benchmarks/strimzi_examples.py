"""Strimzi's own examples: which remarks of a reviewer `runbook check kubernetes` makes, and which no reviewer would.

`tests/records/manifests/expected.yaml` says what a reviewer expects. Each example is judged as it is and with
`tier: prod`. Fetch the repository first; nothing of it is kept here.

Run: .venv/bin/python tests/benchmarks/strimzi_examples.py GIT_DIRECTORY [--release 1.2.0] [--rows]
"""

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

RUNBOOK: Final = str(Path(sys.executable).with_name("runbook"))
EXPECTED: Final = Path(__file__).parents[1] / "records" / "manifests" / "expected.yaml"
TIERS: Final = ("", "prod")


class Remark(NamedTuple):
    """Something to say of a resource: `Kind/name`, or `Kind/name/listener`."""

    example: str
    tier: str
    resource: str
    remark: str


class Row(NamedTuple):
    """A finding: the names of its key, and what it says."""

    example: str
    tier: str
    check: str
    names: frozenset[str]
    message: str


def unpack(repository: Path, commit: str, folder: Path) -> None:
    """Write the examples of a commit to a folder."""
    command = ["git", f"--git-dir={repository}", "archive", commit, "examples"]
    with tarfile.open(fileobj=BytesIO(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)) as archive:
        archive.extractall(folder, filter="data")


def judge(examples: Path) -> list[Row]:
    """What is found in each example, as it is and as production."""
    files = [(file, tier) for tier in TIERS for file in sorted(examples.rglob("*.yaml"))]
    names = {f"example-{place}": one for place, one in enumerate(files)}
    because = "files, before they are applied"
    environments = {
        name: {
            "manifests": {"paths": [str(file)]},
            "labels": {"tier": tier} if tier else {},
            "absent": dict.fromkeys(("kubernetes", "kafka", "zookeeper"), because),
        }
        for name, (file, tier) in names.items()
    }
    inventory = examples / "environments.yml"
    inventory.write_text(yaml.safe_dump({"environments": environments}))
    command = [
        RUNBOOK,
        "check",
        "kubernetes",
        "--inventory",
        inventory,
        "--env",
        "*",
        "--deadline",
        "20m",
        "--format",
        "json",
    ]
    report = json.loads(subprocess.run(command, check=False, stdout=subprocess.PIPE).stdout)
    return [
        Row(
            str(names[result["environment"]][0].relative_to(examples)),
            names[result["environment"]][1],
            result["check"].partition("/")[2],
            frozenset(str(value) for value in row["key"].values()),
            row["message"],
        )
        for result in report["results"]
        if result["outcome"] == "fail"
        for row in result["rows"]
    ]


def expect(table: Any, release: str) -> Iterator[Remark]:
    """What a reviewer says of the examples of a release."""
    for example, resources in table["examples"].items():
        name, _, only = example.partition("@")
        for resource, remarks in resources.items() if only in ("", release) else ():
            for remark, _, of in (said.partition("@") for said in remarks.split()):
                for tier in TIERS if of in ("", release) else ():
                    if tier or table["remarks"][remark]["when"] == "always":
                        yield Remark(name, tier, resource, remark)


def makes(row: Row, remark: Remark, known: Any) -> bool:
    """Whether a finding makes a remark."""
    says = known[remark.remark]
    kind, *names = remark.resource.split("/")
    if kind != "Kafka":
        names = names[:1]
    return (
        (row.example, row.tier) == (remark.example, remark.tier)
        and row.check in says.get("check", "").split()
        and row.names.issuperset(names)
        and says.get("message", "") in row.message
    )


def main() -> None:
    """Print how many remarks were made, and each that was missed or is not expected."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path, help="git directory of a fetched snapshot")
    parser.add_argument("--release", action="append", help="default: all of the table")
    parser.add_argument("--rows", action="store_true", help="print each finding, too")
    asked = parser.parse_args()
    table = yaml.safe_load(EXPECTED.read_text("utf-8"))
    neutral = {check for entry in table["may"] for check in entry.get("checks", "").split()}
    for release in asked.release or table["releases"]:
        with tempfile.TemporaryDirectory() as folder:
            unpack(asked.repository, table["releases"][release], Path(folder))
            rows = judge(Path(folder) / "examples")
        remarks = [*expect(table, release)]
        made = [remark for remark in remarks if any(makes(row, remark, table["remarks"]) for row in rows)]
        extra = [row for row in rows if not any(makes(row, remark, table["remarks"]) for remark in remarks)]
        false = [row for row in extra if row.check not in neutral]
        neither = len(extra) - len(false)
        print(f"{release}: {len(made)} of {len(remarks)} remarks made, {len(false)} false, {neither} that may be")
        for remark in sorted({*remarks} - {*made}):
            print("  missed", *remark)
        for row in false:
            print("  false ", row.example, row.tier, row.check, *sorted(row.names), row.message)
        for row in rows if asked.rows else ():
            print("  row   ", row.example, row.tier, row.check, *sorted(row.names), row.message)


if __name__ == "__main__":
    main()
