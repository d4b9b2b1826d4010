"""How long verifying 100,000 records takes: python tests/benchmarks/verifying.py."""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from runbook.evidence.store import write_run
from runbook.model.result import Outcome
from support.kept_runs import kept_run

RUNS, RESULTS = 500, 198  # with the first and last line of each run: 100,000 records
PROMISED = 2.0  # seconds on one core


def main() -> int:
    """Print the processor time of `runbook results verify`, start-up included; 1 if it is over the promise."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(RUNS):
            write_run(Path(folder), kept_run(number=number, outcomes=[Outcome.PASS] * RESULTS))
        subprocess.run([sys.executable, "-m", "runbook", "results", "verify", folder], check=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print(f"{seconds:.2f} s of one core, {used.ru_maxrss / 1024:.0f} MB; promised: {PROMISED:g} s")
    return int(seconds > PROMISED)


if __name__ == "__main__":
    sys.exit(main())
