"""What Strimzi's operator makes of custom resources, as kept, beside what our probes say of the same resources.

The operator is not in a registry, so that this is kept by hand, from the top folder:
`PYTHONPATH=checks:tests python -m support.strimzi_made JAVA CLASSPATH COMMIT`, with a JDK as new as the operator asks
for, and the class path of its modules `cluster-operator` and `user-operator`, compiled at a commit, with
`kafka-*-config-model.json` in it (its module `config-model-generator`; with a JDK from 23 on its module `api` needs
`-proc:full`). With a fourth argument, a folder of YAML files, it prints what is made of those, and keeps nothing.
"""

import importlib
import json
import lzma
import subprocess
import sys
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec import structs

from runbook.answers.kubernetes.objects import Absent
from runbook.model.fact import Observed
from support.strimzi_rarer import rarer
from support.strimzi_refused import mistaken
from support.strimzi_resources import Resource, cases

RECORDED: Final = Path(__file__).parents[1] / "recorded" / "strimzi_made.json.xz"
_PRINTS: Final = Path(__file__).with_name("java") / "OperatorMakes.java"


class Resources:
    """Resources, as an API server gives them."""

    def __init__(self, resources: list[Resource]) -> None:
        """Take them."""
        self._resources = resources

    def custom(self, group: str, resource: str) -> tuple[str, list[Resource]]:
        """Those of a kind."""
        found = [each for each in self._resources if f"{each['kind'].lower()}s" == resource]
        if not found:
            raise Absent(f"there are no {resource}.{group}")
        return "v1", found


def rows(resources: list[Resource], probe: str) -> list[dict[str, Any]]:
    """What a probe says of resources."""
    module = importlib.import_module(f"runbook.probes.{probe}")
    seen: Observed = module.observe(Resources(resources))
    assert not seen.gaps, seen.gaps
    return [structs.asdict(row) for row in seen.rows]


def digest(resources: dict[str, list[Resource]]) -> str:
    """By which it is seen that what is kept was made of these resources."""
    return sha256(json.dumps(resources, sort_keys=True).encode()).hexdigest()


@cache
def given() -> dict[str, list[Resource]]:
    """Case → its resources."""
    return {**dict(cases()), **dict(rarer()), **dict(mistaken())}


@cache
def kept() -> dict[str, Any]:
    """`operator`, its release and commit, `given`, the digest of the cases, and `made`, by case and KIND/NAME."""
    found: dict[str, Any] = json.loads(lzma.decompress(RECORDED.read_bytes()))
    return found


def made(java: str, classpath: str, resources: dict[str, list[Resource]]) -> Any:
    """What the operator makes now, by its own classes."""
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "cases.json"
        given.write_text(json.dumps(resources, default=str), "utf-8")
        compile_ = [f"{java}c", "-proc:none", "-nowarn", "-cp", classpath, "-d", folder, str(_PRINTS)]
        subprocess.run(compile_, check=True, timeout=120)
        command = [java, "-cp", f"{folder}:{classpath}", _PRINTS.stem, str(given)]
        printed = subprocess.run(command, check=True, timeout=600, capture_output=True, text=True).stdout
    return json.loads(printed.splitlines()[-1])  # before it is what it logs


def of_files(folder: Path) -> dict[str, list[Resource]]:
    """The resources of Strimzi in each file of a folder."""
    found = {}
    for file in sorted(folder.rglob("*.yaml")):
        documents = [each for each in yaml.safe_load_all(file.read_text("utf-8")) if isinstance(each, dict)]
        found[str(file.relative_to(folder))] = [
            each for each in documents if str(each.get("apiVersion")).startswith("kafka.strimzi.io/")
        ]
    return found


if __name__ == "__main__":
    java, classpath, commit, *folders = sys.argv[1:]
    if folders:
        read = of_files(Path(folders[0]))
        sys.stdout.write(json.dumps({"resources": read, "made": made(java, classpath, read)}, default=str))
    else:
        kept_now = {"operator": commit, "given": digest(given()), "made": made(java, classpath, given())}
        text = json.dumps(kept_now, sort_keys=True, separators=(",", ":"))
        RECORDED.write_bytes(lzma.compress(text.encode(), preset=9))
