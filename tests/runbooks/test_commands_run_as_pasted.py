"""Commands run as they are pasted, line after line, and in each release that a runbook is for."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import pytest

from runbook.model.block import Check, Procedure
from support.built_in import all_built_in
from support.documented import ROOT

_WRITER: Final = re.compile(r"(?<![\w/])(kafka(-\w+)?-console-producer(\.sh)?|confluent kafka topic produce)\b")
"""What reads the records that it writes from its standard input, so also the next line of what is pasted."""
_RENAMED: Final = {"--formatter-property": "--property", "--reader-property": "--property"}
"""Options of Kafka 4.2 and later (KIP-1147) → what older releases call them."""
_MOVED: Final = {"org.apache.kafka.tools.JmxTool": "kafka.tools.JmxTool"}
_MOVED |= {"org.apache.kafka.tools.EndToEndLatency": "kafka.tools.EndToEndLatency"}
"""Classes of Kafka 3.5 and later (KAFKA-14580) → what older releases call them."""


class Shown(NamedTuple):
    """Commands of a block, beside all that it says, and what is said once for its runbook."""

    block: str
    commands: str
    words: str


def shown() -> Iterator[Shown]:
    for book in all_built_in():
        prose = re.sub(r"```.*?```", "", (ROOT / book.path).read_text("utf-8"), flags=re.DOTALL)
        for placed in book.placed():
            match placed.block:
                case Procedure(steps=steps):
                    for step in steps:
                        yield Shown(placed.name, step.command or "", f"{step.why} {step.do} {prose}")
                case Check(audit=audit):
                    yield Shown(placed.name, audit or "", prose)


def waiting(commands: str, words: str) -> list[str]:
    """Lines whose command waits for records that nobody gives it, unless it stands alone and the step says to type."""
    lines = [line for line in commands.replace("\\\n", " ").splitlines() if line.strip()]
    found = [
        line
        for line in lines
        if (writer := _WRITER.search(line)) and "|" not in line[: writer.start()] and " < " not in line
    ]
    return [] if len(lines) == 1 and " type " in words else found


def test_no_line_takes_the_next_one_for_its_records() -> None:
    assert [(one.block, line) for one in shown() for line in waiting(one.commands, one.words)] == []


@pytest.mark.parametrize(
    ("commands", "words", "found"),
    [
        ("kafka-avro-console-producer --topic T\nkafka-avro-console-consumer --topic T", "Write.", 1),
        ("confluent kafka topic produce T", "Write.", 1),
        ("confluent kafka topic produce T", "Write: type a record, then Ctrl-C.", 0),
        ("confluent kafka topic produce T\nconfluent kafka topic consume T", "Write: type a record.", 1),
        ("echo a | kafka-console-producer.sh --topic T\ndate", "Write.", 0),
        ("kafka-console-producer.sh --topic T < records.txt\ndate", "Write.", 0),
    ],
)
def test_a_line_that_waits_is_found(commands: str, words: str, found: int) -> None:
    assert len(waiting(commands, words)) == found


@pytest.mark.parametrize(("name", "older"), [*_RENAMED.items(), *_MOVED.items()])
def test_where_a_name_is_new_the_one_of_older_releases_is_said(name: str, older: str) -> None:
    named = [one for one in shown() if name in one.commands]
    lacking = [one.block for one in named if not re.search(rf"(?<![\w.-]){re.escape(older)}(?!\w)", one.words)]
    assert lacking == []
