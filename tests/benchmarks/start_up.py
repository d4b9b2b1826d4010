"""Start-up: CPU of commands that contact nothing, and of a check of everything, against `python -c pass`.

Each is run with what is kept of runbooks, and with none: then they are parsed and compiled anew (docs/decisions/0022).

Run: .venv/bin/python tests/benchmarks/start_up.py [ROUNDS]
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = int(sys.argv[1]) if sys.argv[1:] else 10
# As on a user's machine: the first run keeps the compiled modules, the others use them.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
NOTHING_KEPT = ENVIRONMENT | {"RUNBOOK_CACHE": "/dev/null/none"}
RUNBOOK = str(Path(sys.executable).with_name("runbook"))
FACTS = str(Path(__file__).parents[1] / "cases" / "ha" / "healthy.json")
GOALS = {
    "--version": 1.2,
    "--help": 7.0,
    # 0.3 and 1.5 s where `list` took 1.0 s and `check` 4.2 s: 58 and 245 times what Python took.
    "list": 17.5,
    "find brokers are down": 17.5,
    "show ha": 17.5,
    "show ha#partitions-take-writes": 17.5,
    f"check --from {FACTS}": 88.0,
    "check --inventory INVENTORY": 88.0,  # and what its facts take: its workers' start
}


def cpu(command: list[str], environment: dict[str, str] = ENVIRONMENT, rounds: int = ROUNDS) -> float:
    """The least CPU seconds of a command over some rounds: noise only adds."""
    least = float("inf")
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return least


def main() -> None:
    """Print seconds, ratios, and the goals of design §6."""
    bare = cpu([sys.executable, "-c", "pass"], rounds=2 * ROUNDS)
    print(f"{'python -c pass':40} {bare * 1000:7.1f} ms CPU")
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as inventory:
        inventory.write('environments: {gone: {kafka: {bootstrap.servers: "127.0.0.1:1"}}}\n')
        inventory.flush()
        for line, goal in GOALS.items():
            command = [RUNBOOK, *line.replace("INVENTORY", inventory.name).split()]
            cpu(command, rounds=1)
            took = cpu(command)
            shown = f"runbook {line.replace(FACTS, 'BUNDLE')}"
            print(f"{shown:40} {took * 1000:7.1f} ms CPU   {took / bare:6.2f} × bare   goal ≤ {goal}", end="")
            if line.startswith("--"):
                print()
                continue
            anew = cpu(command, NOTHING_KEPT, rounds=2)
            print(f"   {anew / bare:6.1f} × made anew: {took / anew:.2f}")


if __name__ == "__main__":
    main()
