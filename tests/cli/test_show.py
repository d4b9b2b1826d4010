import json
import re
from pathlib import Path
from typing import Any

import pytest

BOOK = """---
title: A book of tests
version: 1.2.0
changes: [{version: 1.2.0, date: 2026-01-02, note: second}, {version: 1.0.0, date: 2026-01-01, note: first}]
alerts: [BookAlert]
---

# A book of tests

Before everything.

## Brokers

Why brokers matter.

```yaml {.check}
id: brokers-answer
title: Every broker answers
severity: high
objectives: [availability]
against: [latency]
labels: {tier: [prod, stage]}
params:
  least: {type: int, default: 3, min: 1, max: 9, help: brokers needed, source: our judgement}
facts:
  broker: {probe: kafka_broker}
expect:
  each: broker
  that: broker.answers
effect: clients wait
remedy: Start the *broker*.
audit: kafka-broker-api-versions.sh
sources: ["KIP-1"]
```

```yaml {.diagnostic}
id: nothing-answers
title: Nothing answers
symptom: Clients time out.
alerts: [NothingAnswers]
causes:
  - cause: The brokers are down
    checks: [brokers-answer]
    remedy: Start them.
    risk: none
```

~~~yaml {.procedure}
id: restart
title: Restart a broker
before: [brokers-answer]
steps:
  - do: Stop it.
    command: systemctl stop kafka
  - do: Start it.
    why: replicas wait for it
    risk: it may not come back
    effort: two minutes
    verify: [brokers-answer]
    stop: it does not start
after: [brokers-answer]
undo: Nothing to undo.
~~~
"""


@pytest.fixture
def book(here: Path):
    (here / "book.md").write_text(BOOK)
    return "book.md"


def test_a_runbook_is_shown_with_an_outline_its_prose_and_where_its_blocks_are_read(command: Any, book: str):
    out = command("show", book).out
    assert out.startswith("# A book of tests\n")
    assert out.count("# A book of tests") == 1
    assert "`BookAlert`" in out
    assert "- `book.md#brokers-answer` (check high): Every broker answers" in out
    assert out.index("Why brokers matter.") < out.index("read on: runbook show book.md#brokers-answer")


def test_the_outline_says_which_part_a_block_is_of(command: Any, here: Path):
    fenced = "```sh\n# Whatever\nls\n```\n"
    parted = BOOK.replace("```yaml {.check}", f"# Respond\n\n{fenced}\n## First\n\n```yaml {{.check}}")
    (here / "book.md").write_text(parted.replace("~~~yaml {.procedure}", "# Standard\n\n~~~yaml {.procedure}"))
    outline = command("show", "book.md").out.partition("**In this runbook**")[2].partition("\n\n#")[0]
    lines = [line.partition("(")[0].strip() for line in outline.splitlines() if line.startswith("- ")]
    names = [f"- `book.md#{name}`" for name in ("brokers-answer", "nothing-answers", "restart")]
    assert lines == ["- **Respond**", *names[:2], "- **Standard**", names[2]]


def test_a_runbook_without_blocks_has_no_outline(command: Any, here: Path):
    (here / "prose.md").write_text(BOOK.partition("\n```")[0])
    assert "In this runbook" not in command("show", "prose.md").out


@pytest.mark.parametrize(
    "said",
    [
        "# Every broker answers",
        "`book/brokers-answer` · check · high · availability",
        "Why brokers matter.",
        "`broker`: One row per broker",
        "needs Describe on all topics",
        "For each row of broker, this is true:\n\n    broker.answers\n",
        "**If not** clients wait",
        "**Contradicts** advice for latency; it applies where availability ranks higher",
        "**Only where** tier is prod or stage",
        "`least = 3` (int, at least 1, at most 9): brokers needed (source of the default: our judgement)",
        "Start the *broker*.",
        "    kafka-broker-api-versions.sh",
        "- KIP-1",
        "book.md, line 16",
    ],
)
def test_a_check_is_shown_as_a_card(command: Any, book: str, said: str):
    assert said in command("show", f"{book}#brokers-answer").out


def test_a_card_does_not_repeat_prose_of_earlier_headings(command: Any, book: str):
    assert "Before everything" not in command("show", f"{book}#brokers-answer").out


def test_a_diagnostic_leads_from_symptom_over_causes_and_checks_to_remedy_and_risk(command: Any, book: str):
    out = command("show", f"{book}#nothing-answers").out
    path = ["Clients time out.", "cause 1", "`brokers-answer`", "Start them.", "**Risk** none", "`NothingAnswers`"]
    assert [out.index(step) for step in path] == sorted(out.index(step) for step in path)


def test_a_diagnostic_says_of_each_cause_whether_the_tool_or_a_person_tells_it(command: Any):
    out = command("show", "ha#partitions-are-offline").out
    assert out.count("`runbook check ha#partitions-are-offline` names a cause that is marked *tool*.") == 1
    assert "\n*tool* `broker-is-down` · `every-partition-has-a-leader`, `no-broker-is-fenced`\n" in out
    assert "\n*you* · `every-partition-has-a-leader`, " in out
    assert "\n*you*\n" in command("show", "topics#times-are-refused").out


def test_a_card_shows_the_command_of_what_it_leads_to(command: Any):
    out = command("show", "ha#a-disk-failed-or-is-full").out
    assert "(procedure `runbook show ha#make-room-before-a-disk-is-full`)" in out
    assert "follow `runbook show ha#rescue-the-only-copy`" in out
    assert (
        "Go to `runbook show error-handling#a-group-stands-still`"
        in command("show", "consumers#consumers-fall-behind").out
    )


def test_a_procedure_is_shown_as_numbered_steps_with_gates(command: Any, book: str):
    out = command("show", f"{book}#restart").out
    gate = "**It worked if these pass** `brokers-answer`"
    path = [
        "**Before you begin",
        "1. Stop it.",
        "       systemctl stop kafka",
        "2. Start it.",
        "**Why** replicas wait for it",
        "**Risk** it may not come back",
        "**Effort** two minutes",
        gate,
        "**Stop and go back",
    ]
    path += ["**Afterwards", "Nothing to undo."]
    assert [out.index(step) for step in path] == sorted(out.index(step) for step in path)


def test_markdown_is_the_source_of_the_block_whatever_its_fence(command: Any, book: str):
    for identifier, fence in (("brokers-answer", "```"), ("restart", "~~~")):
        out = command("show", f"{book}#{identifier}", "--format", "markdown").out
        assert out in BOOK
        assert out.startswith(f"{fence}yaml {{.")
        assert out.endswith(f"\n{fence}\n")
    assert command("show", book, "-f", "markdown").out == BOOK


def test_json_holds_the_block_and_its_digest(command: Any, book: str):
    shown = json.loads(command("show", f"{book}#brokers-answer", "--format", "json").out)
    assert shown["name"] == "book/brokers-answer"
    assert shown["kind"] == "check"
    assert shown["block"]["params"]["least"]["default"] == 3
    assert len(shown["block_digest"]) == 64
    assert BOOK.splitlines()[shown["line"] - 1] == "```yaml {.check}"
    whole = json.loads(command("show", book, "--format", "json").out)
    assert [block["kind"] for block in whole["blocks"]] == ["check", "diagnostic", "procedure"]


def test_colour_is_for_terminals_and_says_the_same(command: Any, book: str):
    plain, colored = command("show", f"{book}#restart").out, command("show", f"{book}#restart", "--color", "always").out
    assert "\x1b" not in plain
    assert "\x1b" in colored
    assert "systemctl stop kafka" in colored


def test_the_names_in_a_table_are_shown_whole(command: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "80")
    shown = re.sub(r"\x1b\[[0-9;]*m", "", command("show", "security", "--color", "always").out)
    table = shown.partition("First failing check")[2].partition("Three rules")[0]
    first = " ".join(line[:26].strip() for line in table.splitlines()[2:6])
    assert first == "anonymous-clients-are- refused, made-up-users- are-refused certificates-have-not-"
    assert "…" not in table
    assert all(len(line) <= 80 for line in table.splitlines())


def test_a_mistyped_block_or_runbook_or_format_is_answered_with_what_there_is(command: Any, book: str):
    for arguments, hint in (
        ((f"{book}#brokers-answr",), "did you mean brokers-answer?"),
        (("bok.md",), "no runbook bok.md"),
        ((book, "--format", "jsn"), "did you mean json?"),
        ((book, "--color", "red"), "auto, always or never"),
    ):
        ended = command("show", *arguments)
        assert (ended.code, ended.out) == (2, "")
        assert hint in ended.err


def test_a_built_in_block_may_be_named_with_a_slash(command: Any):
    from runbook.run.sources import runbooks
    from runbook.run.sources.built_in import builtin_names

    name = builtin_names()[0]
    block = runbooks.read_all([name])[0].checks()[0].block.id
    assert command("show", f"{name}/{block}").out == command("show", f"{name}#{block}").out


def test_text_of_a_runbook_cannot_drive_the_terminal(command: Any, here: Path):
    (here / "evil.md").write_text(BOOK.replace("Why brokers matter.", "red \x1b[31m alert"))
    for arguments in (("evil.md",), ("evil.md#brokers-answer",)):
        out = command("show", *arguments).out
        assert "\x1b" not in out
        assert r"\x1b[31m" in out


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("kafka_topic", "kafka_topic is a probe: runbook list --probes kafka_topic\n"),
        ("kafka_log_dir", "kafka_log_dir is a probe: runbook list --probes kafka_log_dir\n"),
        ("broker_loss", "broker_loss is a view: runbook list --views broker_loss\n"),
        ("lab", "lab is a command: runbook lab --help\n"),
        (
            "docs",
            "docs is a folder, and one text is shown: runbook show RUNBOOK; which there are: runbook list; a",
        ),
        (
            "runbooks",
            "runbooks is a folder, and one text is shown: runbook show RUNBOOK; which there are: runbook list",
        ),
    ],
)
@pytest.mark.usefixtures("knowledge")
def test_what_is_no_runbook_is_told_where_it_is_shown(command: Any, word: str, said: str) -> None:
    done = command("show", word)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(said)
