"""What a release changes in the repository: the changelog, the version, and the record of which check stood in it."""

import datetime as dt
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from runbook.lint.releases import RECORD

CHANGELOG: Final = "docs/changelog.md"
PACKAGE: Final = "checks/runbook/__init__.py"
INSTALL: Final = "docs/how-to/install.md"
_OPEN: Final = re.compile(r"^## (?:(?P<version>\d+\.\d+\.\d+) \(unreleased\)|Unreleased)$", re.MULTILINE)
_WHEEL: Final = re.compile(r"kafka_runbook-[\w.]+-py3-none-any\.whl")
_VERSION: Final = re.compile(r'^__version__ = "[^"]*"$', re.MULTILINE)


def cut(root: Path, version: str, day: dt.date) -> list[str]:
    """Give what is unreleased this version and day; gives the files that changed.

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
    books = sorted(str(file) for file in (root / "runbooks").glob("*.md"))
    line = [sys.executable, "-m", "runbook", "lint", *books, "--release", version]
    done = subprocess.run(line, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"runbook lint --release {version}: {(done.stdout + done.stderr).strip()}")
    for name, text in changed.items():
        (root / name).write_text(text, "utf-8")
    return [*changed, f"runbooks/{RECORD}"]


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
