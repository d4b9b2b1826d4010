"""Which files a Java process takes its logins from, and who may read files."""

import posixpath
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from runbook.answers.ssh.commands import PERMISSIONS
from runbook.answers.ssh.processes import JavaProcess

if TYPE_CHECKING:
    from runbook.connections.ssh.host import Host

_JAAS_OPTION = re.compile(r"-Djava\.security\.auth\.login\.config=(?:file:)?(/.+)")
_ABSENT = "No such file or directory"
_ALL_READ, _ALL_WRITE, _ALL_PASS = 0o4, 0o2, 0o1


def jaas_file(process: JavaProcess) -> str:
    """The JAAS file of a process; "" if its command line names none."""
    named = [found[1] for word in process.argv if (found := _JAAS_OPTION.fullmatch(word))]
    return posixpath.normpath(named[-1]) if named else ""


class Permission(Struct, frozen=True):
    """What is known of a file.

    POSIX ACLs are not looked at: a file may be open to more than its mode says.

    Attributes:
        exists: whether it is there; None if we can't get at it.
        mode: its permission bits, None if not known.
        uid: of its owner, None if not known.
        owner: name of its owner, or the id where the host has no name; None if not known.
        open_to_all: whether anybody on the host can read it; None if not known.
        changeable_by_all: whether anybody on the host can write to it; None if not known.
    """

    exists: bool | None
    mode: int | None
    uid: int | None
    owner: str | None
    open_to_all: bool | None
    changeable_by_all: bool | None


class _Status(NamedTuple):
    kind: str
    mode: int
    uid: int
    owner: str


_Seen = dict[str, _Status]


def permissions(host: "Host", files: Sequence[str]) -> dict[str, Permission]:
    """Look at files and at the folders above them.

    Raises:
        CannotLook: the host does not tell.
    """
    if not files:
        return {}
    asked = sorted({path for file in files for path in (file, *_above(file))})
    answer = host.answer(PERMISSIONS, *asked)
    seen: _Seen = {}
    for entry in answer.data.decode(errors="replace").split("\0")[:-1]:
        kind, mode, uid, owner, path = entry.split(" ", 4)
        seen[path] = _Status(kind=kind, mode=int(mode, 8), uid=int(uid), owner=owner)
    return {file: _permission(file, seen, answer.said) for file in files}


def _permission(file: str, seen: _Seen, said: str) -> Permission:
    closed = any(folder in seen and not seen[folder].mode & _ALL_PASS for folder in _above(file))
    if file not in seen or seen[file].kind == "l":  # a link that leads nowhere is told as a link
        gone = file in seen or re.search(rf"{re.escape(file)}\W*: {_ABSENT}", said) is not None
        nobody = False if gone or closed else None
        return Permission(
            exists=False if gone else None,
            mode=None,
            uid=None,
            owner=None,
            open_to_all=nobody,
            changeable_by_all=nobody,
        )
    status = seen[file]
    return Permission(
        exists=True,
        mode=status.mode,
        uid=status.uid,
        owner=status.owner,
        # not made up: the mode was seen
        open_to_all=bool(status.mode & _ALL_READ) and not closed,
        # not made up: the mode was seen
        changeable_by_all=bool(status.mode & _ALL_WRITE) and not closed,
    )


def _above(file: str) -> Iterable[str]:
    """The folders above a file, without the root."""
    folder = posixpath.dirname(file)
    while folder != "/":
        yield folder
        folder = posixpath.dirname(folder)
