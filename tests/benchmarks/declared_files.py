"""Files that declare Kafka by Terraform, jikkou and other means: which remarks of a reviewer are made, and which none.

`tests/records/manifests/declared.yaml` says what a reviewer expects, `charts.yaml` beside it of values of charts.
`plans.jsonl` holds the plans that Terraform and the provider made of its entries.

Run: .venv/bin/python tests/benchmarks/declared_files.py [--table charts.yaml] [--only WORD]
     … --make FOLDER   first make the plans again; FOLDER holds terraform-provider-kafka
"""

import argparse
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

RECORDS: Final = Path(__file__).parents[1] / "records" / "manifests"
TABLE: Final = RECORDS / "declared.yaml"
PLANS: Final = RECORDS / "plans.jsonl"
RUNBOOK: Final = str(Path(sys.executable).with_name("runbook"))
SOURCE: Final = "example.com/mongey/kafka"
_PROVIDERS: Final = {
    "aiven": "example.com/aiven/aiven",
    "aws": "example.com/hashicorp/aws",
    "confluent": "example.com/confluentinc/confluent",
    "kafka": SOURCE,
}
_BLOCKS: Final = ("resource", "variable", "locals", "moved", "removed")
_INSTANCE: Final = re.compile(r"(\w+)\.(\w+)(?:\[(\d+)\])?")


class Found(NamedTuple):
    """A failing check, and the text of one of its rows: keys, message and place."""

    check: str
    text: str


class Judged(NamedTuple):
    """What is said of a file: all results, those that are unknown, and the failing rows."""

    whole: list[str]
    unknown: list[str]
    found: list[Found]


def table(name: str = TABLE.name) -> Any:
    """The remarks and entries of a table; the remarks of the first serve all."""
    whole = yaml.safe_load((RECORDS / name).read_text("utf-8"))
    return whole | {"remarks": yaml.safe_load(TABLE.read_text("utf-8"))["remarks"] | whole["remarks"]}


def plans() -> dict[str, Any]:
    """Name of an entry → the plan that was made of it."""
    lines = map(json.loads, PLANS.read_text("utf-8").splitlines())
    return {line["name"]: line["plan"] for line in lines}


def make(entry: Any, folder: Path, provider: Path) -> Any:
    """The plan of an entry's configuration, without a look at any system."""
    required = {"terraform": {"required_providers": {"kafka": {"source": SOURCE}}}}
    modules = entry.get("module", {})
    root: dict[str, Any] = {key: entry[key] for key in _BLOCKS if key in entry}
    root |= required | {"provider": {"kafka": {"bootstrap_servers": ["127.0.0.1:1"]}}}
    root |= (
        {"module": {key: {"source": f"./{key}", **each["with"]} for key, each in modules.items()}} if modules else {}
    )
    (folder / "main.tf.json").write_text(json.dumps(root))
    for key, each in modules.items():
        (folder / key).mkdir()
        inner = required | {part: each[part] for part in _BLOCKS if part in each}
        (folder / key / "main.tf.json").write_text(json.dumps(inner))
    if "state" in entry:
        (folder / "terraform.tfstate").write_text(json.dumps(_state(entry["state"])))
    override = f'dev_overrides {{\n"{SOURCE}" = "{provider}"\n}}'
    (folder / "cli").write_text(f"provider_installation {{\n{override}\ndirect {{}}\n}}\n")
    environment = os.environ | {"TF_CLI_CONFIG_FILE": str(folder / "cli"), "CHECKPOINT_DISABLE": "1"}
    for command in (
        ["init", "-get=true", "-backend=false"] if modules else ["version"],
        ["plan", "-refresh=false", "-out=planned", "-input=false", "-no-color"],
    ):
        done = subprocess.run(
            ["terraform", *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise SystemExit(f"{entry['name']}: {done.stdout}{done.stderr}")
    shown = subprocess.run(
        ["terraform", "show", "-json", "planned"], cwd=folder, env=environment, stdout=-1, check=True
    )
    return json.loads(shown.stdout)


def _state(resources: Any) -> Any:
    grouped: dict[tuple[str, str], list[Any]] = {}
    for address, attributes in resources.items():
        match = _INSTANCE.fullmatch(address)
        assert match
        index = {} if match[3] is None else {"index_key": int(match[3])}
        versions = {"kafka_acl": 1}
        instance = {"schema_version": versions.get(match[1], 0), "attributes": attributes} | index
        grouped.setdefault((match[1], match[2]), []).append(instance)
    found = [
        {"mode": "managed", "type": kind, "name": name, "provider": f'provider["{SOURCE}"]', "instances": instances}
        for (kind, name), instances in grouped.items()
    ]
    return {
        "version": 4,
        "terraform_version": "1.11.4",
        "serial": 1,
        "lineage": "a",
        "outputs": {},
        "resources": found,
    }


def planned(resources: list[Any]) -> Any:
    """A plan as Terraform prints it, of changes that are given: for providers that can't be had here."""
    changes = []
    for each in resources:
        change = {key: each.get(key) for key in ("before", "after")}
        change |= {"actions": each.get("actions", ["create"]), "after_unknown": each.get("unknown", {})}
        change |= {key: each[key] for key in ("replace_paths", "before_sensitive") if key in each}
        name = {"address": f"{each['type']}.{each['name']}", "mode": "managed", "type": each["type"]}
        changes.append(
            name | {"name": each["name"], "provider_name": _PROVIDERS[each["type"].partition("_")[0]], "change": change}
        )
    return {
        "format_version": "1.2",
        "terraform_version": "1.11.4",
        "planned_values": {"root_module": {}},
        "resource_changes": changes,
        "configuration": {},
    }


def values(entry: Any, bases: Any) -> str:
    """The values of an entry: those of its base, with some set and some left out."""
    made = copy.deepcopy(bases[entry["base"]])
    for path, value in entry.get("set", {}).items():
        within, last = _at(made, path)
        within[last] = value
    for path in entry.get("unset", ()):
        within, last = _at(made, path)
        del within[last]
    return yaml.safe_dump({entry["below"]: made} if "below" in entry else made, sort_keys=False)


def _at(made: Any, path: str) -> tuple[Any, Any]:
    """What holds the value of a path, and under which key."""
    *steps, last = [int(step) if step.isdecimal() else step for step in path.split("/")]
    for step in steps:
        made = made[step] if isinstance(step, int) else made.setdefault(step, {})
    return made, last


def write(entry: Any, folder: Path, made: dict[str, Any], bases: Any = None) -> Path:
    """Write the file that an entry means, and return it; of several files their folder."""
    folder.mkdir()
    for name, text in entry.get("files", {}).items():
        (folder / name).write_text(text)
    if "bytes" in entry:
        file = folder / f"declared{entry['ending']}"
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("tfplan", b"\x00")
        return file
    plan = planned(entry["planned"]) if "planned" in entry else made.get(entry["name"])
    file = folder / f"declared{entry.get('ending', '.json' if plan else '.yaml')}"
    file.write_text(json.dumps(plan) if plan else values(entry, bases) if "base" in entry else entry["file"])
    return folder if "files" in entry else file


def judge(files: dict[str, Path], folder: Path) -> dict[str, Judged]:
    """Name of an entry → what is said of its file as production."""
    inventory = {
        "environments": {
            f"entry-{place}": {
                "manifests": {"paths": [str(file)]},
                "labels": {"tier": "prod"},
                "absent": dict.fromkeys(("kubernetes", "kafka", "zookeeper"), "files, before they are applied"),
            }
            for place, file in enumerate(files.values())
        }
    }
    (folder / "environments.yml").write_text(yaml.safe_dump(inventory))
    command = [RUNBOOK, "check", "kubernetes", "--inventory", str(folder / "environments.yml"), "--env", "*"]
    done = subprocess.run(
        [*command, "--deadline", "20m", "--format", "json"], check=False, capture_output=True, text=True
    )
    judged = {f"entry-{place}": Judged([], [], []) for place in range(len(files))}
    for result in json.loads(done.stdout)["results"]:
        one = judged[result["environment"]]
        one.whole.append(json.dumps(result, ensure_ascii=False))
        if result["outcome"] == "unknown":
            one.unknown.append(one.whole[-1])
        for row in result["rows"] if result["outcome"] == "fail" else ():
            text = json.dumps(row, ensure_ascii=False).replace('\\"', '"')
            one.found.append(Found(result["check"].partition("/")[2], text))
    return dict(zip(files, judged.values(), strict=True))


def problems(entry: Any, known: Any, judged: Judged) -> Iterator[str]:
    """What is missed, false, or shown though it must not be."""
    made: set[Found] = set()
    for remark in entry.get("says", []):
        word, _, address = remark.partition(" ")
        hits = {each for each in judged.found if each.check in known[word]["checks"] and address in each.text}
        made |= hits
        if not hits:
            yield f"missed {remark}"
    for each in {*judged.found} - made:
        yield f"false {each.check} {each.text[:200]}"
    if "unknown" in entry and entry["unknown"] not in " ".join(judged.unknown):
        yield f"not told as unknown: {entry['unknown']}"
    if "unknown" not in entry and judged.unknown:
        yield f"unknown: {judged.unknown[0][:400]}"
    if "never" in entry and entry["never"] in " ".join(judged.whole):
        yield f"shows {entry['never']}"


def main() -> None:
    """Print how many entries are judged as a reviewer expects, and what is wrong with each other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--make", type=Path, help="folder of the provider")
    parser.add_argument("--only", default="", help="a word of the entry's name")
    parser.add_argument("--table", default=TABLE.name, help="file of the table, in tests/records/manifests")
    asked = parser.parse_args()
    whole = table(asked.table)
    entries = [entry for entry in whole["entries"] if asked.only in entry["name"]]
    if asked.make:
        lines = []
        for entry in whole["entries"]:
            if not {"file", "bytes", "planned"} & {*entry}:
                with tempfile.TemporaryDirectory() as folder:
                    plan = make(entry, Path(folder), asked.make)
                lines.append(json.dumps({"name": entry["name"], "plan": plan}, separators=(",", ":")))
        PLANS.write_text("\n".join(lines) + "\n")
    made, right = plans(), {True: 0, False: 0}
    with tempfile.TemporaryDirectory() as folder:
        files = {
            entry["name"]: write(entry, Path(folder) / str(place), made, whole.get("bases"))
            for place, entry in enumerate(entries)
        }
        judged = judge(files, Path(folder))
    for entry in entries:
        wrong = [*problems(entry, whole["remarks"], judged[entry["name"]])]
        right[bool(entry.get("well"))] += not wrong
        for each in wrong:
            print(f"{entry['name']}: {each}")
    well = sum(bool(entry.get("well")) for entry in entries)
    print(f"{right[False]} of {len(entries) - well} with faults, {right[True]} of {well} that are well")


if __name__ == "__main__":
    main()
