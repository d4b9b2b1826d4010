"""What a release changes in the repository: changelog, version, the days of runbooks, the record of each check."""

import datetime as dt
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from runbook.lint.releases import RECORD

CHANGELOG: Final = "docs/changelog.md"
PACKAGE: Final = "checks/runbook/__init__.py"
INSTALL: Final = "docs/how-to/install.md"
_OPEN: Final = re.compile(r"^## (?:(?P<version>\d+\.\d+\.\d+) \(unreleased\)|Unreleased)$", re.MULTILINE)
_WHEEL: Final = re.compile(r"kafka_runbook-[\w.]+-py3-none-any\.whl")
_HEAD: Final = re.compile(r"^version: [\"']?(?P<version>[\d.]+)", re.MULTILINE)
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_VERSION: Final = re.compile(r'^__version__ = "[^"]*"$', re.MULTILINE)


def cut(root: Path, version: str, day: dt.date) -> list[str]:
    """Give what is unreleased this version and day, also in the heads of runbooks; gives the files that changed.

    Nothing is changed where something is wrong.

    Raises:
        ValueError: the changelog has nothing unreleased, or another version for it; or a runbook has mistakes, or was
            released in this version or a newer one.
    """
    changed = {
        CHANGELOG: _changelog((root / CHANGELOG).read_text("utf-8"), version, day),
        PACKAGE: _one(_VERSION, f'__version__ = "{version}"', (root / PACKAGE).read_text("utf-8"), PACKAGE),
        INSTALL: _one(
            _WHEEL, f"kafka_runbook-{version}-py3-none-any.whl", (root / INSTALL).read_text("utf-8"), INSTALL
        ),
    }
    changed |= dict(_dated(root, day))
    books = sorted(str(file) for file in (root / "runbooks").glob("*.md"))
    line = [sys.executable, "-m", "runbook", "lint", *books, "--release", version]
    done = subprocess.run(line, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"runbook lint --release {version}: {(done.stdout + done.stderr).strip()}")
    for name, text in changed.items():
        (root / name).write_text(text, "utf-8")
    return [*changed, f"runbooks/{RECORD}"]


def _dated(root: Path, day: dt.date) -> Iterator[tuple[str, str]]:
    """The runbooks whose version no release had, where its entry in `changes:` has another day: file and text."""
    record = root / "runbooks" / RECORD
    releases = json.loads(record.read_bytes())["releases"] if record.exists() else {}
    for file in sorted((root / "runbooks").glob("*.md")):
        text = file.read_text("utf-8")
        head, changes, rest = text.partition("\nchanges:")
        version = found["version"] if (found := _HEAD.search(head)) else ""
        released = {books[file.stem]["version"] for books in releases.values() if file.stem in books}
        dated = head + changes + _DAY.sub(day.isoformat(), rest, count=1)
        if version not in released and dated != text:
            yield str(file.relative_to(root)), dated


def _changelog(text: str, version: str, day: dt.date) -> str:
    """The changelog with a day for what is unreleased, below a heading for what comes next."""
    found = _OPEN.search(text)
    if found is None:
        raise ValueError(f"{CHANGELOG} has no heading of what is unreleased")
    if found["version"] not in (None, version):
        raise ValueError(f"{CHANGELOG} calls what is unreleased {found['version']}, not {version}")
    body = re.split(r"^## ", text[found.end() :], maxsplit=1, flags=re.MULTILINE)[0]
    if not body.strip():
        raise ValueError(f"{CHANGELOG} says of nothing that it changed")
    return f"{text[: found.start()]}## Unreleased\n\n## {version} ({day.isoformat()}){text[found.end() :]}"


def _one(pattern: re.Pattern[str], new: str, text: str, file: str) -> str:
    made, count = pattern.subn(new, text)
    if not count:
        raise ValueError(f"{file} has nothing like {pattern.pattern}")
    return made
