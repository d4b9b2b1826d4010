"""What tells failing rows apart where no cause is known: how often it names what was broken, and what it costs.

Every kept scene of one fault of the lab is judged with its causes switched off. One line for each fault: what rows
have in common, and the contrasts, of the gravest failing check that has any; `yes` where the first of them names what
was broken. Faults that break no one thing (a setting of all brokers, a loss by chance) are left out, and counted.
Then seconds for the search alone, on ever more partitions.

Run: .venv/bin/python tests/benchmarks/contrasts.py
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec.structs import replace

import runbook.run.check_run as checked
from runbook.judge.contrast import JoinedTrait, Trait, contrast
from runbook.judge.summary import worst_first
from runbook.model.diagnosis import of_environment
from runbook.model.result import Outcome, Result
from runbook.model.run import Run

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.evidence.diagnosed import run_as_kept, runbooks_of
from support.evidence.scene import scenes_of, shapes

BROKEN: Final = {
    "changed-format": {"group": "parcels-archive"},
    "crashing-member": {"group": "parcels-archive"},
    "dead-letters": {"connector": "shipments-sink", "topic": "shipments"},
    "expired-certificate": {"broker": "2"},
    "expiring-certificate": {"broker": "2"},
    "format-voter": {"broker": "2", "controller": "2"},
    "freeze-broker": {"broker": "3"},
    "freeze-zookeeper": {"server": "2"},
    "full-disk": {"broker": "3", "host": "kafka-3"},
    "hanging-transaction": {"topic": "parcels"},
    "hasty-retention": {"group": "parcels-archive", "topic": "parcels"},
    "killed-reader": {"group": "parcels-archive"},
    "killed-share-reader": {"group": "parcels-shared"},
    "lose-rack": {"broker": "3", "rack": "az-c"},
    "lost-coordinator": {"group": "parcels-archive"},
    "misdirect-broker": {"broker": "3"},
    "mute-metadata": {"broker": "1"},
    "neglect-host": {"host": "kafka-3"},
    "no-copy-eligible": {"topic": "payments", "broker": "3"},
    "old-tls": {"broker": "2"},
    "open-listener": {"broker": "3"},
    "poison-pill": {"topic": "refunds"},
    "raw-records": {"topic": "deliveries"},
    "rewound-group": {"group": "parcels-archive"},
    "self-signed-certificate": {"broker": "2"},
    "shrink-isr": {"topic": "payments"},
    "skew-clock": {"host": "kafka-3"},
    "skew-leadership": {"broker": "1"},
    "slow-broker": {"broker": "2"},
    "slow-reader": {"group": "parcels-archive"},
    "stop-broker": {"broker": "2"},
    "stop-mirror": {"topic": "payments"},
    "cut-link": {"topic": "payments"},
    "stuck-reader": {"group": "parcels-archive"},
    "tiny-heap": {"broker": "3", "host": "kafka-3"},
    "too-many-members": {"group": "parcels-archive"},
    "unmirrored-topic": {"topic": "refused-orders"},
    "unregister-broker": {"broker": "3"},
    "unresolved-name": {"broker": "3"},
    "wildcard-super-user": {"broker": "2"},
    "wrong-name-certificate": {"broker": "2"},
}
"""Fault → what it breaks, by entity, as `kafka_lab/faults` says."""

KINDS: Final = {"in common": 1, "contrast": 2}  # kind of statement → its place in what `said` gives
SIZES: Final = (1_000, 10_000, 100_000)  # partitions
_BROKERS: Final = 100


def without_causes() -> None:
    """Switch every cause off."""
    known = checked.known_causes
    checked.known_causes = lambda books: replace(known(books), causes=[], effects=[])


def said(run: Run) -> Iterator[tuple[Result, list[dict[str, str]], list[dict[str, str]]]]:
    """Of each failing check, the gravest first, what its rows have in common, and what its contrasts name."""
    for result in worst_first(run.results):
        if result.outcome is Outcome.FAIL and result.failed > 1:
            diagnosis = of_environment(run.diagnoses, result.environment)
            contrasts = diagnosis.contrasts.get(result.check, []) if diagnosis else []
            yield result, [{one.entity: one.value} for one in result.common], [one.names for one in contrasts]


def first_of(run: Run, place: int) -> dict[str, str]:
    """What is named first, by today's counts or by contrasts."""
    return next((names[0] for names in (one[place] for one in said(run)) if names), {})


def names(found: dict[str, str], broken: dict[str, str]) -> str:
    """Whether it is what was broken."""
    return "" if not found else "yes" if found.items() & broken.items() else "NO"


def looks() -> Iterator[tuple[str, Run, dict[str, str]]]:
    """Each scene and runbook with several failing rows in a check: what a line calls it, the run, what was broken."""
    for scene in (scene for shape in shapes() for scene in scenes_of(shape)):
        if len(scene.faults) == 1 and scene.faults[0] in BROKEN and "during" in scene.states:
            for runbook in runbooks_of(scene.shape, scene.name, "during", needs={"ha": "kafka_broker"}):
                run = run_as_kept(scene.shape, scene.name, "during", runbook)
                if any(True for _ in said(run)):
                    yield f"{scene.name} {runbook}", run, BROKEN[scene.faults[0]]


def table() -> Iterator[str]:
    """A line for each look, and the sums: of what is named first in a run, and of all that failing checks name."""
    first: Counter[tuple[str, str]] = Counter()
    every: Counter[tuple[str, str]] = Counter()
    for called, run, broken in looks():
        cells = []
        for kind, place in KINDS.items():
            found = first_of(run, place)
            first[kind, names(found, broken)] += 1
            cells.append(f"{names(found, broken):3} {', '.join(' '.join(one) for one in found.items())}")
            every.update((kind, names(one, broken)) for look in said(run) for one in look[place])
        yield f"{called:32} {cells[0]:32} {cells[1]}"
    for words, counts in (("first of a run", first), ("of every failing check", every)):
        for kind in KINDS:
            right, other, silent = (counts[kind, verdict] for verdict in ("yes", "NO", ""))
            yield f"{kind}, {words}: what was broken {right}, something else {other}, nothing by name {silent}"


def seconds(partitions: int) -> float:
    """What the search takes where broker 7 leads what fails."""
    chance = random.Random(partitions)
    leaders = [chance.randrange(_BROKERS) for _ in range(partitions)]
    columns = [[chance.randrange(_BROKERS) for _ in range(partitions)] for _ in range(6)]
    replicas = [[leader, (leader + 1) % _BROKERS, (leader + 2) % _BROKERS] for leader in leaders]
    rack = JoinedTrait("leader's rack", {broker: f"az-{broker % 3}" for broker in range(_BROKERS)})
    traits = [
        Trait("topic", [f"t{row // 12}" for row in range(partitions)], "topic"),
        Trait("led by broker", leaders, "broker", [rack] * 30),
        Trait("with a replica on broker", replicas, "broker"),
        *(Trait(f"column {place}", cells, "broker") for place, cells in enumerate(columns)),
    ]
    bad = [row for row, leader in enumerate(leaders) if leader == 7 and chance.random() < 0.9]
    well = sorted({*range(partitions)} - {*bad})
    began = time.perf_counter()
    (found, *_) = contrast(traits, bad, well)
    took = time.perf_counter() - began
    assert found.says == "led by broker 7"
    return took


def main() -> None:
    """Print both."""
    without_causes()
    print("\n".join(table()))
    for size in SIZES:
        print(f"{size:>8,} partitions: {seconds(size):.2f} s")


if __name__ == "__main__":
    main()
