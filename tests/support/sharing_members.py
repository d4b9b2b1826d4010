"""Consumers of Java that share out the partitions of the numbered topic, deployed anew one after the other."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState, processes
from kafka_lab.admin import kafka_python
from kafka_lab.processes import Process
from kafka_lab.tools import class_path
from kafka_lab.waiting import wait_until
from runbook.java import find_java
from support.numbered_records import TOPIC

SHARING: Final = "sharing"
"""The group."""
RANGE: Final = "org.apache.kafka.clients.consumer.RangeAssignor"
_WITHIN: Final = 240.0  # seconds; a busy machine takes its time


class Members:
    """Two consumers in one group, which read their settings from one file when they start.

    Attributes:
        settings: that file.
        classes: a folder with classes of one's own, if there is one.
        own: what the settings of each have besides.
    """

    def __init__(self, lab: LabState, folder: Path, stack: ExitStack) -> None:
        """Nobody runs yet."""
        self._lab, self._folder, self._stack = lab, folder, stack
        self._running: list[Process] = []
        self.settings = folder / "consumer.properties"
        self.classes: Path | None = None
        self.own: Sequence[str] = ("", "")

    def deploy(self) -> None:
        """Start both, or anew one after the other; each joins before the next one is touched."""
        for number, own in enumerate(self.own):
            if len(self._running) == len(self.own):
                processes.terminate(self._running.pop(0), patience=20)
            file = self._folder / f"member-{number}.properties"
            file.write_text(f"{self.settings.read_text('utf-8')}\n{own}\nclient.id=member-{number}\n", "utf-8")
            path = class_path(self._lab) + (f":{self.classes}" if self.classes else "")
            tool = ["org.apache.kafka.tools.consumer.ConsoleConsumer", "--topic", TOPIC, "--group", SHARING]
            command = [str(find_java()), "-Xmx64m", "-XX:+UseSerialGC", "-cp", path, *tool]
            command += ["--bootstrap-server", self._lab.bootstrap, "--command-config", str(file)]
            member = processes.start(command, output=self._folder / f"member-{number}.out", folder=self._folder)
            self._stack.callback(processes.terminate, member, patience=20)
            self._running.append(member)
            wait_until(lambda: self.joined == len(self._running), "the members to join", within=_WITHIN)

    def kill(self, number: int) -> None:
        """Kill one of them."""
        processes.terminate(self._running.pop(number), patience=0)

    @property
    def joined(self) -> int:
        """How many members the group has while it is stable."""
        group = self._described()
        return len(group["members"]) if group["group_state"] == "Stable" else 0

    @property
    def assignor(self) -> str:
        """By what the group shares out."""
        return str(self._described()["protocol_data"])

    @property
    def owners(self) -> dict[int, str]:
        """Partition → client id of the member that has it, while the group is stable."""
        group = self._described()
        if group["group_state"] != "Stable":
            return {}
        return {
            partition: member["client_id"]
            for member in group["members"]
            for topic in member["member_assignment"]["assigned_partitions"]
            for partition in topic["partitions"]
        }

    def _described(self) -> dict[str, Any]:
        with kafka_python(self._lab) as admin:
            group: dict[str, Any] = admin.describe_groups([SHARING])[SHARING]
        return group


@contextmanager
def members(lab: LabState, folder: Path) -> Iterator[Members]:
    """A group of two that shares out by ranges."""
    with ExitStack() as stack:
        both = Members(lab, folder, stack)
        both.settings.write_text(f"partition.assignment.strategy={RANGE}\n", "utf-8")
        both.deploy()
        yield both
