"""Start-up: CPU of `runbook --version` and `--help` against `python -c pass`.

Run: .venv/bin/python tests/benchmarks/start_up.py
"""

import os
import resource
import subprocess
import sys
from pathlib import Path

ROUNDS = 20
# As on a user's machine: the first run keeps the compiled modules, the others use them.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
RUNBOOK = str(Path(sys.executable).with_name("runbook"))


def cpu(command: list[str]) -> float:
    """The least CPU seconds of a command over ROUNDS runs: noise only adds."""
    least = float("inf")
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return least


def main() -> None:
    """Print seconds, ratios, and the goals of design §6."""
    bare = cpu([sys.executable, "-c", "pass"])
    print(f"python -c pass       {bare * 1000:7.1f} ms CPU")
    for argument, goal in (("--version", 2.5), ("--help", 8.0)):
        took = cpu([RUNBOOK, argument])
        print(f"runbook {argument:12} {took * 1000:7.1f} ms CPU   {took / bare:5.2f} × bare   goal ≤ {goal}")


if __name__ == "__main__":
    main()
