"""Files and folders that are there and are no runbook: what they are, and what to write instead."""

import re
from pathlib import Path

from runbook.parse.runbook import read_text
from runbook.run.sources.project import find_project

_INVENTORY = re.compile(r"^environments *:", re.MULTILINE)
_CASES = re.compile(r"^cases *:", re.MULTILINE)


def no_runbook(path: Path) -> str:
    """Why a path that there is can't be a runbook, and what to write instead; "" where it may be one.

    Raises:
        Invalid: it is no text.
    """
    if path.is_dir():
        return f"{path} is a folder: {_instead_of_folder(path)}"
    if path.suffix not in {".yaml", ".yml"}:
        return ""
    text = read_text(path, str(path))
    if _INVENTORY.search(text):
        return f"{path} is an inventory: runbook lint -i {path} says what is wrong with it{_without_names()}"
    if _CASES.search(text):
        return f"{path} is a file of cases: name its runbook, {path.resolve().parent.name}"
    return f"{path} is no runbook: a runbook is a Markdown file"


def not_read(name: str) -> str:
    """Say of a name that a file of the project has it which is not read, and the remedy; "" where none has."""
    project = find_project()
    unread = project.unread() if project else ()
    return next((f"{file} is not read: {remedy}; " for file, remedy in unread if file.stem == name), "")


def _without_names() -> str:
    project = find_project()
    named = project is not None and project.settings.inventory
    return "; runbook lint without names looks at the project's" if named else ""


def _instead_of_folder(folder: Path) -> str:
    if find_project() is not None:
        return "without names every runbook of the project is meant"
    there = [path for path in (folder, folder / "runbooks") if next(path.glob("*.md"), None)]
    if there:
        return f"name its runbooks, as in {there[0] / '*.md'}"
    return "no runbook (*.md) is in it"
