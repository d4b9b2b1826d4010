"""Requests are lost by chance, and the cluster is well: what is found out is true in every run, the rest is unknown."""

import json
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import kafka_lab as labs
from kafka_lab import LabState, proxies
from kafka_lab.breaking import in_force
from support.evidence.labs import Labs
from support.evidence.making import RUNBOOK

# Thorough, as it takes a minute; what every run judges is the kept evidence of one such loss.
pytestmark = [pytest.mark.live, pytest.mark.thorough]
FAULT = "lose-requests"
RUNS = [(share, seed) for seed in (1, 2) for share in (0.05, 0.1, 0.2, 0.3, 0.4)]
"""The share of the requests that is lost, and a seed: with little most is known, with much no broker is found."""
AT_LEAST = 10  # checks of more than fifty that apply: it were forty
DEADLINE = "6s"  # which bounds the whole: it took 50 s

Outcomes = dict[tuple[str, str], str]
"""Check and subject → outcome."""
Checked = Callable[[tuple[float, int] | None], Outcomes]


@pytest.fixture
def check(running: Labs) -> Iterator[Checked]:
    """Checks ha with losses of a share and a seed, or as it is; the lab is healed afterwards."""
    lab: LabState = running.of("proxied")
    home = Path(lab.folder).parent
    inventory = labs.running_inventory(home)

    def checked(losses: tuple[float, int] | None) -> Outcomes:
        if losses is not None:
            proxies.lose(lab, losses[0], seed=losses[1])
            time.sleep(2 * proxies.SEEN_AFTER)
        command = [RUNBOOK, "check", "ha", "-i", str(inventory), "-f", "json", "--deadline", DEADLINE]
        done = subprocess.run(command, capture_output=True, text=True, timeout=800, check=False)
        assert done.stderr == ""
        return {
            (result["check"], result["subject"]): result["outcome"]
            for result in json.loads(done.stdout)["results"]
            if not result["unobserved"]
        }

    try:
        yield checked
    finally:
        labs.heal(lab.name, home=home)


def test_ten_runs_never_pass_and_fail_in_turn(running: Labs, check: Checked):
    lab: LabState = running.of("proxied")
    assert set(check(None).values()) == {"pass", "not_applicable"}
    labs.break_(lab.name, FAULT, home=Path(lab.folder).parent)
    assert all(in_force(lab, FAULT).values())
    said: dict[tuple[str, str], set[str]] = defaultdict(set)
    for losses in RUNS:
        for check_, outcome in check(losses).items():
            said[check_].add(outcome)
    assert {check_ for check_, outcomes in said.items() if "fail" in outcomes} == set()
    # Otherwise this would show nothing: where all gets through, and where nothing does, it holds as well.
    assert len([check_ for check_, outcomes in said.items() if outcomes >= {"pass", "unknown"}]) > AT_LEAST
