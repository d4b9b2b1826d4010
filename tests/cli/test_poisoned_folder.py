"""Every command is run in a folder that anybody may write, full of what would run as whoever stands there."""

import importlib.metadata
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import Struct

from runbook.cli.reference import commands, examples_of
from runbook.evidence.store import write_run
from support.kept_runs import kept_run

HERE = Path(__file__).parents[2]
OURS = {file.stem.replace("_", "-") for file in (HERE / "checks/runbook/cli/commands").glob("[a-z]*.py")}
RUNS = [(name, example) for name, _ in commands() if name.partition(" ")[0] in OURS for example in examples_of(name)]
NOBODY = 65534
_LONG = re.compile(r"[0-9]+[mh]")
ENVIRONMENTS = ("prod-eu", "prod-us", "stage", "lab")
INVENTORY = "environments:\n" + "".join(
    f"  {name}:\n    kafka: {{bootstrap.servers: '127.0.0.1:1'}}\n    prometheus: {{url: 'http://127.0.0.1:1'}}\n"
    for name in ENVIRONMENTS
)  # fmt: skip
MKDOCS = """site_name: Theirs
use_directory_urls: false
hooks: [hook.py]
theme: {name: mkdocs, custom_dir: theme}
plugins: {search: {}}
markdown_extensions: [textwrap]
"""


class Poisoned(Struct, frozen=True):
    """A folder, the file that says what was run out of it, and what belongs to whoever stands there."""

    folder: Path
    sprung: Path
    own: Path

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command there, as its program is started by a shell; paths of a machine are below `own`."""
        here = [str(self.own / word.strip("/")) if word.startswith("/") else word for word in words]
        arguments = ["1s" if _LONG.fullmatch(word) else word for word in here]  # nobody waits for who is not there
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "RUNBOOK"))}
        given = {"RUNBOOK_INVENTORY": str(self.own / "environments.yaml"), "HOME": str(self.own), **variables}
        return subprocess.run(
            [Path(sys.executable).with_name("runbook"), *arguments],
            cwd=self.folder,
            env=environment | given | {"PYTHONDONTWRITEBYTECODE": "1", "RUNBOOK_LAB_HOME": str(self.own / "lab")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=800,
        )

    def what_ran(self) -> str:
        """What was run out of the folder."""
        return self.sprung.read_text() if self.sprung.exists() else ""


@pytest.fixture
def poisoned(tmp_path: Path) -> Poisoned:
    folder, own, sprung = tmp_path / "shared", tmp_path / "own", tmp_path / "sprung"
    for made in (folder, folder / "docs", folder / "theme", folder / "conf", folder / "templates", own):
        made.mkdir()
    tell = f"open({str(sprung)!r}, 'a').write(__name__ + ' ')\n"
    names = {*sys.stdlib_module_names, *importlib.metadata.packages_distributions(), "sitecustomize", "usercustomize"}
    for name in names:
        if name.isidentifier():
            (folder / f"{name}.py").write_text(tell)
    (folder / "hook.py").write_text(tell)
    (folder / "theme" / "main.html").write_text("{{ config.__init__.__globals__ }}")
    (folder / "mkdocs.yml").write_text(MKDOCS)
    (folder / "mkdocs.offline.yml").write_text("INHERIT: mkdocs.yml\n")
    (folder / "docs" / "index.md").write_text("# Theirs\n")
    shell = f'#!/bin/sh\necho "$0" >> {shlex.quote(str(sprung))}\n'
    for name in ("git", "java", "python", "python3", "ps", "conf/spark-env.sh", "pager"):
        (folder / name).write_text(shell)
        (folder / name).chmod(0o755)
    write_run(folder / "results", kept_run("prod-eu"))
    (own / "environments.yaml").write_text(INVENTORY)
    folder.chmod(0o1777)
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    return Poisoned(folder, sprung, own)


@pytest.mark.parametrize(("name", "example"), RUNS)
def test_no_command_runs_what_lies_there(name: str, example: str, poisoned: Poisoned) -> None:
    done = poisoned.run(*shlex.split(example)[1:])
    assert poisoned.what_ran() == ""
    assert done.returncode in range(5), (name, done.stderr)


def test_the_site_of_others_is_not_built_and_that_of_a_project_of_ones_own_is(poisoned: Poisoned) -> None:
    refused = poisoned.run("publish", "/web")
    assert refused.returncode == 2
    assert "mkdocs.yml was found here, and it" in refused.stderr
    assert "it could run anything as you. If you trust it, work on a copy of your own" in refused.stderr
    assert poisoned.run("init", "/project").returncode == 0
    built = poisoned.run("publish", "/web", RUNBOOK_PROJECT=str(poisoned.own / "project"))
    assert built.returncode == 0, built.stderr
    assert poisoned.what_ran() == ""
