"""The limit of open files that each broker gets when it is started the next time, by the files of its host."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from runbook.engine.fact import Fact, Observed
from runbook.engine.quantity import BrokerId
from runbook.engine.row import Cell, Row
from runbook.engine.view import View


class LimitAtStart(Row):
    """A broker process."""

    host: Annotated[str, Cell("Host it runs on.", key=True, entity="host")]
    pid: Annotated[int, Cell("Process id.", key=True)]
    broker: Annotated[BrokerId, Cell("Node id.")]
    source: Annotated[str | None, Cell("File that decides; empty if none sets it, unknown for a container.")]
    soft: Annotated[int, Cell("Soft limit; 0 if no file sets it: then the system's default holds.")]
    hard: Annotated[int, Cell("Hard limit; 0 if no file sets it.")]


VIEW = View(
    help="One row per broker process.",
    row=LimitAtStart,
    of=(("host", "pid", "kind", "broker", "user", "service"), ("host", "file", "who", "kind", "soft", "hard")),
    needs=(("kind",), ("kind",)),
    version=2,
)


def compute(process: Fact, limit_file: Fact, /) -> Observed:
    """Work it out from host_process and host_limit_file.

    A service of systemd gets the limit of its unit, else the default of the manager; limits.conf has no say in it. What
    was started from a login session gets the limit of its user, else that of everybody (limits.conf(5)); limits of
    groups are left aside. Of several files the last one decides.
    """
    limits = list(limit_file.rows())
    rows = []
    for one in process.rows():
        if one["kind"] == "broker":
            source, soft, hard = _decided(one, [limit for limit in limits if limit["host"] == one["host"]])
            rows.append(
                LimitAtStart(
                    host=one["host"], pid=one["pid"], broker=one["broker"], source=source, soft=soft, hard=hard
                )
            )
    return Observed(rows=rows)


def _decided(process: Mapping[str, Any], limits: Sequence[Mapping[str, Any]]) -> tuple[str | None, Any, Any]:
    if process["service"] is None:
        return None, None, None
    kind, who = ("service", process["service"]) if process["service"] else ("session", process["user"])
    if who is None:
        return None, None, None
    for name in (who, "*"):
        soft = [
            limit for limit in limits if (limit["kind"], limit["who"]) == (kind, name) and limit["soft"] is not None
        ]
        hard = [
            limit for limit in limits if (limit["kind"], limit["who"]) == (kind, name) and limit["hard"] is not None
        ]
        if soft or hard:
            last = (soft or hard)[-1]["file"]
            return last, soft[-1]["soft"] if soft else 0, hard[-1]["hard"] if hard else 0
    return "", 0, 0
