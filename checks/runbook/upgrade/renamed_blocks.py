"""Old names of built-in blocks in files of one's own, replaced by the present ones: `ha/old`, `ha#old`.

In a runbook that extends a built-in one, ids of its blocks alone are replaced, too. All else stays as it is.
"""

import re
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from runbook.evidence.named_file import write_named
from runbook.model.errors import FilePosition, UsageError
from runbook.parse.runbook import read_text
from runbook.run.sources.runbooks import shown_path


class RenamedBlock(Struct, frozen=True):
    """A name that was replaced, and where it stood."""

    place: FilePosition
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self.place}: {self.was}: {self.now}"


def rewrite_names(paths: Iterable[Path], names: Mapping[str, str]) -> list[RenamedBlock]:
    """Replace old names in files where they stand; a file of which nothing changes is not written.

    Raises:
        Invalid: one can't be read, or is no text.
        UsageError: one can't be written.
    """
    return [renamed for path in paths for renamed in _rewrite(path, names)] if names else []


def _rewrite(path: Path, names: Mapping[str, str]) -> list[RenamedBlock]:
    shown = shown_path(path)
    read_text(path, shown)  # it refuses what is no text
    text = path.read_bytes().decode("utf-8")
    extended = re.search(r"^extends:[ \t]*([a-z0-9-]+)", text, re.MULTILINE) if path.suffix == ".md" else None
    words: dict[str, str] = {}
    for old, now in names.items():
        words |= {old: now, old.replace("/", "#"): now.replace("/", "#")}
        if extended and old.startswith(f"{extended[1]}/"):
            words[old.rpartition("/")[2]] = now.removeprefix(f"{extended[1]}/")
    found: list[RenamedBlock] = []

    def renamed(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start()) + 1
        found.append(RenamedBlock(FilePosition(shown, line), match[0], words[match[0]]))
        return words[match[0]]

    any_of = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    new = re.sub(rf"(?<![\w/#-])(?:{any_of})(?![\w/-])", renamed, text)
    if found:
        try:
            write_named(path, new.encode("utf-8"), stat.S_IMODE(path.stat().st_mode))
        except OSError as error:
            raise UsageError(f"{shown} can't be written: {error.strerror}") from error
    return found
