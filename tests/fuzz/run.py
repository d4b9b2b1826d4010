"""Feed every parser hostile input, by the million.

    nice python tests/fuzz/run.py --cases 1000000 --seed 1

prints how far it is, a table of counts, and for each kind of failure the shortest input and how it is made again. Ends
with 1 if there was any failure. The same seed makes the same cases; `--target NAME --first N --cases 1` makes one.
"""

import argparse
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.fuzz.executing import Tally, flush, report, run_target
from support.fuzz.targets import TARGETS

MEMORY = 4 << 30  # bytes; more than that is a crash, and not the machine's end


def main() -> int:
    """Run what the command line asks for."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=int, default=1_000_000, help="in all; each target has the same share")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--first", type=int, default=0, help="number of the first case of each target")
    options.add_argument("--target", choices=sorted(TARGETS), help="this one alone")
    options.add_argument("--seconds", type=float, help="at most, over all; targets share them")
    given = options.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    chosen = [TARGETS[given.target]] if given.target else [*TARGETS.values()]
    share, begin = -(-given.cases // len(chosen)), time.monotonic()
    tallies: list[Tally] = []
    for place, target in enumerate(chosen):
        left = None
        if given.seconds:
            now = time.monotonic()
            left = now + (begin + given.seconds - now) / (len(chosen) - place)
        tallies.append(run_target(target, given.seed, range(given.first, given.first + share), left))
        tally = tallies[-1]
        failed = sum(failure.times for failure in tally.failures.values())
        took = time.monotonic() - begin
        flush(f"{took:6.0f} s  seed {given.seed}  {tally.target}: {tally.cases:,} cases, {failed:,} failed")
    flush(report(tallies, given.seed))
    return int(any(tally.failures for tally in tallies))


if __name__ == "__main__":
    sys.exit(main())
