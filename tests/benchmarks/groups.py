"""Groups at scale: what kafka_group and kafka_group_lag take beside bare clients, and judging of many generated rows.

    python tests/benchmarks/groups.py [--groups 1000] [--partitions 100] [--judged 5000] [--rounds 3]

It starts a lab of its own and commits offsets for so many groups, each in all partitions of one topic (groups that
only keep offsets: a member each would be as many processes). Bare clients make the same requests in a process of their
own, in turn with ours, decode the answers and keep none of them. Then rows of as many groups as are to be judged are
generated, and the view and a check of `consumers.md` are timed on them. Nothing is measured that was not run here.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from big_cluster import RUNBOOK, measure
from msgspec.structs import replace

from kafka_lab import LabState, down, up
from kafka_lab.content import create_topics
from runbook.evidence.bundle import Bundle, Kept, save_bundle
from runbook.model.fact import Fact, Observed, tabulate
from runbook.model.result import Result
from runbook.probes import kafka_group_lag
from runbook.run.check_run import Options, start

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.evidence import record

TOPIC: Final = "bench-groups"
DESCRIBED: Final = 200  # groups that librdkafka is asked for at a time, as the connection does
PLACES: Final = ("EARLIEST", "LATEST", "LATEST", "LATEST", "MAX_TIMESTAMP")  # what is asked of each partition
APART: Final = 1


def name_of(number: int) -> str:
    """A group's name."""
    return f"bench-{number:05}"


def fill(lab: LabState, groups: int, partitions: int) -> None:
    """Records in all partitions, and what the groups have committed there: the half of them."""
    from confluent_kafka import ConsumerGroupTopicPartitions, Producer, TopicPartition
    from confluent_kafka.admin import AdminClient

    create_topics(lab, {TOPIC: (partitions, 1, {})})
    producer = Producer({"bootstrap.servers": lab.bootstrap})
    for partition in range(partitions):
        for _ in range(10):
            producer.produce(TOPIC, b"bench", partition=partition)
    producer.flush(60)
    admin = AdminClient({"bootstrap.servers": lab.bootstrap})
    places = [TopicPartition(TOPIC, partition, 5) for partition in range(partitions)]
    started = time.monotonic()
    for first in range(0, groups, 100):
        asked = [
            admin.alter_consumer_group_offsets([ConsumerGroupTopicPartitions(name_of(number), places)])
            for number in range(first, min(first + 100, groups))
        ]
        for futures in asked:
            for future in futures.values():
                future.result()
    print(f"  {groups} groups × {partitions} partitions committed in {time.monotonic() - started:.1f} s", flush=True)


def bare(bootstrap: str, what: str) -> None:
    """Make the requests of a probe by bare clients, in a process of its own."""
    from confluent_kafka.admin import AdminClient
    from kafka import TopicPartition
    from kafka.admin import KafkaAdminClient, OffsetSpec

    confluent = AdminClient({"bootstrap.servers": bootstrap})
    python = KafkaAdminClient(bootstrap_servers=bootstrap.split(","), receive_message_max_bytes=500_000_000)
    metadata = confluent.list_topics(timeout=30)
    groups = [group["group_id"] for group in python.list_groups()]
    for first in range(0, len(groups), DESCRIBED):
        for future in confluent.describe_consumer_groups(
            groups[first : first + DESCRIBED], request_timeout=30
        ).values():
            future.result()
    if what == "kafka_group_lag":
        topic_partitions = [TopicPartition(TOPIC, number) for number in metadata.topics[TOPIC].partitions]
        python.list_group_offsets(groups)
        time.sleep(APART)
        python.list_group_offsets(groups)
        for place in PLACES:
            python.list_partition_offsets(dict.fromkeys(topic_partitions, OffsetSpec[place]))
    python.close()


def live(asked: argparse.Namespace) -> None:
    """Both probes beside bare clients, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        lab = up("bench", home=home, progress=lambda text: print(f"  {text}", flush=True))
        try:
            fill(lab, asked.groups, asked.partitions)
            inventory = str(home / "environments.yaml")
            for probe, given in (("kafka_group", []), ("kafka_group_lag", ["--with", f"apart={APART}"])):
                mine = [RUNBOOK, "probe", probe, "-i", inventory, "--deadline", "120s", "--limit", "1", *given]
                theirs = [sys.executable, __file__, "--bare", lab.bootstrap, "--probe", probe]
                rounds = [(measure(mine), measure(theirs)) for _ in range(asked.rounds)]
                for i, unit in enumerate(("s on the clock", "s of processors", "MB at most")):
                    ours, bares = (sorted(round_[side][i] for round_ in rounds)[len(rounds) // 2] for side in (0, 1))
                    print(f"{probe:16} {unit:16} {ours:8.2f}   bare {bares:8.2f}   {ours / bares:5.2f} ×", flush=True)
        finally:
            down("bench", home=home)


def row(number: int, partition: int) -> kafka_group_lag.KafkaGroupLag:
    """What is told of a group and partition: of ten groups one is late, of a hundred one is stuck."""
    late, stuck = number % 10 == 0, number % 100 == 0
    cells: dict[str, Any] = {
        "group": name_of(number),
        "topic": TOPIC,
        "partition": partition,
        "type": "classic",
        "state": "stable",
        "members": 4,
        "owner": f"reader-{partition % 4} (10.0.0.7)",
        "committed": 1000 if stuck else 1200,
        "committed_before": 1000 if stuck else 1100,
        "commits": True,
        "begin": 0,
        "stable": 1300,
        "open_least": 0.0,
        "open_most": 0.0,
        "end": 1300,
        "end_before": 1290,
        "lag": 300 if stuck else 100,
        "deleted": 0,
        "between": 5.0,
        "quiet": 900.0 if stuck else 1.0,
        "behind_least": 600.0 if late else 1.0,
        "behind_most": 601.0 if late else 2.0,
        "untimed": "",
    }
    return kafka_group_lag.KafkaGroupLag(**cells)


def grown(bundle: Bundle, lag: Fact) -> Bundle:
    """What was kept of the lab's groups, with these rows instead of theirs."""
    kept = [
        Kept(kept.ask, dict.fromkeys(kept.facts, lag)) if kept.ask.probe == "kafka_group_lag" else kept
        for kept in bundle.kept
    ]
    return replace(bundle, kept=kept)


def judging(groups: int, partitions: int) -> None:
    """Make the rows, then judge all of consumers.md on them, and explain what fails; in a process of its own."""
    count = groups * partitions
    began = time.monotonic()
    rows = [row(number, partition) for number in range(groups) for partition in range(partitions)]
    fact = tabulate("kafka_group_lag", kafka_group_lag.PROBE.columns, Observed(rows=rows))
    del rows
    _line("rows, and the fact of them", count, began)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bundle.json"
        save_bundle(file, grown(record.read(record.place_of("groups", "slow-reader", "during")).bundle, fact))
        del fact
        began = time.monotonic()
        started = start(Options(runbooks=["consumers"], bundle=file, deadline=600))
        _line("the bundle read again", count, began)
        began = time.monotonic()
        results = [result for result in started.judged() if isinstance(result, Result)]
        judged = sum(result.judged for result in results)
        _line(f"{len(results)} checks judged, {judged} rows in all", judged, began)
        began = time.monotonic()
        started.diagnose()
        _line("explained", count, began)


def _line(what: str, rows: int, began: float) -> None:
    took = time.monotonic() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {what:44} {took:7.2f} s  {rows / took:10.0f} rows/s  {peak:6.0f} MB at most so far", flush=True)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups", type=int, default=1000, help="groups of the lab; 0 for no lab")
    parser.add_argument("--partitions", type=int, default=100)
    parser.add_argument("--judged", type=int, default=5000, help="groups whose rows are generated; 0 for none")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bare", default="", help=argparse.SUPPRESS)
    parser.add_argument("--probe", default="", help=argparse.SUPPRESS)
    parser.add_argument("--judge", type=int, default=0, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.bare:
        return bare(asked.bare, asked.probe)
    if asked.judge:
        return judging(asked.judge, asked.partitions)
    if asked.groups:
        print(f"{asked.groups} groups × {asked.partitions} partitions of a lab, medians of {asked.rounds} in turn")
        live(asked)
    if asked.judged:
        for groups in (asked.judged // 10, asked.judged):
            print(f"{groups} groups × {asked.partitions} partitions, generated", flush=True)
            command = [sys.executable, __file__, "--judge", str(groups), "--partitions", str(asked.partitions)]
            subprocess.run(command, check=True)
    return None


if __name__ == "__main__":
    main()
