"""What is known of a lab, on disk: any process can stop, break or heal what another one started."""

import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from kafka_lab.errors import LabError
from kafka_lab.places import lab_folder, lab_home, write_whole
from kafka_lab.processes import Condition, Process, condition
from runbook.model.errors import UsageError

_FILE = "lab.json"
DEFAULT = "lab"
"""The lab that is meant where none is named."""


class LabBroker(Struct):
    """One broker of a lab, which is a controller of its quorum too.

    Attributes:
        number: Its `node.id`, from 1.
        port: Where clients reach it on 127.0.0.1.
        controller_port: Where the other controllers reach it.
        rack: Its `broker.rack`.
        directory_id: The id of its data folder, by which the quorum knows it.
        process: The process running it; None before the first start.
    """

    number: int
    port: int
    controller_port: int
    rack: str
    directory_id: str
    process: Process | None = None

    @property
    def address(self) -> str:
        """Host and port for clients."""
        return f"127.0.0.1:{self.port}"

    @property
    def condition(self) -> Condition:
        """How its process is."""
        return condition(self.process)


class LabState(Struct):
    """One lab. A field added later needs a default: a lab started by an older version must still be stoppable.

    Attributes:
        name: The lab's name, and its environment's in the inventory.
        folder: The folder that holds everything of it.
        cluster_id: The Kafka cluster's id.
        kafka: The Kafka version.
        jars: The folder of that version's jars.
        brokers: Its brokers, by number.
        ready: Whether it was once up in full. False: its start was cut short.
        faults: The faults in force, in the order they were injected.
        replicas: By fault and topic: each partition's replicas before that fault moved them.
        parts: What it has beside its brokers, in the order of their start, with what each part keeps of itself.
        left_out: Parts that were asked for and can't run on this machine: why.
        beside: Further clusters that belong to it; each has a state of its own in a folder of that name below.
        revision: How often it was written down: who knows an older one may not write.
    """

    name: str
    folder: str
    cluster_id: str
    kafka: str
    jars: str
    brokers: list[LabBroker]
    ready: bool = False
    faults: list[str] = field(default_factory=list)
    replicas: dict[str, dict[str, list[list[int]]]] = field(default_factory=dict)
    parts: dict[str, dict[str, Any]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    beside: list[str] = field(default_factory=list)
    revision: int = 0

    @property
    def bootstrap(self) -> str:
        """The value of `bootstrap.servers` that names all its brokers."""
        return ",".join(broker.address for broker in self.brokers)

    @property
    def clusters(self) -> list["LabState"]:
        """Its own cluster, and those that belong to it."""
        found = (read(name, Path(self.folder)) for name in self.beside)
        return [self, *(lab for lab in found if lab is not None)]

    @property
    def running(self) -> bool:
        """Whether any of its brokers, in whichever cluster, has a process, be it frozen."""
        return any(broker.condition != "stopped" for cluster in self.clusters for broker in cluster.brokers)

    def anew_with(self, parts: str = "") -> str:
        """Say how to start it anew with parts that it lacks."""
        named, with_ = option(self.name), f" --with {parts}" if parts else ""
        return f"start it anew: runbook lab down{named}, then runbook lab up{named}{with_}"

    def broker(self, number: int) -> LabBroker:
        """Give the broker of this number."""
        return next(broker for broker in self.brokers if broker.number == number)

    def data_of(self, broker: LabBroker) -> Path:
        """Name the folder of a broker's logs, as Kafka calls its data."""
        return Path(self.folder, "data", f"broker-{broker.number}")

    def log_of(self, broker: LabBroker) -> Path:
        """Name the file a broker writes its own log to."""
        return Path(self.folder, "logs", f"broker-{broker.number}.log")

    def gc_log_of(self, broker: LabBroker) -> Path:
        """Name the file a broker's JVM writes its garbage collections to; older ones end in .0, .1, .2."""
        return Path(self.folder, "logs", f"broker-{broker.number}-gc.log")

    def save(self) -> None:
        """Write it down, in one step.

        Raises:
            LabError: Something else wrote it down since this was read: to write over it would lose what that started.
        """
        file = Path(self.folder, _FILE)
        there = _read(file)
        if there is not None and there.revision != self.revision:
            raise LabError(f"Lab {self.name} was changed by something else meanwhile: do it again, as it is now")
        self.revision += 1
        write_whole(file, msgspec.json.format(msgspec.json.encode(self), indent=1).decode() + "\n")

    def forget(self) -> None:
        """Remove what was written down: the lab exists no more."""
        Path(self.folder, _FILE).unlink(missing_ok=True)


def read(name: str, home: Path | None = None) -> LabState | None:
    """Read a lab's state; None when there is no such lab.

    Raises:
        LabError: There is one, but what is written of it can't be understood.
    """
    return _read(lab_folder(name, home) / _FILE)


def _read(file: Path) -> LabState | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=LabState)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise LabError(
            f"{file} can't be understood ({error}). It names the brokers' process ids: end those, then remove the file"
        ) from error


def option(name: str) -> str:
    """The option by which commands mean a lab; "" for the one that is meant without."""
    return "" if name == DEFAULT else f" --name {shlex.quote(name)}"


def known(name: str, home: Path | None = None) -> LabState:
    """Read a lab's state.

    Raises:
        UsageError: There is no such lab.
    """
    state = read(name, home)
    if state is None:
        there = [state.name for state in all_states(home)]
        named = f"name one with --name, as in --name {shlex.quote(there[0])}; or " if there else ""
        raise UsageError(
            f"No lab named {name} is up (up: {', '.join(there) or 'none'}): "
            f"{named}start it with runbook lab up{option(name)}"
        )
    return state


def all_states(home: Path | None = None) -> Iterator[LabState]:
    """Read every lab there is and can be understood, by name."""
    for file in sorted((home or lab_home()).absolute().glob(f"*/{_FILE}")):
        with suppress(LabError, UsageError):  # one unreadable lab, or a foreign folder, must not hide the others
            state = read(file.parent.name, file.parent.parent)
            if state is not None:
                yield state
