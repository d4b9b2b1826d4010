"""Earlier versions of runbooks, as the releases of their folder had them: the tags of git that led to what is here."""

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
    """A version that a runbook had in a release.

    Attributes:
        version: as its head said.
        release: the newest tag that has it.
        date: of that tag.
        text: the runbook as it was.
    """

    version: str
    release: str
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
    """Find the newest release that has each earlier version of each runbook of a folder."""
    current = {book.name: (book.own or book).front.version for book in runbooks if Path(book.path).parent == folder}
    here = frozenset(current)
    try:
        shallow = git.ask(folder, "rev-parse", "--is-shallow-repository", patience=_PATIENCE).strip() == b"true"
        releases = list(_releases(folder))
        places = [(name, *release) for release in releases for name in sorted(current)]
        texts = _texts(folder, [(release, name) for name, release, _ in places])
    except git.NoAnswer as reason:
        return VersionHistory(here, note=f"Earlier versions are not shown: {_said(folder, reason)}.")
    found: dict[str, dict[str, Earlier]] = {}
    for (name, release, date), text in zip(places, texts, strict=True):
        version = _version(text)
        if version and version != current[name]:
            found.setdefault(name, {}).setdefault(version, Earlier(version, release, date, text))
    return VersionHistory(here, {name: list(versions.values()) for name, versions in found.items()}, _cut(shallow))


def _cut(shallow: bool) -> str:  # noqa: FBT001 - as git says it
    return "Only releases since the clone's first commit are shown: its history was cut off." if shallow else ""


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


def _releases(folder: Path) -> Iterator[tuple[str, str]]:
    """The tags that led to what is here, with their days: the newest first."""
    form = "--format=%(refname:strip=2)%00%(creatordate:short)"
    newest = ("--sort=-version:refname", "--sort=-creatordate")  # the last key counts first
    listed = git.ask(folder, "for-each-ref", "--merged=HEAD", *newest, form, "refs/tags", patience=_PATIENCE)
    for line in listed.decode(errors="replace").splitlines():
        tag, _, date = line.partition("\0")
        yield tag, date


def _texts(folder: Path, places: Sequence[tuple[str, str]]) -> list[str]:
    """The texts of runbooks in releases, all with one process; nothing for one that a release does not have."""
    asked = "".join(f"refs/tags/{release}:./{name}.md\n" for release, name in places)
    answer = git.ask(folder, "cat-file", "--batch", patience=_PATIENCE, given=asked.encode())
    texts = []
    for _ in places:
        head, _, answer = answer.partition(b"\n")
        length = head.rpartition(b" ")[2]  # "missing", where the release or the clone lacks it
        size = int(length) if length.isdigit() else 0
        texts.append(answer[:size].decode(errors="replace"))
        answer = answer[size + 1 :] if length.isdigit() else answer
    return texts
