from pathlib import Path
from typing import Any

import pytest

from runbook.plugins.request import artefacts
from runbook.procedure.walk_file import SUFFIX, walks_home
from support.small_walks import WHOLE, written


@pytest.fixture
def complete(command: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Ask as bash does: give back the words offered for the end of a line, and what was written beside them."""

    def ask(line: str) -> tuple[list[str], str]:
        monkeypatch.setenv("_RUNBOOK_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
        ended = command()
        return ended.out.split(), ended.err

    return ask


@pytest.fixture
def inventory(here: Path) -> None:
    """Two environments."""
    (here / "environments.yaml").write_text("environments: {prod-eu: {}, prod-us: {}, dev: {}}")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("runbook check --env prod", ["prod-eu", "prod-us"]),
        ("runbook env d", ["dev"]),
        ("runbook probe kafka_reas", ["kafka_reassignment"]),
        ("runbook what-if -e prod-u", ["prod-us"]),
        ("runbook what-if --lose ra", ["rack:"]),
        ("runbook what-if --lose broker:2,c", ["broker:2,controller:"]),
        ("runbook wh", ["what-if"]),
    ],
)
@pytest.mark.usefixtures("inventory")
def test_environments_probes_and_commands_complete(complete: Any, line: str, words: list[str]):
    assert complete(line) == (words, "")


def test_built_in_runbooks_and_their_blocks_complete(complete: Any):
    from runbook.run.sources.built_in import builtin_names
    from runbook.run.sources.runbooks import read_all

    name = builtin_names()[0]
    block = read_all([name])[0].checks()[0].block.id
    assert name in complete(f"runbook show {name[0]}")[0]
    assert name in complete(f"runbook check {name[0]}")[0]
    assert complete(f"runbook show {name}#{block}")[0] == [f"{name}#{block}"]
    assert complete(f"runbook test --only {name}/{block}")[0] == [f"{name}/{block}"]


@pytest.mark.usefixtures("knowledge")
def test_runbooks_checks_and_probes_of_ones_own_complete(complete: Any):
    assert complete("runbook show runb")[0] == ["runbooks/first.md"]
    assert complete("runbook show runbooks/first.md#")[0] == ["runbooks/first.md#enough-brokers"]
    assert complete("runbook test --only fir")[0] == ["first/enough-brokers"]
    assert complete("runbook probe kafka_adv")[0] == ["kafka_advertised_host"]
    assert complete("runbook find x --in runb")[0] == ["runbooks/first.md"]


@pytest.mark.parametrize(
    "line",
    ["runbook env ", "runbook show bad.md#", "runbook test --only first/", "runbook show nowhere#", "runbook env x"],
)
def test_mistakes_in_files_cost_words_but_not_the_prompt(complete: Any, here: Path, line: str):
    (here / "environments.yaml").write_text("environments: [")
    (here / "bad.md").write_text("no runbook")
    (here / "runbooks").mkdir()
    (here / "runbooks/bad.md").write_text("no runbook either")
    assert complete(line) == ([], "")


@pytest.mark.usefixtures("knowledge")
def test_one_runbook_that_cannot_be_read_does_not_hide_the_checks_of_others(complete: Any, here: Path):
    (here / "runbooks/a-bad-one.md").write_text("no runbook")
    assert complete("runbook test --only fir")[0] == ["first/enough-brokers"]


def test_completion_never_shows_a_traceback(complete: Any, here: Path):
    (here / "environments.yaml").write_text("environments: [")
    for line in ("runbook check --env p", "runbook check h", "runbook check --only x", "runbook probe --env p"):
        assert "Traceback" not in complete(line)[1]
        assert "internal error" not in complete(line)[1]


@pytest.mark.parametrize(
    ("shell", "sign"), [("bash", "complete -o default"), ("fish", "(commandline -cp)"), ("zsh", "#compdef")]
)
@pytest.mark.parametrize("written", [" ", "="])
def test_completion_is_shown_for_the_shell_that_is_named(command: Any, shell: str, sign: str, written: str):
    ended = command(*f"--show-completion{written}{shell}".split())
    assert (ended.code, ended.err) == (0, "")
    assert sign in ended.out
    assert "runbook" in ended.out


@pytest.mark.parametrize(("shell", "file"), [("bash", ".bash_completions/runbook.sh"), ("zsh", ".zfunc/_runbook")])
def test_completion_is_installed_for_the_shell_that_is_named(
    command: Any, here: Path, monkeypatch: pytest.MonkeyPatch, shell: str, file: str
):
    monkeypatch.setenv("HOME", str(here))
    ended = command("--install-completion", shell)
    assert ended.code == 0
    assert str(here / file) in ended.out
    assert (here / file).read_text() == command("--show-completion", shell).out.rstrip("\n")


def test_a_shell_that_nobody_knows_is_told_those_that_are(command: Any):
    ended = command("--show-completion", "tcsh")
    assert ended.code == 2
    assert ended.out == ""
    assert (
        "There is no completion for 'tcsh'. Write: runbook --show-completion SHELL, one of bash, fish, zsh" in ended.err
    )


def test_help_says_that_a_shell_may_be_named(command: Any):
    assert "bash, fish, zsh" in " ".join(command("--help").out.split())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("runbook check ha#brokers-agr", ["ha#brokers-agree"]),
        ("runbook check ha#rolling-rest", []),
        ("runbook test ha#brokers-agr", ["ha#brokers-agree"]),
        ("runbook procedure walk ha#brokers-agr", []),
        ("runbook procedure walk ha#rolling-rest", ["ha#rolling-restart"]),
        ("runbook drill ha#rolling-rest", ["ha#rolling-restart"]),
        ("runbook check ha --only brokers-agr", ["brokers-agree"]),
        ("runbook check ha --only ha/brokers-agr", ["ha/brokers-agree"]),
        ("runbook check --severity ", ["info", "low", "medium", "high", "critical"]),
        ("runbook check --fail-on cr", ["critical"]),
        ("runbook list --severity h", ["high"]),
        ("runbook check --objective ", ["availability", "durability", "throughput", "latency"]),
        ("runbook list --objective d", ["durability"]),
        ("runbook check --format j", ["json", "junit"]),
        ("runbook env -f ", ["console", "json"]),
        ("runbook show ha -o m", ["markdown"]),
        ("runbook requests --format y", ["yaml"]),
    ],
)
def test_what_a_command_takes_completes_and_nothing_else(complete: Any, line: str, words: list[str]):
    assert complete(line) == (words, "")


@pytest.fixture
def walks(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A walk that ended and one that is under way; and another in a folder of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(here / "state"))
    for folder, name, entries in (
        (walks_home(), "20261122-ended", WHOLE),
        (walks_home(), "20261123-left", WHOLE[:2]),
        (here / "drills", "20261124-drill", WHOLE[:2]),
    ):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}{SUFFIX}").write_bytes(written(entries, name))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("runbook procedure show ", ["20261123-left", "20261122-ended"]),
        ("runbook procedure show 20261122", ["20261122-ended"]),
        ("runbook procedure walk --resume 2026", ["20261123-left"]),
        ("runbook procedure walk --record drills --resume 2", ["20261124-drill"]),
        ("runbook drill --resume 2", ["20261123-left"]),
        ("runbook procedure show x", []),
    ],
)
@pytest.mark.usefixtures("walks")
def test_walks_on_record_complete_and_where_one_is_gone_on_with_those_that_have_not_ended(
    complete: Any, line: str, words: list[str]
):
    assert complete(line) == (words, "")


def test_what_a_bundle_holds_completes_as_what_may_be_lost(complete: Any):
    bundle = Path(__file__).parents[1] / "cases/ha/healthy.json"
    words, said = complete(f"runbook what-if --from {bundle} --lose broker:")
    assert (words[:3], said) == (["broker:", "broker:1", "broker:2"], "")


def test_what_an_administrator_sets_completes(complete: Any):
    assert complete("runbook requests --for ")[0] == [*artefacts()]
    assert complete("runbook requests --for kafka-c")[0] == ["kafka-canary-acls"]


@pytest.mark.parametrize(("name", "refused"), [("check", "is a procedure"), ("test", "is no check and no cause")])
def test_what_is_not_offered_would_be_refused(
    complete: Any, command: Any, monkeypatch: pytest.MonkeyPatch, name: str, refused: str
):
    offered = complete(f"runbook {name} ha#")[0]
    assert len(offered) > 50
    assert set(offered) < set(complete("runbook show ha#")[0])
    monkeypatch.delenv("_RUNBOOK_COMPLETE")
    assert refused in command(name, "ha#rolling-restart").err
