"""Asks a real registry again what it says of the recorded pairs, and writes that down.

Run: .venv/bin/python tests/formats/schemas/record_verdicts.py
"""

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from schema_compat import KINDS
from support.schema_pairs import pairs
from support.schema_registry import schema_registry, verdicts

COUNT, SEED = 100, 26
RECORDED = Path(__file__).with_name("recorded") / "verdicts.jsonl"


def main() -> None:
    """One line a pair: kind, both texts, what was changed, and the registry's verdict."""
    RECORDED.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, schema_registry(Path(folder)) as address:
        lines = []
        for kind in KINDS:
            generated = list(pairs(kind, COUNT, SEED))
            for pair, verdict in zip(generated, verdicts(address, generated), strict=True):
                cells = {"reader": pair.reader, "writer": pair.writer, "changes": pair.changes, "back": pair.back}
                lines.append(json.dumps({"kind": kind, "registry": verdict, **cells}))
    RECORDED.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
