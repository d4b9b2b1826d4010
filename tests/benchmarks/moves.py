"""Fail over and back between two real sites under load, several times: what is lost, what is worked on twice, how long.

`nice python tests/benchmarks/moves.py --policy identity --times 10` starts two clusters with MirrorMaker between them
once, walks dr#fail-over and the procedure back as often as asked, by the same steps as the tests, and prints a line for
each time: seconds of both walks, records that were acknowledged, missing until the primary was back, lost in the end,
and worked on twice. With `RUNBOOK_KEEP_WALKS=1` the sums are kept for the record of walks; with `--more` they are
added to those of the same text that are kept already.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from kafka_lab import LabState, link
from kafka_lab.recovery import revive
from kafka_lab.waiting import wait_for_brokers, wait_until
from runbook.procedure.walk_record import Record
from support.careful_walker import Careful
from support.evidence.labs import kafka_lab
from support.kept_walks import KEEP, Counted, KeptWalk, counted, keep, kept, walk_of
from support.numbered_records import Ledger
from support.operators import completed
from support.two_sites import WITHIN
from support.two_sites_mover import FLOWS, Mover, back_of, two_with
from support.two_sites_walks import fail_back, fail_over
from support.until import until

_JOINED = 300.0  # seconds for all brokers to be back; on a busy machine 60 were once too few
_COMES_THROUGH = 30.0  # seconds for what is written to be worked on
_HEAD = ("time", "over s", "back s", "acknowledged", "missing meanwhile", "lost", "twice", "of them over")


class Sums:
    """What several walks of a procedure came to, in the place of each of them."""

    def __init__(self, where: str, *, more: bool = False) -> None:
        """Nothing was walked yet, there; or, with `more`, what is kept of the same text."""
        self._where = where
        self._more = more
        self._walks: dict[str, KeptWalk] = {}

    def add(self, record: Record, records: Counted) -> float:
        """Add one; gives the seconds that it took."""
        name, walk = walk_of(record, self._where, "right, several times")
        before = self._walks.get(name) or self._kept(name, walk)
        walk.records, seconds = records, walk.seconds
        if before is not None and before.records is not None:
            walk.times = before.times + 1
            walk.seconds = round(walk.seconds + before.seconds, 1)
            walk.records = _both(records, before.records)
        self._walks[name] = walk
        if os.environ.get(KEEP):
            keep(name, walk)
        return seconds

    def _kept(self, name: str, walk: KeptWalk) -> KeptWalk | None:
        same = (walk.way, walk.where, walk.text)
        alike = [other for other in kept(name) if (other.way, other.where, other.text) == same]
        return alike[0] if self._more and alike else None


def _counts(records: Counted) -> tuple[int, int, int]:
    return records.acknowledged, records.lost, records.doubled


def _both(one: Counted, other: Counted) -> Counted:
    return Counted(*(mine + its for mine, its in zip(_counts(one), _counts(other), strict=True)))


def _since(before: Counted, now: Counted) -> Counted:
    return Counted(*(after - first for after, first in zip(_counts(now), _counts(before), strict=True)))


def _come_through(ledger: Ledger) -> Counted:
    """What has become of all that is acknowledged by now, once it was worked on; more is written meanwhile."""
    written = ledger.acknowledged.copy().keys()
    until(lambda: written <= ledger.worked_on.copy().keys(), _COMES_THROUGH)
    return Counted(len(written), len(written - ledger.worked_on.copy().keys()), len(ledger.doubled))


def move(operator: Mover, sums: Sums) -> tuple[object, ...]:
    """Once over and back; gives what its line says."""
    both, ledger = operator.both, operator.ledger
    start = counted(ledger)
    operator.waits()
    operator.loses_the_primary()
    operator.tells()
    over = fail_over(operator, Careful())
    assert completed(over), over.entries[-3:]
    wait_until(lambda: ledger.read_of(both.there.name), "the standby's records to be worked on", within=WITHIN)
    missing = len(ledger.lost & ledger.of(both.here.name))
    there = counted(ledger)
    over_took = sums.add(over, Counted(there.acknowledged - start.acknowledged, missing, there.doubled - start.doubled))
    revive(both.here, {broker.number for broker in both.here.brokers})
    wait_for_brokers(both.here, within=_JOINED)
    link.mend(both.here)
    operator.tells(back=True)
    back = fail_back(operator, Careful())
    assert completed(back), back.entries[-3:]
    now = _come_through(ledger)
    back_took = sums.add(back, Counted(now.acknowledged - there.acknowledged, now.lost, now.doubled - there.doubled))
    once = _since(start, now)
    return over_took, back_took, once.acknowledged, missing, now.lost, once.doubled, there.doubled - start.doubled


def moves(lab: LabState, folder: Path, policy: str, times: int, *, more: bool) -> int:
    """Print the table; gives how many records were lost for good."""
    flows = FLOWS[policy]
    print(f"policy {policy}\n| " + " | ".join(_HEAD) + " |\n|" + "---|" * len(_HEAD), flush=True)
    with two_with(lab, flows) as both:
        operator = Mover(both, folder, flows)
        try:
            operator.begins()
            with back_of(operator):
                sums = Sums(f"sites, {policy} policy", more=more)
                for number in range(1, times + 1):
                    print("| " + " | ".join(map(str, (number, *move(operator, sums)))) + " |", flush=True)
                return _come_through(operator.ledger).lost
        finally:
            operator.stops()


def main() -> None:
    """Read what is asked for, and end with 1 if a record was lost for good."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--policy", choices=list(FLOWS), default="default", help="how copies are named")
    asked.add_argument("--times", type=int, default=10, help="how often it is failed over and back")
    asked.add_argument("--more", action="store_true", help="add to the sums that are kept")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        (home / "labs").mkdir()
        with kafka_lab("sites", home / "labs", ["dr"]) as lab:
            lost = moves(lab, home, given.policy, given.times, more=given.more)
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
