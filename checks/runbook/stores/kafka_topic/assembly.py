"""Put the messages of a topic together to files again, whatever else stands in it."""

from collections.abc import Iterator

import msgspec
from msgspec import Struct, field

from runbook.evidence.reading import LARGEST
from runbook.evidence.store import StoredFile, run_path
from runbook.evidence.store_layout import EXPECTED, misplaced


class _Line(Struct):
    kind: str = ""
    started_at: str = ""
    at: str = ""


class _Unfinished(Struct):
    path: str
    lines: list[bytes] = field(default_factory=list)
    size: int = 0
    trouble: str = ""


class Assembly:
    """Runs in the making, by key. Lines of one run come in order, those of several runs mixed."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._open: dict[str, _Unfinished] = {}

    def add(self, key: bytes | None, value: bytes | None) -> Iterator[StoredFile]:
        """Take a message; gives the file that it completes, or what is wrong with what it replaces."""
        name = (key or b"").decode(errors="replace")
        line = _read(value or b"")
        environment, _, run = name.partition("/")
        if environment == EXPECTED and line.kind == "expected":
            yield _checked(f"{EXPECTED}/{line.at[:10]}/{run}.json", name, (value or b"") + b"\n")
            return
        if line.kind == "run":
            yield from self._left_open(name)
            self._open[name] = _Unfinished(run_path(environment, line.started_at, run))
        unfinished = self._open.get(name)
        if unfinished is None:
            unfinished = self._open[name] = _Unfinished("", trouble="its first lines are missing")
        _append(unfinished, value or b"")
        if line.kind == "manifest":
            yield _finished(name, self._open.pop(name))

    def rest(self) -> Iterator[StoredFile]:
        """What never became whole."""
        for name in sorted(self._open):
            yield from self._left_open(name)

    def _left_open(self, name: str) -> Iterator[StoredFile]:
        unfinished = self._open.pop(name, None)
        if unfinished is not None:
            why = unfinished.trouble or f"incomplete: {len(unfinished.lines)} lines, and no manifest that counts them"
            yield StoredFile(unfinished.path or shown(name), trouble=why)


def shown(key: str) -> str:
    """A key as messages may hold it: control characters do nothing, and it is not endless."""
    return f"the key {key[:200]!r}"


def _append(unfinished: _Unfinished, value: bytes) -> None:
    unfinished.size += len(value) + 1
    if unfinished.size > LARGEST:
        unfinished.trouble = f"more than {LARGEST} bytes, which no run leaves"
        unfinished.lines.clear()
    if not unfinished.trouble:
        unfinished.lines.append(value)


def _finished(name: str, unfinished: _Unfinished) -> StoredFile:
    if unfinished.trouble:
        return StoredFile(unfinished.path or shown(name), trouble=unfinished.trouble)
    return _checked(unfinished.path, name, b"".join(line + b"\n" for line in unfinished.lines))


def _checked(path: str, name: str, content: bytes) -> StoredFile:
    reason = misplaced(path)
    return StoredFile(shown(name), trouble=reason) if reason else StoredFile(path, content)


def _read(value: bytes) -> _Line:
    try:
        return msgspec.json.decode(value, type=_Line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _Line()
