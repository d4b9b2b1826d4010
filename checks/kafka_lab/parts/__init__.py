"""What a lab may have beside its brokers. A file here is a part of `runbook lab up --with`; its name is the file's.

A part has `HELP`, one line; `lacking() -> str`, why it can't run on this machine and what would help, "" if it can;
`start(lab, progress) -> state`, once the brokers are up; `stop(lab, state)`; and `connections(lab, state)`, the
inventory's entries. It may have `NEEDS`, parts that it builds on; `prepare(lab, progress) -> state`, before the brokers
start; `jvm_options(lab, broker)`, more options for each broker's JVM; `broker_settings(lab, broker) -> settings`,
which replace the lab's own, None taking one away; `environment(lab, state)`, what else the
inventory says; `RELEASE`, the release of Kafka that it needs instead of the newest; `RACKS`, a rack for each of the
brokers that it wants instead of three in three racks;
`launch(lab, broker, command, output) -> Process`, where brokers are to run in a place of its own; `NOT_WITH`, parts
that it can't go together with; `bring_back(lab, state)`, which starts again what was lost of it, before faults are
undone; `environments(lab, state)`, further environments of the inventory by name; and `links(lab, state)`, its
replication links. A state is what
JSON can hold; it is kept with the lab's, so that any process can stop what another one started. What is started before
`start` returns is to be noted in `lab.parts` at once, as a start may be cut short.
"""

import ast
import importlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from kafka_lab.jars import Release
from kafka_lab.processes import Process
from kafka_lab.state import LabBroker, LabState
from runbook.model.errors import UsageError, did_you_mean

Progress = Callable[[str], None]


def parts() -> dict[str, str]:
    """List the parts by name, each with what it is. Runs none of their code."""
    return {file.stem: _help(file) for file in sorted(Path(__file__).parent.glob("[a-z]*.py"))}


def _help(file: Path) -> str:
    for statement in ast.parse(file.read_text("utf-8")).body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name, value = statement.target.id, statement.value
            if name == "HELP" and isinstance(value, ast.Constant):
                return str(value.value)
    return ""


def chosen(names: Iterable[str]) -> list[str]:
    """The parts of these names with all they need, in the order in which they start.

    Raises:
        UsageError: there is no such part, or two of them don't go together.
    """
    there = list(parts())
    order: list[str] = []
    for name in sorted(set(names)):
        if name not in there:
            raise UsageError(f'A lab has no part "{name}": {did_you_mean(name, there)}')
        order += [one for one in (*getattr(_load(name), "NEEDS", ()), name) if one not in order]
    for name in order:
        if other := next((one for one in getattr(_load(name), "NOT_WITH", ()) if one in order), None):
            raise UsageError(f"A lab can't have both {name} and {other}: start two labs, each with a --name of its own")
    return order


def lacking(name: str) -> str:
    """Why a part can't run on this machine, "" if it can."""
    for one in chosen([name]):
        if reason := str(_load(one).lacking()):
            return reason
    return ""


def prepare(lab: LabState, progress: Progress) -> None:
    """Make ready what the brokers need when they start.

    Raises:
        LabError: it could not be.
    """
    for name in lab.parts:
        part = _load(name)
        if hasattr(part, "prepare"):
            lab.parts[name] = part.prepare(lab, progress)
            lab.save()


def jvm_options(lab: LabState, broker: LabBroker) -> list[str]:
    """The options that parts add to a broker's JVM."""
    found = [part for part in map(_load, lab.parts) if hasattr(part, "jvm_options")]
    return [option for part in found for option in part.jvm_options(lab, broker)]


def broker_settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
    """The settings that parts give a broker in place of the lab's own; None takes one away."""
    found: dict[str, Any] = {}
    for part in map(_load, lab.parts):
        if hasattr(part, "broker_settings"):
            found |= part.broker_settings(lab, broker)
    return found


def release(names: Iterable[str]) -> Release | None:
    """The release of Kafka that one of these parts needs; None if the newest will do."""
    needed = (getattr(_load(name), "RELEASE", None) for name in names)
    return next((one for one in needed if one is not None), None)


def racks(names: Iterable[str]) -> tuple[str, ...]:
    """The racks of the brokers that one of these parts wants, one for each; none if the lab's own will do."""
    wanted: Iterable[tuple[str, ...]] = (getattr(_load(name), "RACKS", ()) for name in names)
    return next((one for one in wanted if one), ())


def launch(lab: LabState, broker: LabBroker, command: list[str], output: Path) -> Process | None:
    """Start a broker in the place that a part has for it; None if none has one."""
    for name in lab.parts:
        part = _load(name)
        if hasattr(part, "launch"):
            started: Process = part.launch(lab, broker, command, output)
            return started
    return None


def start(lab: LabState, progress: Progress) -> None:
    """Start the parts, once the brokers are up.

    Raises:
        LabError: one could not be started.
    """
    for name in list(lab.parts):
        lab.parts[name] = _load(name).start(lab, progress)
        lab.save()


def stop(lab: LabState) -> None:
    """Stop the parts, the last first."""
    for name, state in reversed(lab.parts.items()):
        if state:  # else it never began
            _load(name).stop(lab, state)


def bring_back(lab: LabState) -> None:
    """Start again what was lost of the parts, by whatever cause.

    Raises:
        LabError: it could not be.
    """
    for name, state in lab.parts.items():
        part = _load(name)
        if hasattr(part, "bring_back"):
            part.bring_back(lab, state)


_JVMS = ("agents", "applications")  # settings that map names to addresses


def connections(lab: LabState) -> dict[str, Any]:
    """The inventory's entries for what the parts offer; of a later part they replace those of an earlier one.

    JVMs are added: the brokers of one part, the applications of another.
    """
    found: dict[str, Any] = {}
    for name, state in lab.parts.items():
        for kind, settings in _load(name).connections(lab, state).items():
            before = found.get(kind, {})
            added = {key: before.get(key, {}) | settings[key] for key in _JVMS if key in settings}
            found[kind] = {**before, **settings, **added} if added else settings
    return found


def environment(lab: LabState) -> dict[str, Any]:
    """What parts say of the environment beside its connections; each adds its own parameters and topics to read."""
    found: dict[str, Any] = {}
    for part, state in ((_load(name), state) for name, state in lab.parts.items()):
        if hasattr(part, "environment"):
            said = part.environment(lab, state)
            params = found.get("params", {}) | said.get("params", {})
            may_read = [*found.get("may_read", []), *said.get("may_read", [])]
            found |= said | {name: value for name, value in (("params", params), ("may_read", may_read)) if value}
    return found


def environments(lab: LabState) -> dict[str, Any]:
    """Further environments that parts add to the inventory, by name."""
    found: dict[str, Any] = {}
    for part, state in ((_load(name), state) for name, state in lab.parts.items()):
        if hasattr(part, "environments"):
            found |= part.environments(lab, state)
    return found


def links(lab: LabState) -> list[dict[str, Any]]:
    """The replication links that parts add to the inventory."""
    loaded = [(_load(name), state) for name, state in lab.parts.items()]
    return [link for part, state in loaded if hasattr(part, "links") for link in part.links(lab, state)]


def _load(name: str) -> Any:
    return importlib.import_module(f"kafka_lab.parts.{name}")
