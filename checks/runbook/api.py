"""What scripts, and probes, views and connections of your own, may import: the rest of the package may change any day.

Versioned as the package is: what is named here changes incompatibly only with a major version (docs/reference/api.md).
What judging needs is loaded by the functions that judge; a probe that imports this module costs a worker nothing.
"""

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runbook.engine.block import Objective, Severity
from runbook.engine.column import Column
from runbook.engine.errors import (
    CannotLook,
    Denied,
    Garbled,
    Invalid,
    Misconfigured,
    RunbookError,
    TimedOut,
    Unreachable,
    UsageError,
)
from runbook.engine.fact import Fact, Gap, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Clock, Probe
from runbook.engine.quantity import (
    BrokerId,
    Bytes,
    BytesPerSecond,
    ControllerId,
    Days,
    Milliseconds,
    Minutes,
    Moment,
    Offset,
    PartitionNumber,
    Percent,
    Seconds,
)
from runbook.engine.result import JudgedRow, Outcome, Result
from runbook.engine.row import Cell, Row
from runbook.engine.run import Run, Trigger
from runbook.engine.view import View

if TYPE_CHECKING:
    from runbook.connections.connect import Connect
    from runbook.connections.files import Files
    from runbook.connections.kafka import Kafka
    from runbook.connections.kubernetes import Kubernetes
    from runbook.connections.schema_registry import Registry
    from runbook.connections.ssh import Hosts
    from runbook.engine.runner import Progress

__all__ = [
    "BrokerId",
    "Bytes",
    "BytesPerSecond",
    "CannotLook",
    "Cell",
    "Clock",
    "Column",
    "Connect",
    "ControllerId",
    "Days",
    "Denied",
    "Fact",
    "Files",
    "Gap",
    "Garbled",
    "Hosts",
    "Invalid",
    "JudgedRow",
    "Kafka",
    "Kubernetes",
    "Milliseconds",
    "Minutes",
    "Misconfigured",
    "Moment",
    "Objective",
    "Observed",
    "Offset",
    "Outcome",
    "Parameter",
    "PartitionNumber",
    "Percent",
    "Probe",
    "Progress",
    "Registry",
    "Result",
    "Row",
    "Run",
    "RunbookError",
    "Seconds",
    "Severity",
    "TimedOut",
    "Trigger",
    "Unreachable",
    "UsageError",
    "View",
    "check",
]


_LOADED_WHEN_USED = {
    "Connect": "connections.connect",
    "Files": "connections.files",
    "Hosts": "connections.ssh",
    "Kafka": "connections.kafka",
    "Kubernetes": "connections.kubernetes",
    "Progress": "engine.runner",
    "Registry": "connections.schema_registry",
}


def __getattr__(name: str) -> Any:
    """What connections are like, for the probes that use them: each is loaded when it is named."""
    if name not in _LOADED_WHEN_USED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"runbook.{_LOADED_WHEN_USED[name]}"), name)


def check(
    *runbooks: str,
    inventory: Path | str | None = None,
    environments: Sequence[str] = (),
    only: Sequence[str] = (),
    severity: Severity = "info",
    objectives: Sequence[Objective] = (),
    deadline: float = 10.0,
    bundle: Path | str | None = None,
    trigger: Trigger = "manual",
    user_checks: Sequence[Path | str] = (),
    follow: Callable[["Result | Progress"], None] | None = None,
) -> Run:
    """Check which statements of runbooks are true of live clusters, as `runbook check` does. Read-only.

    Args:
        *runbooks: files, or names of built-in runbooks; none: all built-in ones.
        inventory: the file of environments; None: `$RUNBOOK_INVENTORY`, or where `runbook check` finds one.
        environments: names or globs; none: the only one, else the default.
        only: checks by name, as `replicas-in-sync` or `ha/replicas-in-sync`; none: all.
        severity: checks milder than this are left out.
        objectives: only checks of these; none: all.
        deadline: seconds after which what has not answered is unknown.
        bundle: judge what this file holds; nothing is contacted.
        trigger: why the run is made, for who reads the results.
        user_checks: folders with `probes/`, `views/` and `connections/` of one's own; they hold code that is run,
            and stay known to this process.
        follow: is given each result once it is known, and in between how far the run is. What it raises ends the run.

    Returns:
        The run: `results`, one for each check and environment (or link), in the order of the report; `heads`, what each
        cluster says of itself; `took_ms`.

    Raises:
        UsageError: something asked for is not there, or a file has mistakes (`Invalid`); with the remedy. What can't be
            looked at raises nothing: its results are `Outcome.UNKNOWN`, with the reason.
    """
    from runbook.run.checking import Options, start  # noqa: PLC0415 - users' probes import this module too

    options = Options(
        runbooks=runbooks,
        inventory=None if inventory is None else Path(inventory),
        environments=environments,
        only=only,
        severity=severity,
        objectives=objectives,
        deadline=deadline,
        bundle=None if bundle is None else Path(bundle),
        trigger=trigger,
        user_checks=[Path(folder) for folder in user_checks],
    )
    started = start(options)
    for event in started.events():
        if follow is not None:
            follow(event)
    return started.run
