"""Whether the same fault gives the same verdicts: `python tests/benchmarks/same_verdicts.py --shape tls --runs 10`.

Starts three brokers behind proxies (kraft, tls or zookeeper), makes one deterministic fault of broker 2 after the
other, then loses requests by chance (over TLS, the records in which they come), and checks `ha` so many times in each.
Prints a line for each: runs, seconds of the slowest, verdicts, and those that were not always the same; of losses by
chance those that passed and failed in turn, and why they did. Ends with 1 if there was one.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

import kafka_lab as labs
from kafka_lab import proxies
from support.evidence.making import RUNBOOK
from support.proxied_shapes import SHAPES, Proxied

BROKER: Final = 2
BY_CHANCE: Final = "lost by chance, 5 to 40 %"
SHARES: Final = (0.05, 0.1, 0.2, 0.3, 0.4)
_WITHIN: Final = 60.0

One = tuple[str, str]
"""A check and its subject."""
Verdicts = dict[One, dict[str, str]]
"""Every outcome that was seen, with why, as it was told first."""


def faults_of(made: Proxied) -> dict[str, dict[str, Any]]:
    """The faults of one broker's way that are the same each time."""
    return {
        "well": {},
        "nothing comes through": {"open": False},
        "reset at once": {"reset": True},
        "leads to broker 1": {"target": made.behind(1)},
        "slow, 0.15 s a piece": {"delay": 0.15},
    }


def losses(share: float, seed: str) -> dict[str, Any]:
    """Requests of one broker, or all, lost by chance."""
    return {"lose": {"share": share, "closing": 0.5, "seed": seed}}


def checked(home: Path, deadline: str) -> tuple[Verdicts, float]:
    """The outcomes of one run, and how long it took."""
    inventory = labs.running_inventory(home)
    command = [RUNBOOK, "check", "ha", "-i", str(inventory), "-f", "json", "--deadline", deadline]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=_WITHIN, check=False)
    if not done.stdout:
        raise SystemExit(done.stderr)
    results = json.loads(done.stdout)["results"]
    outcomes = {(result["check"], result["subject"]): {result["outcome"]: _why(result)} for result in results}
    return outcomes, time.monotonic() - began


def _why(result: dict[str, Any]) -> str:
    return str(result.get("reason") or result.get("message") or "")


def row_of(name: str, seen: Verdicts, runs: int, slowest: float, wrong: Verdicts) -> str:
    """One line of the table."""
    counts = Counter("/".join(sorted(outcomes)) for outcomes in seen.values())
    shown = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    return f"| {name} | {runs} | {slowest:.1f} | {shown} | {len(wrong)} |"


def mixed(seen: Verdicts, *, by_chance: bool) -> Verdicts:
    """Verdicts that were not the same each time; of losses by chance those that passed and failed in turn."""
    return {
        check: outcomes
        for check, outcomes in seen.items()
        if (outcomes.keys() >= {"pass", "fail"} if by_chance else len(outcomes) > 1)
    }


def plays_of(made: Proxied, runs: int) -> dict[str, list[dict[int, dict[str, Any]]]]:
    """By name, how the ways are in each run."""
    plays = {name: [{BROKER: way}] * runs for name, way in faults_of(made).items()}
    numbers = [broker.number for broker in made.lab.brokers]
    chances = [(share, seed) for seed in range(1, runs + 1) for share in SHARES][:runs]
    plays[BY_CHANCE] = [{number: losses(share, f"{seed} {number}") for number in numbers} for share, seed in chances]
    return plays


def play(made: Proxied, ways: list[dict[int, dict[str, Any]]], home: Path, deadline: str) -> tuple[Verdicts, float]:
    """Check once for each way that things are; every outcome, and the seconds of the slowest run."""
    seen: Verdicts = defaultdict(dict)
    slowest = 0.0
    for way in ways:
        made.say(way)
        time.sleep(2 * proxies.SEEN_AFTER)
        outcomes, took = checked(home, deadline)
        slowest = max(slowest, took)
        for check, outcome in outcomes.items():
            seen[check] = outcome | seen[check]
    return seen, slowest


def main() -> int:
    """Play what the command line asks for."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--shape", choices=sorted(SHAPES), required=True)
    asked.add_argument("--runs", type=int, default=10)
    asked.add_argument("--deadline", default="6s")
    asked.add_argument("--only", default="", help="the faults whose name has this")
    given = asked.parse_args()
    flapped: Verdicts = {}
    with tempfile.TemporaryDirectory() as folder, SHAPES[given.shape](Path(folder)) as made:
        print("| fault | runs | slowest, s | verdicts | not the same |\n|---|---|---|---|---|", flush=True)
        for name, ways in plays_of(made, given.runs).items():
            if given.only not in name:
                continue
            seen, slowest = play(made, ways, Path(folder), given.deadline)
            wrong = mixed(seen, by_chance=name == BY_CHANCE)
            print(row_of(f"{given.shape}: {name}", seen, len(ways), slowest, wrong), flush=True)
            flapped |= {(f"{name}: {check}", subject): outcomes for (check, subject), outcomes in wrong.items()}
    for (check, subject), outcomes in flapped.items():
        print(f"- {check} {subject}: {outcomes}")
    return int(bool(flapped))


if __name__ == "__main__":
    sys.exit(main())
