"""What other installed packages add, by entry points."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ENTRIES = """[runbook.commands]
greet = ours.greet

[runbook.inventories]
b-ours = ours.places:ours
a-nowhere = ours.places:nowhere
"""
GREET = '''EXAMPLES = ("runbook greet",)


def command(name: str = "Kafka") -> int:
    """Greet somebody."""
    print(f"hello {name}")
    return 0
'''
PLACES = """from pathlib import Path


def nowhere() -> None:
    return None


def ours() -> Path:
    return Path(__file__).with_name("environments.yaml")
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder in which a package is installed that adds a command, and knows of an inventory."""
    files = {
        "ours-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: ours\nVersion: 1\n",
        "ours-1.dist-info/entry_points.txt": ENTRIES,
        "ours/__init__.py": "",
        "ours/greet.py": GREET,
        "ours/places.py": PLACES,
        "ours/environments.yaml": "environments: {theirs: {kafka: {bootstrap.servers: 127.0.0.1:1}}}\n",
    }
    for name, text in files.items():
        file = tmp_path / "site" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return tmp_path / "site"


def runbook(installed: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command where nobody has an inventory of their own."""
    empty = installed.parent / "empty"
    empty.mkdir(exist_ok=True)
    homes = {name: str(empty) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "RUNBOOK_LAB_HOME")}
    search = os.pathsep.join(filter(None, [str(installed), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, **homes, "PYTHONPATH": search}
    environment.pop("RUNBOOK_INVENTORY", None)
    line = [sys.executable, "-m", "runbook", *words]
    return subprocess.run(line, capture_output=True, text=True, check=False, env=environment, cwd=empty, timeout=800)


def test_a_command_of_another_package_is_listed_helped_and_run(installed: Path) -> None:
    assert re.search(r"^  greet +Greet somebody\.$", runbook(installed, "--help").stdout, re.MULTILINE)
    assert "Greet somebody." in runbook(installed, "greet", "--help").stdout
    assert runbook(installed, "greet", "--name", "you").stdout == "hello you\n"


def test_what_is_found_is_what_importlib_finds(installed: Path) -> None:
    code = """import importlib.metadata as metadata
from runbook.plugins import added
for group in (added.COMMANDS, added.INVENTORIES):
    theirs = {one.name: one.value for one in metadata.entry_points(group=group)}
    assert theirs == added._entries(group) and len(theirs) > 1, (theirs, added._entries(group))"""
    search = os.pathsep.join(filter(None, [str(installed), os.environ.get("PYTHONPATH", "")]))
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": search}, timeout=800)


def test_a_command_of_another_package_takes_the_place_of_no_built_in_one(installed: Path) -> None:
    entries = installed / "ours-1.dist-info" / "entry_points.txt"
    entries.write_text(entries.read_text("utf-8").replace("greet =", "list ="), "utf-8")
    assert "hello" not in runbook(installed, "list").stdout


def test_an_inventory_that_another_package_knows_of_is_used_where_no_other_stands(installed: Path) -> None:
    assert "theirs" in runbook(installed, "env", "--offline").stdout
    own = installed.parent / "empty" / "environments.yaml"
    runbook(installed, "env", "--offline")
    own.write_text("environments: {own: {kafka: {bootstrap.servers: 127.0.0.1:1}}}\n", "utf-8")
    output = runbook(installed, "env", "--offline").stdout
    assert ("own" in output, "theirs" in output) == (True, False)


def test_where_nobody_knows_of_an_inventory_the_remedy_is_said(installed: Path) -> None:
    (installed / "ours-1.dist-info" / "entry_points.txt").write_text("", "utf-8")
    ended = runbook(installed, "env", "--offline")
    assert (ended.returncode, "no inventory: give --inventory FILE" in ended.stderr) == (2, True)
