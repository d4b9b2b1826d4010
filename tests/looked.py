"""The command line's results by check, for an inventory that a test has made."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
Results = dict[str, dict[str, Any]]


def look(runbook: str, inventory: dict[str, Any], file: Path) -> Results:
    """Write an inventory, check once, and give the result of each check: over a link, of the link that leads there."""
    file.write_text(json.dumps(inventory), "utf-8")  # YAML too, and never with an alias
    command = [RUNBOOK, "check", runbook, "-i", str(file), "-f", "json", "--deadline", "40s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=dict(os.environ), check=False)
    assert done.stderr == ""
    results = [one for one in json.loads(done.stdout)["results"] if "links are judged where" not in one["reason"]]
    return {one["check"].rpartition("/")[2]: one for one in results}
