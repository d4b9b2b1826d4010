import subprocess
from pathlib import Path
from typing import Any

import pytest


def change(file: Path, old: str, new: str):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


@pytest.fixture
def first(knowledge: Path):
    return knowledge / "runbooks/first.md"


@pytest.fixture
def cases(knowledge: Path):
    return knowledge / "tests/cases/first/enough-brokers.yaml"


def block(kind: str, text: str):
    return f"\n```yaml {{.{kind}}}\n{text}```\n"


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


def test_a_check_without_cases_is_a_mistake(command: Any, cases: Path):
    cases.unlink()
    ended = command("lint", "runbooks/first.md")
    assert ended.code == 2
    assert "nothing proves that first/enough-brokers can fail: it has no cases" in ended.out
    assert "write tests/cases/first/enough-brokers.yaml" in ended.out


def test_a_check_without_a_failing_case_is_a_mistake(command: Any, cases: Path):
    change(cases, "expect: fail", "expect: pass")
    ended = command("lint", "runbooks/first.md")
    assert "tests/cases/first/enough-brokers.yaml:1:1  nothing proves that first/enough-brokers can fail" in ended.out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("expect: unknown", "expect: maybe", "'maybe'"),
        ("answers: false", "answer: false", 'no column "answer"'),
        ("answers: false", "answers: 7", "answers: 7 is not of type bool"),
        ("      broker: {rows: []", "      brokers: {rows: []", 'has no fact "brokers"'),
        ("cases:", "base: nowhere.json\ncases:", "nowhere.json can't be read"),
    ],
)
def test_mistakes_in_case_files_are_told_with_their_place(command: Any, cases: Path, old: str, new: str, said: str):
    change(cases, old, new)
    ended = command("lint", "runbooks/first.md")
    assert ended.code == 2
    assert said in ended.out
    assert all(line[0] == " " or line.startswith("tests/cases/first/") for line in ended.out.splitlines())


def test_the_cases_of_a_block_without_an_id_are_nobodys_mistake(command: Any, first: Path):
    text = first.read_text("utf-8")
    first.write_text(text.replace("id: enough-brokers\n", ""), "utf-8")
    output = command("lint", "runbooks/first.md").out
    assert "enough-brokers" not in output
    assert "xxx" not in output


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
def test_an_inventory_that_a_project_names_and_that_is_not_there_is_told(command: Any, monkeypatch: pytest.MonkeyPatch):
    change(Path("runbook.yaml"), "inventory: environments.yaml", "inventory: environment.yaml")
    ended = command("lint")
    assert (ended.code, ended.out) == (0, "runbook.yaml:1:1  remark: inventory: environment.yaml is not there\n")
    assert command("env").err == "there is no inventory environment.yaml: runbook.yaml names it\n"
    monkeypatch.setenv("RUNBOOK_INVENTORY", "other.yaml")
    assert command("env").err == "there is no inventory other.yaml: RUNBOOK_INVENTORY names it\n"


def test_a_case_file_of_no_check_is_a_mistake(command: Any, cases: Path):
    cases.with_name("enough-broker.yaml").write_text(cases.read_text())
    ended = command("lint", "runbooks/first.md")
    assert 'enough-broker.yaml:1:1  first has no check or cause "enough-broker"' in ended.out


@pytest.mark.parametrize(
    ("version", "changes", "said"),
    [
        ("0.2.0", [("0.1.0", "2026-01-01")], "version is 0.2.0, the first of changes 0.1.0"),
        ("0.1.0", [("0.1.0", "2026-01-01"), ("0.2.0", "2025-01-01")], "0.2.0 stands below 0.1.0"),
        ("0.10.0", [("0.10.0", "2026-01-01"), ("0.9.0", "2026-02-01")], "is younger than 0.10.0"),
        ("0.1.0", [("0.1.0", "2026-02-30")], "2026-02-30 is no date"),
    ],
)
def test_version_and_changes_must_agree(
    command: Any, first: Path, version: str, changes: list[tuple[str, str]], said: str
):
    entries = ", ".join(f'{{version: {number}, date: "{date}", note: A note}}' for number, date in changes)
    _, _, rest = first.read_text().partition("summary:")
    first.write_text(f"---\ntitle: A title\nversion: {version}\nchanges: [{entries}]\nsummary:{rest}")
    ended = command("lint", "runbooks/first.md")
    assert ended.code == 2
    assert said in ended.out
    assert ended.out.startswith("runbooks/first.md:")


def test_versions_are_compared_as_numbers(command: Any, first: Path):
    entries = '[{version: 0.10.0, date: "2026-02-01", note: new}, {version: 0.9.0, date: "2026-01-01", note: old}]'
    _, _, rest = first.read_text().partition("summary:")
    first.write_text(f"---\ntitle: A title\nversion: 0.10.0\nchanges: {entries}\nsummary:{rest}")
    assert command("lint", "runbooks/first.md").code == 0


@pytest.fixture
def released(knowledge: Path):
    """The knowledge base under Git, with a tag on it as it is."""

    def git(*arguments: str) -> None:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *arguments], cwd=knowledge, check=True, capture_output=True)

    git("init", "-q")
    git("add", "runbooks")
    git("commit", "-q", "-m", "first")
    git("tag", "v1")
    return git


@pytest.mark.usefixtures("released")
def test_a_check_changed_since_the_last_tag_needs_a_new_version(command: Any, first: Path):
    change(first, "default: 3", "default: 2")
    ended = command("lint", "runbooks/first.md")
    assert ended.code == 2
    assert "first/enough-brokers is another check than in v1, under the same version 0.1.0" in ended.out
    change(first, "version: 0.1.0\nchanges:", "version: 0.2.0\nchanges:")
    change(first, "  - {version: 0.1.0", "  - {version: 0.2.0, date: 2026-02-01, note: Two}\n  - {version: 0.1.0")
    assert command("lint", "runbooks/first.md").code == 0


@pytest.mark.usefixtures("released")
def test_new_wording_needs_no_new_version(command: Any, first: Path):
    change(first, "effect: one more", "effect: a further")
    assert command("lint", "runbooks/first.md").code == 0


def test_since_names_the_tag_to_compare_with(command: Any, first: Path, released: Any):
    change(first, "default: 3", "default: 2")
    released("commit", "-q", "-a", "-m", "second")
    released("tag", "v2")
    assert command("lint", "runbooks/first.md").code == 0
    assert command("lint", "runbooks/first.md", "--since", "v1").code == 2


@pytest.mark.usefixtures("released")
def test_a_tag_that_is_not_there_is_said_only_where_it_was_named(command: Any):
    ended = command("lint", "runbooks/first.md", "--since", "--output=x")
    assert ended.code == 2
    assert "no such tag" in ended.err
    assert command("lint", "runbooks/first.md").code == 0


@pytest.mark.usefixtures("released")
def test_without_git_there_is_nothing_to_compare_with(command: Any, first: Path, monkeypatch: pytest.MonkeyPatch):
    change(first, "default: 3", "default: 2")
    monkeypatch.setenv("PATH", "/nowhere")
    assert command("lint", "runbooks/first.md").code == 0
    assert command("lint", "runbooks/first.md", "--since", "v1").code == 2


def test_a_recorded_release_is_compared_with_where_no_tag_reached(command: Any, first: Path):
    ended = command("lint", "runbooks/first.md", "--release", "1.0.0")
    assert (ended.code, "release 1.0.0 is recorded in runbooks/releases.json" in ended.err) == (0, True)
    assert command("lint", "runbooks/first.md").code == 0
    change(first, "default: 3", "default: 2")
    ended = command("lint", "runbooks/first.md")
    assert ended.code == 2
    assert "first/enough-brokers is another check than in release 1.0.0, under the same version 0.1.0" in ended.out
    change(first, "version: 0.1.0\nchanges:", "version: 0.2.0\nchanges:")
    change(first, "  - {version: 0.1.0", "  - {version: 0.2.0, date: 2026-02-01, note: Two}\n  - {version: 0.1.0")
    assert command("lint", "runbooks/first.md", "--release", "1.10.0").code == 0
    change(first, "default: 2", "default: 1")
    assert "than in release 1.10.0, under the same version 0.2.0" in command("lint", "runbooks/first.md").out


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("1.0", 'write a version of three numbers, as in "1.0.0"'),
        ("v1.0.0", 'write a version of three numbers, as in "1.0.0"'),
        ("0.9.0", "has release 0.10.0; what was released stays as it was"),
        ("0.10.0", "has release 0.10.0; what was released stays as it was"),
    ],
)
def test_a_release_that_can_not_be_recorded_is_refused(command: Any, first: Path, release: str, said: str):
    assert command("lint", "runbooks/first.md", "--release", "0.10.0").code == 0
    before = first.with_name("releases.json").read_bytes()
    ended = command("lint", "runbooks/first.md", "--release", release)
    assert (ended.code, said in ended.err) == (2, True)
    assert first.with_name("releases.json").read_bytes() == before


def test_nothing_is_recorded_of_runbooks_with_mistakes(command: Any, first: Path):
    change(first, "probe: kafka_broker", "probe: kafka_brokers")
    assert command("lint", "runbooks/first.md", "--release", "1.0.0").code == 2
    assert not first.with_name("releases.json").exists()


@pytest.mark.parametrize("text", ["", "[]", '{"releases": {"1.x": {}}}', '{"releases": {"1.0.0": {"first": {}}}}'])
def test_a_spoiled_record_of_releases_is_said(command: Any, first: Path, text: str):
    first.with_name("releases.json").write_text(text, "utf-8")
    ended = command("lint", "runbooks/first.md")
    assert (ended.code, "releases.json is no record of releases" in ended.err) == (2, True)


def test_a_users_probes_are_known_once_their_folder_is_named(command: Any, first: Path):
    change(first, "probe: kafka_broker", "probe: kafka_advertised_host")
    assert 'no probe "kafka_advertised_host"' in command("lint", "runbooks/first.md").out
    ended = command("lint", "runbooks/first.md", "--checks", "checks")
    assert 'no probe "kafka_advertised_host"' not in ended.out


def test_the_built_in_runbooks_have_no_mistakes(command: Any):
    ended = command("lint")
    assert (ended.code, ended.out) == (0, "")


CAUSE = """id: broker-is-gone
title: A broker is gone
facts: {broker: {probe: kafka_broker}}
holds: {each: broker, that: broker.answers == false, by: [broker]}
says: "broker {broker.broker} does not answer"
first: start it
undone: {recovery: broker_returns, with: {brokers: broker.broker}}
sources: [made for tests]
"""
BROKER = "facts: {broker: {rows: [{broker: 2, answers: %s}]}}"
HOLDS = f"  - {{name: gone, expect: holds, {BROKER % 'false'}}}\n"
DOES_NOT = f"  - {{name: there, expect: does_not_hold, {BROKER % 'true'}}}\n"
UNKNOWN = f"  - {{name: nobody knows, expect: unknown, {BROKER % 'null'}}}\n"


@pytest.fixture
def gone(first: Path, cases: Path):
    first.write_text(first.read_text() + block("cause", CAUSE))
    return cases.with_name("broker-is-gone.yaml")


def test_a_cause_without_cases_is_a_mistake(command: Any, gone: Path):
    ended = command("lint", "runbooks/first.md")
    assert not gone.exists()
    assert "nothing proves that first/broker-is-gone can hold: it has no cases" in ended.out
    wanted = "expect: holds and one of expect: does_not_hold and one of expect: unknown"
    assert f"write tests/cases/first/broker-is-gone.yaml with a case of {wanted}" in ended.out


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        (HOLDS + DOES_NOT, ["be unknown: no case has expect: unknown"]),
        (HOLDS + UNKNOWN, ["not hold: no case has expect: does_not_hold"]),
        (DOES_NOT, ["hold: no case has expect: holds", "be unknown: no case has expect: unknown"]),
        (HOLDS + DOES_NOT + UNKNOWN, []),
    ],
)
def test_of_a_cause_there_is_a_case_of_each_kind(command: Any, gone: Path, text: str, lacks: list[str]):
    gone.write_text(f"cases:\n{text}")
    ended = command("lint", "runbooks/first.md")
    said = [line.partition(" can ")[2] for line in ended.out.splitlines() if "nothing proves" in line]
    assert said == lacks
    assert ended.code == (2 if lacks else 0)


def test_cases_of_a_cause_are_tried_with_those_of_checks(command: Any, gone: Path):
    gone.write_text(f"cases:\n{HOLDS}{DOES_NOT.replace('true', 'false')}{UNKNOWN}")
    ended = command("test", "runbooks/first.md", "--only", "broker-is-gone")
    assert ended.code == 1
    assert "WRONG  first/broker-is-gone: there" in ended.out
    assert "expected does_not_hold, is holds: broker 2 does not answer" in ended.out
    assert "2 cases right, 1 wrong, 0 checks and causes without cases" in ended.out


@pytest.mark.parametrize("info", ["yaml .check", "yaml check", "yaml {#check}", "check", "{#check}"])
def test_a_fence_of_another_class_is_told_as_one_without(command: Any, first: Path, info: str):
    change(first, "```yaml {.check}", f"```{info}")
    ended = command("lint")
    assert ended.code == 2
    assert "this reads like a check and is prose" in ended.out


def test_an_amendment_without_its_class_is_told(command: Any, first: Path):
    changes = "[{version: 0.1.0, date: '2026-11-26', note: First}]"
    extending = f"---\ntitle: Ours\nversion: 0.1.0\nextends: ha\nchanges: {changes}\n---\n\n"
    amendment = "```yaml\nid: topics-have-three-copies\nparams: {least: {default: 4}}\n```\n"
    first.with_name("ha.md").write_text(extending + amendment)
    ended = command("lint", str(first.with_name("ha.md")))
    assert "this reads like an amend and is prose" in ended.out
    assert "write ```yaml {.amend}" in ended.out


@pytest.mark.parametrize(
    ("link", "dead"),
    [
        ("nowhere.md", 1),
        ("pictures/a.png#b", 1),
        ("ha.md#topics-have-three-copies", 0),
        ("first.md", 0),
        ("ha.md#is-anything-broken-now", 0),
        ("ha.md#a-broker-does-not-answer-2", 0),
        ("ha.md#nowhere", 1),
        ("first.md#enough-brokers", 0),
        ("#enough-brokers", 0),
        ("#written-beneath", 0),
        ("#nowhere", 1),
        ("https://example.org/nowhere.md", 0),
        ("mailto:a@example.org", 0),
    ],
)
def test_a_link_in_prose_that_leads_nowhere_is_told(command: Any, first: Path, link: str, dead: int):
    first.write_text(f"{first.read_text()}\n## Written *beneath*\n\nSee [there]({link}).\n")
    assert command("lint").out.count(" leads nowhere") == dead


IN_BLOCKS = """id: a-symptom
title: Something is wrong
symptom: It is, as [there](#nowhere) or [here](#enough-brokers).
causes:
  - cause: A broker is gone
    look: At [this](nowhere.md).
    checks: [enough-brokers]
    remedy: |
      One line, then

      [another](ha.md#nowhere).
sources:
  - "[a page](https://example.org/nowhere.md), [another](pictures/a.png)"
"""


def test_a_link_in_a_block_that_leads_nowhere_is_told_at_its_line(command: Any, first: Path):
    change(first, "as long as the others stay up.", "as long as [the others](#others) stay up.")
    first.write_text(first.read_text() + block("diagnostic", IN_BLOCKS))
    lines = first.read_text().splitlines()
    told = [line for line in command("lint").out.splitlines() if "leads nowhere" in line]
    assert len(told) == 5
    for line in told:
        target = line.partition('the link to "')[2].partition('"')[0]
        assert target in lines[int(line.split(":")[1]) - 1]


def test_brackets_of_a_command_are_no_link(command: Any, first: Path):
    change(first, "audit: kafka", "audit: grep -E '[a-z](topic|reason)' log; kafka")
    assert "leads nowhere" not in command("lint").out


def test_a_place_that_a_link_may_have_meant_is_told(command: Any, first: Path):
    first.write_text(f"{first.read_text()}\nSee [above](#enough-broker) and [there](ha.md#every-broker-answer).\n")
    out = command("lint").out
    assert 'the link to "#enough-broker" leads nowhere\n    did you mean enough-brokers?' in out
    assert 'the link to "ha.md#every-broker-answer" leads nowhere\n    did you mean every-broker-answers' in out
    assert "runbook show ha names all " in out


def test_below_a_project_it_is_said_which_was_not_looked_at(command: Any, first: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(first.parent)
    root = first.parent.parent
    assert f"a project is in {root}: go there, or name it by RUNBOOK_PROJECT={root}" in command("lint").err
    for arguments in (("check", "nothing-called-so"), ("test", "--only", "brokers-agree"), ("env",)):
        assert f"a project is in {root}" in command(*arguments).err
    assert f"a project is in {root}" in command("find", "xyzzy").out


def test_a_fence_that_only_reads_like_a_block_is_told(command: Any, first: Path):
    change(first, "```yaml {.check}", "```yaml")
    ended = command("lint")
    assert ended.code == 2
    warning = "this reads like a check and is prose: nothing executes it\n    write ```yaml {.check} in its first line"
    assert warning in ended.out
    [line] = [i for i, line in enumerate(first.read_text().splitlines(), 1) if line == "```yaml"]
    assert f"runbooks/first.md:{line}:1  this reads" in ended.out
    assert "1 runbook, 0 checks: 1 problem\n" in ended.err


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: orders}\nspec: {}\n",
        "title: of a page\nid: it\nname: other\n",
    ],
)
def test_other_yaml_is_prose(command: Any, first: Path, text: str):
    first.write_text(f"{first.read_text()}\n```yaml\n{text}```\n")
    assert command("lint").code == 0


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("runbook procedure walk ha#rolling-restrat", "ha#rolling-restrat"),
        ("runbook show hq#rolling-restart", "hq#rolling-restart"),
        ("See first#enough-broker", "first#enough-broker"),
        ("runbook check hx.md", "hx.md"),
    ],
)
def test_a_name_in_a_remedy_or_in_prose_leads_somewhere(command: Any, first: Path, words: str, named: str):
    change(first, "Start the broker that is missing;", f"Start the broker that is missing ({words});")
    assert f'"{named}" leads nowhere' in command("lint").out
    change(first, f" ({words})", "")
    change(first, "Prose explains;", f"Prose explains (`{words}`);")
    assert f'runbooks/first.md:12:{18 + words.index(named)}  "{named}" leads nowhere' in command("lint").out


@pytest.mark.parametrize(
    "words", ["ha#rolling-restart", "first#enough-brokers", "[there](ha.md#procedures)", "apache/kafka#123", "kafka#12"]
)
def test_names_that_lead_somewhere_and_what_is_no_name_are_left_alone(command: Any, first: Path, words: str):
    change(first, "Start the broker that is missing;", f"Start the broker that is missing ({words});")
    assert command("lint").out == ""
