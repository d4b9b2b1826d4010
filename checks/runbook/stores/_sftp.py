"""Files over SSH, on hosts that known_hosts vouches for: fsspec's own driver takes whatever key it is shown."""

import re
from pathlib import Path
from typing import Any, Final

import paramiko
from fsspec.implementations.sftp import SFTPFileSystem

from runbook.model.errors import Misconfigured

KNOWN_HOSTS: Final = ("~/.ssh/known_hosts", "/etc/ssh/ssh_known_hosts")
"""The files that vouch for hosts, as those of OpenSSH."""

_REVOKED = re.compile(r"@revoked\s+\S+\s+\S+\s+(\S+)")
_PATIENCE = 15.0  # seconds for each step of a handshake; our judgement


class _Refuse(paramiko.MissingHostKeyPolicy):  # type: ignore[misc]  # paramiko ships no types
    """What is done about a host that nobody vouches for: it is refused, always."""

    def missing_host_key(self, client: Any, hostname: str, key: Any) -> None:
        del client
        raise Misconfigured(
            f"{hostname} is not in {KNOWN_HOSTS[0]}, and shows the key {key.get_name()} {key.fingerprint}: "
            "nothing was sent. Compare it with the one its owner gives you, then add it there"
        )


class KnownHostsOnly(SFTPFileSystem):  # type: ignore[misc]  # fsspec ships no types
    """fsspec's driver, which logs in to known hosts only."""

    def _connect(self) -> None:
        client = paramiko.SSHClient()
        _load(client.get_host_keys())
        client.set_missing_host_key_policy(_Refuse())
        times = dict.fromkeys(("timeout", "banner_timeout", "auth_timeout", "channel_timeout"), _PATIENCE)
        try:
            client.connect(self.host, **times | self.ssh_kwargs)
        except paramiko.BadHostKeyException as error:
            client.close()
            raise Misconfigured(
                f"{self.host} shows another key than known_hosts has: nothing was sent, as it may be another machine"
            ) from error
        except BaseException:
            client.close()
            raise
        self.client = client
        self.ftp = client.open_sftp()

    @staticmethod
    def _decode_stat(stat: Any, parent_path: str | None = None) -> dict[str, Any]:
        """As the library has it, which calls a pipe or a device a file; with the mode."""
        found: dict[str, Any] = SFTPFileSystem._decode_stat(stat, parent_path)  # noqa: SLF001 - its only place
        return found | {"mode": stat.st_mode}


def _load(keys: Any) -> None:
    """Fill the table of host keys. A line that nobody can read vouches for nobody, nor does a key that a file revokes.

    Raises:
        Misconfigured: a file is there and can't be read.
    """
    lines = [line for name in KNOWN_HOSTS for line in _lines(Path(name).expanduser())]
    revoked = {found[1] for line in lines if (found := _REVOKED.match(line))}
    for line in lines:
        entry = _entry(line)
        if entry is not None and entry.key is not None and entry.key.get_base64() not in revoked:
            for name in entry.hostnames:
                keys.add(name, entry.key.get_name(), entry.key)


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Misconfigured(f"{file} can't be read: {error.strerror}") from error


def _entry(line: str) -> Any:
    from paramiko.hostkeys import HostKeyEntry, InvalidHostKey

    if not line.strip() or line.lstrip().startswith(("#", "@")):
        return None
    try:
        return HostKeyEntry.from_line(line)
    except InvalidHostKey:
        return None
