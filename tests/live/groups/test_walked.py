"""topics.md and consumers.md walked where topics are written to and read all the time, and retention acts at once."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from kafka_lab import LabState
from kafka_lab.admin import change_settings, partitions, topic_setting
from kafka_lab.waiting import wait_until
from support.careful_walker import Hand, Walked, does_nothing
from support.evidence.labs import Labs
from support.forgetful import Forgetful, Notes, Walker, walkers, wrong
from support.kept_walks import Keep
from support.numbered_records import TOPIC
from support.operators import Operator, at_work, completed
from support.sharing_members import SHARING, members

pytestmark = [pytest.mark.live, pytest.mark.thorough]
_WITHIN: Final = 240.0  # seconds; a busy machine takes its time
_SHORT: Final = {"retention.ms": "1000", "segment.ms": "1000"}


@pytest.fixture
def operator(running: Labs, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at such a lab, where numbered records are written and read."""
    with at_work(running.of("groups"), tmp_path) as person:
        yield person


@pytest.fixture
def lab(running: Labs) -> LabState:
    """The lab."""
    state: LabState = running.of("groups")
    return state


def where(lab: LabState, number: int) -> int:
    """The first broker of those that hold a partition of the numbered records."""
    return int(partitions(lab)[TOPIC][number].replicas[0])


def test_what_a_topic_keeps_is_seen(operator: Operator, lab: LabState, keeps: Keep) -> None:
    change_settings(lab, "topic", {TOPIC: _SHORT})
    broker = lab.broker(where(lab, 0))
    log = lab.log_of(broker)
    wait_until(lambda: bool(re.search(rf"{TOPIC}.*breach", log.read_text("utf-8"))), "retention to act", within=_WITHIN)
    change_settings(lab, "topic", {TOPIC: dict.fromkeys(_SHORT)})
    words = {"TOPIC": TOPIC, "LOG_DIR": str(lab.data_of(broker)), "ENVIRONMENT": lab.name}
    types, outputs = operator.types(words), []
    segment = max((lab.data_of(broker) / f"{TOPIC}-0").glob("*.log")).name

    def edited(old: str, new: str) -> Hand:
        def acts(commands: Sequence[str]) -> None:
            assert any(old in command for command in commands), commands
            types([command.replace(old, new) for command in commands])
            outputs.append(operator.output)

        return acts

    record = Walked(operator.folder, "topics#see-what-a-topic-keeps", lab.name, words=words).by(
        [
            *(types, types, types, types),
            edited("00000000000000005000.log", segment),
            edited("/var/log/kafka/server.log", str(log)),
            does_nothing,  # the gate does what the command does
        ]
    )
    assert completed(record), record.entries[-3:]
    assert re.search(rf"baseOffset: {int(segment.removesuffix('.log'))}\b", outputs[0]), outputs[0]
    assert "breach" in outputs[1]
    keeps(record, "groups")


@pytest.mark.parametrize("walker", walkers((4,), (1, 2, 3, 5, 6)))
def test_a_topic_keeps_less_and_nobody_loses_what_is_unread(
    operator: Operator, lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    types, person = operator.types({"TOPIC": TOPIC}), walker(lab)
    words = {"TOPIC": TOPIC, "DECIDED": f"{TOPIC} retention.ms=86400000 segment.ms=86400000"}
    record = person.walks(
        Walked(operator.folder, "topics#change-what-a-topic-keeps", lab.name, words=words),
        [types, types, types, types, does_nothing, does_nothing],
    )
    notes(person.lines("topics#change-what-a-topic-keeps"))
    assert completed(record), record.entries[-3:]
    assert topic_setting(lab, TOPIC, "retention.ms") == "86400000"
    operator.counts()
    keeps(record, "groups", person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("left_out", wrong((3,)))
def test_a_group_goes_over_to_another_assignor(
    operator: Operator, lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    words = {"GROUP": SHARING, "ASSIGNOR": "cooperative-sticky"}
    types = operator.types(words)
    with members(lab, operator.folder) as both:
        assert both.assignor == "range"

        def deploys(commands: Sequence[str]) -> None:
            types(commands)
            both.deploy()

        person = Forgetful(left_out)
        record = person.walks(
            Walked(operator.folder, "consumers#change-the-assignor", lab.name, words=words),
            [types, deploys, deploys, types],
        )
        notes(person.lines("consumers#change-the-assignor"))
        assert completed(record), record.entries[-3:]
        assert both.assignor == "cooperative-sticky"
        # the new one is in force already: clients alone know that the old one may be
    keeps(record, "groups", person.way, person.noticed)
