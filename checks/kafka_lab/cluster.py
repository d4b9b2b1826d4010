"""Labs go up, say how they are, and go down."""

import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from kafka_lab import content, parts, processes, tools
from kafka_lab.brokers import format_all, start
from kafka_lab.configuration import new_id, planned
from kafka_lab.inventory import write_inventory
from kafka_lab.jars import KAFKA_VERSION, Release, fetch_jars, kafka_jars
from kafka_lab.places import held, lab_folder, set_aside_logs
from kafka_lab.processes import Condition
from kafka_lab.state import LabState, all_states, known, read
from kafka_lab.waiting import wait_for_brokers
from runbook.folders import cache_folder
from runbook.judge.summary import counted
from runbook.model.errors import UsageError

_UP_WITHIN = 180.0  # seconds; 12 on an idle machine. One that dies is noticed at once.


class BrokerStatus(Struct, frozen=True):
    """How one broker is. `pid` is None where no process is left; `log` is the file it writes to."""

    number: int
    rack: str
    address: str
    condition: Condition
    pid: int | None
    log: Path


class LabStatus(Struct, frozen=True):
    """How a lab is: its brokers, the faults in force, and the clusters that belong to it."""

    name: str
    kafka: str
    cluster_id: str
    bootstrap: str
    faults: tuple[str, ...]
    brokers: tuple[BrokerStatus, ...]
    parts: tuple[str, ...] = ()
    left_out: dict[str, str] = {}
    beside: tuple["LabStatus", ...] = ()

    @property
    def running(self) -> bool:
        """Whether any broker has a process."""
        own = any(broker.condition != "stopped" for broker in self.brokers)
        return own or any(status.running for status in self.beside)


def up(
    name: str = "lab",
    *,
    progress: Callable[[str], None],
    home: Path | None = None,
    brokers: int = 3,
    with_parts: Iterable[str] = (),
    release: Release | None = None,
) -> LabState:
    """Start a lab, and return when its cluster is up, filled and healthy.

    A lab that runs already is left as it is, also when it is broken on purpose. What a crash left behind is removed.

    Args:
        name: The lab's name; labs of several names run side by side.
        progress: Called with a line of text at each step.
        home: The folder of all labs; `lab_home()` when omitted.
        brokers: How many brokers.
        with_parts: Names of parts, beside the brokers. One that can't run on this machine is left out, and said.
        release: Which Kafka; without it the one that a part needs, or else the newest.

    Raises:
        UsageError: The name can't be a lab's or is taken, there is no such part, or a lab that runs already lacks one.
        LabError: Kafka could not be fetched or started.
    """
    folder = lab_folder(name, home)
    wanted = parts.chosen(with_parts)
    with held(folder / ".lock"):
        there = read(name, home)
        if there is not None and _as_left(there):
            _require_parts(there, wanted)
            progress(f"Lab {name} is up already")
            write_inventory(folder.parent)
            return there
        if there is not None:
            progress(f"Removing what is left of an earlier lab {name}")
            _remove(there)
        _refuse_if_taken(name, folder.parent)
        kafka, jars = _release(release or parts.release(wanted), progress)
        racks = parts.racks(wanted)
        lab = LabState(
            name=name,
            folder=str(folder),
            cluster_id=new_id(),
            kafka=kafka,
            jars=str(jars.absolute()),
            brokers=planned(len(racks), racks) if racks else planned(brokers),
        )
        _choose_parts(lab, wanted, progress)
        try:
            _start(lab, progress)
        except BaseException:
            _remove(lab)  # also on Ctrl-C: no process may stay behind
            raise
        lab.ready = True
        lab.save()
        write_inventory(folder.parent)
        return lab


def status(name: str = "lab", *, home: Path | None = None) -> LabStatus:
    """Say how a lab is, without asking its cluster.

    Raises:
        UsageError: There is no such lab.
    """
    return _status(known(name, home))


def _status(lab: LabState) -> LabStatus:
    return LabStatus(
        name=lab.name,
        kafka=lab.kafka,
        cluster_id=lab.cluster_id,
        bootstrap=lab.bootstrap,
        faults=tuple(lab.faults),
        brokers=tuple(
            BrokerStatus(
                number=broker.number,
                rack=broker.rack,
                address=broker.address,
                condition=broker.condition,
                pid=broker.process.pid if broker.process and broker.condition != "stopped" else None,
                log=lab.log_of(broker),
            )
            for broker in lab.brokers
        ),
        parts=tuple(lab.parts),
        left_out=dict(lab.left_out),
        beside=tuple(_status(cluster) for cluster in lab.clusters[1:]),
    )


def labs(home: Path | None = None) -> list[str]:
    """List the names of the labs that were started and not stopped."""
    return [lab.name for lab in all_states(home)]


def down(name: str = "lab", *, home: Path | None = None) -> bool:
    """Stop a lab and remove its data; its logs stay. Safe to call at any time.

    Returns:
        Whether there was a lab to stop.
    """
    folder = lab_folder(name, home)
    if not folder.exists():
        return False
    with held(folder / ".lock"):
        lab = read(name, home)
        if lab is not None:
            _remove(lab)
        write_inventory(folder.parent)
    return lab is not None


def _as_left(lab: LabState) -> bool:
    """Whether a lab is as its last command left it: all brokers have a process, or faults took some of them."""
    if not lab.ready:
        return False
    if lab.faults:
        return lab.running
    return all(broker.condition != "stopped" for cluster in lab.clusters for broker in cluster.brokers)


def _refuse_if_taken(name: str, home: Path) -> None:
    for other in all_states(home):
        if any(name == cluster.name for cluster in other.clusters[1:]):
            raise UsageError(f"{name} is a cluster of lab {other.name}: choose another name")


def _require_parts(lab: LabState, wanted: list[str]) -> None:
    lacking = [part for part in wanted if part not in lab.parts and part not in lab.left_out]
    if lacking:
        raise UsageError(
            f"Lab {lab.name} is up without {', '.join(lacking)}: stop it first with runbook lab down --name {lab.name}"
        )


def _release(needed: Release | None, progress: Callable[[str], None]) -> tuple[str, Path]:
    """The release of Kafka that the lab runs, and where its jars are: the newest, unless another is needed."""
    if needed is not None:
        return needed.version, fetch_jars(needed.jars, cache_folder(), progress)
    return KAFKA_VERSION, kafka_jars(cache_folder(), progress)


def _choose_parts(lab: LabState, wanted: list[str], progress: Callable[[str], None]) -> None:
    for part in wanted:
        if reason := parts.lacking(part):
            progress(f"Without {part}: {reason}")
            lab.left_out[part] = reason
        else:
            lab.parts[part] = {}


def _start(lab: LabState, progress: Callable[[str], None]) -> None:
    lab.save()
    set_aside_logs(Path(lab.folder))
    parts.prepare(lab, progress)
    progress(f"Formatting {counted(len(lab.brokers), 'broker')} of Kafka {lab.kafka}")
    format_all(lab)
    for broker in lab.brokers:
        progress(f"Starting broker {broker.number} in {broker.rack} on {broker.address}")
        start(lab, broker)
    wait_for_brokers(lab, within=_UP_WITHIN)
    progress("All brokers answer; creating topics")
    content.fill(lab)
    parts.start(lab, progress)


def _remove(lab: LabState) -> None:
    for cluster in reversed(lab.clusters):  # its own state last: it names the others
        parts.stop(cluster)
        for broker in cluster.brokers:
            # The data goes: a clean end of each log would be time lost.
            processes.terminate(broker.process, patience=0)
        folder = Path(cluster.folder)
        for gone in ("data", "config", tools.FOLDER):
            shutil.rmtree(folder / gone, ignore_errors=True)
        with suppress(FileNotFoundError):
            (folder / "environments.yaml").unlink()
        cluster.forget()
