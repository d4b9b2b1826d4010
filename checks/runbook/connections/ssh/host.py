"""One host: what it answers to the commands of the list, each asked once."""

from collections.abc import Sequence

from runbook.answers.ssh import Answer, FileInfo
from runbook.answers.ssh.commands import CLIENT, FILES, JAVA, PROCESS, SETTINGS, TAIL, Command
from runbook.answers.ssh.processes import (
    CommandLine,
    JavaProcess,
    by_process,
    java_process,
    named_by_inventory,
    process_files,
    read_settings,
)
from runbook.connections._memory import Memory
from runbook.connections.ssh.link import SshSession
from runbook.connections.ssh.settings import HostAddress
from runbook.model.errors import Denied, Garbled
from runbook.model.fact import Gap
from runbook.model.probe import Deadline
from runbook.model.quantity import BrokerId, Bytes, ProcessId

_LINES = 100_000
"""Lines of a client's configuration; our judgement, the longest seen have some hundred."""


class Host:
    """A host of the inventory. Answers are remembered; several probes may ask at once."""

    def __init__(self, place: HostAddress, link: SshSession, folders: Sequence[str]) -> None:
        """Ask this place through this link; files are named below these folders only."""
        self._place = place
        self._link = link
        self._folders = tuple(folders)
        self._memory = Memory()

    @property
    def name(self) -> str:
        """How the inventory calls it."""
        return self._place.name

    @property
    def label(self) -> str:
        """How sentences name it."""
        return self._place.label

    @property
    def clock(self) -> Deadline:
        """The time for all that is asked."""
        return self._link.clock

    @property
    def brokers(self) -> tuple[BrokerId, ...]:
        """The node ids that the inventory says run here."""
        return self._place.brokers

    def run(self, command: Command, *arguments: str) -> str:
        """Run one command of the list and give what it printed.

        Args:
            command: from `answers.ssh.commands`.
            arguments: what goes into its slots.

        Raises:
            CannotLook: an argument is not of its slot's kind, or no answer, and why.
        """
        return self.answer(command, *arguments).data.decode("utf-8", errors="replace")

    def answer(self, command: Command, *arguments: str) -> Answer:
        """Run one command of the list; gives bytes and times."""
        vector = command.vector(arguments, self._folders)
        return self._memory.once(tuple(vector), lambda: self._link.run(command, vector))

    def run_for_each(self, command: Command, arguments: Sequence[str]) -> str:
        """Run one command for all of these that may go into its slot for many; "" where none may.

        Raises:
            CannotLook: no answer, and why.
        """
        allowed = command.allowed(arguments, self._folders)
        return self.run(command, *allowed) if allowed else ""

    def again(self, command: Command) -> Answer:
        """Run a command that takes no arguments once more, whatever it gave before."""
        return self._link.run(command, command.vector(()))

    def processes(self) -> list[JavaProcess]:
        """The Java processes of this host.

        Raises:
            CannotLook: they can't be listed, or the host hides those of other users.
        """
        return self._memory.once("processes", self._read_processes)

    def _read_processes(self) -> list[JavaProcess]:
        pids = self.run(JAVA).split()
        texts = by_process(self.run(PROCESS, *process_files(pids)))
        if not texts.get("1"):
            raise Denied(
                f"{self.label} hides the processes of others from us (/proc is mounted with hidepid): "
                "be exempted by gid="
            )
        seen = {pid: CommandLine(texts[pid]["cmdline"]) for pid in pids if texts.get(pid, {}).get("cmdline")}
        named = sorted({words.properties for words in seen.values() if words.properties})
        settings = read_settings(self.run_for_each(SETTINGS, named))
        found = [
            java_process(ProcessId(int(pid)), words, texts[pid], settings.get(words.properties, {}))
            for pid, words in seen.items()
        ]
        return named_by_inventory(found, self.brokers)

    def running_brokers(self) -> list[JavaProcess]:
        """The brokers among them."""
        return [process for process in self.processes() if process.kind == "broker"]

    def absent_brokers(self) -> list[Gap]:
        """A gap for each broker that the inventory says runs here and that can't be seen."""
        seen = {process.broker for process in self.processes()}
        return [
            Gap(f"{self.label} runs no Java process that is broker {node}", {"host": self.name, "broker": node})
            for node in self.brokers
            if node not in seen
        ]

    def keys(self, process: JavaProcess) -> dict[str, str | int]:
        """What a gap about a process is about."""
        return {"host": self.name} if process.broker is None else {"host": self.name, "broker": process.broker}

    def tail(self, path: str, max_bytes: int) -> bytes:
        """The last bytes of a log file."""
        return self.answer(TAIL, str(max_bytes), path).data

    def client_settings(self, path: str) -> str:
        """The settings of a Kafka client in a properties file, each on the line where it stands; other lines empty.

        Raises:
            CannotLook: the file can't be read, or one of its settings goes on in the next line.
        """
        lines: list[str] = []
        for found in self.run(CLIENT, path).splitlines():
            number, _, text = found.partition(":")
            if not number.isdigit() or int(number) > _LINES:
                raise Garbled(f"{self.label} told {path} in a way that can't be understood")
            if text.endswith("\\"):
                raise Garbled(
                    f"{self.label}: line {number} of {path} goes on in the next: write it as one to have it read"
                )
            lines += [""] * (int(number) - 1 - len(lines)) + [text]
        return "\n".join(lines)

    def files(self, folder: str) -> list[FileInfo]:
        """The files in a folder, not in folders below it, by path."""
        found = []
        for entry in self.run(FILES, folder).split("\0")[:-1]:
            try:
                size, modified, path = entry.split(" ", 2)
                found.append(FileInfo(path=path, size=Bytes(int(size)), modified=float(modified)))
            except ValueError:
                raise Garbled(f"{self.label} listed {folder} in a way that can't be understood") from None
        return sorted(found, key=lambda file: file.path)
