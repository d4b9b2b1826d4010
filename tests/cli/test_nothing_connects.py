"""What only reads and judges loads nothing that connects: no connection, and no library that one is made of."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEPT = "tests/cases/ha/healthy.json"
CONNECTS = (
    *("runbook.connections", "confluent_kafka", "kafka", "paramiko", "kubernetes", "requests", "urllib3"),
    *("kazoo", "OpenSSL", "cryptography"),
)
PROGRAM = """
import sys
from runbook.__main__ import main
try:
    code = main()
except SystemExit as end:
    code = end.code
print(code, *sorted(sys.modules), file=sys.stderr)
"""


def loaded_by(*words: str) -> tuple[int, set[str]]:
    """What a command ends with, and the modules it loaded."""
    start = [sys.executable, "-c", PROGRAM, *words]
    env = os.environ | {"RUNBOOK_DEBUG": "0"}
    ended = subprocess.run(start, capture_output=True, text=True, check=True, timeout=800, cwd=ROOT, env=env)
    code, *modules = ended.stderr.splitlines()[-1].split()
    return int(code), set(modules)


@pytest.mark.parametrize(
    ("words", "loads"),
    [
        (("check", "--from", KEPT), "runbook.probes.host_process"),
        (("what-if", "--from", KEPT), "runbook.probes.kafka_partition"),
        (("test", "ha"), "runbook.probes.kafka_partition"),
        (("lint", "ha"), "runbook.probes.kafka_partition"),
        (("list", "--probes"), "runbook.probes.zookeeper_znode"),
        (("list",), "runbook.parse"),
        (("find", "lag"), "runbook.search"),
        (("show", "ha"), "runbook.parse"),
    ],
)
def test_reading_and_judging_load_nothing_that_connects(words: tuple[str, ...], loads: str):
    code, modules = loaded_by(*words)
    assert code in (0, 1, 3)
    assert loads in modules
    assert (
        sorted(name for name in modules if name.startswith(tuple(f"{one}." for one in CONNECTS)) or name in CONNECTS)
        == []
    )
