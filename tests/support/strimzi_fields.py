"""Makes `runbook/formats/strimzi_fields.json` again: what the definitions of Strimzi's releases let resources say.

By hand, from the top folder: `PYTHONPATH=checks:tests python -m support.strimzi_fields FOLDER`, where FOLDER holds a
folder for each release, named as it, with the `04*-Crd-*.yaml` of its `install/cluster-operator`.

A node is a letter for a plain value (s text, i whole number, n number, b true or false, q a number or text, * anything)
or an object: f fields and r required ones, m the values of a map, l the items of a list, e the values allowed.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

import yaml

from runbook.formats import strimzi_fields

RELEASES: Final = ("0.45.0", "0.48.0", "0.51.0", "1.0.0", "1.1.0", "1.2.0")
_PLAIN: Final = {"string": "s", "integer": "i", "number": "n", "boolean": "b"}
_OPEN: Final = "x-kubernetes-preserve-unknown-fields"


def made(folder: Path) -> dict[str, Any]:
    """The table, from the definitions in a folder."""
    found: dict[tuple[str, str], Any] = {}
    for release in RELEASES:
        for file in sorted((folder / release).glob("04*-Crd-*.yaml")):
            definition = yaml.safe_load(file.read_text("utf-8"))["spec"]
            for version in definition["versions"]:
                key = definition["names"]["kind"], version["name"]
                spec = _node(version["schema"]["openAPIV3Schema"]["properties"]["spec"])
                found[key] = _either(found[key], spec) if key in found else spec
    table = _Table()
    kinds: dict[str, dict[str, int]] = defaultdict(dict)
    for (kind, version), spec in found.items():
        kinds[kind][version] = table.place(spec)
    return {"releases": f"{RELEASES[0]} to {RELEASES[-1]}", "kinds": dict(kinds), "nodes": table.nodes}


class _Table:
    """Nodes, each once, however often it stands in definitions."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self._places: dict[str, int] = {}

    def place(self, node: Any) -> int:
        if isinstance(node, dict):
            node = {sign: self._within(sign, held) for sign, held in node.items() if held}
        return self._places.setdefault(json.dumps(node, sort_keys=True), self._new(node))

    def _within(self, sign: str, held: Any) -> Any:
        if sign == "f":
            return {name: self.place(each) for name, each in sorted(held.items())}
        return self.place(held) if sign in "ml" else held

    def _new(self, node: Any) -> int:
        if json.dumps(node, sort_keys=True) not in self._places:
            self.nodes.append(node)
        return len(self.nodes) - 1


def _node(schema: dict[str, Any]) -> Any:
    fields, more = schema.get("properties"), schema.get("additionalProperties")
    if schema.get("x-kubernetes-int-or-string"):
        return "q"
    if fields and not schema.get(_OPEN):
        return {"f": {name: _node(each) for name, each in fields.items()}, "r": sorted(schema.get("required", []))}
    if isinstance(more, dict) and more:
        return {"m": _node(more)}
    if schema.get("type") == "array" and "items" in schema:
        return {"l": _node(schema["items"])}
    if "enum" in schema:
        return {"e": sorted(map(str, schema["enum"]))}
    return _PLAIN.get(schema.get("type", ""), "*")


def _either(one: Any, other: Any) -> Any:
    """What one release or another lets stand there."""
    if one == other or not (isinstance(one, dict) and isinstance(other, dict)) or one.keys() != other.keys():
        return one if one == other else "*"
    if "f" in one:
        both = one["f"] | other["f"]
        shared = {name: _either(one["f"][name], other["f"][name]) for name in one["f"].keys() & other["f"].keys()}
        return {"f": both | shared, "r": sorted(set(one["r"]) & set(other["r"]))}
    if "e" in one:
        return {"e": sorted({*one["e"], *other["e"]})}
    return {sign: _either(one[sign], other[sign]) for sign in one}


if __name__ == "__main__":
    text = json.dumps(made(Path(sys.argv[1])), separators=(",", ":"), sort_keys=True)
    Path(strimzi_fields.__file__).with_suffix(".json").write_text(text + "\n", "utf-8")
