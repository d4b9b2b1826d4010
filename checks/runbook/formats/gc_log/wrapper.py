"""What containers, the journal and their viewers put around each line of a log."""

import re

import msgspec

_STAMP = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.,]{8,18}(?:Z|[+-][0-9]{2}:?[0-9]{2})"
_UNIT = r"\S{1,255} [^\s\[\]]{1,255}\[[0-9]{1,10}\]: "
_BEFORE = re.compile(
    rf"({_STAMP}) (?:std(?:out|err) [FP] |{_UNIT}|(?=\[|[0-9]))"  # CRI; journalctl -o short-iso; kubectl --timestamps
    rf"|[A-Z][a-z]{{2}} [ 0-9][0-9] [0-9:]{{8}} {_UNIT}"  # journalctl
    r"|[A-Za-z0-9_.-]{1,100} +\| "  # docker compose logs
    r"|\[pod/[^\]\s]{1,300}\] "  # kubectl logs --prefix
)
_DOCKER = '{"log":'


class _DockerLine(msgspec.Struct):
    """A line of Docker's json-file driver."""

    log: str
    time: str = ""


def unwrap(line: str) -> str:
    """The line as its JVM wrote it. When the container's runtime took it stands before it where it tells no date."""
    if line.startswith(_DOCKER):
        try:
            found = msgspec.json.decode(line, type=_DockerLine)
        except msgspec.MsgspecError:
            return line
        return _dated(found.log, found.time)
    before = _BEFORE.match(line)
    return line if before is None else _dated(line[before.end() :], before[1] or "")


def _dated(text: str, stamp: str) -> str:
    return f"[{stamp}]{text}" if stamp and text[:1] == "[" and text[5:6] != "-" else text
