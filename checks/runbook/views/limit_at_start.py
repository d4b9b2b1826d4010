"""The limit of open files that each broker gets when it is started the next time, by the files of its host."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Struct

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class LimitAtStart(Row):
    """A broker process."""

    host: Annotated[str, Cell("Host it runs on.", key=True, entity="host")]
    pid: Annotated[int, Cell("Process id.", key=True)]
    broker: Annotated[BrokerId | None, Cell("Node id.")]
    source: Annotated[str | None, Cell("File that decides; empty if none sets it, unknown for a container.")]
    soft: Annotated[int | None, Cell("Soft limit; 0 if no file sets it: then the system's default holds.")]
    hard: Annotated[int | None, Cell("Hard limit; 0 if no file sets it.")]
    for_sessions: Annotated[
        int | None,
        Cell("Soft limit that login sessions of its user get, which a service does not; 0 if no file sets it."),
    ]


VIEW = View(
    help="One row per broker process.",
    row=LimitAtStart,
    inputs={
        "process": Input("host_process", columns=("host", "pid", "kind", "broker", "user", "service"), needs=("kind",)),
        "limit_file": Input(
            "host_limit_file", columns=("host", "file", "who", "kind", "soft", "hard"), needs=("kind",)
        ),
    },
    version=2,
)


def compute(*, process: Fact, limit_file: Fact) -> Observed:
    """Work it out from host_process and host_limit_file.

    A service of systemd gets the limit of its unit, else the default of the manager; limits.conf has no say in it. What
    was started from a login session gets the limit of its user, else that of everybody (limits.conf(5)); limits of
    groups are left aside. Of several files the last one decides.
    """
    limits = list(limit_file.rows())
    rows = []
    for row in process.rows():
        if row["kind"] == "broker":
            here = [limit for limit in limits if limit["host"] == row["host"]]
            limit = _decided(row, here)
            rows.append(
                LimitAtStart(
                    host=row["host"],
                    pid=row["pid"],
                    broker=row["broker"],
                    source=limit.source,
                    soft=limit.soft,
                    hard=limit.hard,
                    for_sessions=None if row["user"] is None else _first("session", row["user"], here).soft,
                )
            )
    return Observed(rows=rows)


class _Limit(Struct, frozen=True, kw_only=True):
    source: str | None
    soft: int | None
    hard: int | None


_NOT_KNOWN = _Limit(source=None, soft=None, hard=None)


def _decided(process: Mapping[str, Any], limits: Sequence[Mapping[str, Any]]) -> _Limit:
    if process["service"] is None:
        return _NOT_KNOWN
    kind, who = ("service", process["service"]) if process["service"] else ("session", process["user"])
    return _NOT_KNOWN if who is None else _first(kind, who, limits)


def _first(kind: str, who: str, limits: Sequence[Mapping[str, Any]]) -> _Limit:
    for name in (who, "*"):
        soft = [
            limit for limit in limits if (limit["kind"], limit["who"]) == (kind, name) and limit["soft"] is not None
        ]
        hard = [
            limit for limit in limits if (limit["kind"], limit["who"]) == (kind, name) and limit["hard"] is not None
        ]
        if soft or hard:
            return _Limit(
                source=(soft or hard)[-1]["file"],
                soft=soft[-1]["soft"] if soft else 0,
                hard=hard[-1]["hard"] if hard else 0,
            )
    return _Limit(source="", soft=0, hard=0)
