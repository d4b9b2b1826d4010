"""A machine is prepared for a broker: os-hardware.md walked as root of a lab's host that nobody has set up yet.

Its disk is a loop device. mkfs.xfs is not on every machine that tests, so it gets ext4.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from kafka_lab import LabState
from kafka_lab.brokers import start
from kafka_lab.configuration import properties_file
from kafka_lab.faults import skew_clock
from kafka_lab.hosts import NEGLECTED, RIGHT
from kafka_lab.hosts.plan import USERS
from kafka_lab.parts.hosts import host_of
from kafka_lab.processes import terminate
from kafka_lab.recovery import wait_for_loss
from kafka_lab.tools import write_tools
from kafka_lab.waiting import wait_for_brokers
from support.careful_walker import Walked, does_nothing
from support.forgetful import Forgetful, Notes, wrong
from support.hosts_to_change import KERNEL_SETTINGS, file_of, on_hosts
from support.kept_walks import Keep
from support.lab_hosts import LACKING
from support.operators import Operator, completed

_LACKING: Final = LACKING or next(
    (f"{tool} is not installed" for tool in ("losetup", "mkfs.ext4", "sysctl", "useradd") if not shutil.which(tool)), ""
)
pytestmark = [
    *(pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1200)),
    pytest.mark.skipif(bool(_LACKING), reason=_LACKING),
    pytest.mark.skipif(skew_clock.library() is None, reason="libfaketime is not installed"),
]
NUMBER: Final = 3  # of the broker whose machine it is; the clock that a fault of the lab sets wrong is its host's
MACHINE: Final = f"kafka-{NUMBER}"
HUGE_PAGES: Final = "/sys/kernel/mm/transparent_hugepage/enabled"
WITHIN: Final = 240.0  # seconds on a busy machine


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[str]:
    """An empty disk."""
    image = tmp_path / "disk"
    with image.open("wb") as empty:
        empty.truncate(512 << 20)
    made = subprocess.run(["losetup", "--find", "--show", str(image)], check=True, capture_output=True, text=True)
    device = made.stdout.strip()
    try:
        yield device
    finally:
        subprocess.run(["losetup", "--detach", device], check=True)


def as_installed(lab: LabState, operator: Operator, folder: Path) -> None:
    """A machine as it comes: no broker, nothing set, a wrong clock; what is written to disk is lost."""
    terminate(lab.broker(NUMBER).process, patience=WITHIN)
    wait_for_loss(lab, {NUMBER})
    machine = host_of(lab, NUMBER)
    file_of(machine, KERNEL_SETTINGS).unlink()
    for setting, value in NEGLECTED.items():
        machine.set_kernel(setting, value)
    skew_clock.inject(lab)
    data = lab.data_of(lab.broker(NUMBER))
    on_hosts(lab, operator, [NUMBER])([f"mount -t tmpfs tmpfs {data}"])
    named(folder, broker=None)


def named(folder: Path, broker: int | None) -> None:
    """Write the machine's entry of the inventory, which names its broker only once it has one."""
    file = folder / "environments.yaml"
    said = json.loads(file.read_text("utf-8"))
    [environment] = said["environments"].values()
    entry: dict[str, Any] = environment["ssh"]["hosts"][MACHINE]
    entry.pop("broker", None)
    if broker is not None:
        entry["broker"] = broker
    file.write_text(json.dumps(said), "utf-8")


@pytest.mark.parametrize("left_out", wrong((4,), (5,), (6,), (7,)))
def test_a_machine_is_prepared_and_its_broker_started(
    lab: LabState,
    operator: Operator,
    disk: str,
    left_out: Sequence[int],
    notes: Notes,
    keeps: Keep,
) -> None:
    broker = lab.broker(NUMBER)
    words = {"MACHINE": MACHINE, "BROKER": str(NUMBER), "DISK": disk, "LOG_DIR": str(lab.data_of(broker))}
    as_installed(lab, operator, operator.folder)
    types, tools = on_hosts(lab, operator, [NUMBER]), write_tools(lab, Path(lab.folder, "tools"))
    walked = Walked(operator.folder, "os-hardware#prepare-a-machine", lab.name, words=words)

    def makes_the_user(commands: Sequence[str]) -> None:
        types([f"{command} || test $? -eq 9" for command in commands])  # the lab comes in as that user: it is there

    def makes_file_systems(commands: Sequence[str]) -> None:
        types(["; ".join(commands).replace("mkfs.xfs", "mkfs.ext4 -q").replace(" xfs ", " ext4 ")])
        types([f"rmdir {words['LOG_DIR']}/lost+found"])  # XFS has none, and a broker ends at it

    def sets_the_kernel(commands: Sequence[str]) -> None:
        types(commands)
        host_of(lab, NUMBER).set_kernel(HUGE_PAGES, RIGHT[HUGE_PAGES])  # a kernel shows all words, and marks one
        record = Walked(operator.folder, "os-hardware#set-kernel-settings", lab.name).by(
            [lambda commands: types([f"{command} || test $? -eq 1" for command in commands]), types, types, types]
        )
        assert completed(record), record.entries[-3:]

    def starts_the_clock(_: Sequence[str]) -> None:  # no systemd runs in a host
        skew_clock.heal(lab)

    def starts_the_broker(_: Sequence[str]) -> None:
        named(operator.folder, NUMBER)
        walked.pauses()
        user = USERS["kafka"]
        form = f"{tools}/kafka-storage.sh format --ignore-formatted --no-initial-controllers"
        form += f" --cluster-id {lab.cluster_id} --config {properties_file(lab, broker)}"
        types([f"cd {lab.folder}; setpriv --reuid={user} --regid={user} --clear-groups {form}"])
        start(lab, broker)
        wait_for_brokers(lab)

    person = Forgetful(left_out)
    record = person.walks(
        walked,
        [
            *(does_nothing, does_nothing, makes_the_user, makes_file_systems),
            *(sets_the_kernel, starts_the_clock, starts_the_broker),
        ],
    )
    notes(person.lines("os-hardware#prepare-a-machine"))
    assert completed(record), record.entries[-3:]
    keeps(record, "hosts, ext4 on a loop device, whose kernel settings are files", person.way, person.noticed)
