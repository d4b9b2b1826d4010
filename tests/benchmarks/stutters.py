"""Whether a broker that stutters, or a cluster under load, has one verdict: `python tests/benchmarks/stutters.py`.

Starts three brokers and checks `ha` so many times on each of: the cluster at rest, under load (a producer with
acks=all, and a consumer), and with broker 2 frozen for a part of each cycle. Prints a line for each: the outcome of
`brokers-answer-quickly` and `every-broker-answers` in each run, exit codes, seconds, and the checks whose outcome was
not the same each time. Ends with 1 if there was one.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.recovery import make_whole
from support.stuttering import Verdicts, checked_often, loaded, stuttering

STUTTERS: Final = {
    "2.5 of 3.2 s": (2.5, 3.2),
    "1.8 of 2.5 s": (1.8, 2.5),
    "0.3 of 1 s": (0.3, 1.0),
    "2.5 of 6 s": (2.5, 6.0),
}
"""By name, the seconds for which a broker stands still, and those of a whole cycle."""


def plays_of(lab: LabState) -> dict[str, Callable[[], AbstractContextManager[None]]]:
    """By name, what goes on while the cluster is checked."""
    broker = lab.broker(2)
    return {
        "at rest": nullcontext,
        "loaded": partial(loaded, lab),
        **{
            f"frozen {name}": partial(stuttering, broker.process, frozen=frozen, every=every)
            for name, (frozen, every) in STUTTERS.items()
        },
    }


def row_of(name: str, runs: Verdicts) -> str:
    """One line of the table."""
    letters = {"pass": "P", "fail": "F", "unknown": "?", "not_applicable": "-"}
    shown = {
        check: "".join(letters[outcomes[check]] for outcomes in runs.outcomes)
        for check in ("ha/brokers-answer-quickly", "ha/every-broker-answers")
    }
    seconds = sorted(runs.seconds)
    took = f"{seconds[0]:.1f} to {seconds[-1]:.1f}, {seconds[len(seconds) // 2]:.1f} in the middle"
    return f"| {name} | {' | '.join(shown.values())} | {runs.exits} | {took} | {', '.join(runs.turning())} |"


def main() -> int:
    """Play what the command line asks for."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--runs", type=int, default=10)
    asked.add_argument("--only", default="", help="the states whose name has this")
    asked.add_argument("--deadline", default="10s")
    given = asked.parse_args()
    turned = False
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        lab = labs.up("plain", home=home, progress=lambda _: None, with_parts=[])
        try:
            print("| state | quick | answers | exits | seconds | not the same |\n|---|---|---|---|---|---|", flush=True)
            for name, play in plays_of(lab).items():
                if given.only not in name:
                    continue
                with play():
                    time.sleep(1)
                    runs = checked_often(labs.running_inventory(home), given.runs, "--deadline", given.deadline)
                print(row_of(name, runs), flush=True)
                turned |= bool(runs.turning())
                make_whole(lab)
        finally:
            labs.down("plain", home=home)
    return int(turned)


if __name__ == "__main__":
    sys.exit(main())
