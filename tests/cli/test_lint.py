"""All mistakes of a project's runbooks and of its inventory are told in one pass, each with its place."""

from pathlib import Path
from typing import Any

import pytest

from support.own_runbook import block, change

DIAGNOSTIC = """id: a-symptom
title: Something is wrong
symptom: It is.
causes:
  - cause: A broker is gone
    checks: [enough-broker]
  - cause: Elsewhere
    checks: [second/there, second/nowhere, third/one]
"""

PROCEDURE = """id: a-procedure
title: Do it
before: [enough-brokers]
steps:
  - do: one
    verify: [enough-brokers, nothing]
after: [nothing-either]
"""


def test_mistakes_of_all_files_are_told_at_once_with_place_and_remedy(command: Any, knowledge: Path, first: Path):
    change(first, "broker.answers.filter", "broker.answer.filter")
    (knowledge / "runbooks/second.md").write_text("# no front matter\n")
    ended = command("lint", "runbooks/first.md", "runbooks/second.md")
    assert ended.code == 2
    assert ended.out.startswith("runbooks/first.md:33:")
    assert "did you mean broker.answers?" in ended.out
    assert "runbooks/second.md:1:1  no front matter" in ended.out
    assert "2 runbooks, 1 check" in ended.err


EVERYTHING_WRONG = """
```yaml {.check}
id: wrong-in-form
title: Form and probe and expression are wrong
sevrity: high
facts:
  broker: {probe: kafka_brokr, wth: {}}
  topic: {probe: kafka_topic}
params: {most: {type: int, default: many}}
expect:
  each: topic
  tht: topic.nme == "x" and topic.partitions > params.most
  message: "{broker.rack} of {topic.nane}"
applies: {each: topic, that: topic.internl, otherwise: no topics}
```

```yaml {.check}
id: not-yaml
title: [
```

```yaml {.procedure}
id: look
title: Look at what is wrong
before: [wrong-in-form, not-yaml, nowhere]
stps: []
steps: [{do: one, verify: [neither]}]
```
"""


def test_a_file_is_told_all_of_its_mistakes_in_one_pass(command: Any, first: Path, cases: Path):
    """Of form, probes, parameters, expressions, names, versions and cases, in three blocks: none hides another."""
    first.write_text(first.read_text().replace("\nversion: 0.1.0", "\nversion: 0.2.0") + EVERYTHING_WRONG)
    cases.write_text(
        cases.read_text().replace("expect: unknown", "expect: maybe").replace("answers: false", "answer: 0")
    )
    said = [line.partition("  ")[2] for line in command("lint", "runbooks/first.md").out.splitlines() if line[0] != " "]
    expected = [
        "version is 0.2.0, the first of changes 0.1.0",
        'check lacks "severity"',
        'unknown field "sevrity" in check',
        "nothing proves that first/wrong-in-form can fail: it has no cases",
        'unknown field "wth" in facts.broker',
        'no probe "kafka_brokr"',
        "'many' is not of type int",
        'unknown field "tht" in expect',
        'unknown name "topic.nme"',
        "the word and is written otherwise in CEL",
        'unknown name "topic.nane"',
        'unknown name "topic.internl"',
        "not valid YAML",
        'unknown field "stps" in procedure',
        'no check "nowhere" in first/look',
        'no check "neither" in first/look',
        "'maybe'",
        'no column "answer"',
    ]
    assert [message for message in expected if not any(message in line for line in said)] == []
    assert len(said) == len(expected), said  # and nothing that only follows from another


def test_a_name_that_means_no_runbook_ends_the_command(command: Any):
    ended = command("lint", "nowhere.md")
    assert ended.code == 2
    assert "no runbook nowhere.md" in ended.err


def test_diagnostics_and_procedures_may_name_only_checks_that_are_there(command: Any, knowledge: Path, first: Path):
    second = first.read_text().replace("id: enough-brokers", "id: there")
    (knowledge / "runbooks/second.md").write_text(second)
    first.write_text(first.read_text() + block("diagnostic", DIAGNOSTIC) + block("procedure", PROCEDURE))
    ended = command("lint", "runbooks/first.md")
    said = [line.partition("  ")[2] for line in ended.out.splitlines() if line.startswith("runbooks/")]
    assert said == [
        'no check "enough-broker" in first/a-symptom',
        'no check "second/nowhere" in first/a-symptom',
        'no runbook "third" in first/a-symptom',
        'no check "nothing" in first/a-procedure',
        'no check "nothing-either" in first/a-procedure',
    ]
    assert "did you mean enough-brokers?" in ended.out


@pytest.mark.usefixtures("knowledge")
def test_in_a_project_its_inventory_is_looked_at_too(command: Any, knowledge: Path):
    params = "{ha/topics-have-three-copies: {lest: 2}, ha/nobodys: {least: 2}}"
    waiver = (
        "{check: ha/topics-have-three-copies, owner: us, reason: ten letters, expires: '2026-12-20', rows: {topc: a}}"
    )
    text = f"environments:\n  prod:\n    params: {params}\n    waivers: [{waiver}]\n"
    knowledge.joinpath("environments.yaml").write_text(text, "utf-8")
    done = command("lint")
    assert done.code == 2
    assert "did you mean least?" in done.out
    assert 'no check "ha/nobodys"' in done.out
    assert 'the rows of the waiver of ha/topics-have-three-copies have no "topc"' in done.out
    assert "did you mean topic?" in done.out
    assert command("lint", "runbooks/first.md").code == 0  # only what is named
    below = "{ha: {topics-have-three-copies: {least: 2}}}"  # not by the check's whole name
    knowledge.joinpath("environments.yaml").write_text(f"environments: {{prod: {{params: {below}}}}}\n", "utf-8")
    assert "write ha/topics-have-three-copies: and its parameters" in command("lint").out


@pytest.mark.usefixtures("knowledge")
def test_an_inventory_that_is_not_there_is_asked_for_by_the_name_of_the_one_that_is(command: Any):
    ended = command("lint", "--inventory", "environments.yml")
    assert (ended.code, ended.err) == (2, "there is no inventory environments.yml: did you mean environments.yaml?\n")


@pytest.mark.usefixtures("knowledge")
def test_an_inventory_that_a_project_names_and_that_is_not_there_is_told(command: Any, monkeypatch: pytest.MonkeyPatch):
    change(Path("runbook.yaml"), "inventory: environments.yaml", "inventory: environment.yaml")
    ended = command("lint")
    assert (ended.code, ended.out) == (0, "runbook.yaml:1:1  remark: inventory: environment.yaml is not there\n")
    assert command("env").err == "there is no inventory environment.yaml: runbook.yaml names it\n"
    monkeypatch.setenv("RUNBOOK_INVENTORY", "other.yaml")
    assert command("env").err == "there is no inventory other.yaml: RUNBOOK_INVENTORY names it\n"


def test_a_users_probes_are_known_once_their_folder_is_named(command: Any, first: Path):
    change(first, "probe: kafka_broker", "probe: kafka_advertised_host")
    assert 'no probe "kafka_advertised_host"' in command("lint", "runbooks/first.md").out
    ended = command("lint", "runbooks/first.md", "--checks", "checks")
    assert 'no probe "kafka_advertised_host"' not in ended.out


def test_the_built_in_runbooks_have_no_mistakes_and_a_project_that_was_not_looked_at_is_named(
    command: Any, first: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(first.parent)
    root = first.parent.parent
    ended = command("lint")  # of all of them, which takes longest of all that is here
    assert (ended.code, ended.out) == (0, "")
    assert f"a project is in {root}: go there, or name it by RUNBOOK_PROJECT={root}" in ended.err
    for arguments in (("check", "nothing-called-so"), ("test", "--only", "brokers-agree"), ("env",)):
        assert f"a project is in {root}" in command(*arguments).err
    assert f"a project is in {root}" in command("find", "xyzzy").out


def test_code_of_ones_own_that_can_not_be_used_is_told(command: Any, knowledge: Path):
    probes, views = knowledge / "checks/probes", knowledge / "checks/views"
    (probes / "our_half.py").write_text("def observe(:\n", "utf-8")
    (probes / "our_lacking.py").write_text("import nothing_of_that_name\n", "utf-8")
    (views / "our_silent.py").write_text("number = 1\n", "utf-8")
    assert command("lint").code == 0  # nobody named it, so that nothing of it is loaded
    ended = command("lint", "--checks", "checks")
    assert ended.code == 2
    for said in (
        "checks/probes/our_half.py:1:1  can't be loaded: SyntaxError",
        "checks/probes/our_lacking.py:1:1  can't be loaded: ModuleNotFoundError: No module named 'nothing_of_that_",
        "checks/views/our_silent.py:1:1  defines no VIEW",
    ):
        assert said in ended.out
    assert "kafka_advertised_host" not in ended.out


def test_code_of_ones_own_that_nothing_loads_is_told(command: Any, knowledge: Path):
    checks = knowledge / "checks"
    (checks / "probes/Our-Host.py").write_text("", "utf-8")
    (checks / "probes/_shared.py").write_text("", "utf-8")
    (checks / "view").mkdir()
    (checks / "view/racks.py").write_text("", "utf-8")
    (checks / "shared").mkdir()
    (checks / "shared/names.py").write_text("", "utf-8")
    ended = command("lint", "--checks", "checks")
    assert ended.code == 2
    assert ended.out == (
        "checks/probes/Our-Host.py:1:1  not read: its name begins with no small letter\n    call it our_host.py\n"
        "checks/view:1:1  not read: probes, views, recoveries, connections are\n    call it views\n"
    )


def test_a_parameter_that_nothing_reads_is_told_at_its_place(command: Any, first: Path):
    idle = "params:\n  idle: {type: int, default: 1, help: what for, source: ours}\n"
    change(first, "params:\n", idle)
    ended = command("lint", "runbooks/first.md")
    assert "nothing in first/enough-brokers reads params.idle, so that its value changes nothing" in ended.out
    change(first, "params.least", "params.least + params . idle")
    assert "reads params.idle" not in command("lint", "runbooks/first.md").out
