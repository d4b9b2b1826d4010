"""os-hardware.md walked as root of the lab's hosts, by its own text: their kernel settings are files of the lab."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from kafka_lab import LabState
from kafka_lab.brokers import start
from kafka_lab.hosts import NEGLECTED
from kafka_lab.hosts.plan import USERS
from kafka_lab.parts.hosts import host_of
from kafka_lab.processes import terminate
from kafka_lab.recovery import make_whole
from kafka_lab.waiting import wait_for_brokers
from runbook.procedure.walk_record import Record
from support.careful_walker import Hand, Walked, does_nothing
from support.forgetful import Forgetful, Notes, wrong
from support.hosts_to_change import ALLOWED, KERNEL_SETTINGS, WANTED, file_of, on_hosts
from support.kept_walks import Keep
from support.lab_hosts import LACKING
from support.operators import Operator, completed

_NEEDED: Final = LACKING or ("" if shutil.which("sysctl") else "sysctl is not installed: apt-get install procps")
pytestmark = [
    *(pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1200)),
    pytest.mark.skipif(bool(_NEEDED), reason=_NEEDED),
]
WITHIN: Final = 240.0  # seconds on a busy machine
LIMITS: Final = "/etc/security/limits.d/kafka.conf"
UNIT: Final = "/etc/systemd/system/kafka.service"


def on_each_host(lab: LabState, operator: Operator) -> Hand:
    """A hand that types on the host of each broker what is shown, with the broker's own process number there."""

    def acts(commands: Sequence[str]) -> None:
        for broker in lab.brokers:
            types = on_hosts(lab, operator, [broker.number])
            for command in commands:
                typed = re.sub(r"\bPID\b", str(_inner_pid(lab, broker.number)), command)
                types([typed.replace(str(WANTED), str(ALLOWED))])

    return acts


def _inner_pid(lab: LabState, number: int) -> int:
    """The number of a broker's process in its host."""
    process = lab.broker(number).process
    assert process is not None
    status = Path(f"/proc/{process.pid}/status").read_text("ascii")
    return int(next(line.split()[-1] for line in status.splitlines() if line.startswith("NSpid:")))


@pytest.mark.parametrize("left_out", wrong((2,), (3,), (4,)))
def test_the_kernel_is_set_up_at_once_and_for_good(
    lab: LabState, operator: Operator, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    for broker in lab.brokers:
        machine = host_of(lab, broker.number)
        file_of(machine, KERNEL_SETTINGS).unlink()
        for setting, value in NEGLECTED.items():
            if setting.startswith("/proc/"):
                machine.set_kernel(setting, value)
    types = on_each_host(lab, operator)

    def looks(commands: Sequence[str]) -> None:
        types([f"{command} || test $? -eq 1" for command in commands])  # no file sets any

    person = Forgetful(left_out)
    record = person.walks(
        Walked(operator.folder, "os-hardware#set-kernel-settings", lab.name), [looks, types, types, types]
    )
    notes(person.lines("os-hardware#set-kernel-settings"))
    assert completed(record), record.entries[-3:]
    assert file_of(host_of(lab, 1), KERNEL_SETTINGS).read_text("ascii").splitlines()[0] == "vm.swappiness = 1"
    keeps(record, "hosts, whose kernel settings are files", person.way, person.noticed)


@pytest.mark.parametrize("left_out", wrong((2,), (4,)))
def test_brokers_that_a_script_starts_may_open_more_files(
    lab: LabState, operator: Operator, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    with_few_files(lab)
    for broker in lab.brokers:
        file_of(host_of(lab, broker.number), UNIT).unlink()
    person = Forgetful(left_out)
    record = raised(lab, operator, person, on_each_host(lab, operator))
    notes(person.lines("os-hardware#raise-the-limit-of-open-files"))
    assert completed(record), record.entries[-3:]
    keeps(record, "hosts, a script starts the brokers", person.way, person.noticed)


def with_few_files(lab: LabState) -> None:
    """Brokers that may open few files now, and that no file gives more at their next start."""
    kafka = USERS["kafka"]
    for broker in lab.brokers:
        machine = host_of(lab, broker.number)
        file_of(machine, LIMITS).unlink()
        unit = file_of(machine, UNIT)
        lines = unit.read_text("ascii").splitlines(keepends=True)
        unit.write_text("".join(line for line in lines if "LimitNOFILE" not in line), "ascii")
        assert broker.process is not None
        lower = ["prlimit", f"--pid={broker.process.pid}", "--nofile=8192:"]
        subprocess.run(lower, user=kafka, group=kafka, extra_groups=[], cwd="/", check=True)


def raised(lab: LabState, operator: Operator, person: Forgetful, by_script: Hand) -> Record:
    """Walk os-hardware#raise-the-limit-of-open-files where a script starts brokers: no systemd runs in a host."""
    types, kafka = on_each_host(lab, operator), USERS["kafka"]

    def raises_it(commands: Sequence[str]) -> None:  # as the brokers' user: root of this machine may be barred from it
        types([f"setpriv --reuid={kafka} --regid={kafka} --clear-groups {command}" for command in commands])

    def restarts(_: Sequence[str]) -> None:
        for broker in lab.brokers:
            terminate(broker.process, patience=WITHIN)
            start(lab, broker)
            wait_for_brokers(lab)
            make_whole(lab)

    walked = Walked(operator.folder, "os-hardware#raise-the-limit-of-open-files", lab.name)
    return person.walks(walked, [types, raises_it, does_nothing, by_script, restarts])
