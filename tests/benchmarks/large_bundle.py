"""A large bundle: what `check --from` takes of processor and memory for three runbooks, beside reading its file.

The facts are those that were kept of real labs, one of which has lost a broker, with their topics repeated under other
names until there are as many partitions as asked for. Each round runs the command in a process of its own, and a bare
one that decodes the same file and keeps it.

    python tests/benchmarks/large_bundle.py [--partitions 200000] [--rounds 1] [--state during] [--keep FILE]
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from big_cluster import RUNBOOK, measure
from msgspec.structs import replace

from runbook.evidence.bundle import Bundle, Kept, save_bundle
from runbook.model.fact import Fact

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.evidence import record

RUNBOOKS: Final = ("ha", "topologies", "topics")
ALSO: Final = ("topics-of-every-kind", "right")  # a lab whose topics were asked for their offsets and sizes
PARTITIONS: Final = 24  # of the lab that has lost a broker
BY_TOPIC: Final = ("kafka_topic", "kafka_partition", "kafka_replica", "kafka_partition_offset", "kafka_replica_size")
BARE: Final = "import sys, msgspec; kept = msgspec.json.decode(open(sys.argv[1], 'rb').read())"


def repeated(fact: Fact, times: int) -> Fact:
    """A fact of topics or their partitions, as often as is said, each time under other names."""
    columns: dict[str, list[Any]] = {name: cells * times for name, cells in fact.columns.items()}
    name = "name" if "topic" not in columns else "topic"
    rows = len(fact)
    columns[name] = [f"{topic}-{place // rows}" for place, topic in enumerate(columns[name])]
    return replace(fact, columns=columns)


def large(partitions: int, state: str) -> Bundle:
    """The bundle of a cluster with about so many partitions."""
    bundle = record.read(record.place_of("plain", "stop-broker", state)).bundle
    there = {(kept.ask.probe, kept.ask.given) for kept in bundle.kept}
    also = record.read(record.place_of("plain", *ALSO)).bundle.kept
    whole = [*bundle.kept, *(kept for kept in also if (kept.ask.probe, kept.ask.given) not in there)]
    kept = [
        Kept(one.ask, {look: repeated(fact, _times(fact, partitions)) for look, fact in one.facts.items()})
        if one.ask.probe in BY_TOPIC
        else one
        for one in whole
    ]
    return replace(bundle, kept=kept)


def _times(fact: Fact, partitions: int) -> int:
    """How often rows are repeated, so that facts of partitions have about so many."""
    named = {*zip(fact.columns["topic"], fact.columns["partition"], strict=True)} if "partition" in fact.columns else ()
    return max(1, partitions // (len(named) or PARTITIONS))


def main() -> None:
    """Print what each round takes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--partitions", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--state", default="during", choices=("before", "during", "after"))
    parser.add_argument("--keep", type=Path, help="write the bundle here, and stop")
    asked = parser.parse_args()
    if asked.keep:
        save_bundle(asked.keep, large(asked.partitions, asked.state))
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bundle.json"
        save_bundle(file, large(asked.partitions, asked.state))
        print(f"{file.stat().st_size / 1e6:.0f} MB of bundle, {asked.partitions} partitions, {' '.join(RUNBOOKS)}")
        for _ in range(asked.rounds):
            ours = measure([RUNBOOK, "check", *RUNBOOKS, "--from", str(file)])
            bare = measure([sys.executable, "-c", BARE, str(file)])
            print("check {:.1f} s on the clock, {:.1f} s of processor, {:.0f} MB".format(*ours), end="; ")
            print("bare reading {:.1f} s, {:.1f} s, {:.0f} MB".format(*bare), flush=True)


if __name__ == "__main__":
    main()
