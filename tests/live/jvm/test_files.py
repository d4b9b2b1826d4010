"""The path through files: the log that a JVM has just written, through the command line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from live.jvm.scenes import inventory, lacking, logs_of
from support.evidence.labs import Labs

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
CHECK = "gc/full-collections-do-not-happen"
LACKING = lacking()
pytestmark = [pytest.mark.live, pytest.mark.skipif(bool(LACKING), reason=LACKING)]


def test_full_collections_of_a_heap_that_is_too_small_fail_the_check(running: Labs, tmp_path: Path):
    file = tmp_path / "environments.yaml"
    file.write_text(json.dumps(inventory(logs_of(running.of("jvm"), "serial"))))
    command = [RUNBOOK, "check", "gc", "--only", CHECK, "-i", str(file), "-f", "json", "--deadline", "60s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=800, check=False)
    [result] = json.loads(done.stdout)["results"]
    assert result["outcome"] == "fail", done.stderr
    assert [row["key"]["broker"] for row in result["rows"] if row["outcome"] == "fail"] == [2]
