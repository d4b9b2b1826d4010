"""Earlier versions of runbooks, from the git history of their folder."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from runbook import git
from runbook.parse.runbook import Runbook
from runbook.publish import prose
from runbook.publish.page import UNSEARCHED, Page, fragment, title

_VERSION = re.compile(r"^version:[ \t]*[\"']?([0-9]+\.[0-9]+\.[0-9]+)\b", re.MULTILINE)
_PATIENCE = 60.0  # seconds; our judgement: git is local, a history that takes longer is no use to a build


class Earlier(Struct, frozen=True):
    """A version that a runbook once had.

    Attributes:
        version: as its head said.
        revision: the last commit in which it was so.
        date: of that commit.
        text: the runbook as it was.
    """

    version: str
    revision: str
    date: str
    text: str


class VersionHistory(Struct, frozen=True):
    """What is known of earlier versions.

    Attributes:
        here: names of the runbooks whose folder was asked about; what is not of it has its history elsewhere.
        versions: runbook -> its earlier versions, the newest first.
        note: why none or not all are known; empty if all are.
    """

    here: frozenset[str] = frozenset()
    versions: Mapping[str, Sequence[Earlier]] = field(default_factory=dict)
    note: str = ""

    def of(self, runbook: str) -> Sequence[Earlier]:
        """The earlier versions of a runbook."""
        return self.versions.get(runbook, ())

    def note_of(self, runbook: str) -> str:
        """Why none or not all versions of a runbook are known; empty if all are, or if it is not of the folder."""
        return self.note if runbook in self.here else ""


def read_history(folder: Path, runbooks: Sequence[Runbook]) -> VersionHistory:
    """Find the revision in which each earlier version of each runbook of a folder was last seen."""
    current = {book.name: (book.own or book).front.version for book in runbooks if Path(book.path).parent == folder}
    here = frozenset(current)
    try:
        shallow = git.ask(folder, "rev-parse", "--is-shallow-repository", patience=_PATIENCE).strip() == b"true"
        touched = list(_touched(folder))
        texts = _texts(folder, touched)
    except git.NoAnswer as reason:
        return VersionHistory(here, note=f"Earlier versions are not shown: {_said(folder, reason)}.")
    found: dict[str, dict[str, Earlier]] = {}
    for (revision, date, file), text in zip(touched, texts, strict=True):
        name, version = Path(file).stem, _version(text)
        if name in here and version and version != current[name]:
            found.setdefault(name, {}).setdefault(version, Earlier(version, revision, date, text))
    note = "Only versions since the clone's first commit are shown: its history was cut off." if shallow else ""
    return VersionHistory(here, {name: list(versions.values()) for name, versions in found.items()}, note)


def _said(folder: Path, reason: git.NoAnswer) -> str:
    """Why git can't tell, in plain words where all is well: a folder that is new has no history."""
    if not any((place / ".git").exists() for place in (folder, *folder.parents)):
        return "the folder of this runbook is not kept in git"
    try:
        committed = git.ask(folder, "rev-list", "--all", "--max-count=1", patience=_PATIENCE)
    except git.NoAnswer:
        return str(reason)
    return str(reason) if committed else "nothing is committed in git yet"


def version_pages(runbook: Runbook, history: VersionHistory) -> Iterator[Page]:
    """Make a page of each earlier version; the search does not lead there."""
    for earlier in history.of(runbook.name):
        banner = fragment("old_version.html", runbook=runbook, earlier=earlier)
        text = earlier.text.removeprefix("---").partition("\n---")[2].partition("\n")[2]
        parts = [title(f"{runbook.front.title} {earlier.version}"), banner, prose.markdown(text, up="../")]
        path = f"runbooks/versions/{runbook.name}-{earlier.version}.md"
        yield Page(path, UNSEARCHED + "\n\n".join(parts) + "\n")


def _version(text: str) -> str:
    head = text.removeprefix("---").partition("\n---")[0]
    found = _VERSION.search(head)
    return found[1] if found else ""


def _touched(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Every commit that left a runbook with another text: revision, date, file; the newest first."""
    listed = git.ask(
        folder,
        "log",
        "--format=%x00%H %cs",
        "--name-only",
        "--diff-filter=AM",
        "--no-renames",
        "--relative",
        "--",
        ".",
        patience=_PATIENCE,
    )
    for entry in listed.decode(errors="replace").split("\0")[1:]:
        head, _, files = entry.partition("\n")
        revision, _, date = head.partition(" ")
        for file in files.splitlines():
            if file.endswith(".md") and "/" not in file:
                yield revision, date, file


def _texts(folder: Path, touched: Sequence[tuple[str, str, str]]) -> list[str]:
    """The texts of files in revisions, all with one process."""
    asked = "".join(f"{revision}:./{file}\n" for revision, _, file in touched)
    answer = git.ask(folder, "cat-file", "--batch", patience=_PATIENCE, given=asked.encode())
    texts = []
    for _ in touched:
        head, _, answer = answer.partition(b"\n")
        length = head.rpartition(b" ")[2]  # "missing", where a clone lacks the object
        size = int(length) if length.isdigit() else 0
        texts.append(answer[:size].decode(errors="replace"))
        answer = answer[size + 1 :] if length.isdigit() else answer
    return texts
