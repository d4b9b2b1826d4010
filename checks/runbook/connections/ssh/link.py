"""One SSH connection to one host: one handshake, and then commands, each in a channel of its own."""

import contextlib
import logging
import shlex
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from runbook.answers.ssh import Answer
from runbook.answers.ssh.commands import Command
from runbook.connections.ssh.errors import from_exit, from_paramiko, unknown_host_key
from runbook.connections.ssh.known_hosts import load_known_hosts
from runbook.connections.ssh.settings import SSH_PORT, HostAddress
from runbook.model.errors import CannotLook, Garbled, TimedOut
from runbook.model.probe import Deadline
from runbook.recording.question import question

_LOG = "runbook.ssh"
_CHANNELS = 4  # at once on one connection; sshd allows 10 sessions by default (sshd_config, MaxSessions). Our judgement
_PACKET = 256 << 10  # bytes: what OpenSSH takes as the longest packet (PACKET_MAX_SIZE in its packet.c)
_SAID = 4096  # bytes of standard error that are read; a reason is a line


class SshSession:
    """A host that was reached, or why it was not: it is tried once."""

    def __init__(self, place: HostAddress, clock: Deadline, through: "Callable[[], SshSession] | None" = None) -> None:
        """Connect when first used.

        Args:
            place: where.
            clock: the time for everything that is asked.
            through: gives the connection to the jump host in front of it.
        """
        self.handshakes = 0
        self._place = place
        self.clock = clock
        self._through = through
        self._lock = threading.Lock()
        self._channels = threading.BoundedSemaphore(_CHANNELS)
        self._client: Any = None
        self._failure: CannotLook | None = None

    @question("ssh", of="host", without=("command",))
    def run(self, command: Command, vector: Sequence[str]) -> Answer:
        """Run a command whose arguments were checked.

        Raises:
            CannotLook: no answer, and why.
        """
        import paramiko

        transport = self._transport()
        with self._channels:
            seconds = self._patience()
            end = time.monotonic() + seconds
            try:
                with contextlib.closing(transport.open_session(timeout=seconds)) as channel:
                    return self._answer(channel, command, vector, end)
            except (paramiko.SSHException, OSError, EOFError) as error:
                raise from_paramiko(error, self._place.label, seconds) from None

    @property
    def host(self) -> str:
        """How the inventory calls it."""
        return self._place.name

    def open_channel(self, address: str, port: int) -> Any:
        """Open a connection to another host from this one, which is a jump host."""
        import paramiko

        seconds = self._patience()
        try:
            return self._transport().open_channel("direct-tcpip", (address, port), ("127.0.0.1", 0), timeout=seconds)
        except (paramiko.SSHException, OSError, EOFError) as error:
            raise from_paramiko(error, self._place.label, seconds) from None

    def close(self) -> None:
        """Hang up."""
        if self._client is not None:
            self._client.close()

    def _answer(self, channel: Any, command: Command, vector: Sequence[str], end: float) -> Answer:
        label = self._place.label
        asked_at, began = time.time(), time.monotonic()
        channel.settimeout(max(0.05, end - began))
        channel.exec_command(shlex.join(vector))
        data = bytearray()
        while piece := channel.recv(1 << 16):
            data += piece
            if len(data) > command.limit:
                raise Garbled(f"{label} answered {command.name} with more than {command.limit} bytes")
            channel.settimeout(max(0.05, end - time.monotonic()))
        answered_at = asked_at + (time.monotonic() - began)
        said = " ".join(channel.recv_stderr(_SAID).decode(errors="replace").split())
        if not channel.status_event.wait(max(0.05, end - time.monotonic())):
            raise TimedOut(f"{label} did not end {command.name} in its time")
        code = channel.recv_exit_status()
        if code not in command.exits:
            raise from_exit(command, code, said[:200], label)
        return Answer(bytes(data), said, asked_at, answered_at)

    def _patience(self) -> float:
        """Seconds that one step may take: a third of what is left, as a slow host keeps no other one waiting."""
        left = self.clock.left()
        return max(0.05, min(max(self.clock.patience, left / 3), left - 0.5))

    def _transport(self) -> Any:
        with self._lock:
            if self._failure is not None:
                raise self._failure
            if self._client is None:
                try:
                    self._client = self._connected()
                except CannotLook as failure:
                    self._failure = failure
                    raise
        return self._client.get_transport()

    def _connected(self) -> Any:
        import paramiko

        place, seconds = self._place, self._patience()
        client = paramiko.SSHClient()
        client.set_log_channel(_silent())
        load_known_hosts(client.get_host_keys(), place)
        client.set_missing_host_key_policy(_refusal(place))
        try:
            sock = _SmallPackets(self._socket(seconds))
            self.handshakes += 1
            client.connect(
                place.known_as or place.address,
                # known_hosts names a port other than 22 beside the address, but never beside an alias.
                port=SSH_PORT if place.known_as else place.port,
                username=place.user,
                sock=sock,
                key_filename=list(place.identities) or None,
                look_for_keys=not place.identities,
                allow_agent=place.agent,
                passphrase=place.passphrase,
                timeout=seconds,
                banner_timeout=seconds,
                auth_timeout=seconds,
                channel_timeout=seconds,
            )
        except (paramiko.SSHException, OSError, EOFError, ValueError) as error:
            client.close()
            raise from_paramiko(error, place.label, seconds) from None
        return client

    def _socket(self, seconds: float) -> Any:
        place = self._place
        if self._through is None:
            return socket.create_connection((place.address, place.port), timeout=seconds)
        return self._through().open_channel(place.address, place.port)


class _SmallPackets:
    """A connection on which paramiko waits for no packet longer than any server sends: it would keep gigabytes."""

    def __init__(self, sock: Any) -> None:
        self._sock = sock

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def recv(self, size: int) -> bytes:
        """Receive at most this many bytes.

        Raises:
            paramiko.SSHException: a packet claims to be longer than any may be.
        """
        import paramiko

        if size > _PACKET:
            raise paramiko.SSHException(f"it announced a packet of more than {_PACKET} bytes")
        received: bytes = self._sock.recv(size)
        return received


def _silent() -> str:
    """Keep what paramiko logs off the terminal: its words come to the user as reasons."""
    log = logging.getLogger(_LOG)
    if not log.handlers:
        log.addHandler(logging.NullHandler())
        log.propagate = False
    return _LOG


def _refusal(place: HostAddress) -> Any:
    """What is done about a host that known_hosts does not name: it is refused, always."""
    import paramiko

    class Refuse(paramiko.MissingHostKeyPolicy):  # type: ignore[misc]  # paramiko ships no types
        def missing_host_key(self, client: Any, hostname: str, key: Any) -> None:
            del client
            raise unknown_host_key(place.label, hostname, f"{key.get_name()} {key.fingerprint}")

    return Refuse()
