"""The limits of open files that hosts give to login sessions and services when these start."""

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated, NamedTuple

from runbook.answers.ssh.commands import LIMIT_LINES, UNIT_LINES
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostLimitFile(Row):
    """Limits of open files that a file sets."""

    host: Annotated[str, Cell("Name in the inventory.", key=True, entity="host")]
    file: Annotated[str, Cell("File that sets it.", key=True)]
    who: Annotated[str, Cell("User, @group or * of limits.conf; service of systemd, or * for all.", key=True)]
    kind: Annotated[str, Cell("session (limits.conf, pam_limits) or service (systemd).")]
    soft: Annotated[int | None, Cell("Soft limit; the greatest integer for none, unknown if the file does not set it.")]
    hard: Annotated[int | None, Cell("Hard limit; the greatest integer for none, unknown if the file does not set it.")]


PROBE = Probe(
    connections=("ssh",),
    help="One row per file and user, group or service whose limit of open files it sets.",
    row=HostLimitFile,
    requests=tuple(command.shown() for command in (LIMIT_LINES, UNIT_LINES)),
    rights=("log in over SSH as any user",),
)

_UNLIMITED = 2**63 - 1
_NO_LIMIT = {"unlimited", "infinity", "-1"}


class _Whose(NamedTuple):
    file: str
    who: str
    kind: str


class LimitLine(NamedTuple):
    """What a line about open files sets: one side of a limit, both, or nothing.

    Attributes:
        whose: whose limit it is, and the file.
        side: soft, hard or - for both; the line itself where it sets nothing.
        value: None where it sets nothing.
    """

    whose: _Whose
    side: str
    value: int | None


def observe(hosts: "Hosts") -> Observed:
    """Observe the limits of every host that answers."""
    return hosts.observe(_observe)


def _observe(host: "Host") -> Observed:
    limits: dict[_Whose, dict[str, int | None]] = {}
    gaps = []
    for line in chain(read_limits(host.run(LIMIT_LINES)), read_units(host.run(UNIT_LINES))):
        if line.value is None:
            gaps.append(
                Gap(f"{host.label}: {line.whose.file} has a line about open files that sets nothing: {line.side}")
            )
            continue
        found = limits.setdefault(line.whose, {"soft": None, "hard": None})
        for side in ("soft", "hard") if line.side == "-" else (line.side,):
            found[side] = line.value
    rows = [
        HostLimitFile(
            host=host.name, file=limit.file, who=limit.who, kind=limit.kind, soft=found["soft"], hard=found["hard"]
        )
        for limit, found in limits.items()
    ]
    return Observed(rows=rows, gaps=gaps)


def read_limits(text: str) -> Iterator[LimitLine]:
    """Read `grep -H` over limits.conf (limits.conf(5)): who, soft, hard or - for both, nofile, value.

    No unit may follow the number.
    """
    for line in text.splitlines():
        file, _, rest = line.partition(":")
        words = rest.partition("#")[0].split()
        who, which, item, value = (*words, "", "", "", "")[:4]  # pam_limits leaves what follows aside
        number = _UNLIMITED if value in _NO_LIMIT else int(value) if value.isdecimal() else None
        usable = which in ("soft", "hard", "-") and item == "nofile" and number is not None
        whose = _Whose(file=file, who=who, kind="session")
        yield LimitLine(whose, which, number) if usable else LimitLine(whose, rest.strip(), None)


def read_units(text: str) -> Iterator[LimitLine]:
    """Read `grep -H` over units of systemd (systemd.exec(5)): LimitNOFILE=BOTH or SOFT:HARD."""
    for line in text.splitlines():
        file, _, rest = line.partition(":")
        said = rest.partition("=")[2].strip()
        soft, _, hard = said.partition(":")
        whose = _Whose(file=file, who=_unit(file), kind="service")
        for side, text_value in (("soft", soft), ("hard", hard or soft)):
            value = _value(text_value)
            if value is not None:
                yield LimitLine(whose, side, value)
            elif said:  # an empty one takes back what another file says
                yield LimitLine(whose, rest.strip(), None)
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
