"""The files that vouch for host keys (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT)."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from runbook.connections.ssh.settings import HostAddress
from runbook.model.errors import Misconfigured

_REVOKED = re.compile(r"@revoked\s+(?P<names>\S+)\s+(?P<kind>\S+)\s+(?P<key>\S+)")


def load_known_hosts(keys: Any, place: HostAddress) -> None:
    """Fill paramiko's table of host keys from the files of a place; those that do not exist vouch for nobody.

    Read line by line, as paramiko gives up a whole file for one line that it does not know, such as `@cert-authority`,
    and does not know `@revoked`.

    Raises:
        Misconfigured: a file is there and can't be read.
    """
    lines = [line for file in place.known_hosts for line in _lines(file, place)]
    revoked = {found["key"] for line in lines if (found := _REVOKED.match(line))}
    for names, key in _entries(lines):
        if key.get_base64() not in revoked:
            for name in names:
                keys.add(name, key.get_name(), key)


def _lines(file: str, place: HostAddress) -> list[str]:
    try:
        text = Path(file).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Misconfigured(f"{place.label}: {file}, named as known_hosts, can't be read: {error.strerror}") from None
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _entries(lines: list[str]) -> Iterator[tuple[list[str], Any]]:
    from paramiko.hostkeys import HostKeyEntry, InvalidHostKey

    for line in lines:
        if line.startswith("@"):
            continue
        try:
            entry = HostKeyEntry.from_line(line)
        except InvalidHostKey:
            continue  # a line that nobody can read vouches for nobody
        if entry is not None and entry.key is not None:
            yield entry.hostnames, entry.key
