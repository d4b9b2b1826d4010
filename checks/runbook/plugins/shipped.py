"""Whether the files of this package are as its wheel shipped them, by the digests that the installer keeps (RECORD)."""

import base64
import hashlib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct

from runbook.plugins.catalog import PACKAGE

DISTRIBUTION: Final = "kafka-runbook"

State = Literal["as shipped", "changed", "added", "missing", "not known"]


class File(Struct, frozen=True):
    """A file of the package.

    Attributes:
        name: its path below the package's folder; of a package shipped beside it, with that one's name in front.
        state: "not known" where no record says how it was shipped.
        digest: SHA-256 of its content, in hexadecimal; empty if it is missing.
    """

    name: str
    state: State
    digest: str


def shipped_files(package: Path = PACKAGE, *, runbooks: Path) -> list[File]:
    """Every file of the package, and of those shipped beside it; `runbooks` is the folder in which its runbooks are."""
    root = package.parent.resolve()  # an editable install records what it put elsewhere
    parts = [file for file in _recorded() if Path(file.locate()).resolve().is_relative_to(root)]
    recorded = {_name(Path(file.locate()), package): _hexadecimal(file.hash.value) for file in parts}
    folders = {package, *(package.parent / file.parts[0] for file in parts)}
    there = {file: _name(file, package) for folder in folders for file in _files(folder)}
    there |= {file: f"content/runbooks/{file.name}" for file in sorted(runbooks.glob("*.md"))}
    found = [_file(file, name, recorded) for file, name in there.items()]
    gone = sorted(recorded.keys() - set(there.values()))
    return sorted([*found, *(File(name, "missing", "") for name in gone)], key=lambda file: file.name)


def _name(file: Path, package: Path) -> str:
    file, package = file.resolve(), package.resolve()
    return str(file.relative_to(package if file.is_relative_to(package) else package.parent))


def _files(package: Path) -> list[Path]:
    return [file for file in package.rglob("*") if file.is_file() and "__pycache__" not in file.parts]


def _file(file: Path, name: str, recorded: dict[str, str]) -> File:
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    if not recorded:
        return File(name, "not known", digest)
    if name not in recorded:
        return File(name, "added", digest)
    return File(name, "as shipped" if recorded[name] == digest else "changed", digest)


def _recorded() -> list[Any]:
    """What the installer recorded of the packages' files; nothing for an editable install."""
    try:
        files = distribution(DISTRIBUTION).files or []
    except PackageNotFoundError:
        return []
    ours = [
        file
        for file in files
        if len(file.parts) > 1
        and not file.parts[0].endswith((".dist-info", ".data"))
        and ".." not in file.parts  # commands, which stand elsewhere
        and "__pycache__" not in file.parts
    ]
    return [file for file in ours if file.hash and file.hash.mode == "sha256"]


def _hexadecimal(value: str) -> str:
    """A digest as RECORD writes it, base 64 without padding, in hexadecimal."""
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)).hex()
