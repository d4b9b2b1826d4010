"""Results in a folder of this machine, or of one it has mounted."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from runbook.evidence.store import StoredFile, refuse_to_remove_evidence, write_into
from runbook.evidence.store_layout import EXPECTED, FACTS, RUNS, is_evidence, misplaced, strange
from runbook.model.errors import UsageError

SCHEMES: Final = ("",)


class Folder:
    """A folder. Several processes may write into it at once."""

    def __init__(self, folder: Path) -> None:
        """Use this folder; it need not be there yet."""
        self._folder = folder

    at_once = 1
    """The disk takes one file after the other."""

    @property
    def name(self) -> str:
        """What messages call it."""
        return str(self._folder)

    def write(self, path: str, content: bytes) -> None:
        """Keep a file: written beside its place, flushed to the disk, then renamed.

        Raises:
            NotKept: no space, no rights.
        """
        write_into(self._folder, path, content)

    def sizes(self) -> dict[str, int]:
        """The files there are, with their bytes; and what else has the name of one, which can't be read.

        Raises:
            UsageError: it is no folder, or may not be looked at.
        """
        if self._folder.exists() and not self._folder.is_dir():
            raise UsageError(f"{self._folder} is no folder: a results store is one, or an address such as s3://…")
        try:
            files = [file for part in (RUNS, EXPECTED) for file in (self._folder / part).rglob("*")]
            found = {path: file for file in files if is_evidence(path := file.relative_to(self._folder).as_posix())}
            return {path: file.lstat().st_size for path, file in sorted(found.items())}
        except OSError as error:
            raise UsageError(f"{self._folder} can't be looked at: {error.strerror}") from error

    def read(self, wanted: Callable[[str, int], bool]) -> Iterator[StoredFile]:
        """Read the wanted files, in the order of their paths.

        Raises:
            UsageError: it is no folder, or may not be looked at.
        """
        for path, size in self.sizes().items():
            if wanted(path, size):
                yield self._read(path)

    def facts(self) -> list[str]:
        """Where facts are kept: files at their places; no links.

        Raises:
            UsageError: it may not be looked at.
        """
        try:
            found = [file for file in (self._folder / FACTS).rglob("*") if file.is_file() and not file.is_symlink()]
        except OSError as error:
            raise UsageError(f"{self._folder} can't be looked at: {error.strerror}") from error
        return sorted(one for file in found if not misplaced(one := file.relative_to(self._folder).as_posix()))

    def fetch(self, path: str) -> bytes:
        """The facts that are kept there.

        Raises:
            UsageError: they can't be read.
        """
        try:
            return (self._folder / path).read_bytes()
        except OSError as error:
            raise UsageError(f"{self._folder / path} can't be read: {error.strerror}") from error

    def forget(self, path: str) -> None:
        """Remove the facts that are kept there.

        Raises:
            UsageError: they can't be removed.
        """
        refuse_to_remove_evidence(path)
        try:
            (self._folder / path).unlink(missing_ok=True)
        except OSError as error:
            raise UsageError(f"{self._folder / path} can't be removed: {error.strerror}") from error

    def _read(self, path: str) -> StoredFile:
        try:
            if reason := strange((self._folder / path).lstat().st_mode):
                return StoredFile(path, trouble=f"it can't be read: it is {reason}")
            return StoredFile(path, (self._folder / path).read_bytes())
        except OSError as error:
            return StoredFile(path, trouble=f"it can't be read: {error.strerror}")


def open_store(where: str, settings: Mapping[str, Any]) -> Folder:
    """Prepare a store in a folder.

    Raises:
        UsageError: it was given settings.
    """
    if settings:
        raise UsageError(f"{where} is a folder: it takes no settings, but results has {', '.join(sorted(settings))}")
    return Folder(Path(where).expanduser())
