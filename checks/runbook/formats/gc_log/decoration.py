"""What stands before a message of unified logging: brackets (JEP 158), and what containers and journals put around."""

import datetime as dt
import re

import msgspec

from runbook.formats.gc_log.event import Moment, decimal

_SPAN = re.compile(r"([0-9]{1,19}(?:[.,][0-9]{1,19})?)(s|ms|ns)")
_DATED = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T")
_SECONDS = {"s": 1.0, "ms": 1e-3, "ns": 1e-9}
# More milliseconds than a JVM can have been up (31 years) are a time since 1970.
_EPOCH_MS = 1e12
_LATEST = 4_102_444_800.0  # the year 2100; what is said to be later, or before 1970, was garbled

NOWHEN = Moment()
_STAMP = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.,]{8,18}(?:Z|[+-][0-9]{2}:?[0-9]{2})"
_UNIT = r"\S{1,255} [^\s\[\]]{1,255}\[[0-9]{1,10}\]: "
_BEFORE = re.compile(
    rf"({_STAMP}) (?:std(?:out|err) [FP] |{_UNIT}|(?=\[|[0-9]))"  # CRI; journalctl -o short-iso; kubectl --timestamps
    rf"|[A-Z][a-z]{{2}} [ 0-9][0-9] [0-9:]{{8}} {_UNIT}"  # journalctl
    r"|[A-Za-z0-9_.-]{1,100} +\| "  # docker compose logs
    r"|\[pod/[^\]\s]{1,300}\] "  # kubectl logs --prefix
)
_DOCKER = '{"log":'


def moment(decorations: str, boot: float | None = None) -> Moment:
    """Read the time out of decorations.

    Args:
        decorations: the text from the first to the last bracket, both left out: `2026-11-21T16:10:53.638+0000][gc`.
        boot: when the JVM started, seconds since 1970, where the log tells its uptime only and this is known.
    """
    wall = uptime = None
    for part in decorations.split("]["):
        if not part[:1].isdigit():
            continue  # level, tags, a host's name
        if part[4:5] == "-" and _DATED.match(part):
            wall = _wall(part)
        elif span := _SPAN.fullmatch(part.strip()):
            value = decimal(span[1])
            if span[2] == "ms" and value >= _EPOCH_MS:
                wall = _sane(value / 1000)
            else:
                uptime = value * _SECONDS[span[2]]
    if wall is None and uptime is not None and boot is not None:
        wall = boot + uptime
    return Moment(wall, uptime)


def _wall(text: str) -> float | None:
    """Seconds since 1970 of a date with its offset; a log without offsets would leave it open which hour it was."""
    try:
        time = dt.datetime.fromisoformat(text.strip())
        return _sane(time.timestamp()) if time.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _sane(wall: float) -> float | None:
    return wall if 0 <= wall < _LATEST else None


def dated(text: str) -> float | None:
    """Seconds since 1970 of a date as JDK 8 writes it."""
    return _wall(text)


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
