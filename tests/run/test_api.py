"""The public API: its names, what it costs, and a run without a terminal."""

import ast
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from runbook import api
from runbook.api import Outcome, Progress, Result, UsageError, check
from support.documented import ROOT, titled
from support.small_runbooks import FAKES, FRONT, check_text

PAGE = "docs/reference/api.md"
TEXT = (ROOT / PAGE).read_text("utf-8")
SCAFFOLD = ROOT / "checks" / "runbook" / "cli" / "scaffold"
BODY = """
facts: {{fact: {{probe: fake_act, with: {{how: {how}, text: said}}}}}}
expect: {{each: fact, that: 'fact.text == "{wanted}"'}}
"""


@pytest.fixture
def asked(here: Path) -> dict[str, Any]:
    """A runbook of three checks, one of each outcome, and an environment that a connection of the tests plays."""
    blocks = {"passes": ("well", "said"), "fails": ("well", "other"), "breaks": ("raise", "said")}
    texts = [check_text(BODY.format(how=how, wanted=wanted), name) for name, (how, wanted) in blocks.items()]
    (here / "own.md").write_text(FRONT + "\n".join(texts), "utf-8")
    (here / "environments.yaml").write_text("environments: {prod: {fake: {}}}\n", "utf-8")
    return {"inventory": here / "environments.yaml", "user_checks": [FAKES]}


def test_all_names_are_there_and_on_the_page_and_nothing_else_is_public() -> None:
    assert [name for name in api.__all__ if getattr(api, name, None) is None] == []
    assert {name for name in api.__all__ if not re.search(rf"`{name}`", TEXT)} == set()
    tree = ast.parse(Path(api.__file__).read_text("utf-8"))
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for name in node.names}
    ours = {name for name in imported if name[0].isupper()} - {"Any", "Callable", "Sequence", "Path", "TYPE_CHECKING"}
    assert ours - {"Options"} == {name for name in api.__all__ if name[0].isupper()}


def test_a_name_that_is_not_there_is_an_error_of_python() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        getattr(api, "Nothing")  # noqa: B009 - mypy knows that it is not there


def test_a_probe_that_imports_it_loads_neither_what_judges_nor_a_client_library() -> None:
    code = "import sys, runbook.api; print(sorted(sys.modules))"
    command = [sys.executable, "-c", code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True, timeout=800).stdout
    assert "runbook.model.probe" in loaded
    for heavy in (
        "runbook.judge.judge",
        "runbook.run",
        "runbook.cli",
        "runbook.connections",
        "confluent_kafka",
        "paramiko",
        "kubernetes",
        "typer",
    ):
        assert f"'{heavy}'" not in loaded


@pytest.mark.parametrize("file", sorted(SCAFFOLD.rglob("*.py.txt")), ids=lambda file: file.name)
def test_what_init_writes_imports_nothing_else_of_the_package(file: Path) -> None:
    tree = ast.parse(file.read_text("utf-8"))
    modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in modules if name.startswith("runbook")} == {"runbook.api"}


def test_a_run_gives_results_prints_nothing_and_can_be_followed(
    asked: dict[str, Any], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    events: list[Result | Progress] = []
    run = check(str(tmp_path / "own.md"), **asked, follow=events.append)
    assert {result.check.split("/")[1]: result.outcome for result in run.results} == {
        "passes": Outcome.PASS,
        "fails": Outcome.FAIL,
        "breaks": Outcome.UNKNOWN,
    }
    assert {id(event) for event in events if isinstance(event, Result)} == {id(result) for result in run.results}
    assert [event.checks for event in events if isinstance(event, Progress)][-1] == len(run.results)
    assert capfd.readouterr() == ("", "")


def test_each_option_narrows_as_that_of_the_command(asked: dict[str, Any], tmp_path: Path) -> None:
    own = str(tmp_path / "own.md")
    assert [result.check.split("/")[1] for result in check(own, **asked, only=["fails"]).results] == ["fails"]
    assert check(own, **asked, severity="critical").results == []
    assert {result.environment for result in check(own, **asked, environments=["p*"]).results} == {"prod"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"only": ["nothing"]}, "no such check"),
        ({"environments": ["other"]}, "no environment other"),
        ({"deadline": 0.1}, "between 0.5 s and 1 h"),
        ({"inventory": "nowhere.yaml"}, "nowhere.yaml"),
    ],
)
def test_what_can_not_be_asked_raises_with_the_remedy(
    asked: dict[str, Any], tmp_path: Path, more: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        check(str(tmp_path / "own.md"), **(asked | more))


@pytest.mark.parametrize("script", ["morning.py", "follow.py"])
def test_the_scripts_of_the_page_run_and_a_silent_cluster_is_unknown(tmp_path: Path, script: str) -> None:
    (tmp_path / "environments.yaml").write_text(
        "environments: {prod: {kafka: {bootstrap.servers: '127.0.0.1:1'}}}\n", "utf-8"
    )
    (tmp_path / script).write_text(titled(PAGE, script), "utf-8")
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=800, check=True
    )
    if script == "morning.py":
        found = re.fullmatch(r"(\d+) of (\d+) checks could not find out\n", done.stdout)
        assert found
        assert int(found[1]) > 40
    else:
        assert done.stdout.count(" unknown\n") > 40
    assert len(titled(PAGE, "morning.py").strip().splitlines()) <= 10


def test_time_that_went_before_anything_was_asked_is_told_and_takes_none_from_systems(asked: dict[str, Any]) -> None:
    from runbook.run.check_run import Options, start

    options = Options(runbooks=["own.md"], deadline=20, **asked)
    begun = start(options, began=time.monotonic() - 100)
    results = [event for event in begun.events() if isinstance(event, Result)]
    assert [result.outcome for result in results].count(Outcome.PASS) == 1
    run = begun.run
    assert 100_000 <= run.loading_ms <= run.took_ms < 130_000
    assert re.fullmatch(r"\d+\.\d s of 20 s; loading took 1\d\d\.\d s", run.time_spent())


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("params: {owm/passes: {days: 2}}", ["owm"]),
        ("waivers: [{check: owm/fails, owner: us, reason: known since May, expires: 2020-01-01}]", ["owm"]),
        ("params: {ha/any-one-broker-may-fail: {}}", []),
    ],
)
def test_what_is_said_of_a_runbook_that_nobody_has_is_no_secret(
    asked: dict[str, Any], said: str, expected: list[str]
) -> None:
    """Else a name that is misspelt leaves a check with its defaults, and nothing says so."""
    asked["inventory"].write_text(f"environments: {{prod: {{fake: {{}}, {said}}}}}\n", "utf-8")
    done = check("own.md", **asked)
    found = [re.search(r"no runbook (\w+) here; did you mean own\?", note) for note in done.heads[0].notes]
    assert [match[1] for match in found if match] == expected
