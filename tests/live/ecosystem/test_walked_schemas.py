"""schema-governance.md walked on a real registry under load, by its own text, with every record counted."""

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from kafka_lab import LabState, http, registry
from kafka_lab.content import empty_topic
from support.careful_walker import Walked, does_nothing
from support.ecosystem.at_work import SUBJECT, at_work
from support.ecosystem.numbered_avro import BOTH, NEW, OLD, TEXT, WITH_NOTE, WITHOUT_NOTE, AvroReader, AvroWriter
from support.forgetful import Notes, Walker, walkers
from support.kept_walks import Keep
from support.numbered_records import GROUP, PARTITIONS, TOPIC
from support.operators import Operator, completed

pytestmark = pytest.mark.live
NEXT = f"{TOPIC}.v2"
FILE = "numbered.avsc"
EARLIER = 60  # seconds, as the text says


@pytest.fixture
def operator(ecosystem: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read by a schema."""
    with at_work(ecosystem, tmp_path) as person:
        yield person


Writes = Callable[..., None]


@pytest.fixture
def writes(operator: Operator, ecosystem: LabState) -> Writes:
    """Deploy the producers anew, with a schema that is registered."""

    def deploys(text: str, *topics: str) -> None:
        if operator.writer is not None:
            operator.writer.stop()
        number = registry.register(ecosystem, SUBJECT, text)  # it is there: the id that it has
        operator.writer = AvroWriter(operator.ledger, ecosystem, text, number, topics or [TOPIC]).__enter__()

    return deploys


@pytest.fixture
def reads(operator: Operator, ecosystem: LabState) -> Writes:
    """Deploy the consumers anew."""

    def deploys(needs: Sequence[tuple[str, str]], topic: str = TOPIC) -> None:
        assert operator.reader is not None
        operator.reader.stop()
        operator.reader = AvroReader(operator.ledger, ecosystem, needs, topic).__enter__()

    return deploys


def versions(lab: LabState, subject: str = SUBJECT) -> Any:
    """The numbers of its versions that are there."""
    return registry.request("GET", registry.required(lab), f"/subjects/{subject}/versions")


@pytest.mark.parametrize("walker", walkers((2, 5), (3,)))
def test_a_change_is_tried_and_registered(
    operator: Operator, ecosystem: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    words = {"SUBJECT": SUBJECT, "VERSION": "2", "FILE": FILE}
    types = operator.types(words)

    def changes(commands: Sequence[str]) -> None:
        (operator.folder / FILE).write_text(WITHOUT_NOTE, "utf-8")
        types(commands)

    person = walker(ecosystem)
    record = person.walks(
        Walked(operator.folder, "schema-governance#register-a-schema", ecosystem.name, words=words),
        [types, changes, types, does_nothing, types, types, does_nothing],
    )
    notes(person.lines("schema-governance#register-a-schema"))
    assert completed(record), record.entries[-3:]
    assert versions(ecosystem) == [1, 2]
    operator.counts()
    keeps(record, "ecosystem", person.way, person.noticed, operator.ledger)


@pytest.mark.thorough
@pytest.mark.parametrize("walker", walkers((2,), (4,), (1, 3, 5)))
def test_readers_are_deployed_before_writers(
    operator: Operator,
    ecosystem: LabState,
    writes: Writes,
    reads: Writes,
    walker: Walker,
    notes: Notes,
    keeps: Keep,
) -> None:
    words = {"SUBJECT": SUBJECT, "GROUP": GROUP}
    registry.register(ecosystem, SUBJECT, WITHOUT_NOTE)
    types = operator.types(words)
    person = walker(ecosystem)
    record = person.walks(
        Walked(operator.folder, "schema-governance#deploy-in-the-order-of-the-level", ecosystem.name, words=words),
        [types, lambda _: reads(NEW), types, lambda _: writes(WITHOUT_NOTE), types],
    )
    notes(person.lines("schema-governance#deploy-in-the-order-of-the-level"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "ecosystem", person.way, person.noticed, operator.ledger)


@pytest.mark.thorough
@pytest.mark.parametrize("walker", walkers((4, 6), (2,), (1, 5), (3, 7), once=(4,)))
def test_a_bad_version_is_taken_out_of_sight(
    operator: Operator,
    ecosystem: LabState,
    writes: Writes,
    reads: Writes,
    walker: Walker,
    notes: Notes,
    keeps: Keep,
) -> None:
    registry.set_level(ecosystem, "NONE", SUBJECT)
    bad = registry.register(ecosystem, SUBJECT, TEXT)
    writes(TEXT)
    words = {"SUBJECT": SUBJECT, "VERSION": "1", "BAD_VERSION": "2"}
    types, person = operator.types(words), walker(ecosystem)
    right = person.way == "right"

    def stops_writing(_: Sequence[str]) -> None:
        assert operator.writer is not None
        operator.writer.stop()

    def looks(commands: Sequence[str]) -> None:
        level, check, numbers = commands
        types([level])
        assert not right or "NONE" in operator.output
        registry.set_level(ecosystem, "BACKWARD", SUBJECT)
        types([f"! {check}" if right else f"{check} || true", numbers])  # it finds the bad one, while that is there
        assert not right or "[1,2]" in operator.output

    record = person.walks(
        Walked(operator.folder, "schema-governance#roll-back-a-bad-schema", ecosystem.name, words=words),
        [
            *(stops_writing, looks, types, types, lambda _: writes(WITH_NOTE)),
            *(lambda _: reads(BOTH), does_nothing),
        ],
    )
    notes(person.lines("schema-governance#roll-back-a-bad-schema"))
    assert completed(record), record.entries[-3:]
    assert versions(ecosystem) == [1]
    text = registry.request("GET", registry.required(ecosystem), f"/schemas/ids/{bad}")["schema"]
    assert json.loads((operator.folder / "bad.json").read_text("utf-8"))["schema"] == text
    if not operator.writer or not operator.writer.goes_on():
        writes(WITH_NOTE)
    operator.counts()
    keeps(record, "ecosystem", person.way, person.noticed, operator.ledger)


@pytest.mark.thorough
@pytest.mark.parametrize("walker", walkers((1, 3, 6, 8), (2, 4, 7), (5,), once=(1,)))
def test_readers_move_to_a_new_topic_and_nothing_is_lost(
    operator: Operator,
    ecosystem: LabState,
    writes: Writes,
    reads: Writes,
    walker: Walker,
    notes: Notes,
    keeps: Keep,
) -> None:
    words = {"TOPIC": TOPIC, "NEXT_TOPIC": NEXT, "GROUP": GROUP, "PARTITIONS": str(PARTITIONS), "FILE": FILE}
    (operator.folder / FILE).write_text(TEXT, "utf-8")
    types = operator.types(words)
    begins: list[float] = []

    def writes_to_both(commands: Sequence[str]) -> None:
        writes(WITH_NOTE, TOPIC, NEXT)
        time.sleep(3)
        types(commands)

    def stops(commands: Sequence[str]) -> None:
        assert operator.reader is not None
        operator.reader.stop()
        begins[:] = [time.time()]
        types(commands)

    def finds_from_when(commands: Sequence[str]) -> None:
        describe, look = commands
        types([describe])
        rows = re.findall(rf"^{GROUP}\s+{TOPIC}\s+(\d+)\s+(\d+)", operator.output, re.MULTILINE)
        assert len(rows) == PARTITIONS
        for partition, offset in rows:
            operator.types({**words, "PARTITION": partition, "OFFSET": offset})([look])
            begins.extend(int(stamp) / 1000 for stamp in re.findall(r"CreateTime:(\d+)", operator.output))
        begins[:] = [min(begins) - EARLIER]

    def puts_it_there(commands: Sequence[str]) -> None:
        [moment] = begins
        first = datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        types([re.sub(r"(?<=--to-datetime )\S+", first, command) for command in commands])
        walked.pauses({**words, "PLAN": operator.output.strip()})

    def starts(commands: Sequence[str]) -> None:
        reads(OLD, NEXT)
        types(commands)

    def stops_writing(commands: Sequence[str]) -> None:
        writes(WITH_NOTE, NEXT)
        types(commands)

    person = walker(ecosystem)
    walked = Walked(operator.folder, "schema-governance#move-to-a-new-topic", ecosystem.name, words=words)
    record = person.walks(
        walked,
        [types, types, writes_to_both, stops, finds_from_when, puts_it_there, starts, stops_writing],
    )
    notes(person.lines("schema-governance#move-to-a-new-topic"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "ecosystem", person.way, person.noticed, operator.ledger)


@pytest.mark.thorough
@pytest.mark.parametrize("walker", walkers((2, 3, 5), (1, 4, 6), once=(4, 5)))
def test_a_schema_is_retired_when_nothing_needs_it(
    operator: Operator, ecosystem: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    words = {"TOPIC": TOPIC, "SUBJECT": SUBJECT}
    types = operator.types(words)

    def says_so(_: Sequence[str]) -> None:
        state = f"/apis/registry/v3/groups/default/artifacts/{SUBJECT}/versions/branch=latest/state"
        base = registry.required(ecosystem).partition("/apis")[0]
        http.ask(base + state, method="PUT", body=b'{"state": "DEPRECATED"}', kind="application/json")

    def stops_writing(commands: Sequence[str]) -> None:
        assert operator.writer is not None
        if operator.writer.goes_on():
            operator.counts()
        types(commands)

    def waits_until_they_are_gone(commands: Sequence[str]) -> None:
        empty_topic(ecosystem, TOPIC)
        types(commands)

    person = walker(ecosystem)
    record = person.walks(
        Walked(operator.folder, "schema-governance#retire-a-schema", ecosystem.name, words=words),
        [says_so, stops_writing, waits_until_they_are_gone, types, types, types],
    )
    notes(person.lines("schema-governance#retire-a-schema"))
    assert completed(record), record.entries[-3:]
    assert SUBJECT not in registry.request("GET", registry.required(ecosystem), "/subjects")
    keeps(record, "ecosystem", person.way, person.noticed, operator.ledger)


@pytest.mark.thorough
@pytest.mark.parametrize("walker", walkers((1, 5), (4,), (2,), (6,), (3, 7)))
def test_a_registry_that_is_lost_comes_back_from_its_copy(
    operator: Operator, ecosystem: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    address = registry.required(ecosystem)
    before = {subject: versions(ecosystem, subject) for subject in registry.request("GET", address, "/subjects")}
    count = sum(len(numbers) for numbers in before.values())
    words = {"TOPIC": registry.STORAGE, "POLICY": "delete", "VERSIONS": str(count)}
    types = operator.types(words)
    state, made = ecosystem.parts[registry.PART], list[str]()

    def compares(commands: Sequence[str]) -> None:
        types(commands)
        assert int(operator.output.split()[-1]) == count

    def stops_all() -> None:
        for instance in state["instances"]:
            registry.stop_instance(instance)

    def stops(commands: Sequence[str]) -> None:
        stops_all()
        types(commands)

    def writes_it_back(commands: Sequence[str]) -> None:
        """As its step says: where the topic is not empty, instances are stopped, and the step before comes first."""
        try:
            types(commands)
        except AssertionError:
            stops_all()
            types(made)
            types(commands)

    def makes_the_topic(commands: Sequence[str]) -> None:
        made[:] = commands
        types(commands)

    def starts(number: int) -> None:
        ports = state["instances"][number - 1]["ports"]
        registry.stop_instance(state["instances"][number - 1])
        state["instances"][number - 1] = registry.start_instance(ecosystem, ports, number)
        ecosystem.save()
        registry.wait_for_instance(ecosystem, state["instances"][number - 1], number)

    person = walker(ecosystem)
    record = person.walks(
        Walked(operator.folder, "schema-governance#save-and-restore", ecosystem.name, words=words),
        [types, compares, stops, makes_the_topic, writes_it_back, lambda _: starts(1), lambda _: starts(2)],
    )
    notes(person.lines("schema-governance#save-and-restore"))
    assert completed(record), record.entries[-3:]
    assert {
        subject: versions(ecosystem, subject) for subject in registry.request("GET", address, "/subjects")
    } == before
    operator.counts()
    keeps(record, "ecosystem", person.way, person.noticed, operator.ledger)
