"""On a machine where each step takes sixty times as long, the default deadline still asks."""

import os
import re
from pathlib import Path

from support.slowed import run_slowed

_TIMES = 60.0
_REFUSES = "127.0.0.1:1"


def test_a_machine_that_is_sixty_times_as_slow_asks_within_the_default_deadline(here: Path) -> None:
    connections = f"{{kafka: {{bootstrap.servers: '{_REFUSES}'}}, schema_registry: {{url: 'http://{_REFUSES}'}}}}"
    (here / "environments.yaml").write_text(f"environments: {{prod: {connections}}}\n", "utf-8")
    done = run_slowed(_TIMES, ["env", "prod"], here, os.environ, within=600)
    lines = {line.split()[1]: line for line in done.stdout.splitlines() if line.startswith("  FAILS")}
    assert {*lines} == {"kafka", "schema_registry"}
    assert all("can't be reached: connection refused" in line for line in lines.values()), done.stdout
    assert "not asked" not in done.stdout
    [took] = re.findall(r"^loading took (\d+\.\d) s$", done.stderr, re.MULTILINE)
    assert float(took) > 10  # longer than the deadline, which would have been over
