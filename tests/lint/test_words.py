"""Words in capitals of a procedure's commands that no walk fills in are told; what Kafka writes so is not."""

from pathlib import Path

import pytest

from runbook.lint.words import unknown_words
from runbook.parse.runbook import parse_runbook, read_runbook
from runbook.procedure.placeholders import ADDRESSES, NAMES
from runbook.run.sources.built_in import builtin_runbooks
from support.documented import ROOT

PAGE = """---
title: What to do
version: 0.1.0
changes: [{version: 0.1.0, date: 2026-11-27, note: first}]
summary: It is said here.
---

```yaml {.procedure}
id: do-it
title: Do it
steps:
  - do: Do it.
    command: |
COMMAND
    stop: It is not.
```
"""


def told(command: str) -> list[str]:
    text = PAGE.replace("COMMAND", "\n".join(f"      {line}" for line in command.splitlines()))
    book = parse_runbook(text, "ours", "ours.md")
    assert [one.block.id for one in book.placed()] == ["do-it"]
    return [f"{problem.message} | {problem.remedy}" for problem in unknown_words(book)]


@pytest.mark.parametrize(
    ("command", "word", "meant"),
    [
        ("kafka-configs.sh --bootstrap-server BOOTSTRAP --describe --entity-name TOPIC", "BOOTSTRAP", "HOST:PORT"),
        ("kafka-topics.sh --bootstrap-server BROKER:9092 --list", "BROKER:9092", "HOST:PORT"),
        ("kafka-topics.sh --bootstrap-server=BOOTSTRAP_SERVERS --list", "BOOTSTRAP_SERVERS", "HOST:PORT"),
        ("kafka-acls.sh --bootstrap-server HOST:PORT --list --principal User:USERNAME", "USERNAME", "NAME"),
        ("sudo -u kafka /opt/kafka/bin/kafka-topics.sh --bootstrap-server \\\n  SERVERS --list", "SERVERS", ""),
        ("kubectl exec POD -- zookeeper-shell.sh ZK ls /brokers/ids", "ZK", "ZOOKEEPER:PORT"),
        ("kafka-topics.sh --bootstrap-server HOST:PORT --topic <TOPIC_NAME>", "TOPIC_NAME", "TOPIC"),
        ("runbook check ha --env ENV", "ENV", "ENVIRONMENT"),
        ("kafka-transactions.sh --bootstrap-server HOST:PORT abort --topic TOPIC --partition N", "N", "PARTITION"),
        ("nc -z KAFKA:9092", "KAFKA:9092", "HOST:PORT"),
        ("kafka-topics.sh --bootstrap-server HOST:PORT,HOST2:PORT --list", "HOST2:PORT", "HOST:PORT"),
    ],
)
def test_a_word_that_no_walk_knows_is_told_with_the_one_that_was_meant(command: str, word: str, meant: str) -> None:
    (problem,) = told(command)
    assert problem.startswith(f"{word} is no word that a walk fills in, in ours/do-it | ")
    assert not meant or f"did you mean {meant}? known: HOST:PORT, " in problem
    assert problem.endswith("or, where it is meant as it stands, put it in quotes")


@pytest.mark.parametrize(
    "command",
    [
        "kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type topics --entity-name TOPIC",
        "kafka-configs.sh --bootstrap-server HOST:PORT --alter --add-config kafka.log=DEBUG,a=SCRAM-SHA-512",
        "KAFKA_OPTS=-Dx KAFKA_HEAP_OPTS=-Xmx1g kafka-topics.sh --bootstrap-server $BOOTSTRAP --list",
        "kafka-topics.sh --bootstrap-server ${SERVERS} --topic 'ORDERS' --config \"X=Y_Z\"",
        "kafka-consumer-groups.sh --bootstrap-server HOST:PORT --group GROUP --to-datetime 2026-11-27T02:00:00.000Z",
        "kafka-acls.sh --bootstrap-server HOST:PORT --resource-pattern-type PREFIXED --operation DESCRIBE_CONFIGS",
        "kafka-topics.sh --bootstrap-server HOST:PORT --list  # of the CLUSTER",
        "kafka-features.sh --bootstrap-server HOST:PORT upgrade --metadata 3.7-IV4",
        "kafka-topics.sh --bootstrap-server HOST:PORT --list | grep -E ORDERS",
        "curl -X PURGE http://WORKER:8083/connectors/NAME",
        "openssl req -addext subjectAltName=DNS:kafka-1.example,IP:127.0.0.1 && lsblk -o SIZE,MODEL",
        "cat > x <<EOF\nkafka-topics.sh ODD\nEOF",
        '{"topics": "kafka-topics.sh ODD"}',
    ],
)
def test_what_is_filled_in_or_meant_as_it_stands_is_not_told(command: str) -> None:
    assert told(command) == []


def test_a_word_is_told_once_for_a_step() -> None:
    assert (
        len(told("kafka-topics.sh --bootstrap-server BOOT --list\nkafka-groups.sh --bootstrap-server BOOT --list")) == 1
    )


@pytest.mark.parametrize("file", sorted(builtin_runbooks().glob("*.md")), ids=lambda file: file.stem)
def test_built_in_procedures_have_none(file: Path) -> None:
    assert [*unknown_words(read_runbook(file))] == []


def test_the_page_for_own_runbooks_lists_every_word_that_a_walk_knows() -> None:
    page = (ROOT / "docs/how-to/own-knowledge-base.md").read_text("utf-8")
    assert [word for word in (*ADDRESSES, *NAMES) if f"`{word}`" not in page] == []
