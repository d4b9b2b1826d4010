"""What owners have declared of their clients' settings, beside what is in force."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Annotated, NamedTuple

from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._client_defaults import LIBRARIES
from runbook.views.consumer_config import InForce, assignors, consumers, offset_reset
from runbook.views.producer_config import producers


class DeclaredSetting(Row):
    """A setting that was declared for a client."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    setting: Annotated[str, Cell("Name, as Kafka's Java clients call it.", key=True, entity="setting")]
    declared: Annotated[str, Cell("The value that it is to have.")]
    value: Annotated[str | None, Cell("The value in force; unknown for a variable, or if the library decides.")]
    said: Annotated[bool, Cell("Whether a file says it; otherwise the value is a default.")]


VIEW = View(
    help="One row per consumer, or producer, and setting that was declared for it.",
    row=DeclaredSetting,
    leaves_out="undeclared settings",
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
    },
    parameters={
        "declared": Parameter(
            type="list[string]",
            help="what is to be in force, as in [billing-*:session.timeout.ms=45000, shop:enable.auto.commit=false]",
        ),
        "libraries": LIBRARIES,
        "of": Parameter(type="string", default="consumer", help="consumer or producer: which clients are meant"),
    },
)


class _Wanted(NamedTuple):
    pattern: str
    setting: str
    value: str


def compute(
    *,
    config: Fact,
    declared: Sequence[str] | None = None,
    libraries: Sequence[str] | None = None,
    of: str = "consumer",
) -> Observed:
    """Work it out from client_config; a client that was declared and has no file is a gap."""
    there = producers(config, libraries) if of == "producer" else consumers(config, libraries)
    rows: dict[tuple[str, str], DeclaredSetting] = {}
    gaps = []
    for wanted in map(_read, declared or ()):
        fitting = [name for name in there if fnmatchcase(name, wanted.pattern)]
        if not fitting:
            gaps.append(Gap(f"{wanted.setting} is declared for {wanted.pattern}: no file of such a {of} is known"))
        for name in fitting:
            rows.setdefault((name, wanted.setting), _row(name, wanted, there[name]))
    return Observed(rows=[rows[key] for key in sorted(rows)], gaps=gaps)


def _read(entry: str) -> _Wanted:
    """Read an entry.

    Raises:
        Misconfigured: it is not written CLIENT:SETTING=VALUE.
    """
    named, equals, value = entry.partition("=")
    pattern, colon, setting = named.rpartition(":")
    if not (equals and colon and pattern.strip() and setting.strip()):
        raise Misconfigured(f"declared: {entry!r} is no declaration; write billing:session.timeout.ms=45000")
    return _Wanted(pattern.strip(), setting.strip(), value.strip())


def _row(client: str, wanted: _Wanted, one: InForce) -> DeclaredSetting:
    value = one.value(wanted.setting)
    return DeclaredSetting(
        client=client,
        setting=wanted.setting,
        declared=_alike(wanted.setting, wanted.value) or "",
        value=_alike(wanted.setting, value),
        said=wanted.setting in one.said,
    )


def _alike(setting: str, value: str | None) -> str | None:
    """A value as it is compared: names of assignors and resets have several spellings."""
    if setting == "partition.assignment.strategy":
        names = assignors(value)
        return None if names is None else ",".join(names)
    return offset_reset(value) if setting == "auto.offset.reset" else value if value is None else value.strip()
