"""How brokers are started, changed on brokers in hosts that show their metrics: walked by the text."""

import re
import shlex
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

from kafka_lab import LabState
from kafka_lab.brokers import start
from kafka_lab.processes import terminate
from kafka_lab.recovery import make_whole
from kafka_lab.state import LabBroker
from kafka_lab.waiting import wait_for_brokers, wait_until
from support.careful_walker import Hand, Walked, does_nothing
from support.evidence.labs import kafka_lab
from support.forgetful import Forgetful, Notes, Walker, walkers, wrong
from support.kept_walks import Keep
from support.lab_hosts import LACKING
from support.operators import Operator, at_work, completed

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.skipif(bool(LACKING), reason=LACKING)]
WITHIN: Final = 240.0  # seconds on a busy machine
WHERE: Final = "hosts, with metrics"
HEAP_MIB, ROOMY_MIB = 640, 768
EVERY_GC: Final = "KAFKA_GC_LOG_OPTS"
COLLECTOR: Final = "KAFKA_JVM_PERFORMANCE_OPTS"
HEAP: Final = "KAFKA_HEAP_OPTS"
SELECTOR: Final = "org.apache.kafka.common.network.Selector"
LOGGING: Final = """\
Configuration:
  status: error
  Appenders:
    File:
      name: file
      fileName: ${sys:runbook.log}
      PatternLayout: {pattern: "%d{ISO8601} %p %m (%c{1}) by the new file%n"}
  Loggers:
    Root: {level: INFO, AppenderRef: [{ref: file}]}
"""


@pytest.fixture(scope="module")
def lab() -> Iterator[LabState]:
    """Brokers in hosts that are reached over SSH, with the agents that show their metrics."""
    with (
        tempfile.TemporaryDirectory(prefix="runbook-hosts-", dir="/var/lib") as home,
        kafka_lab("hosts", Path(home), ["hosts", "jmx"]) as up,
    ):
        yield up


@pytest.fixture
def operator(lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read."""
    with at_work(lab, tmp_path) as one:
        yield one


def restarts(lab: LabState, broker: LabBroker, options: Mapping[str, Sequence[str]], *, forgets: bool = False) -> None:
    """Stop a broker and start it with these options, and wait until its replicas are in sync.

    Args:
        lab: the lab.
        broker: one of its brokers.
        options: by variable of Kafka's start script, in place of the lab's own.
        forgets: without what it had logged of its collections before.
    """
    terminate(broker.process, patience=WITHIN)
    log = lab.gc_log_of(broker)
    for file in log.parent.glob(f"{log.name}*") if forgets else ():
        file.unlink()
    start(lab, broker, options)
    wait_for_brokers(lab)
    make_whole(lab)


class Options:
    """Options that were exported, as a shell keeps them for what it starts.

    Attributes:
        exported: variable → its options.
    """

    def __init__(self, lab: LabState) -> None:
        """Nothing is exported."""
        self.exported: dict[str, list[str]] = {}
        self._lab = lab

    def exports(self, commands: Sequence[str]) -> None:
        """What a shell does with the commands of a step."""
        for command in commands:
            found = re.fullmatch(r'export (\w+)="(.*)"', command)
            assert found is not None, command
            self.exported[found[1]] = shlex.split(found[2])

    def restarts(self, *brokers: LabBroker) -> Hand:
        """Restart brokers, one at a time, with what was exported; a day passes, which the new logs alone tell of."""

        def one_after_another(_: Sequence[str]) -> None:
            for broker in brokers:
                restarts(self._lab, broker, self.exported, forgets=True)

        return one_after_another


@pytest.mark.parametrize("walker", walkers((3,), (5,), killed=False))
def test_the_log_of_collections_is_turned_on(
    lab: LabState, operator: Operator, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    silent = lab.brokers[-1]
    log = lab.gc_log_of(silent)
    restarts(lab, silent, {EVERY_GC: []}, forgets=True)
    options = Options(lab)
    options.exported[EVERY_GC] = []  # what somebody has set it to

    def placed(commands: Sequence[str]) -> list[str]:
        return [command.replace("/var/log/kafka/kafkaServer-gc.log", str(log)) for command in commands]

    def on_the_host(commands: Sequence[str]) -> None:
        assert silent.process is not None
        operator.types({"PID": str(silent.process.pid)})(placed(commands))

    def turns_on(commands: Sequence[str]) -> None:
        on_the_host(commands)
        wait_until(lambda: log.exists() and log.stat().st_size > 0, "lines in the log", within=WITHIN)

    def exports(commands: Sequence[str]) -> None:
        options.exports(placed(commands))

    person = walker(lab)
    record = person.walks(
        Walked(operator.folder, "gc#turn-gc-logging-on", lab.name),
        [on_the_host, turns_on, exports, does_nothing, options.restarts(silent)],
    )
    notes(person.lines("gc#turn-gc-logging-on"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, WHERE, person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("walker", walkers((2,), (3,), (5,), killed=False))
def test_the_collector_is_changed_on_one_broker_and_then_on_all(
    lab: LabState, operator: Operator, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    first, *others = lab.brokers
    options = Options(lab)
    options.exported[HEAP] = [f"-Xmx{ROOMY_MIB}m"]  # with the lab's own 256 MiB, threads stall under ZGC
    for broker in lab.brokers:
        restarts(lab, broker, {**options.exported, COLLECTOR: ["-XX:+UseG1GC"]}, forgets=True)
    person = walker(lab)
    record = person.walks(
        Walked(
            *(operator.folder, "gc#change-the-collector", lab.name),
            words={"BROKER": str(first.number), "COLLECTOR": "zgc"},
        ),
        [
            *(operator.types(), options.exports, options.restarts(first)),
            *(operator.types(), options.restarts(*others), operator.types()),
        ],
    )
    notes(person.lines("gc#change-the-collector"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, WHERE, person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("walker", walkers((3,), (4,), (6,), killed=False))
def test_brokers_get_another_heap(lab: LabState, operator: Operator, walker: Walker, notes: Notes, keeps: Keep) -> None:
    first, *others = lab.brokers
    options = Options(lab)
    for broker in lab.brokers:
        restarts(lab, broker, {}, forgets=True)

    def exports(commands: Sequence[str]) -> None:
        options.exports([one.replace("6g", f"{HEAP_MIB}m") for one in commands])

    person = walker(lab)
    record = person.walks(
        Walked(
            *(operator.folder, "gc#size-the-heap", lab.name),
            words={"BROKER": str(first.number), "HEAP_MIB": str(HEAP_MIB)},
        ),
        [
            *(operator.types(), does_nothing, exports, options.restarts(first)),
            *(operator.types(), options.restarts(*others), operator.types()),
        ],
    )
    notes(person.lines("gc#size-the-heap"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, WHERE, person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("left_out", wrong((2,), (4,), (5,), (6,)))
def test_brokers_log_by_another_file(
    lab: LabState, operator: Operator, tmp_path: Path, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    del tmp_path
    first, *others = lab.brokers
    for broker in lab.brokers:
        restarts(lab, broker, {})  # by the lab's own file, whichever an earlier walk has named
    file = Path(lab.folder, "config", "log4j2.yaml")
    words = {"ID": str(first.number), "LOGGER": SELECTOR, "FILE": str(file)}
    types = operator.types(words)
    options = Options(lab)

    def writes(_: Sequence[str]) -> None:
        file.write_text(LOGGING, "utf-8")

    def reads(commands: Sequence[str]) -> None:
        options.restarts(first)(commands)
        wait_until(lambda: left_out != () or _logs(lab, first), "its log by the new file", within=WITHIN)

    person = Forgetful(left_out)
    record = person.walks(
        Walked(operator.folder, "observability#change-how-brokers-log", lab.name, words=words),
        [types, types, writes, options.exports, reads, options.restarts(*others)],
    )
    notes(person.lines("observability#change-how-brokers-log"))
    assert completed(record), record.entries[-3:]
    assert all(_logs(lab, broker) for broker in lab.brokers)
    operator.counts()
    keeps(record, WHERE, person.way, person.noticed, operator.ledger)


def _logs(lab: LabState, broker: LabBroker) -> bool:
    return "by the new file" in lab.log_of(broker).read_text("utf-8", errors="replace")
