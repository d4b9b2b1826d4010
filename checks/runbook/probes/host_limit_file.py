"""The limits of open files that hosts give to login sessions and services when these start."""

from collections.abc import Iterator
from itertools import chain

from runbook.connections.ssh import Host, Hosts
from runbook.connections.ssh.commands import LIMIT_LINES, UNIT_LINES
from runbook.engine.column import Column
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("ssh",),
    help="One row per file and user, group or service whose limit of open files it sets.",
    columns=(
        Column("host", "string", "Name in the inventory.", key=True, entity="host"),
        Column("file", "string", "File that sets it.", key=True),
        Column("who", "string", "User, @group or * of limits.conf; service of systemd, or * for all.", key=True),
        Column("kind", "string", "session (limits.conf, pam_limits) or service (systemd)."),
        Column("soft", "int", "Soft limit; the greatest integer for none, unknown if the file does not set it."),
        Column("hard", "int", "Hard limit; the greatest integer for none, unknown if the file does not set it."),
    ),
    requests=tuple(command.shown() for command in (LIMIT_LINES, UNIT_LINES)),
    rights=("log in over SSH as any user",),
)

_UNLIMITED = 2**63 - 1
_NO_LIMIT = {"unlimited", "infinity", "-1"}
_Key = tuple[str, str, str]


def observe(hosts: Hosts) -> Observed:
    """Observe the limits of every host that answers."""
    return hosts.observe(_observe)


def _observe(host: Host) -> Observed:
    limits: dict[_Key, dict[str, int | None]] = {}
    gaps = []
    for key, which, value in chain(read_limits(host.run(LIMIT_LINES)), read_units(host.run(UNIT_LINES))):
        if value is None:
            gaps.append(Gap(f"{host.label}: {key[0]} has a line about open files that sets nothing: {which}"))
            continue
        found = limits.setdefault(key, {"soft": None, "hard": None})
        for side in ("soft", "hard") if which == "-" else (which,):
            found[side] = value
    told = [(host.name, file, who, kind, found["soft"], found["hard"]) for (file, who, kind), found in limits.items()]
    return Observed(rows=list[tuple[object, ...]](told), gaps=gaps)


def read_limits(text: str) -> Iterator[tuple[_Key, str, int | None]]:
    """Read `grep -H` over limits.conf (limits.conf(5)): who, soft, hard or - for both, nofile, value.

    A line that sets nothing has no value, and itself in place of soft or hard. No unit may follow the number.
    """
    for line in text.splitlines():
        file, _, rest = line.partition(":")
        words = rest.partition("#")[0].split()
        who, which, item, value = (*words, "", "", "", "")[:4]  # pam_limits leaves what follows aside
        number = _UNLIMITED if value in _NO_LIMIT else int(value) if value.isdecimal() else None
        usable = which in ("soft", "hard", "-") and item == "nofile" and number is not None
        yield (file, who, "session"), which if usable else rest.strip(), number if usable else None


def read_units(text: str) -> Iterator[tuple[_Key, str, int | None]]:
    """Read `grep -H` over units of systemd (systemd.exec(5)): LimitNOFILE=BOTH or SOFT:HARD; a bad line as above."""
    for line in text.splitlines():
        file, _, rest = line.partition(":")
        said = rest.partition("=")[2].strip()
        soft, _, hard = said.partition(":")
        key = (file, _unit(file), "service")
        for side, text_value in (("soft", soft), ("hard", hard or soft)):
            value = _value(text_value)
            if value is not None:
                yield key, side, value
            elif said:  # an empty one takes back what another file says
                yield key, rest.strip(), None
                break


def _unit(file: str) -> str:
    """The service that a file is about; a file in NAME.service.d adds to NAME.service."""
    for part in reversed(file.split("/")):
        name = part.removesuffix(".d")
        if name.endswith(".service"):
            return name
    return "*"


def _value(text: str) -> int | None:
    """A number, perhaps in units of 1024 (512K), or no limit at all."""
    if text in _NO_LIMIT:
        return _UNLIMITED
    digits, unit = (text[:-1], text[-1].upper()) if text and text[-1].upper() in "KMG" else (text, "")
    return int(digits) << {"": 0, "K": 10, "M": 20, "G": 30}[unit] if digits.isdecimal() else None
