"""A knowledge base of one's own: what its settings say, when they are trusted, and what of it is taken."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from runbook.model.errors import Invalid, UsageError
from runbook.run.sources.inventories import find_inventory
from runbook.run.sources.project import NAME, find_project
from runbook.run.sources.runbooks import builtin_names, every_name, locate, own_names, read_all


@pytest.fixture
def project(knowledge: Path) -> Path:
    """A project as `runbook init` begins it, in the folder one is in; its settings."""
    return knowledge / NAME


def say(project: Path, *lines: str) -> None:
    project.write_text("\n".join(lines) + "\n", "utf-8")


@pytest.mark.usefixtures("project")
def test_own_runbooks_stand_beside_the_built_in_ones(command: Any) -> None:
    assert every_name() == sorted([*builtin_names(), "first"])
    assert locate("first") == (Path("runbooks/first.md"), "file")
    assert command("show", "first#enough-brokers").code == 0
    assert "first/enough-brokers" in command("list", "--all").out
    assert "runbook show first · runbook check first" in command("find", "OurKafkaBrokerDown").out


@pytest.mark.usefixtures("project")
def test_a_failing_check_of_ones_own_says_what_to_read_and_that_works(command: Any, here: Path) -> None:
    (here / "environments.yaml").write_text("environments: {far: {kafka: {bootstrap.servers: '127.0.0.1:1'}}}\n")
    done = command("check", "first", "--deadline", "5s")
    assert done.code == 3
    shown = done.out.split("runbook show ")[1].split()[0]
    assert command("show", shown).code == 0


def test_lint_and_test_without_a_name_mean_ones_own(command: Any, project: Path) -> None:
    assert "1 runbook, 1 check: nothing wrong" in command("lint").err
    assert "4 cases right, 0 wrong" in command("test").out
    project.unlink()
    assert own_names() == []


@pytest.mark.parametrize(
    ("builtin", "names"), [("false", ["first"]), ("[gc, ha]", ["first", "gc", "ha"]), ("[]", ["first"])]
)
def test_a_project_says_which_built_in_runbooks_it_wants(project: Path, builtin: str, names: list[str]) -> None:
    say(project, f"builtin: {builtin}")
    assert every_name() == names
    assert [book.name for book in read_all([])] == names
    assert locate("dr")[1] == "built-in"  # what is named is still found


def test_it_names_the_inventory_unless_somebody_does(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    say(project, "inventory: clusters.yaml")
    (project.parent / "clusters.yaml").write_text("environments: {a: {}}\n")
    assert find_inventory(None) == Path("clusters.yaml")
    assert find_inventory(Path("given.yaml")) == Path("given.yaml")
    monkeypatch.setenv("RUNBOOK_INVENTORY", "named.yaml")
    assert find_inventory(None) == Path("named.yaml")


def test_an_inventory_of_a_found_project_that_others_may_write_is_refused(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.parent / "environments.yaml").chmod(0o666)
    with pytest.raises(UsageError, match="may be written by anybody"):
        find_inventory(None)
    monkeypatch.setenv("RUNBOOK_PROJECT", str(project.parent))
    assert find_inventory(None) == project.parent / "environments.yaml"


@pytest.mark.parametrize("of", ["file", "folder"])
def test_settings_that_others_may_have_written_are_refused_and_can_be_named(
    project: Path, of: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project if of == "file" else project.parent).chmod(0o777)
    with pytest.raises(UsageError, match=rf"RUNBOOK_PROJECT={project}"):
        find_project()
    monkeypatch.setenv("RUNBOOK_PROJECT", str(project))
    found = find_project()
    assert found is not None
    assert found.named


MISTAKES = {
    "bultin: true": 'runbook.yaml:1:1  unknown field "bultin" in project\n    did you mean builtin?',
    "builtin: yes please": "builtin: 'yes please' should be true or false or a list, as in [one, two]",
    "builtin: [hha]": "runbook.yaml:1:11  no built-in runbook hha\n    did you mean ha?",
    "runbooks: gone": "there is no folder gone",
    "site: {stale_after_days: 0}": "site.stale_after_days",
    "a: b: c": "runbook.yaml:1:",
    "builtin: [hha]\nsite: {stale_after_days: week}": "yaml:2:26  site.stale_after_days: 'week' should be a",
    "site: {dta: x}\nbuiltin: [hha]": "no built-in runbook hha",
}


@pytest.mark.parametrize("line", MISTAKES)
def test_every_mistake_has_its_place_and_what_to_write(project: Path, line: str) -> None:
    say(project, line)
    with pytest.raises(Invalid) as invalid:
        find_project()
    assert MISTAKES[line] in str(invalid.value)


def test_all_mistakes_come_at_once_from_the_top(project: Path) -> None:
    say(project, "builtin: [hha]\nrunbooks: gone\nsite: {dta: x}")
    with pytest.raises(Invalid) as invalid:
        find_project()
    assert [problem.place.line for problem in invalid.value.problems] == [1, 2, 3]


def test_a_runbook_of_ones_own_takes_no_built_in_ones_place_in_silence(project: Path) -> None:
    (project.parent / "runbooks" / "first.md").rename(project.parent / "runbooks" / "ha.md")
    with pytest.raises(Invalid, match=r"runbooks/ha\.md has the name of a built-in runbook"):
        find_project()
    say(project, "builtin: [gc]")
    assert locate("ha") == (Path("runbooks/ha.md"), "file")


def test_a_named_project_that_is_not_there_is_told(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNBOOK_PROJECT", str(here))
    with pytest.raises(UsageError, match=r"there is no runbook\.yaml: runbook init DIR begins one"):
        find_project()


EVIL = "from pathlib import Path\nPath('ran').write_text('')\n"


def test_code_of_a_project_that_nobody_named_is_not_loaded(command: Any, project: Path) -> None:
    """As it comes with a checkout of somebody else's; whose files are one's own."""
    (project.parent / "checks" / "probes" / "evil.py").write_text(EVIL)
    say(project, "checks: checks")
    done = command("list", "--probes")
    assert "evil" not in done.out
    assert done.err == (
        f"the code in {project.parent}/checks is not loaded, as this project was not named: "
        f"export RUNBOOK_PROJECT={project.parent}\n"
    )
    for arguments in (("probe",), ("requests",), ("env", "--offline")):  # what they list lacks it
        assert command(*arguments).err.count("is not loaded") == 1
    for arguments in (("lint",), ("test",), ("show", "first"), ("check", "first", "--deadline", "2s")):
        assert "is not loaded" not in command(*arguments).err
    assert command("probe", "evil").err.count("is not loaded") == 1
    (project.parent / "checks" / "connections" / "ours").mkdir(parents=True)
    (project.parent / "checks" / "connections" / "ours" / "__init__.py").write_text(EVIL)
    Path("own.yaml").write_text("environments: {prod: {ours: {a: 1}}}\n")
    assert command("env", "-i", "own.yaml").err.count("connections/ours/__init__.py is not loaded; to have it") == 1
    assert not Path("ran").exists()
    assert "is not loaded" not in command("list", "--probes", "--checks", "checks").err
    assert Path("ran").exists()  # it would have been seen


def test_a_probe_of_ones_own_that_is_not_loaded_is_told_with_what_to_write(
    command: Any, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `runbook init` leaves it: a probe lies there, and the line that names its folder stands behind a #."""
    book = project.parent / "runbooks" / "first.md"
    book.write_text(book.read_text("utf-8").replace("probe: kafka_broker}", "probe: kafka_advertised_host}"), "utf-8")
    hint = f"checks/probes/kafka_advertised_host.py is not loaded; to have it loaded, write checks: checks into {NAME}"
    export = f"export RUNBOOK_PROJECT={project.parent}"
    assert f"{hint}, then: {export}" in command("probe", "kafka_advertised_host").err
    done = command("lint", "first")
    assert f"{hint}, then: {export}" in done.out + done.err
    settings = project.read_text("utf-8")
    assert settings.count("# checks: checks ") == 1
    project.write_text(settings.replace("# checks: checks ", "checks: checks "), "utf-8")
    done = command("lint", "first")
    assert f"kafka_advertised_host.py is not loaded; to have it loaded: {export}" in done.out + done.err
    monkeypatch.setenv("RUNBOOK_PROJECT", str(project))
    done = command("lint", "first")
    assert 'no probe "kafka_advertised_host"' not in done.out + done.err


def test_code_of_a_project_that_is_named_is_loaded_also_by_its_workers(
    command: Any, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(project, "checks: checks", "inventory: environments.yaml")
    (project.parent / "environments.yaml").write_text(
        "environments: {far: {kafka: {bootstrap.servers: 127.0.0.1:1}}}\n"
    )
    monkeypatch.setenv("RUNBOOK_PROJECT", str(project.parent))
    done = command("probe", "kafka_advertised_host", "--deadline", "5s")
    assert done.code == 3
    assert "Advertised host." in done.out
    started = "from runbook.plugins.catalog import catalog; print('kafka_advertised_host' in catalog('probes'))"
    process = subprocess.run([sys.executable, "-c", started], capture_output=True, text=True, timeout=800, check=True)
    assert process.stdout == "True\n"  # what a process inherits that this one starts


def test_a_folder_of_code_that_is_not_there_is_told(
    command: Any, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(project, "checks: cheks")
    monkeypatch.setenv("RUNBOOK_PROJECT", str(project))
    done = command("list", "first")
    assert done.code == 2
    assert "names checks: cheks, and there is no folder" in done.err


@pytest.mark.usefixtures("project")
def test_what_is_expected_of_a_week_includes_ones_own(command: Any, here: Path) -> None:
    done = command("results", "expect", "--store", str(here / "results"))
    assert done.code == 0
    [snapshot] = (here / "results").rglob("*.json*")
    assert "first/enough-brokers" in snapshot.read_text("utf-8")


def test_a_project_in_a_folder_whose_name_has_a_space_is_named_as_a_shell_takes_it(
    command: Any, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(project, "checks: checks")
    spaced = project.parent.rename(project.parent.with_name("our runbooks"))
    monkeypatch.chdir(spaced)
    assert command("list", "--probes").err.endswith(f": export RUNBOOK_PROJECT='{spaced}'\n")
