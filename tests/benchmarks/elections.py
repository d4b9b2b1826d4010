"""Our rules of election against a real cluster: brokers are killed, stopped, formatted and started, topics are moved.

`python tests/benchmarks/elections.py [--steps 30] [--seed 1]` starts four brokers with two dozen topics of every kind,
does one thing after the other by chance, and compares what the rules foretell of each partition with what the cluster
made of it. It ends with 1 where they differ. A step takes 20 s on an idle machine.
"""

import argparse
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1]))

from kafka_lab import LabState, brokers, tools
from kafka_lab.admin import kafka_python, live_brokers
from kafka_lab.configuration import properties_file
from kafka_lab.parts import stretched
from kafka_lab.processes import terminate
from kafka_lab.recovery import wait_for_loss
from kafka_lab.replicas import reassign
from kafka_lab.waiting import wait_until
from runbook.rules.election import NOBODY, ElectionState, ElectionTerms, decided, fate, may_lead, when_back
from support.evidence.labs import kafka_lab

RACKS: Final = ("a", "b", "c", "c")
EVERY: Final = (1, 2, 3, 4)
PLAIN_BROKER: Final = 4  # no controller: it may be formatted anew, and be down beside another one
TOPICS: Final = 24
STILL: Final = 3  # looks, a second apart, in which nothing changes
WITHIN: Final = 120.0
Place = tuple[str, int]
States = dict[Place, ElectionState]
_LINE: Final = re.compile(
    r"Topic: (\S+)\s+Partition: (\d+)\s+Leader: (\S+)\s+Replicas: (\S*)\s+Isr: ?(\S*)"
    r"\s+Elr: ?(\S*)\s+LastKnownElr: ?(\S*)"
)


class Comparison:
    """A cluster, what is done to it, and how often the rules foretold what came of it."""

    def __init__(self, lab: LabState, dice: random.Random) -> None:
        self.lab, self.dice = lab, dice
        self.minima: dict[str, int] = {}
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []

    def create(self) -> None:
        """Topics of one to four copies, which need one to three in sync."""
        from kafka.admin import NewTopic

        topics = []
        for number in range(TOPICS):
            name, factor = f"elected-{number:02}", number % len(EVERY) + 1
            self.minima[name] = self.dice.randint(1, 3)
            places = {0: self.dice.sample(EVERY, factor)}
            settings = {"min.insync.replicas": str(self.minima[name])}
            topics.append(NewTopic(name, replica_assignments=places, topic_configs=settings))
        with kafka_python(self.lab) as admin:
            admin.create_topics(topics)

    def step(self) -> None:
        """One thing, chosen by chance."""
        down = [node for node in EVERY if node not in self.serving()]
        controllers = [node for node in down if node != PLAIN_BROKER]
        ways = [self.move] + [self.start, self.start] * bool(down)
        ways += [self.kill, self.kill, self.stop] if not controllers or PLAIN_BROKER not in down else []
        ways += [self.format] if PLAIN_BROKER in down else []
        self.dice.choice(ways)()
        self.elect()

    def serving(self) -> frozenset[int]:
        """The brokers that the cluster counts on."""
        return frozenset(live_brokers(self.lab))

    def states(self) -> States:
        """Each partition, once nothing changes any more."""
        seen: list[States] = []
        end = time.monotonic() + WITHIN
        while time.monotonic() < end:
            told = tools.run(self.lab, "kafka-topics.sh", "--bootstrap-server", self.lab.bootstrap, "--describe")
            seen.append(dict(_partition(found) for found in _LINE.findall(told) if found[0] in self.minima))
            if len(seen) >= STILL and all(one == seen[-1] for one in seen[-STILL:]):
                return seen[-1]
            time.sleep(1)
        raise SystemExit("the cluster does not come to rest")

    def kill(self) -> None:
        """Kill a broker."""
        self._lose(patience=0)

    def stop(self) -> None:
        """Stop a broker in good order."""
        self._lose(patience=20)

    def _lose(self, patience: float) -> None:
        serving, before = self.serving(), self.states()
        gone = [node for node in EVERY if node not in serving]
        able = [n for n in serving if n == PLAIN_BROKER or not {*gone} - {PLAIN_BROKER}]
        node = self.dice.choice(sorted(able))
        terminate(self.lab.broker(node).process, patience=patience)
        self.lab.save()
        wait_for_loss(self.lab, {node})
        for place, now in self.states().items():
            was = before[place]
            left = fate(
                in_sync=len({*was.isr} - {node, *gone}),
                eligible=len({*was.elr} & {*was.replicas} - {node, *gone}),
                copies=len({*was.replicas} - {node, *gone}),
                needs=min(self.minima[place[0]], len(was.replicas)),
                unclean=False,
            )
            told = left.offline if was.leader != NOBODY else True  # who had no leader gets none by a loss
            self._compare(f"lose {node}", place, was, now, right=told == (now.leader == NOBODY))

    def start(self) -> None:
        """Start a broker that is down."""
        serving, before = self.serving(), self.states()
        node = self.dice.choice([node for node in EVERY if node not in serving])
        self._starts(node, before, serving)

    def format(self) -> None:
        """Start the broker that is no controller on an empty disk."""
        serving, before = self.serving(), self.states()
        broker = self.lab.broker(PLAIN_BROKER)
        shutil.rmtree(self.lab.data_of(broker))
        place = ["-t", self.lab.cluster_id, "-c", str(properties_file(self.lab, broker))]
        brokers.run_tool(self.lab, "kafka.tools.StorageTool", ["format", *place, "--no-initial-controllers"])
        self._starts(PLAIN_BROKER, before, serving)

    def _starts(self, node: int, before: States, serving: frozenset[int]) -> None:
        brokers.start(self.lab, self.lab.broker(node))
        wait_until(lambda: node in live_brokers(self.lab), f"broker {node}", within=WITHIN)
        for place, now in self.states().items():
            was = before[place]
            told = when_back(was, (node,), serving | {node}, last_is_known=True)
            if told is None:
                self.counts["start: hangs on how it ended"] += node in was.replicas
                continue
            led = (told.leader == NOBODY) == (now.leader == NOBODY)
            whole = told.leader == NOBODY or {*now.isr} >= {*told.isr}
            self._compare(f"start {node}", place, was, now, right=led and whole)

    def move(self) -> None:
        """Give some topics other replicas, on brokers that serve, where somebody leads."""
        serving, before = self.serving(), self.states()
        led = [place for place, one in before.items() if one.leader != NOBODY]
        wanted = {
            place: self.dice.sample(sorted(serving), self.dice.choice([1, 1, min(2, len(serving))]))
            for place in self.dice.sample(led, min(6, len(led)))
        }
        reassign(self.lab, wanted)
        for place, now in self.states().items():
            right = place not in wanted or (list(now.replicas) == wanted[place] and now.leader in wanted[place])
            self._compare("move", place, before[place], now, right=right)

    def elect(self) -> None:
        """Elect uncleanly where a replica serves and none may lead, about every other time."""
        serving, before = self.serving(), self.states()
        stuck = [
            place
            for place, one in before.items()
            if one.leader == NOBODY and {*one.replicas} & serving and not may_lead(one.replicas, one.isr, one.elr)
        ]
        self.counts["stuck: no replica may lead"] += len(stuck)
        if not stuck or self.dice.random() < 0.5:
            return
        with kafka_python(self.lab) as admin:
            admin.elect_leaders(1, {topic: [number] for topic, number in stuck}, raise_errors=False)
        after = self.states()
        for place in stuck:
            terms = ElectionTerms(serving, min(self.minima[place[0]], len(before[place].replicas)), keeps_eligible=True)
            told = decided(before[place], terms, election="unclean")
            self._compare("elect", place, before[place], after[place], right=told.leader == after[place].leader)

    def _compare(self, what: str, place: Place, was: ElectionState, now: ElectionState, *, right: bool) -> None:
        self.counts[what.partition(" ")[0]] += 1
        if not right:
            self.wrong.append(f"{what}: {place[0]} was {was}, and is {now}")
            print(f"WRONG {self.wrong[-1]}", flush=True)


def _partition(found: Any) -> tuple[Place, ElectionState]:
    topic, number, leader, *lists = found
    replicas, isr, elr, last = (tuple(int(node) for node in cell.split(",") if node) for cell in lists)
    leads = NOBODY if leader == "none" else int(leader)
    return (topic, int(number)), ElectionState(replicas, isr, elr, leads, last[0] if len(last) == 1 else NOBODY)


def main() -> int:
    """Do as many steps as asked for; 1 where something came otherwise than foretold."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--steps", type=int, default=30)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="elections-"))
        stack.enter_context(patch.object(stretched, "RACKS", RACKS))
        lab = stack.enter_context(kafka_lab("elections", Path(folder), ["stretched"]))
        comparison = Comparison(lab, random.Random(given.seed))
        comparison.create()
        for number in range(given.steps):
            comparison.step()
            print(f"{number + 1}: {dict(comparison.counts)}, {len(comparison.wrong)} wrong", flush=True)
    return 1 if comparison.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
