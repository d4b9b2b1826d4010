"""The wheel with each extra alone: what the extra is for works, and what is not there is told by the extra's name.

Nothing is fetched: what an installer would have put into a bare environment is linked out of the one that the tests
run in.
"""

import importlib.metadata
import os
import re
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
NAME = "kafka-runbook"
CONNECTIONS = {
    "ssh": "{hosts: {a: {address: '127.0.0.1:1', broker: 1}}, user: a}",
    "kubernetes": "{server: 'https://127.0.0.1:1', namespace: kafka}",
    "jolokia": "{agents: {1: 'http://127.0.0.1:1/jolokia'}, applications: {}}",
    "schema_registry": "{url: 'http://127.0.0.1:1'}",
    "connect": "{workers: {a: 'http://127.0.0.1:1'}}",
    "prometheus": "{scrape: {1: 'http://127.0.0.1:1/'}}",
    "zookeeper": "{servers: {a: {address: '127.0.0.1:1', admin: 'http://127.0.0.1:1'}}}",
    "tls": "{endpoints: {a: '127.0.0.1:1'}}",
}
"""Connection -> settings at which nobody answers."""

BROUGHT = {
    "": set(),
    "ssh": {"ssh"},
    "kubernetes": {"kubernetes", "jolokia", "prometheus", "connect", "schema_registry"},  # its client brings requests
    "tls": {"tls"},
    "metrics": {"jolokia", "prometheus", "connect", "schema_registry"},
    "schemas": {"jolokia", "prometheus", "connect", "schema_registry"},
    "zookeeper": {"jolokia", "prometheus", "connect", "schema_registry", "zookeeper"},
    "lab": {"jolokia", "prometheus", "connect", "schema_registry"},  # what runs in a lab can be checked there
}
"""Extra -> the connections that it brings all packages of."""


def closure(extra: str) -> dict[str, importlib.metadata.Distribution]:
    """Everything that an installer would install of our wheel with one extra, by name; without the wheel."""
    found: dict[str, importlib.metadata.Distribution] = {}
    done: set[tuple[str, str]] = set()
    waiting = [(NAME, extra)]
    while waiting:
        name, wanted = waiting.pop()
        if (name, wanted) in done:
            continue
        done.add((name, wanted))
        distribution = importlib.metadata.distribution(name)
        found[re.sub(r"[-_.]+", "-", name).lower()] = distribution
        for line in distribution.requires or []:
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": wanted}):
                waiting += [(requirement.name, extra_) for extra_ in ("", *requirement.extras)]
    del found[NAME]
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout without any network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=800)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Put the wheel with one extra into a bare environment; give its Python."""

    def install(extra: str) -> Path:
        bare = tmp_path / (extra or "none")
        venv.create(bare, with_pip=False, symlinks=True)
        [packages] = bare.glob("lib/python*/site-packages")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(packages)
        for distribution in closure(extra).values():
            for top in sorted({file.parts[0] for file in distribution.files or [] if file.parts[0] != ".."}):
                there = Path(str(distribution.locate_file(top)))
                if top != "__pycache__" and there.exists() and not (packages / top).exists():
                    (packages / top).symlink_to(there)
        return bare / "bin" / "python"

    return install


def run(python: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the wheel's command away from the checkout."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "RUNBOOK"))}
    return subprocess.run(
        [python, "-m", "runbook", *arguments],
        cwd=python.parents[1],
        env=environment | {"HOME": str(python.parents[1]), "XDG_CONFIG_HOME": str(python.parents[1])},
        capture_output=True,
        text=True,
        timeout=800,
        check=False,
    )


def lines_of(text: str) -> Iterator[tuple[str, str]]:
    """Each connection with all that `runbook env` says of it."""
    for found in re.finditer(r"^  (?:works|PARTLY|FAILS|untried) +(\w+)(.*(?:\n    .*)*)", text, re.MULTILINE):
        yield found[1], found[2]


@pytest.mark.parametrize("extra", BROUGHT)
def test_each_connection_can_be_tried_or_says_which_extra_it_takes(
    installed: Callable[[str], Path], extra: str
) -> None:
    python = installed(extra)
    settings = "".join(f"    {name}: {given}\n" for name, given in CONNECTIONS.items())
    inventory = python.parents[1] / "environments.yaml"
    inventory.write_text(f"environments:\n  far:\n    kafka: {{bootstrap.servers: '127.0.0.1:1'}}\n{settings}", "utf-8")
    done = run(python, "env", "--deadline", "20s", "-i", str(inventory))
    assert done.returncode == 3, done.stderr
    assert "ModuleNotFoundError" not in done.stdout
    assert "a mistake in" not in done.stdout
    output = dict(lines_of(done.stdout))
    assert set(output) >= set(CONNECTIONS)
    lacking = {name for name in CONNECTIONS if "is missing, which the extra" in output[name]}
    assert lacking == set(CONNECTIONS) - BROUGHT[extra], done.stdout
    assert all("connection refused" in output[name] or "known_hosts" in output[name] for name in BROUGHT[extra]), (
        done.stdout
    )
    assert "connection refused" in output["kafka"]


def test_the_core_knows_its_runbooks_and_judges_them(installed: Callable[[str], Path]) -> None:
    python = installed("")
    bundle = str(ROOT / "tests" / "cases" / "ha" / "healthy.json")
    for arguments in (("list",), ("lint", "ha"), ("check", "ha", "--from", bundle), ("find", "lag"), ("show", "gc")):
        done = run(python, *arguments)
        assert done.returncode == 0, f"{arguments}: {done.stdout[-500:]}{done.stderr}"


def test_what_the_core_lacks_is_told_by_every_command_that_needs_it(installed: Callable[[str], Path]) -> None:
    python = installed("")
    folder = python.parents[1]
    log = folder / "gc.log"
    pause = "GC(1) Pause Young (Normal) (G1 Evacuation Pause) 100M->50M(200M) 1500.000ms"
    log.write_text(f"[2026-11-20T10:00:00.000+0000][9.1s][info][gc] {pause}\n", "utf-8")
    (folder / "results").mkdir()
    run(python, "init", ".")
    needs = {
        "site": ("pauses", f"1={log}", "--timeout", "9s", "--out", "p.svg"),
        "scorecard": ("scorecard", "results"),
        "remote": ("results", "list", "memory://results"),
    }
    for extra, arguments in [*needs.items(), ("site", ("publish", "web"))]:
        done = run(python, *arguments)
        assert done.returncode == 2, f"{arguments}: {done.stdout}{done.stderr}"
        assert f"kafka-runbook[{extra}]" in done.stderr, f"{arguments}: {done.stderr}"
        assert "internal error" not in done.stderr


@pytest.mark.parametrize("extra", ["site", "scorecard", "remote"])
def test_with_its_extra_a_command_gets_further(installed: Callable[[str], Path], extra: str) -> None:
    python = installed(extra)
    folder = python.parents[1]
    if extra == "site":
        assert run(python, "init", ".").returncode == 0
        settings = (folder / "runbook.yaml").read_text("utf-8").replace("builtin: true", "builtin: false")
        (folder / "runbook.yaml").write_text(settings, "utf-8")
        done = run(python, "publish", "web")
        assert done.returncode == 0, done.stderr
        assert (folder / "web" / "current" / "runbooks" / "first.html").is_file()
    elif extra == "scorecard":
        done = run(python, "scorecard", "nowhere")
        assert "PySpark" not in done.stderr
        assert "nowhere" in done.stderr
    else:
        done = run(python, "results", "list", "memory://results")
        assert "which the extra" not in done.stderr
        assert "fsspec" not in done.stderr


def test_the_same_sources_make_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    elsewhere = os.environ | {"TZ": "Pacific/Auckland", "PYTHONHASHSEED": "7", "LANG": "C"}
    subprocess.run(command, check=True, capture_output=True, timeout=800, env=elsewhere, umask=0o077)
    [again] = tmp_path.glob("*.whl")
    assert (again.name, again.read_bytes()) == (wheel.name, wheel.read_bytes())
