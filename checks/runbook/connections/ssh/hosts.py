"""All hosts of an environment: asked in parallel, each over one connection, and none waited for too long."""

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from functools import partial
from typing import TypeVar
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from runbook.answers.files import ClientFile
from runbook.connections._client_files import ClientEntry, each_client
from runbook.connections.ssh.host import Host
from runbook.connections.ssh.link import SshSession
from runbook.connections.ssh.settings import HostAddress, SshSettings
from runbook.model.errors import CannotLook, Misconfigured, TimedOut
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Deadline
from runbook.plugins.guard import attempt
from runbook.recording.pool import Pool

T = TypeVar("T")
_AT_ONCE = 64  # threads; they wait most of the time. Our judgement
_LINKS: WeakKeyDictionary[Deadline, dict[HostAddress, SshSession]] = WeakKeyDictionary()
_DEEPEST = 8  # jump hosts behind one another; more is a circle


class Hosts:
    """The hosts that the inventory names."""

    def __init__(self, settings: SshSettings, clock: Deadline) -> None:
        """Prepare; nothing is sent before the first question.

        A second look of the same run, which is known by its clock, goes over the connections of the first.
        """
        self._settings = settings
        self.clock = clock
        self._links = _LINKS.setdefault(clock, {})
        self._pool = Pool(_AT_ONCE, thread_name_prefix="ssh")
        self._hosts = {place.name: Host(place, self._link(place), settings.folders) for place in settings.places}

    @property
    def handshakes(self) -> int:
        """How many connections were made, those to jump hosts included."""
        return sum(link.handshakes for link in self._links.values())

    def names(self) -> list[str]:
        """How the inventory calls them, in its order."""
        return list(self._hosts)

    def each(self, read: Callable[[Host], T]) -> tuple[dict[str, T], list[Gap]]:
        """Read something of every host, of all at once.

        Args:
            read: asks one host; a CannotLook it raises leaves a gap about that host.

        Returns:
            What was read, by host, and a gap for each host that did not tell in time.
        """
        futures: dict[str, Future[T | CannotLook]] = {
            name: self._pool.submit(attempt, partial(read, host)) for name, host in self._hosts.items()
        }
        seconds = max(0.0, self.clock.left() - 0.3)  # what is left is for sending what the others told
        wait_for(futures.values(), timeout=self.clock.at_most(seconds))
        answers: dict[str, T] = {}
        gaps = []
        for name, future in futures.items():
            label = self._hosts[name].label
            late = TimedOut(f"{label} did not answer in {seconds:.1f} s", seconds)
            answer = future.result() if future.done() else late
            if isinstance(answer, CannotLook):
                gaps.append(Gap.of(answer, {"host": name}))
            else:
                answers[name] = answer
        return answers, gaps

    def observe(self, read: Callable[[Host], Observed]) -> Observed:
        """Observe every host, of all at once: the rows and gaps of each, and a gap for each host that did not tell."""
        observed, gaps = self.each(read)
        for seen in observed.values():
            gaps += seen.gaps
        return Observed(rows=[row for seen in observed.values() for row in seen.rows], gaps=gaps)

    def clients(self) -> tuple[list[ClientFile], list[Gap]]:
        """Read the settings of the clients that the inventory lists; a gap for each that can't be read."""
        answers, gaps = self.each(self._clients_of)
        files = [file for found, _ in answers.values() for file in found]
        return files, gaps + [gap for _, lacking in answers.values() for gap in lacking]

    def _clients_of(self, host: Host) -> tuple[list[ClientFile], list[Gap]]:
        def read(entry: ClientEntry) -> list[ClientFile]:
            path = entry.where["path"]
            return [
                ClientFile(
                    name=entry.name, kind=entry.kind, path=f"{host.name}:{path}", text=host.client_settings(path)
                )
            ]

        mine = [entry for entry in self._settings.clients if entry.where["host"] == host.name]
        return each_client(mine, read, {"host": host.name})

    def close(self) -> None:
        """Hang up everywhere."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for link in self._links.values():
            link.close()

    def _link(self, place: HostAddress, depth: int = 0) -> SshSession:
        """The one connection to a place, behind its jump hosts."""
        if depth > _DEEPEST:
            raise Misconfigured(f"{place.label} lies behind more than {_DEEPEST} jump hosts, or behind itself")
        if place not in self._links:
            through: Callable[[], SshSession] | None = None
            if place.jump:
                through = self._jumping(place.jump, depth)
            self._links[place] = SshSession(place, self.clock, through)
        return self._links[place]

    def _jumping(self, addresses: tuple[str, ...], depth: int) -> Callable[[], SshSession]:
        last = self._settings.place(addresses[-1])
        if len(addresses) > 1:  # as ssh -J: each is reached through the one before
            last = replace(last, jump=addresses[:-1])
        link = self._link(last, depth + 1)
        return lambda: link
