"""Record who may do what in a real cluster: `record_rights.py INVENTORY NAME` writes `recorded/rights_NAME.json`.

The inventory is that of a lab with the part `security`; its one environment is asked.
"""

import datetime as dt
import json
import sys
from pathlib import Path
from typing import Any

from runbook.connections.kafka import connect
from runbook.model.probe import Deadline
from runbook.parse.inventory import parse_inventory
from runbook.run.sources.secret_references import resolve


def _record(inventory: Path) -> list[dict[str, Any]]:
    """Ask a real cluster once for ACLs, users and quotas."""
    read = parse_inventory(inventory.read_text("utf-8"), str(inventory), dt.datetime.now(dt.UTC).date())
    [target] = read.targets.values()
    kafka = connect(resolve(target.connections["kafka"])[0], Deadline(30))
    kafka.cluster()
    python: Any = kafka._python
    answers: list[dict[str, Any]] = []
    ask_any = python.ask_any

    def noted(build: Any, **how: Any) -> Any:
        answer = ask_any(build, **how)
        name = type(build()).__name__.removesuffix("Request")
        encoded = bytes(answer.encode()).hex()
        answers.append({"request": name, "node": None, "version": answer.API_VERSION, "bytes": encoded})
        return answer

    python.ask_any = noted
    for question in ("acls", "logins", "quotas"):
        getattr(kafka, question)()
    kafka.close()
    return answers


if __name__ == "__main__":
    FILE = Path(__file__).with_name("recorded").joinpath(f"rights_{sys.argv[2]}.json")
    FILE.write_text(json.dumps(_record(Path(sys.argv[1])), indent=1) + "\n")
