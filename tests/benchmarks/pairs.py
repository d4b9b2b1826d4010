"""Two faults of a lab at once: are both causes named, and does healing bear out what was said of them?

Each pair is injected into a lab, its own proofs are waited for as the scenes wait for them, and `runbook check` is run
as a user runs it. Then both are healed and the same is run again: what was called explained must not fail any more. A
cause may hide another, and two may look like a third; the pairs are chosen so that they could.

    python tests/benchmarks/pairs.py --list
    python tests/benchmarks/pairs.py --only groups --only "plain: stop-broker + unsafe-topic"

A lab serves all of its pairs that are named, one after the other. Whoever starts this has a few minutes for each shape.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parents[1]))

import kafka_lab as labs
from kafka_lab.breaking import in_force
from kafka_lab.errors import LabError
from kafka_lab.state import known
from support.evidence.diagnosed import diagnoses, ids
from support.evidence.scene import Scene, scenes_of, shape_of, shapes

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
WITHIN = 90.0  # seconds in which both faults have to show, or to be gone
DEADLINE = 30  # seconds of a look

DOWN = "ha/broker-is-down"
NAMED_BY = {
    "stop-broker": (DOWN, "start broker 2"),
    "freeze-broker": (DOWN, "start broker 3"),
    "lose-rack": (DOWN, "start broker 3"),
    "lose-quorum": ("ha/no-controller-is-active", "Start controllers"),
    "shrink-isr": ("ha/replicas-are-being-moved", ""),
    "lose-sight": ("ha/broker-is-out-of-our-reach", ""),
    "misdirect-broker": ("ha/broker-address-leads-elsewhere", ""),
    "slow-broker": ("ha/broker-is-slow", ""),
    "stop-zookeeper": ("ha/zookeeper-server-is-down", "Nobody suffers"),
    "freeze-zookeeper": ("ha/zookeeper-server-is-down", "Nobody suffers"),
    "hanging-transaction": ("consumers/a-transaction-holds-a-partition", "same transactional.id"),
    "killed-reader": ("consumers/group-has-lag-and-no-members", "Start the application"),
    "killed-share-reader": ("consumers/group-has-lag-and-no-members", "Start the application"),
    "slow-reader": ("consumers/a-group-reads-too-slowly", "Add members"),
    "stuck-reader": ("consumers/a-partition-stands-still", "Look at the log"),
    "too-many-members": ("consumers/more-members-than-partitions", "Scale the deployment down"),
    "expired-certificate": ("security/certificate-has-expired", "Issue a new certificate"),
    "expiring-certificate": ("security/certificate-ends-soon", "No client is affected yet"),
    "wrong-name-certificate": ("security/certificate-names-another-host", "issue a certificate with this name"),
    "allow-all-acl": ("security/an-acl-opens-everything-to-all-users", "remove this ACL"),
    "stop-registry": ("schema-governance/registry-instance-is-silent", "start it"),
    "frozen-registry": ("schema-governance/registry-takes-no-schemas", "Ask who set it"),
    "no-compatibility": ("schema-governance/registry-guards-nothing", "Set the registry's level"),
    "stop-connect-worker": ("error-handling/connect-worker-is-silent", "Check whether the worker's process runs"),
    "poison-pill": ("error-handling/a-record-stops-a-task", "Read the record"),
    "dead-letters": ("error-handling/a-sink-meets-records-it-cant-read", "Read one dead letter"),
    "skew-clock": ("os-hardware/clock-is-wrong", "chronyc"),
    "full-disk": ("ha/log-directory-is-nearly-full", ""),
    "neglect-host": ("os-hardware/kernel-settings-are-not-in-force", "Decide which value is right"),
}
"""Fault → the cause to be named, and words of its first action. Of others no cause is known: see test_causes."""
RUNBOOKS = {
    "plain": ["ha"],
    "proxied": ["ha"],
    "zookeeper": ["ha"],
    "groups": ["ha", "consumers"],
    "secure": ["security", "ha"],
    "ecosystem": ["schema-governance", "error-handling", "ha"],
    "hosts": ["os-hardware", "ha"],
}


class Pair(Struct, frozen=True):
    """Two faults in the order of their injection, and what they are together where that is another cause."""

    shape: str
    faults: tuple[str, str]
    instead: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        """SHAPE: FAULT + FAULT."""
        return f"{self.shape}: {' + '.join(self.faults)}"

    @property
    def causes(self) -> tuple[str, ...]:
        """What is to be named."""
        if self.instead is not None:
            return self.instead
        return tuple(dict.fromkeys(NAMED_BY[fault][0] for fault in self.faults if fault in NAMED_BY))


_QUORUM = (NAMED_BY["lose-quorum"][0],)
_EXPIRED, _OPEN, _REFUSED, _OTHER_HOST = (
    NAMED_BY[fault][0] for fault in ("expired-certificate", "allow-all-acl", "lose-sight", "wrong-name-certificate")
)
PAIRS = [
    Pair("plain", ("unsafe-topic", "stop-broker")),
    Pair("plain", ("unsafe-broker-settings", "stop-broker")),
    Pair("plain", ("shrink-isr", "stop-broker")),
    Pair("plain", ("skew-leadership", "freeze-broker")),
    Pair("plain", ("unsafe-topic", "lose-rack")),
    # Two controllers of three are gone. As each was fenced while there was a majority, no fact tells that there is none
    # now (nobody answers for the quorum, and who has a vote is not known): both brokers are named, and either heals it.
    Pair("plain", ("freeze-broker", "stop-broker")),
    Pair("plain", ("unsafe-topic", "lose-quorum")),
    Pair("groups", ("hanging-transaction", "stop-broker")),
    Pair("groups", ("slow-reader", "freeze-broker")),
    Pair("groups", ("killed-reader", "lose-rack")),
    Pair("groups", ("stuck-reader", "stop-broker")),
    Pair("groups", ("stuck-reader", "lose-quorum"), _QUORUM),  # of groups nothing can be known then
    Pair("groups", ("too-many-members", "stop-broker")),
    Pair("proxied", ("slow-broker", "stop-broker"), (DOWN,)),  # of one broker: what is down is not slow
    Pair("proxied", ("slow-broker", "freeze-broker")),
    Pair("proxied", ("misdirect-broker", "freeze-broker")),
    Pair("proxied", ("lose-sight", "unsafe-topic")),
    # A certificate that is refused keeps us out, too: ha says so, and whose it is.
    Pair("secure", ("expired-certificate", "allow-all-acl"), (_EXPIRED, _OPEN, _REFUSED)),
    Pair("secure", ("expired-certificate", "stop-broker"), (DOWN,)),  # of one broker: what is down shows no certificate
    Pair("secure", ("wrong-name-certificate", "freeze-broker"), (_OTHER_HOST, _REFUSED, DOWN)),
    Pair("secure", ("expiring-certificate", "no-quotas")),
    Pair("ecosystem", ("dead-letters", "stop-connect-worker")),
    Pair("ecosystem", ("poison-pill", "stop-registry")),
    Pair("ecosystem", ("no-compatibility", "frozen-registry")),
    Pair("ecosystem", ("poison-pill", "stop-broker")),
    Pair("ecosystem", ("stop-registry", "stop-connect-worker")),
    Pair("hosts", ("skew-clock", "lose-rack")),
    Pair("hosts", ("neglect-host", "full-disk")),
    Pair("zookeeper", ("stop-zookeeper", "stop-broker")),
    Pair("zookeeper", ("freeze-zookeeper", "freeze-broker")),
]
HEAD = (
    "pair",
    "causes named",
    "in 3 lines",
    "all",
    "first action",
    "failing",
    "explained",
    "passed",
    "perhaps",
    "hidden",
    "differences",
)


class Seen(Struct, frozen=True):
    """What a run said: outcome by check, causes as the report has them, and the answer at a terminal."""

    outcomes: dict[str, str]
    causes: list[dict[str, Any]]
    unexplained: list[str]
    lines: list[str]

    def failing(self) -> list[str]:
        """The checks that fail."""
        return [check for check, outcome in self.outcomes.items() if outcome == "fail"]


class Broken:
    """A lab that is broken and healed, and looked at."""

    def __init__(self, lab: Any, shape: str, work: Path, keep: Path | None) -> None:
        """Look at this lab; bundles are kept in a folder if one is given."""
        self.name, self.home = lab.name, Path(lab.folder).parent
        self.shape, self.work, self.keep = shape, work, keep
        played = next(scene for scene in _fault_scenes(shape))
        # It is closed before it breaks anything: its first state says how a lab of this shape is looked at.
        with closing(played.play(lab, work)) as states:  # type: ignore[type-var]  # it is a generator
            self.inventory = work / "inventory.yaml"
            self.inventory.write_text(json.dumps(next(iter(states)).inventory), "utf-8")

    def wait(self, faults: Sequence[str], *, shown: bool) -> str:
        """Wait until each fault shows, or none does; says what is otherwise still."""
        end = time.monotonic() + WITHIN
        while True:
            left = [claim for fault in faults for claim, holds in self._claims(fault).items() if holds != shown]
            if not left or time.monotonic() > end:
                return "; ".join(left)
            time.sleep(1.0)

    def _claims(self, fault: str) -> Mapping[str, bool]:
        try:
            return in_force(known(self.name, self.home), fault)
        except LabError as error:  # what it would ask is what the other fault took away
            return {f"{fault}: {error}": True}

    def heal(self) -> list[str]:
        """Undo all faults; what comes back slowly, as on a busy machine, is given a second time, and that is said."""
        try:
            labs.heal(self.name, home=self.home)
        except LabError as error:
            labs.heal(self.name, home=self.home)
            return [f"healed at the second try: {error}"]
        return []

    def look(self, what: str) -> Seen:
        """Run the command as a user would, and once more over the same facts for what a terminal shows."""
        saved = (self.keep or self.work) / f"{what}.json"
        options = ["-i", str(self.inventory), "-f", "json", "--deadline", f"{DEADLINE}s", "--save", str(saved)]
        report = json.loads(_run("check", *RUNBOOKS[self.shape], *options))
        shown = _run("check", *RUNBOOKS[self.shape], "--from", str(saved)).splitlines()
        said = [environment["diagnosis"] for environment in report["environments"] if environment["diagnosis"]]
        found: dict[str, str] = {}
        for result in report["results"]:
            if found.get(result["check"]) != "fail" and "links are judged where" not in result["reason"]:
                found[result["check"]] = result["outcome"]
        return Seen(
            outcomes=found,
            causes=[cause for diagnosis in said for cause in diagnosis["causes"]],
            unexplained=[check for diagnosis in said for check in diagnosis["unexplained"]],
            lines=shown[shown.index("") + 1 :] if "" in shown else shown,
        )


def _fault_scenes(shape: str) -> Iterator[Scene]:
    return (scene for scene in scenes_of(shape) if {"before", "during", "after"} == {*scene.states} and scene.faults)


def _run(*words: str) -> str:
    done = subprocess.run([RUNBOOK, *words], capture_output=True, text=True, timeout=120, check=False)
    if not done.stdout:
        raise LabError(f"The command said nothing: {done.stderr.strip()[-300:]}")
    return done.stdout


def tried(pair: Pair, broken: Broken) -> tuple[str, ...]:
    """Break the lab by a pair, heal it, and give the line of the table."""
    word = f"{pair.shape}-{'-and-'.join(pair.faults)}"
    notes = []
    try:
        for fault in pair.faults:
            labs.break_(broken.name, fault, home=broken.home)
        if late := broken.wait(pair.faults, shown=True):
            notes.append(f"not seen of the lab: {late}")
        during = broken.look(f"{word}-during")
    finally:
        notes += broken.heal()
    if late := broken.wait(pair.faults, shown=False):
        notes.append(f"not healed: {late}")
    return _line(pair, during, broken.look(f"{word}-after"), notes)


def _line(pair: Pair, during: Seen, after: Seen, notes: list[str]) -> tuple[str, ...]:
    named = [cause for cause in during.causes if cause["certain"] and not cause["beneath"]]
    # What else is wrong with this machine, a full disk say, nobody heals.
    others = {*_explained(cause for cause in named if cause["cause"] not in pair.causes)}
    explained = {*_explained(during.causes)} - others
    perhaps = {check for cause in during.causes for check in cause["may_explain"]} - explained
    hidden = {check for cause in during.causes for check in cause["withholds"]}
    left = {*during.unexplained} - explained - others
    wrong = {check for check in explained if after.outcomes.get(check) == "fail"}
    found = {cause["cause"] for cause in named}
    differs = {
        "EXPLAINED AND FAILING": wrong,
        "not named": {*pair.causes} - found,
        "named as well": found - {*pair.causes},
        "left and passing": {
            check for check in left if after.outcomes.get(check) == "pass" and check not in _left_alone(pair)
        },
        "hidden and unknown": {check for check in hidden if after.outcomes.get(check) == "unknown"},
    }
    notes += [f"{what}: {', '.join(sorted(ids([*checks])))}" for what, checks in differs.items() if checks]
    return (
        pair.name,
        "; ".join(f"{cause['cause']} {_keys(cause)}".strip() for cause in named) or "none",
        _yes(any(line.startswith("CAUSE ") for line in during.lines[:3])),
        _yes(found >= {*pair.causes}),
        _first_action(pair, named),
        str(len(during.failing())),
        str(len(explained)),
        str(len(explained - wrong)),
        str(len(perhaps)),
        str(len(hidden)),
        "; ".join(notes),
    )


def _explained(causes: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    return (check for cause in causes for check in (*cause["explains"], *cause["helps"]))


def _first_action(pair: Pair, named: Sequence[Mapping[str, Any]]) -> str:
    """Whether what is said first is to be done about one of the pair, on what was broken."""
    if not named:
        return _yes(not pair.causes)
    meant = [NAMED_BY[fault] for fault in pair.faults if fault in NAMED_BY]
    meant += [names for names in NAMED_BY.values() if pair.instead is not None and names[0] in pair.instead]
    return _yes(any(named[0]["cause"] == cause and words in named[0]["first"] for cause, words in meant))


def _left_alone(pair: Pair) -> set[str]:
    """What no cause explains of either fault alone, as is kept: settings, mostly, of which the check says all."""
    return {
        check
        for fault in pair.faults
        for shape in shapes()
        for scene in _fault_scenes(shape)
        if scene.name == fault
        for runbook in RUNBOOKS[pair.shape]
        for said in diagnoses(shape, fault, "during", runbook)
        for check in said.unexplained
    }


def _keys(cause: Mapping[str, Any]) -> str:
    return ", ".join(str(value) for values in cause["keys"].values() for value in values)


def _yes(is_so: bool) -> str:  # noqa: FBT001 - a word for it
    return "yes" if is_so else "no"


def _chosen(only: Sequence[str]) -> list[Pair]:
    return [pair for pair in PAIRS if not only or any(word in pair.name for word in only)]


def main() -> int:
    """Print a line for each pair as it is done; the exit code is 1 where something explained still fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", action="append", default=[], metavar="WORDS", help="pairs named so; repeatable")
    parser.add_argument("--list", action="store_true", help="say which pairs there are, and start nothing")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the bundles here, to look at them with --from")
    given = parser.parse_args()
    pairs = _chosen(given.only)
    if given.list:
        print("\n".join(pair.name for pair in pairs))
        return 0
    print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD), flush=True)
    lines: list[tuple[str, ...]] = []
    failed: list[str] = []
    for shape in dict.fromkeys(pair.shape for pair in pairs):
        with tempfile.TemporaryDirectory() as folder, shape_of(shape).lab(Path(folder)) as lab:
            broken = Broken(lab, shape, Path(folder), given.keep)
            for pair in [pair_ for pair_ in pairs if pair_.shape == shape]:
                try:
                    lines.append(tried(pair, broken))
                except LabError as error:
                    failed.append(pair.name)
                    print(f"{pair.name}: not tried: {error}", file=sys.stderr, flush=True)
                else:
                    print("| " + " | ".join(lines[-1]) + " |", flush=True)
    wrong = sum(line[6] != line[7] for line in lines)
    print(f"\n{len(lines)} pairs; all causes named in {sum(line[3] == 'yes' for line in lines)};")
    print(f"explained {sum(int(line[6]) for line in lines)}, passed once healed {sum(int(line[7]) for line in lines)}")
    return 1 if wrong or failed else 0


if __name__ == "__main__":
    sys.exit(main())
