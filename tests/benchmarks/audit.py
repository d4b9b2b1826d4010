"""Draws answered entries of a ledger by a seed, and prints each beside the blocks that answer it: what an audit reads.

Which block answers what stands in tests/documents/answers.yaml.

    python tests/benchmarks/audit.py LEDGER_FOLDER --runbook consumers --runbook topics --seed 21 --count 50

A block is only named where `--short` is given; else it is printed as it stands, so that whoever audits reads nothing
but the entry, the source document that it is of, and the block.
"""

import argparse
import random
import re
from pathlib import Path
from typing import Any

import yaml

RUNBOOKS = Path(__file__).parents[2] / "runbooks"
ANSWERED = Path(__file__).parents[1] / "documents" / "answers.yaml"
FENCE = re.compile(
    r"^(`{3,}|~{3,})[^\n]*\.(check|procedure|diagnostic)\b[^\n]*\n(.*?)^\1\s*$", re.MULTILINE | re.DOTALL
)
FRONT = re.compile(r"\A---\n(.*?)^---\s*$", re.MULTILINE | re.DOTALL)
ANSWERS = {
    "check": {"check"},
    "procedure": {"procedure", "check"},
    "diagnostic": {"diagnostic", "procedure", "check"},
}
"""What kinds of block answer an entry of a kind; any, and the front matter, for those that are not named here."""


def blocks() -> dict[str, tuple[str, str]]:
    """Kind and text of each block of the runbooks, by RUNBOOK/BLOCK, and of each front matter, by RUNBOOK."""
    found = {}
    for file in sorted(RUNBOOKS.glob("*.md")):
        text = file.read_text(encoding="utf-8")
        if front := FRONT.match(text):
            found[file.stem] = ("front", front.group(1))
        for match in FENCE.finditer(text):
            fields = yaml.safe_load(match.group(3))
            found[f"{file.stem}/{fields['id']}"] = (match.group(2), match.group(3))
    return found


def citing() -> dict[str, list[tuple[str, str, str]]]:
    """Kind, name and text of the blocks that answer each entry."""
    known, cited = blocks(), dict[str, list[tuple[str, str, str]]]()
    for name, ids in yaml.safe_load(ANSWERED.read_text(encoding="utf-8")).items():
        for entry in ids if name in known else ():
            cited.setdefault(entry, []).append((known[name][0], name, known[name][1]))
    return cited


def entries(ledger: Path, runbooks: list[str]) -> list[dict[str, Any]]:
    """Those of these runbooks that say something."""
    found = [
        entry for file in sorted(ledger.glob("*.yaml")) for entry in yaml.safe_load(file.read_text(encoding="utf-8"))
    ]
    return [entry for entry in found if not entry.get("noise") and (not runbooks or entry["runbook"] in runbooks)]


def main() -> None:
    """Draw and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ledger", type=Path)
    parser.add_argument("--runbook", action="append", default=[])
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--short", action="store_true", help="name the blocks, and leave out their text")
    asked = parser.parse_args()
    cited = citing()
    answered = []
    for entry in entries(asked.ledger, asked.runbook):
        kinds = ANSWERS.get(entry["kind"])
        by = [block for block in cited.get(entry["id"], []) if kinds is None or block[0] in kinds]
        if by:
            answered.append((entry, by))
    drawn = random.Random(asked.seed).sample(answered, min(asked.count, len(answered)))
    for number, (entry, by) in enumerate(drawn, 1):
        print(f"== {number}. {entry['id']} ({entry['kind']}, {entry['seed']}, {entry['section']})")
        for field in ("says", "expect", "caveat"):
            if entry.get(field):
                print(f"   {field}: {entry[field]}")
        for kind, name, text in by:
            shown = "" if asked.short or kind == "front" else "\n" + "\n".join(f"      {x}" for x in text.splitlines())
            print(f"   -- {kind} {name}{shown}")
    print(f"{len(drawn)} of {len(answered)} answered entries, seed {asked.seed}")


if __name__ == "__main__":
    main()
