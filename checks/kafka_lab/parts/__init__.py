"""What a lab may have beside its brokers. A file here is a part of `runbook lab up --with`; its name is the file's.

A part has `HELP`, one line. The rest it has where it needs it: `lacking() -> str`, why it can't run on this machine and
what would help, "" if it can; `NEEDS`, parts that it builds on; `NOT_WITH`, parts that it can't go together with;
`RELEASE`, the release of Kafka that it needs instead of the newest; `RACKS`, a rack for each of the brokers that it
wants instead of three in three racks; `prepare(lab, progress) -> state`, before the brokers start; `jvm_options(lab,
broker)`, more options for each broker's JVM; `class_path(lab)`, folders with classes for them; `broker_settings(lab,
broker) -> settings`, which replace the lab's own, None taking one away; `launch(lab, broker, command, output) ->
Process`, where brokers are to run in a place of its own; `start(lab, progress) -> state`, once the brokers are up;
`bring_back(lab, state)`, which starts again what was lost of it, before faults are undone; `stop(lab, state)`;
`connections(lab, state)`, the inventory's entries; `environment(lab, state)`, what else the inventory says;
`environments(lab, state)`, further environments of the inventory by name; and `links(lab, state)`, its replication
links. A state is what JSON can hold; it is kept with the lab's, so that any process can stop what another one started.
What is started before `start` returns is to be noted in `lab.parts` at once, as a start may be cut short.
"""

import ast
import importlib
from collections.abc import Callable, Iterable, Iterator
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
        order += [part for part in (*getattr(_load(name), "NEEDS", ()), name) if part not in order]
    for name in order:
        if other := next((part for part in getattr(_load(name), "NOT_WITH", ()) if part in order), None):
            raise UsageError(f"A lab can't have both {name} and {other}: start two labs, each with a --name of its own")
    return order


def lacking(name: str) -> str:
    """Why a part can't run on this machine, "" if it can."""
    return next((reason for _, asked in _having("lacking", chosen([name])) if (reason := str(asked()))), "")


def prepare(lab: LabState, progress: Progress) -> None:
    """Make ready what the brokers need when they start.

    Raises:
        LabError: it could not be.
    """
    for name, made_ready in _having("prepare", lab.parts):
        lab.parts[name] = made_ready(lab, progress)
        lab.save()


def jvm_options(lab: LabState, broker: LabBroker) -> list[str]:
    """The options that parts add to a broker's JVM."""
    return [option for _, options in _having("jvm_options", lab.parts) for option in options(lab, broker)]


def class_path(lab: LabState) -> list[str]:
    """The folders that parts add to the brokers' class path."""
    return [folder for _, folders in _having("class_path", lab.parts) for folder in folders(lab)]


def broker_settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
    """The settings that parts give a broker in place of the lab's own; None takes one away."""
    found: dict[str, Any] = {}
    for _, settings in _having("broker_settings", lab.parts):
        found |= settings(lab, broker)
    return found


def release(names: Iterable[str]) -> Release | None:
    """The release of Kafka that one of these parts needs; None if the newest will do."""
    return next((needed for _, needed in _having("RELEASE", names)), None)


def racks(names: Iterable[str]) -> tuple[str, ...]:
    """The racks of the brokers that one of these parts wants, one for each; none if the lab's own will do."""
    return next((wanted for _, wanted in _having("RACKS", names)), ())


def launch(lab: LabState, broker: LabBroker, command: list[str], output: Path) -> Process | None:
    """Start a broker in the place that a part has for it; None if none has one."""
    return next((started(lab, broker, command, output) for _, started in _having("launch", lab.parts)), None)


def start(lab: LabState, progress: Progress) -> None:
    """Start the parts, once the brokers are up.

    Raises:
        LabError: one could not be started.
    """
    for name, started in _having("start", [*lab.parts]):
        lab.parts[name] = started(lab, progress)
        lab.save()


def stop(lab: LabState) -> None:
    """Stop the parts, the last first."""
    for name, ended in _having("stop", [*reversed(lab.parts)]):
        if state := lab.parts[name]:  # else it never began
            ended(lab, state)


def bring_back(lab: LabState) -> None:
    """Start again what was lost of the parts, by whatever cause.

    Raises:
        LabError: it could not be.
    """
    for name, brought_back in _having("bring_back", lab.parts):
        brought_back(lab, lab.parts[name])


_JVMS = ("agents", "applications")  # settings that map names to addresses


def connections(lab: LabState) -> dict[str, Any]:
    """The inventory's entries for what the parts offer; of a later part they replace those of an earlier one.

    JVMs are added: the brokers of one part, the applications of another.
    """
    found: dict[str, Any] = {}
    for name, offered in _having("connections", lab.parts):
        for kind, settings in offered(lab, lab.parts[name]).items():
            before = found.get(kind, {})
            added = {key: before.get(key, {}) | settings[key] for key in _JVMS if key in settings}
            found[kind] = {**before, **settings, **added} if added else settings
    return found


def environment(lab: LabState) -> dict[str, Any]:
    """What parts say of the environment beside its connections; each adds its own parameters and topics to read."""
    found: dict[str, Any] = {}
    for name, described in _having("environment", lab.parts):
        said = described(lab, lab.parts[name])
        params = found.get("params", {}) | said.get("params", {})
        may_read = [*found.get("may_read", []), *said.get("may_read", [])]
        found |= said | {key: value for key, value in (("params", params), ("may_read", may_read)) if value}
    return found


def environments(lab: LabState) -> dict[str, Any]:
    """Further environments that parts add to the inventory, by name."""
    found: dict[str, Any] = {}
    for name, added in _having("environments", lab.parts):
        found |= added(lab, lab.parts[name])
    return found


def links(lab: LabState) -> list[dict[str, Any]]:
    """The replication links that parts add to the inventory."""
    return [link for name, added in _having("links", lab.parts) for link in added(lab, lab.parts[name])]


def _having(what: str, names: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """The parts that have this, by name, and what they have; each is loaded when its turn comes."""
    for name in names:
        if hasattr(part := _load(name), what):
            yield name, getattr(part, what)


def _load(name: str) -> Any:
    return importlib.import_module(f"kafka_lab.parts.{name}")
