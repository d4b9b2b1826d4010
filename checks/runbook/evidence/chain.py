"""The chain through the lines of a run's file: how it is made, and what a break in it says was done to the file.

Each line is canonical JSON and carries `chain`: SHA-256 over the chain value of the line before it and the line itself
without `chain`. The chain has no key: it shows accidents and careless hands, not someone who computes all of it anew.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

START = "0" * 64

_encode = msgspec.json.Encoder(order="sorted").encode

# A canonical line begins with its chain value, as no field of ours sorts before it: {"chain":"<64 hex digits>","…
_BEGIN = b'{"chain":"'
_LINK_AT = len(_BEGIN)
_LINK_END = _LINK_AT + len(START)
_BODY_AT = _LINK_END + len(b'",')


class ChainFault(NamedTuple):
    """What is wrong with a file, and in which line; line 0: the file as a whole."""

    line: int
    what: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}" if self.line else self.what


class _Last(Struct):
    kind: str = ""
    records: int = -1


class Linked(NamedTuple):
    """A line taken apart: the chain value it carries, and the bytes that were linked with the line before."""

    link: bytes
    body: bytes


def chained(records: Iterable[Struct | dict[str, Any]]) -> Iterator[bytes]:
    """Canonical JSON lines, each with its link of the chain; no field of a Struct may sort before `chain`."""
    chain = START.encode()
    for record in records:
        body = _encode(record)
        chain = hashed(chain, body)
        if isinstance(record, Struct):
            yield _BEGIN + chain + b'",' + body[1:]
        else:
            yield _encode(record | {"chain": chain.decode()})


def link(previous: str, record: dict[str, Any]) -> str:
    """The chain value of a record that follows one whose chain value is `previous`."""
    return hashed(previous.encode(), _encode(record)).decode()


def first_fault(content: bytes) -> ChainFault | None:
    """Say where a file first departs from what was written, and how; None if it is as it was written."""
    if not content:
        return ChainFault(0, "the file is empty")
    if not content.endswith(b"\n"):
        return ChainFault(content.count(b"\n") + 1, "it is cut off in the middle: the end of the file is missing")
    lines = content[:-1].split(b"\n")
    previous = START.encode()
    for at, line in enumerate(lines):
        taken = taken_apart(line)
        if taken is None or hashed(previous, taken.body) != taken.link:
            return _named([taken_apart(line) for line in lines], at, _last(lines[-1]))
        previous = taken.link
    return _end(lines)


def _end(lines: list[bytes]) -> ChainFault | None:
    """What is wrong with the end of a file whose lines follow each other as they should."""
    last = _last(lines[-1])
    if last.kind != "manifest":
        return ChainFault(
            len(lines), "the end of the file is missing: this line is no manifest, which counts the lines"
        )
    if last.records != len(lines) - 1:
        return ChainFault(
            len(lines), f"the manifest counts {last.records} lines before it, and there are {len(lines) - 1}"
        )
    return None


def _named(lines: list[Linked | None], at: int, last: _Last) -> ChainFault:
    """Name what was done at the first line that does not follow the one before it."""
    line = lines[at]
    if line is None:
        return ChainFault(at + 1, "it is no record: changed after it was written")
    return ChainFault(
        at + 1, _moved(lines, at, line) or _altered(lines, at, line, last) or "changed after it was written"
    )


def _moved(lines: list[Linked | None], at: int, line: Linked) -> str:
    """What to say of a line that is as it was written, but follows a line that is elsewhere; else ""."""
    home = next((i for i, link in enumerate(lines) if link and hashed(link.link, line.body) == line.link), None)
    if home is not None and home >= at:
        return f"moved: it was written after what is line {home + 1} now"
    if line in lines[:at]:
        return f"added: it repeats line {lines.index(line) + 1}"
    return (
        f"it was written after line {home + 1}: what stands between was added or moved there"
        if home is not None
        else ""
    )


def _altered(lines: list[Linked | None], at: int, line: Linked, last: _Last) -> str:
    """What the line after a broken one, and the manifest, say of it."""
    previous = _link_before(lines, at)
    following = lines[at + 1] if at + 1 < len(lines) else None
    if following and hashed(previous, following.body) == following.link:
        return "added: the lines around it follow each other without it"
    if following and hashed(hashed(previous, line.body), following.body) == following.link:
        return "its chain value was changed, the rest of it is as it was written"
    intact_after = following is None or hashed(line.link, following.body) == following.link
    missing = last.records - (len(lines) - 1) if last.kind == "manifest" else 0
    if missing > 0 and intact_after:
        return f"dropped: {missing} before it, as the manifest counts {last.records} lines"
    return ""


def _link_before(lines: list[Linked | None], at: int) -> bytes:
    before = lines[at - 1] if at else None
    return before.link if before else START.encode()


def taken_apart(line: bytes) -> Linked | None:
    """A line as chained() writes it, its chain value apart from what it vouches for; None if it is not of that form."""
    if line.startswith(_BEGIN) and line[_LINK_END:_BODY_AT] == b'",':
        return Linked(line[_LINK_AT:_LINK_END], b"{" + line[_BODY_AT:])
    try:  # a later version may have fields that sort before `chain`
        record = msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    chain = record.pop("chain", None)
    body = msgspec.json.encode(record, order="deterministic")
    as_written = msgspec.json.encode(record | {"chain": chain}, order="deterministic")
    return Linked(chain.encode(), body) if isinstance(chain, str) and as_written == line else None


def link_of(line: bytes) -> str:
    """The chain value that a line carries; empty if it is no line of ours."""
    taken = taken_apart(line)
    return taken.link.decode("ascii", "replace") if taken else ""


def line_with(content: bytes, link: str) -> int:
    """The number of the line that carries a chain value, from 1; 0 if none does."""
    lines = content.splitlines()
    return next((number for number, line in enumerate(lines, 1) if link.encode() in line and link_of(line) == link), 0)


def hashed(previous: bytes, body: bytes) -> bytes:
    """The chain value of a line that follows one whose chain value is `previous`."""
    return hashlib.sha256(previous + body).hexdigest().encode()


def _last(line: bytes) -> _Last:
    try:
        return msgspec.json.decode(line, type=_Last)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _Last()
