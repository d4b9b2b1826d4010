from pathlib import Path
from typing import Any

import pytest

PROCEDURE = """
```yaml {{.procedure}}
id: a-procedure
title: Do it
before: [enough-brokers]
steps:
  - do: one
    command: |
{command}
    verify: [enough-brokers]
after: [enough-brokers]
```
"""


@pytest.fixture
def said(command: Any, knowledge: Path):
    """What lint says of a procedure with this command."""
    file = knowledge / "runbooks/first.md"
    text = file.read_text()

    def lint(shown: str) -> list[str]:
        indented = "\n".join(f"      {line}" for line in shown.splitlines())
        file.write_text(text + PROCEDURE.format(command=indented))
        return [line for line in command("lint", "runbooks/first.md").out.splitlines() if "runbooks/first.md" in line]

    return lint


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        ("kafka-topics.sh --create --topic 'orders", "no shell takes this command (no closing quotation)"),
        ('kafka-topics.sh --list\necho "done', "(no closing quotation): kafka-topics.sh --list"),
        ("bin/kafka-topics.sh --zookeeper zk:2181 --list", "kafka-topics has no --zookeeper since 3.0 (KIP-377)"),
        ("kafka-reassign-partitions --zookeeper=zk:2181", "has no --zookeeper since 3.0 (KIP-455)"),
        ("kafka-configs.sh --zookeeper zk:2181", "has no --zookeeper since 4.0 (KIP-500)"),
        ("date | kafka-console-producer.sh --broker-list b:9092 --topic a", "--broker-list since 4.0"),
        (
            "kafka-console-consumer.sh \\\n  --broker-list b:9092",
            "kafka-console-consumer has no --broker-list in any release",
        ),
        ("kafka-preferred-replica-election.sh", "is gone since 3.0 (KIP-460)"),
        ("date; runbook check ha.md --severity high", '"runbook check ha.md --severity high" names no environment'),
        ("runbook env prod && runbook what-if", '"runbook what-if" names no environment'),
    ],
)
def test_a_command_that_cannot_run_is_said_with_its_step(said: Any, shown: str, why: str):
    [line] = said(shown)
    assert why in line
    assert "in first/a-procedure" in line or "in a-procedure" in line


@pytest.mark.parametrize(
    "shown",
    [
        "kafka-topics.sh --bootstrap-server b:9092 --list | grep -v '^__'",
        "kafka-reassign-partitions.sh --bootstrap-server b:9092 --broker-list 1,2 --generate",  # ids of brokers
        "kafka-log-dirs.sh --bootstrap-server b:9092 --broker-list 1 --describe",
        "kafka-topics.sh --list; old-tool --zookeeper zk:2181",
        "kafka-topics.sh --list\nold-tool --zookeeper zk:2181",
        "# don't\nkafka-topics.sh --bootstrap-server b:9092 --list",
        "cat <<EOF\nit's text\nEOF",
        "runbook check ha.md --env ENVIRONMENT; runbook what-if -e prod",
        "runbook check ha.md --from facts.json; runbook show ha",
        '{"note": "it\'s the body of a request"}',
    ],
)
def test_a_command_that_can_run_is_not_held_against(said: Any, shown: str):
    assert said(shown) == []


def test_the_command_that_repeats_a_check_is_looked_at_too(command: Any, knowledge: Path):
    file = knowledge / "runbooks/first.md"
    text = file.read_text()
    audit = "audit: kafka-broker-api-versions.sh"
    assert audit in text
    file.write_text(text.replace(audit, "audit: kafka-topics.sh --zookeeper zk:2181 --list |"))
    ended = command("lint", "runbooks/first.md")
    assert "kafka-topics has no --zookeeper since 3.0 (KIP-377)" in ended.out
    assert "write --bootstrap-server HOST:PORT" in ended.out


def in_remedy(file: Path, code: str, language: str) -> str:
    """Write a fenced block into the remedy of the check, and give the place of its first line."""
    indented = "".join(f"  {line}\n" for line in f"```{language}\n{code}\n```".splitlines())
    text = file.read_text().replace("```yaml {.check}", "````yaml {.check}").replace("\n```\n", "\n````\n", 1)
    file.write_text(text.replace("remedy: |\n", f"remedy: |\n  Do this:\n\n{indented}\n"))
    return f"runbooks/first.md:{file.read_text().splitlines().index(f'  ```{language}') + 2}:"


@pytest.mark.parametrize("language", ["sh", "bash", "shell"])
@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("date\nkafka-topics.sh --zookeeper zk:2181 --list", "kafka-topics has no --zookeeper since 3.0 (KIP-377)"),
        ("kafka-topics.sh --create --topic 'orders", "no shell takes this command (no closing quotation)"),
    ],
)
def test_a_block_of_commands_in_a_remedy_is_looked_at(
    command: Any, knowledge: Path, language: str, code: str, why: str
):
    place = in_remedy(knowledge / "runbooks/first.md", code, language)
    [line] = [line for line in command("lint", "runbooks/first.md").out.splitlines() if line.startswith("runbooks/")]
    assert line.startswith(place)
    assert why in line


@pytest.mark.parametrize("language", ["", "text", "yaml"])
def test_a_block_of_anything_else_in_a_remedy_is_not(command: Any, knowledge: Path, language: str):
    in_remedy(knowledge / "runbooks/first.md", "kafka-topics.sh --zookeeper it's:2181 --list", language)
    assert "nothing wrong" in command("lint", "runbooks/first.md").err


def test_a_block_of_commands_in_prose_is_looked_at(command: Any, knowledge: Path):
    file = knowledge / "runbooks/first.md"
    file.write_text(f"{file.read_text()}\n1. so:\n\n   ```sh\n   kafka-topics.sh --zookeeper zk:2181\n   ```\n")
    line = len(file.read_text().splitlines()) - 1
    assert f"runbooks/first.md:{line}:1  kafka-topics has no --zookeeper" in command("lint", "runbooks/first.md").out
