"""Commands of Kafka's tools in what somebody acts by are told where they name no server."""

import json

import pytest

from runbook.lint.commands import unrunnable_commands
from runbook.parse.runbook import parse_runbook

PAGE = """---
title: What to do
version: 0.1.0
changes: [{version: 0.1.0, date: 2026-11-27, note: first}]
summary: It is said here.
---

`kafka-topics.sh --describe` explains itself.

"""
BLOCKS = {
    "remedy": """````yaml {.check}
id: a-check
title: It is so
severity: low
facts: {topic: {probe: kafka_topic}}
expect: {each: topic, that: "true"}
remedy: TEXT
````
""",
    "look": """````yaml {.diagnostic}
id: a-symptom
title: It is slow
symptom: It is slow.
causes:
  - cause: Somebody
    look: TEXT
    remedy: Ask.
````
""",
    "first": """````yaml {.cause}
id: a-cause
title: It is so
facts: {topic: {probe: kafka_topic}}
holds: {each: topic, that: "true"}
says: It is.
proof: [seen]
first: TEXT
avoid: wait
undone: {recovery: reassignment_completed}
sources: [our judgement]
````
""",
    "do": """````yaml {.procedure}
id: a-procedure
title: Do it
before: [a-check]
steps:
  - do: TEXT
    verify: [a-check]
    stop: It is not.
after: [a-check]
undo: Nothing.
````
""",
}
BLOCKS |= {
    "avoid": BLOCKS["first"].replace("TEXT", "Wait.").replace("avoid: wait", "avoid: TEXT"),
    "stop": BLOCKS["do"].replace("TEXT", "Wait.").replace("stop: It is not.", "stop: TEXT"),
    "undo": BLOCKS["do"].replace("TEXT", "Wait.").replace("undo: Nothing.", "undo: TEXT"),
    "symptom": BLOCKS["look"].replace("TEXT", "Wait.").replace("symptom: It is slow.", "symptom: TEXT"),
}
ACTED_BY = sorted(BLOCKS.keys() - {"symptom"})


def told(text: str, field: str = "first") -> list[tuple[str, str]]:
    """What is said of a text in a field, and what to write."""
    book = parse_runbook(PAGE + BLOCKS[field].replace("TEXT", json.dumps(text)), "first", "first.md")
    return [(problem.message, problem.remedy) for problem in unrunnable_commands(book)]


@pytest.mark.parametrize("field", ACTED_BY)
def test_a_command_in_what_somebody_acts_by_names_its_server(field: str) -> None:
    [(message, remedy)] = told("See `kafka-topics.sh --describe`.", field)
    assert message == '"kafka-topics.sh --describe" names no server'
    assert remedy == (
        "write it whole, with --bootstrap-server HOST:PORT; or, where the option alone is meant: "
        "`--describe` of kafka-topics.sh"
    )
    assert told("See `kafka-topics.sh --bootstrap-server HOST:PORT --describe`.", field) == []


def test_where_nobody_acts_by_it_a_command_may_explain() -> None:
    assert told("`kafka-topics.sh --describe` shows it", "symptom") == []


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("`/opt/kafka/bin/kafka-topics.sh --list`", "/opt/kafka/bin/kafka-topics.sh --list"),
        ("`kafka-topics --list`, as some call it", "kafka-topics --list"),
        ("`kubectl exec POD -- bin/kafka-topics.sh --list`", "bin/kafka-topics.sh --list"),
        ("`kafka-topics.sh\n--list`", "kafka-topics.sh --list"),
        ("``kafka-topics.sh --list``", "kafka-topics.sh --list"),
        ("`(kafka-topics.sh --list)`", "kafka-topics.sh --list"),
        ("`kafka-topics.sh --delete=orders`", "kafka-topics.sh --delete"),
        ("`kafka-consumer-groups.sh … --execute`", "kafka-consumer-groups.sh --execute"),
        ("`kafka-transactions.sh find-hanging --broker-id 1`", "kafka-transactions.sh --broker-id"),
        ("`kafka-configs.sh --alter --entity-name {a ? 'b' : \"it's\"}`", "kafka-configs.sh --alter"),
        ("`kafka-topics.sh --list | xargs echo --bootstrap-server`", "kafka-topics.sh --list"),
        ("`echo --bootstrap-server h:1; kafka-topics.sh --list`", "kafka-topics.sh --list"),
        ("`kafka-log-dirs.sh --broker-list 1 --describe`", "kafka-log-dirs.sh --broker-list"),
        ("`kafka-features.sh upgrade --feature a=1`", "kafka-features.sh --feature"),
    ],
)
def test_a_command_in_code_is_told(text: str, command: str) -> None:
    [(message, _)] = told(text)
    assert message == f'"{command}" names no server'


@pytest.mark.parametrize(
    "text",
    [
        "`kafka-topics.sh --bootstrap-server=h:1 --list`",
        "`kafka-configs.sh --bootstrap-controller h:1 --describe`",
        "`kafka-topics.sh --bootstrap-server h:1 --list | grep -v x`",
        "`kafka-topics.sh --topic 'a|b' --bootstrap-server h:1`",
        "`kafka-topics.sh --topic a#b --bootstrap-server h:1`",
        "`kafka-topics.sh --topic {size(a) > 1 || b ? c : d} --bootstrap-server h:1`",
        "`kafka-topics.sh --topic {rows|a|b} --bootstrap-server h:1`",
        '`kafka-topics.sh "$@" --list`',
        "`kafka-topics.sh $SERVER --list`",
        "`kafka-topics.sh --topic $(head -n 1 topics) --bootstrap-server h:1`",
        "`kafka-topics.sh`, `--list` and `kafka-topics.sh` again",
        "`--verify` of kafka-reassign-partitions.sh",
        "`--verify` of `kafka-reassign-partitions.sh`, and no other --option",
        "`kafka-topics.sh --version`, `kafka-topics.sh --help`",
        "`kafka-consumer-groups.sh --validate-regex 'a.*'`",
        "`kafka-features.sh version-mapping --release-version 4.3`",
        "`kafka-acls.sh --authorizer-properties zookeeper.connect=zk:2181 --list`",
        "`kafka-storage.sh format --cluster-id ID --config FILE`",
        "`kafka-dump-log.sh --files FILE`, or `kafka-run-class.sh a.Tool --list`",
        "`kafka-server-start.sh FILE --override a=b`",
        "`tar --list -f kafka-topics.sh`",
        "`our-kafka-topics.sh --list`",
        "`it's kafka-topics.sh --list`",
    ],
)
def test_code_that_runs_or_is_no_command_of_a_tool_that_asks_is_not(text: str) -> None:
    assert told(text) == []


def test_a_server_that_is_named_in_a_way_that_is_gone_is_told_as_that_alone() -> None:
    assert told("`kafka-topics.sh --zookeeper zk:2181 --list`") == []
    [(message, _)] = told("```sh\nkafka-topics.sh --zookeeper zk:2181 --list\n```\n", "remedy")
    assert message == "kafka-topics has no --zookeeper since 3.0 (KIP-377)"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("look: kafka-topics.sh --list, twice", "kafka-topics.sh --list"),
        ("(bin/kafka-topics --list)", "kafka-topics --list"),
        ("kafka-topics.sh\n  --list", "kafka-topics.sh --list"),
        ("kafka-transactions.sh find-hanging --broker-id N names it", "kafka-transactions.sh --broker-id"),
        ("kafka-topics.sh --list. Then `--bootstrap-server h:1`", "kafka-topics.sh --list"),
        ("kafka-topics.sh --list. It needs no --bootstrap-server", "kafka-topics.sh --list"),
        ("kafka-topics.sh --list or kafka-configs.sh --bootstrap-server h:1", "kafka-topics.sh --list"),
        ("`code`, and kafka-topics.sh --list", "kafka-topics.sh --list"),
    ],
)
def test_a_command_among_words_is_to_be_put_into_code(text: str, command: str) -> None:
    [(message, remedy)] = told(text)
    assert message == f'"{command}" names no server, and stands among words, where it is wrapped'
    assert remedy.startswith("write it as code, whole, with --bootstrap-server HOST:PORT; or, ")


@pytest.mark.parametrize(
    "text",
    [
        "kafka-topics.sh --bootstrap-server h:1 --list",
        "kafka-topics.sh --topic kafka-orders --bootstrap-server h:1",
        "kafka-configs.sh with --alter, as the step shows",
        "kafka-configs.sh (--alter), or --alter of kafka-configs.sh",
        "kafka-configs.sh describes: --alter is another matter",
        "kafka-topics.sh -- the tool for topics, with --list",
        "kafka-topics.sh --help, for one; kafka-dump-log.sh --files FILE",
        "kafka-features.sh version-mapping --release-version 4.3",
        "our-kafka-topics.sh --list",
    ],
)
def test_a_mention_among_words_is_not(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("block", "lines"),
    [
        ("```sh\ndate\nkafka-topics.sh --list\n```", [3]),
        ("```bash\nkafka-topics.sh \\\n  --list\nkafka-topics.sh --list\n```", [2, 4]),
        ("```sh\nkafka-topics.sh --list \\\n  --bootstrap-server h:1\n```", []),
        ("```sh\n# kafka-topics.sh --list\n```", []),
        ("```sh\ncat <<EOF\nkafka-topics.sh --list\nEOF\n```", []),
        ("```text\nkafka-topics.sh --list\n```", []),
        ("```\nkafka-topics.sh --list\n```", []),
        ("Do this:\n\n    date\n    kafka-topics.sh --list\n\nand wait for\nkafka-topics.sh --list", [4, 7]),
        ("wait\nand see `kafka-topics.sh --list`", [2]),
        ("1. wait\n\n   ```sh\n   kafka-topics.sh --list\n   ```\n2. `kafka-topics.sh --list`", [4, 6]),
    ],
)
def test_it_is_told_with_its_line(block: str, lines: list[int]) -> None:
    indented = "|\n" + "\n".join(f"  {line}" for line in block.splitlines())
    text = PAGE + BLOCKS["remedy"].replace("TEXT", indented)
    before = text[: text.index("remedy: |\n")].count("\n") + 1
    book = parse_runbook(text, "first", "first.md")
    assert [problem.place.line - before for problem in unrunnable_commands(book)] == lines
