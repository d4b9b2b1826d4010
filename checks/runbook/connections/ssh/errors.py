"""paramiko's errors, and those of the sockets below it, as `CannotLook`: this is the one place that knows them."""

import os
import re
import socket

from runbook.answers.ssh.commands import Command
from runbook.model.errors import CannotLook, Denied, Garbled, Misconfigured, NoName, TimedOut, Unreachable
from runbook.model.gap_kind import GapKind

_CHANGED = (
    "shows another host key than known_hosts has for it, so nothing was asked of it: it was reinstalled, or the "
    "connection is intercepted. Compare its fingerprint on its console before you replace the line"
)
_BANNER = "protocol banner"
_GAVE_UP = "no existing session"  # paramiko's start_client returns without a word when its time is over
_NOT_RUN = 126
_NOT_FOUND = 127


class AnotherKey(Unreachable):
    """It shows another host key than the one that is known: what answers there may be another host."""

    kind = GapKind.SPEAKS_OTHERWISE


def from_paramiko(error: BaseException, host: str, seconds: float) -> CannotLook:
    """Turn an exception into ours.

    Args:
        error: what paramiko or the socket raised.
        host: who was asked, as a sentence begins: `host kafka-1 (10.0.0.1:22)`.
        seconds: how long it was given.
    """
    if isinstance(error, CannotLook):
        return error
    if _BANNER in str(error) and isinstance(error.__context__, OSError | EOFError):  # its own words drop the cause
        error = error.__context__
    for kind, ours, sentence in _kinds():
        if isinstance(error, kind):
            reason = os.strerror(error.errno).lower() if isinstance(error, OSError) and error.errno else _plain(error)
            return ours(f"{host} {sentence}".format(seconds=seconds, reason=reason))
    return _from_words(error, host, seconds)


def _kinds() -> "list[tuple[type[BaseException], type[CannotLook], str]]":
    """What each exception means; the first that fits decides."""
    import paramiko

    return [
        (TimeoutError, TimedOut, "did not answer in {seconds:.1f} s"),
        (socket.gaierror, NoName, "can't be reached: its name does not resolve"),
        (
            paramiko.BadHostKeyException,
            AnotherKey,
            _CHANGED,
        ),
        (
            paramiko.PasswordRequiredException,
            Misconfigured,
            "needs a private key that is encrypted: put it into the agent, or give `passphrase:`",
        ),
        (paramiko.AuthenticationException, Denied, "did not accept any of our keys"),
        (paramiko.ChannelException, Denied, "opens no session for us: {reason}"),
        (paramiko.IncompatiblePeer, Garbled, "shares no algorithm with us: {reason}"),
        (OSError, Unreachable, "can't be reached: {reason}"),
    ]


def unknown_host_key(host: str, name: str, fingerprint: str) -> Misconfigured:
    """Say that nobody vouched for a host's key."""
    return Misconfigured(
        f"{host} is not in known_hosts, so nothing was asked of it. It shows {fingerprint}: compare that with its "
        f"console, then add its key under the name {name}"
    )


def from_exit(command: Command, code: int, said: str, host: str) -> CannotLook:
    """Say what the exit code of a command means that did not answer."""
    if code == _NOT_FOUND:
        return Misconfigured(f"{host} has no {command.words[0]} for us to run, or it is not on the PATH")
    if code == _NOT_RUN:
        return Denied(f"{host} does not let us run {command.name} ({said or 'it is not on its list'})")
    if re.search("permission denied|not permitted", said, re.IGNORECASE):
        return Denied(f"{host} does not let us read what {command.name} reads: {said}")
    return Garbled(f"{host} ended {command.name} with exit code {code}: {said or 'it said nothing'}")


def _from_words(error: BaseException, host: str, seconds: float) -> CannotLook:
    """Map what paramiko tells in words only."""
    words = _plain(error)
    lower = words.lower()
    if "timeout" in lower or "timed out" in lower or _GAVE_UP in lower:
        return TimedOut(f"{host} did not answer in {seconds:.1f} s", seconds)
    if isinstance(error, EOFError) or "closed" in lower:
        return Unreachable(f"{host} can't be reached: it closed the connection")
    return Garbled(f"{host} did not answer in the protocol of SSH: {words}")


def _plain(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
