"""Real JVMs that allocate, one of them with too small a heap: what they log now, through the command line's check."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from runbook.lab.java import JavaError, find_java

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
PROGRAM = Path(__file__).parents[1] / "formats" / "gc_log" / "recorded" / "Churn.java"
CHECK = "gc/full-collections-do-not-happen"
# What makes each collector run out of heap: options, and how many KiB the program keeps.
TOO_SMALL = {
    "UseSerialGC": (["-Xmx28m"], "14000"),
    "UseParallelGC": (["-Xmx28m"], "14000"),
    "UseG1GC": (["-Xmx32m", "-XX:G1ReservePercent=0", "-XX:NewSize=10m"], "26000"),
}


def lacking() -> str:
    """Why no JVM can be started from a source file here."""
    try:
        modules = subprocess.run(
            [find_java(), "--list-modules"], capture_output=True, text=True, timeout=20, check=False
        )
    except JavaError as error:
        return str(error)
    return "" if "jdk.compiler" in modules.stdout else "this Java has no compiler for a source file: install a JDK"


LACKING = lacking()
pytestmark = [pytest.mark.live, pytest.mark.skipif(bool(LACKING), reason=LACKING)]


def start(log: Path, collector: str, options: list[str], kept: str) -> subprocess.Popen[bytes]:
    written = f"-Xlog:gc*,safepoint:file={log}:time,tags"
    command = [find_java(), f"-XX:+{collector}", *options, written, "-XX:TieredStopAtLevel=1"]
    return subprocess.Popen([*command, "-cp", str(log.parent), "Churn", "2", kept, "0"], stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("jvm")
    compiler = [find_java(), "-m", "jdk.compiler/com.sun.tools.javac.Main", "-d", str(folder), str(PROGRAM)]
    subprocess.run(compiler, check=True, timeout=120)
    return folder


@pytest.mark.parametrize("collector", TOO_SMALL)
def test_full_collections_of_a_heap_that_is_too_small_fail_the_check(compiled: Path, collector: str):
    options, kept = TOO_SMALL[collector]
    logs = {broker: compiled / f"{collector}-{broker}.log" for broker in (1, 2)}
    running = [start(logs[1], collector, ["-Xmx512m"], kept), start(logs[2], collector, options, kept)]
    assert [process.wait(timeout=120) for process in running] == [0, 0]
    environment = {
        "files": {"gc_logs": [{"broker": broker, "path": str(log)} for broker, log in logs.items()]},
        "absent": {"kafka": "two JVMs, no cluster"},
    }
    inventory = compiled / "environments.yaml"
    inventory.write_text(yaml.safe_dump({"environments": {"jvms": environment}}))
    command = [RUNBOOK, "check", "gc", "--only", CHECK, "-i", str(inventory), "-f", "json", "--deadline", "60s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    [result] = json.loads(done.stdout)["results"]
    assert result["outcome"] == "fail", done.stderr
    assert [row["key"]["broker"] for row in result["rows"] if row["outcome"] == "fail"] == [2]
    assert "Pause Full" in logs[2].read_text()
