"""Commands take a file that extends a built-in runbook for that runbook: the example of the page, what lint asks."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from runbook.parse import extending
from runbook.plugins.content import builtin_runbooks
from runbook.run.sources import project, runbooks
from runbook.run.sources.runbooks import every_name, locate, read_all
from support.documented import ROOT

PAGE = ROOT / "docs/how-to/own-knowledge-base.md"


def page_file(language: str, title: str, fence: str) -> str:
    """The text that the page shows for a file."""
    [text] = re.findall(
        rf"^{fence}{language} title=\"{title}\"\n(.*?)^{fence}$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return str(text)


@pytest.fixture
def ha(knowledge: Path) -> Path:
    """The file that the page shows, in a knowledge base."""
    file = knowledge / "runbooks" / "ha.md"
    file.write_text(page_file("markdown", "runbooks/ha.md", "````"), "utf-8")
    return file


@pytest.fixture
def cases(knowledge: Path) -> Path:
    name = "tests/cases/ha/topic-survives-one-broker.yaml"
    file = knowledge / name
    file.parent.mkdir(parents=True)
    file.write_text(page_file("yaml", name, "```"), "utf-8")
    return file


@pytest.mark.usefixtures("ha", "cases")
def test_what_a_built_in_runbook_names_is_there_also_where_few_built_in_ones_are_wanted(
    command: Any, knowledge: Path
) -> None:
    settings = knowledge / "runbook.yaml"
    settings.write_text(settings.read_text("utf-8").replace("builtin: true", "builtin: [ha, security]"), "utf-8")
    ended = command("lint")
    assert (ended.code, ended.out) == (0, "")


@pytest.mark.usefixtures("ha")
def test_it_takes_the_place_of_the_built_in_runbook(command: Any) -> None:
    assert locate("ha") == (Path("runbooks/ha.md"), "file")
    assert every_name().count("ha") == 1
    assert [book.name for book in read_all([])].count("ha") == 1
    assert "High availability, as we run it" in command("find", "OurKafkaPager").out
    assert "runbook show ha#replicas-are-behind" in command("find", "ReplicaNotAvailable").out
    assert "\nHigh availability, as we run it  (ha: speaks of " in command("find", "replace disk storage ext").out
    shown = command("show", "ha").out
    assert "ext. 4711" in shown
    assert "· runbooks/ha.md, then the built-in High availability\n" in shown
    assert "(runbooks/ha.md)" in command("list", "ha").out


@pytest.mark.usefixtures("ha")
@pytest.mark.parametrize(
    ("identifier", "where"),
    [
        ("log-directories-work", "built-in, amended in runbooks/ha.md, line 19: remedy."),
        ("every-broker-answers", "built-in, not amended."),
    ],
)
def test_show_says_of_each_block_where_it_is_from(command: Any, identifier: str, where: str) -> None:
    assert command("show", f"ha#{identifier}").out.rstrip().endswith(where)


@pytest.mark.usefixtures("ha")
def test_the_source_of_an_amended_block_is_both(command: Any) -> None:
    shown = command("show", "ha#log-directories-work", "-o", "markdown").out
    assert re.findall(r"^```yaml \{\.(\w+)\}$", shown, re.MULTILINE) == ["check", "amend"]
    assert '"amended": [\n    "remedy"\n  ]' in command("show", "ha#log-directories-work", "-o", "json").out


@pytest.mark.usefixtures("ha")
def test_lint_asks_for_cases_where_the_outcome_may_change(command: Any, cases: Path) -> None:
    assert command("lint").code == 0, command("lint").out
    cases.unlink()
    said = command("lint")
    [line] = [line for line in said.out.splitlines() if line[0] != " "]
    assert line.startswith("runbooks/ha.md:15:5")
    assert "nothing proves that ha/topic-survives-one-broker can fail" in line


@pytest.mark.usefixtures("ha", "cases")
def test_cases_of_ones_own_are_judged_by_the_amended_check(command: Any) -> None:
    done = command("test", "ha", "--only", "ha/topic-survives-one-broker", "--verbose")
    assert done.code == 0, done.out
    assert "right  ha/topic-survives-one-broker: one to spare" in done.out
    built_in = command("test", "ha", "--only", "ha/log-directories-work")  # only its words are amended
    assert built_in.code == 0
    assert not built_in.out.startswith("0 cases")


@pytest.mark.usefixtures("ha", "cases")
def test_in_a_wheel_built_in_checks_are_not_called_without_cases(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wheel has the runbooks, and not their cases."""
    shipped = tmp_path / "wheel" / "content" / "runbooks"
    shutil.copytree(builtin_runbooks(), shipped)
    for module in (extending, project, runbooks):
        monkeypatch.setattr(module, "builtin_runbooks", lambda: shipped)
    done = command("test", "ha")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("2 cases right, 0 wrong, 0 checks and causes without cases")
    assert command("lint").code == 0


def test_a_severity_of_ones_own_needs_no_cases(command: Any, ha: Path, cases: Path) -> None:
    ha.write_text(ha.read_text("utf-8").replace("remedy: Open", "severity: high\nremedy: Open"), "utf-8")
    assert cases.exists()
    assert command("lint").code == 0, command("lint").out


@pytest.mark.usefixtures("cases")
def test_versions_are_of_what_the_file_itself_says(command: Any, ha: Path) -> None:
    assert command("lint", "ha", "--release", "1.0.0").code == 0
    assert command("lint").code == 0
    text = ha.read_text("utf-8")
    ha.write_text(text.replace("default: 2", "default: 3"), "utf-8")
    assert "ha/topic-survives-one-broker is another check than in release 1.0.0" in command("lint").out
    ha.write_text(text.replace("remedy: Open", "severity: high\nremedy: Open"), "utf-8")  # an amendment that is new
    assert "ha/log-directories-work is another check than in release 1.0.0" in command("lint").out
    # one that is gone
    ha.write_text(re.sub(r"```yaml \{\.amend\}\nid: topic.*?```", "", text, flags=re.DOTALL), "utf-8")
    assert "ha/topic-survives-one-broker is another check than in release 1.0.0" in command("lint").out
    ha.write_text(text.replace("remedy: Open", "remedy: Do open"), "utf-8")
    assert command("lint").code == 0


def test_what_is_wrong_behind_a_mistake_is_told_too(command: Any, ha: Path) -> None:
    text = ha.read_text("utf-8").replace("id: log-directories-work", "id: log-directories-wrk")
    ha.write_text(text.replace("version: 0.1.0\n", "version: 0.2.0\n"), "utf-8")
    said = command("lint").out
    assert "did you mean log-directories-work?" in said
    assert "version is 0.2.0, the first of changes 0.1.0" in said
    assert "nothing proves that ha/topic-survives-one-broker can fail" in said


@pytest.mark.usefixtures("ha")
def test_results_are_of_both_versions_and_of_the_amended_check(command: Any) -> None:
    (Path("environments.yaml")).write_text("environments: {far: {kafka: {bootstrap.servers: '127.0.0.1:1'}}}\n")
    done = command("check", "ha", "--only", "ha/topic-survives-one-broker", "--deadline", "5s", "-o", "json")
    assert re.search(r'"runbook_version": "\d+\.\d+\.\d+\+0\.1\.0"', done.out), done.out
    assert '"spare": 2' in done.out


def test_a_value_in_place_of_a_parameter_is_told_with_what_to_write(command: Any, ha: Path):
    text = ha.read_text()
    assert "params: {spare: {default: 2, source: our review of August}}" in text
    ha.write_text(text.replace("params: {spare: {default: 2, source: our review of August}}", "params: {spare: 2}"))
    out = command("lint", "ha").out
    assert "the value of spare stands alone: what is amended of a parameter is its default" in out
    assert "    write params: {spare: {default: 2}}\n" in out


@pytest.mark.usefixtures("cases")
def test_a_file_of_another_name_than_what_it_extends_is_one_mistake(command: Any, ha: Path):
    ha.rename(ha.with_name("hb.md"))
    out = command("lint").out
    assert "call the file ha.md" in out
    assert "cases" not in out


def test_a_mistake_in_its_head_does_not_hide_what_a_file_extends(command: Any, ha: Path):
    ha.write_text(ha.read_text().replace("version:", "versoin:", 1))
    assert "there is nothing to amend" not in command("lint", "ha").out


OURS = """---
extends: ha
title: Ours
version: 0.1.0
changes: [{version: 0.1.0, date: 2026-11-01, note: Ours.}]
---

# Ours

```yaml {.amend}
%s
```
"""
"""A file that extends ha, with one amendment."""
BROKEN = OURS % "id: topic-survives-one-broker\nparams: {lest: 4}"
WAY_ON = "until it is fixed, the built-in runbook is built-in:ha: name that in place of ha"


@pytest.fixture
def broken(knowledge: Path) -> Path:
    """A file that extends ha, with a mistake."""
    file = knowledge / "runbooks" / "ha.md"
    file.write_text(BROKEN, "utf-8")
    return file


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize(
    "words",
    [
        ("check", "ha"),
        ("show", "ha#replicas-are-behind"),
        ("procedure", "walk", "ha#bring-a-broker-back", "--no-terminal"),
    ],
)
def test_a_mistake_in_it_says_how_to_have_the_built_in_one(command: Any, words: tuple[str, ...]) -> None:
    ended = command(*words)
    assert (ended.code, ended.out) == (2, "")
    assert "runbooks/ha.md:12" in ended.err
    assert ended.err.count(WAY_ON) == 1


@pytest.mark.usefixtures("broken")
def test_the_built_in_one_is_had_by_its_name_while_ones_own_is_broken(command: Any) -> None:
    assert locate("built-in:ha") == (builtin_runbooks() / "ha.md", "built-in")
    for block in ("replicas-are-behind", "bring-a-broker-back"):
        assert "built-in, version" in command("show", f"built-in:ha#{block}").out
    ended = command("show", "built-in:hb")
    known = "known: capacity, consumers, dr"
    assert (ended.code, f"no built-in runbook hb: did you mean ha? {known}" in ended.err) == (2, True)


@pytest.mark.usefixtures("broken")
def test_what_is_looked_up_is_found_in_the_built_in_one_while_ones_own_is_broken(command: Any) -> None:
    ended = command("find", "NotEnoughReplicas")
    assert (ended.code, "runbook show built-in:ha#writers-are-refused" in ended.out) == (0, True)
    assert "runbooks/ha.md:12" in ended.err


@pytest.mark.parametrize(
    ("amended", "code"),
    [
        ("first: Page the data-centre desk (ext. 4712), then see why it stopped.", 0),
        ("avoid: Start nothing by yourself.", 0),
        ("says: the data centre has lost broker {rows}", 2),
    ],
)
def test_cases_are_asked_for_where_a_cause_may_hold_otherwise_and_not_for_what_to_do(
    command: Any, knowledge: Path, amended: str, code: int
) -> None:
    (knowledge / "runbooks" / "ha.md").write_text(OURS % f"id: broker-is-down\n{amended}", "utf-8")
    ended = command("lint", "ha")
    assert (ended.code, "nothing proves that ha/broker-is-down can hold" in ended.out) == (code, code == 2)
