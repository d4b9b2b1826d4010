"""The files of a repository that configure clients of Kafka, found without following links or running anything."""

import os
import re
import stat
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from msgspec import structs

from runbook.answers.files import ClientFile
from runbook.formats.client_files import is_env
from runbook.formats.client_files.recognised import ENDINGS, may_configure, why_not
from runbook.model.errors import Garbled, UsageError
from runbook.model.fact import Gap
from runbook.run.sources.base_files import files_at

LARGEST: Final = 1 << 20
"""Bytes of one file that are read: our judgement, as for a client's file of the inventory."""
MOST: Final = 200_000
"""Files that are looked at, of all paths together: our judgement, more than large repositories hold."""
_LEFT_OUT: Final = frozenset({"__pycache__", "build", "dist", "node_modules", "out", "target", "vendor", "venv"})
"""Folders of what was built or fetched; those whose names begin with a dot are left out, too."""
_OF_PROFILE: Final = re.compile(r"(application|bootstrap)(?:-([\w.-]+))?\.(ya?ml|properties)")


class SkippedFile(NamedTuple):
    """A file that could configure a client by its ending, and does not, or can't be read: why.

    Attributes:
        unread: whether nobody knows what stands in it: the run is not the whole truth.
    """

    path: str
    why: str
    unread: bool = False


class Repository(NamedTuple):
    """What was found below some paths.

    Attributes:
        files: those that configure clients; files of one application have the same name.
        skipped: those that could by their ending, and do not.
        others: how many files have another ending.
    """

    files: list[ClientFile]
    skipped: list[SkippedFile]
    others: int

    def clients(self) -> tuple[list[ClientFile], list[Gap]]:
        """What the probe of clients' settings asks for."""
        return self.files, []


def look_through(paths: Sequence[str], excluded: Sequence[str] = ()) -> Repository:
    """Find what configures clients.

    Args:
        paths: files and folders; a folder with all below it, without links, hidden folders, and what was built.
        excluded: shell patterns of paths that are left out.

    Raises:
        UsageError: a path is not there, or there are too many files.
    """
    found: list[ClientFile] = []
    skipped: list[SkippedFile] = []
    others = 0
    for number, path in enumerate(_below(paths, skipped)):
        if number > MOST:
            raise UsageError(f"there are more than {MOST:,} files: name fewer paths")
        if not path.endswith(ENDINGS) and not is_env(path):
            others += 1
        elif any(fnmatch(path, pattern) for pattern in excluded):
            skipped.append(SkippedFile(path, "excluded"))
        elif isinstance(read := _read(path), SkippedFile):
            skipped.append(read)
        else:
            found.append(read)
    return Repository(_grouped(found), skipped, others)


def as_of(ref: str, paths: Sequence[str], excluded: Sequence[str] = ()) -> Repository:
    """What a commit of git has at these paths, under the same names.

    Raises:
        UsageError: git does not know the commit, or a path is not below the working directory.
    """
    with TemporaryDirectory(prefix="runbook-base-") as folder:
        there = files_at(ref, paths, Path(folder), ENDINGS)
        found = look_through([path for path in there if Path(path).exists()], [f"{folder}/{one}" for one in excluded])
    prefix = f"{folder}/"
    files = [
        structs.replace(file, name=file.name.removeprefix(prefix), path=file.path.removeprefix(prefix))
        for file in found.files
    ]
    return found._replace(files=files)


def _below(paths: Sequence[str], skipped: list[SkippedFile]) -> Iterator[str]:
    seen: set[str] = set()
    for path in paths:
        if not Path(path).exists():
            raise UsageError(f"{path} is not there: name files or folders of a repository")
        for file in [path] if Path(path).is_file() else _walk(path, skipped):
            if file not in seen:
                seen.add(file)
                yield file


def _walk(folder: str, skipped: list[SkippedFile]) -> Iterator[str]:
    def unread(error: OSError) -> None:
        skipped.append(SkippedFile(os.path.normpath(error.filename), f"can't be read: {error.strerror}", unread=True))

    for at, folders, names in os.walk(folder, onerror=unread):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _LEFT_OUT)
        yield from (os.path.normpath(os.path.join(at, name)) for name in sorted(names))  # noqa: PTH118 - a string is asked


def _read(path: str) -> ClientFile | SkippedFile:
    """A file that configures a client, or why it is none."""
    try:
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode):
            return SkippedFile(path, "a link, or no regular file")
        content = Path(path).read_bytes() if status.st_size <= LARGEST else b""
    except OSError as error:
        return SkippedFile(path, f"can't be read: {error.strerror}", unread=True)
    if status.st_size > LARGEST:
        return SkippedFile(path, f"more than {LARGEST} bytes")
    return _recognised(path, content) if may_configure(content, path) else SkippedFile(path, "no setting of a client")


def _recognised(path: str, content: bytes) -> ClientFile | SkippedFile:
    try:
        file = ClientFile(name=path, kind="", path=path, text=_text(path, content), local=True)
        why = why_not(file.text, path)
        return SkippedFile(path, why) if why else file
    except UnicodeDecodeError:
        return SkippedFile(path, "no text in UTF-8", unread=True)
    except Garbled as error:
        return SkippedFile(path, str(error).removeprefix(f"{path} "), unread=True)


def _text(path: str, content: bytes) -> str:
    """The text; properties that are not in UTF-8 are what Java takes them for, ISO 8859-1."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        if not path.endswith(".properties"):
            raise
        return content.decode("latin-1")


def _grouped(files: list[ClientFile]) -> list[ClientFile]:
    """The same; files of one Spring application have the name of the first, in the order in which they hold."""
    groups: dict[str, list[ClientFile]] = {}
    for file in files:
        folder, _, name = file.path.rpartition("/")
        of = _OF_PROFILE.fullmatch(name)
        key = f"{folder}/{of[1]}" if of else file.path
        groups.setdefault(key, []).append(structs.replace(file, profile=(of[2] or "") if of else ""))
    for group in groups.values():
        group.sort(key=lambda file: (file.profile, file.path.endswith(".properties")))
    return [structs.replace(file, name=group[0].path) for group in groups.values() for file in group]
