"""What scripts, and probes, views and connections of your own, may import: the rest of the package may change any day.

Versioned as the package is: what is named here changes incompatibly only with a major version (docs/reference/api.md).
What judging needs is loaded by the functions that judge; a probe that imports this module costs a worker nothing.
"""

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runbook.formats.declared import Means, at, by, setting
from runbook.model.block import Objective, Severity
from runbook.model.column import Column
from runbook.model.errors import (
    CannotLook,
    Denied,
    Garbled,
    Invalid,
    Misconfigured,
    NoName,
    NoRoute,
    NoTls,
    NotServing,
    NotThere,
    Refused,
    RunbookError,
    TimedOut,
    Unreachable,
    Unsupported,
    UsageError,
)
from runbook.model.fact import Fact, Gap, Observed
from runbook.model.gap_kind import GapKind
from runbook.model.parameter import Parameter
from runbook.model.probe import Clock, Deadline, Probe
from runbook.model.quantity import (
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
from runbook.model.result import JudgedRow, Outcome, Result
from runbook.model.row import Cell, Row, row_of
from runbook.model.run import Run, Trigger
from runbook.model.view import Input, View

if TYPE_CHECKING:
    from runbook.connections.connect import Connect
    from runbook.connections.files import Files
    from runbook.connections.kafka import Kafka
    from runbook.connections.kubernetes import Kubernetes
    from runbook.connections.schema_registry import Registry
    from runbook.connections.ssh import Hosts
    from runbook.run.judgement.runner import Progress
    from runbook.what_if.analysis import Analysis, Scenario

__all__ = [
    "Analysis",
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
    "Deadline",
    "Denied",
    "Fact",
    "Files",
    "Gap",
    "GapKind",
    "Garbled",
    "Hosts",
    "Input",
    "Invalid",
    "JudgedRow",
    "Kafka",
    "Kubernetes",
    "Means",
    "Milliseconds",
    "Minutes",
    "Misconfigured",
    "Moment",
    "NoName",
    "NoRoute",
    "NoTls",
    "NotServing",
    "NotThere",
    "Objective",
    "Observed",
    "Offset",
    "Outcome",
    "Parameter",
    "PartitionNumber",
    "Percent",
    "Probe",
    "Progress",
    "Refused",
    "Registry",
    "Result",
    "Row",
    "Run",
    "RunbookError",
    "Scenario",
    "Seconds",
    "Severity",
    "TimedOut",
    "Trigger",
    "Unreachable",
    "Unsupported",
    "UsageError",
    "View",
    "at",
    "by",
    "check",
    "row_of",
    "setting",
    "what_if",
]


_LOADED_WHEN_USED = {
    "Analysis": "what_if.analysis",
    "Connect": "connections.connect",
    "Files": "connections.files",
    "Hosts": "connections.ssh",
    "Kafka": "connections.kafka",
    "Kubernetes": "connections.kubernetes",
    "Progress": "run.judgement.runner",
    "Registry": "connections.schema_registry",
    "Scenario": "what_if.analysis",
}


def __getattr__(name: str) -> Any:
    """What probes are given, and what a run or a loss tells: loaded when it is named."""
    if name not in _LOADED_WHEN_USED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"runbook.{_LOADED_WHEN_USED[name]}"), name)


def check(  # noqa: PLR0913 - public, and all but one are optional words of `runbook check`
    *runbooks: str,
    inventory: Path | str | None = None,
    environments: Sequence[str] = (),
    only: Sequence[str] = (),
    severity: Severity = "info",
    objectives: Sequence[Objective] = (),
    deadline: float | None = None,
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
        only: checks by name or glob, as `replicas-in-sync`, `ha/replicas-in-sync` or `replicas-*`; none: all.
        severity: checks milder than this are left out.
        objectives: only checks of these; none: all.
        deadline: seconds from the first request after which what has not answered is unknown; None: 10, or what two
            looks need.
        bundle: judge what this file holds; nothing is contacted.
        trigger: why the run is made, for who reads the results.
        user_checks: folders with `probes/`, `views/` and `connections/` of one's own; they hold code that is run,
            and stay known to this process.
        follow: is given each result once it is known, and in between how far the run is. What it raises ends the run.

    Returns:
        The run: `results`, one for each check and environment (or link), in the order of the report; `heads`, what each
        cluster says of itself; `took_ms`, and `loading_ms`, the part of it before the first request.

    Raises:
        UsageError: something asked for is not there, or a file has mistakes (`Invalid`); with the remedy. What can't be
            looked at raises nothing: its results are `Outcome.UNKNOWN`, with the reason.
    """
    from runbook.run.check_run import Options, start  # noqa: PLC0415 - users' probes import this module too

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


def what_if(  # noqa: PLR0913 - all are optional words of `runbook what-if`
    *,
    lose: Sequence[str] = (),
    topics: Sequence[str] = (),
    inventory: Path | str | None = None,
    environments: Sequence[str] = (),
    deadline: float = 10.0,
    bundle: Path | str | None = None,
    reassign: Path | str | None = None,
    throttle: int | None = None,
    set_topic: Sequence[str] = (),
    remove_broker: Sequence[int] = (),
) -> "list[Analysis]":
    """Say what the loss of brokers, racks or controllers would stop, or a change, as `runbook what-if` does. Read-only.

    Args:
        lose: what is lost, all of it together, as `broker:2`, `rack:az-b`, `controller:3`; none: every loss of one
            thing, and of one planned and one unplanned.
        topics: patterns of topics' names; none: all.
        inventory: the file of environments; None: `$RUNBOOK_INVENTORY`, or where `runbook what-if` finds one.
        environments: names or globs; none: the only one, else the default.
        deadline: seconds from the first request after which what has not answered is not known.
        bundle: work it out from what this file holds; nothing is contacted.
        reassign: a plan, as kafka-reassign-partitions.sh --execute takes it; what it does is foretold.
        throttle: of its copies, bytes a second that each broker may send, and may take.
        set_topic: settings that topics are to get, as `payments-*:min.insync.replicas=2`.
        remove_broker: brokers that are to be taken out for good.

    Returns:
        For each environment an `Analysis` with its `scenarios`, the worst first. A count that is not known is None, and
        `missing` says why: never 0. Of a change `change` says what it does, and the scenarios are those after it.

    Raises:
        UsageError: something asked for is not there, or a file has mistakes (`Invalid`); with the remedy.
    """
    from runbook.what_if import environments as of_environments  # noqa: PLC0415 - users' probes import this module too
    from runbook.what_if.change_request import read_change  # noqa: PLC0415 - as below

    return of_environments.what_if(
        lose=lose,
        topics=topics,
        inventory=None if inventory is None else Path(inventory),
        environments=environments,
        bundle=None if bundle is None else Path(bundle),
        change=read_change(None if reassign is None else Path(reassign), set_topic, remove_broker, throttle),
        seconds=deadline,
    )
