"""The inventory's settings for hosts, and the user's own ssh_config, as places to go to."""

import getpass
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from runbook.answers.ssh.commands import FOLDERS
from runbook.connections._client_files import client_entries
from runbook.connections._local_files import is_file
from runbook.connections.ssh.ssh_config import read_config
from runbook.model.errors import Misconfigured, did_you_mean
from runbook.model.probe import Deadline
from runbook.model.quantity import BrokerId

_OF_ALL = (
    "agent",
    "clients",
    "config",
    "folders",
    "hosts",
    "identity",
    "jump",
    "known_hosts",
    "passphrase",
    "port",
    "user",
)
_OF_ONE = ("address", "broker", "brokers", "identity", "jump", "known_hosts", "name", "port", "user")
_ADDRESS = re.compile(
    r"(?:(?P<user>[^@\s]+)@)?(?:\[(?P<six>[0-9A-Fa-f:.%]+)\]|(?P<host>[^@:\s]+))(?::(?P<port>[0-9]+))?"
)
_LARGEST_PORT = 65535
SSH_PORT = 22


class HostAddress(Struct, frozen=True):
    """Where and how one host is reached.

    Attributes:
        name: how the inventory calls it; facts do too.
        address: name or address to connect to.
        known_as: the name under which known_hosts has its key, where it differs.
        brokers: the node ids that the inventory says run there.
        jump: the hosts to go through, in order, each as ssh writes it: [user@]host[:port].
        identities: files of private keys; empty for the agent's and the user's own.
        agent: whether the agent's keys are offered.
        known_hosts: files that vouch for host keys.
    """

    name: str
    address: str
    port: int
    user: str
    known_as: str = ""
    brokers: tuple[BrokerId, ...] = ()
    jump: tuple[str, ...] = ()
    identities: tuple[str, ...] = ()
    agent: bool = True
    known_hosts: tuple[str, ...] = ()
    passphrase: str | None = None

    @property
    def label(self) -> str:
        """How sentences name it."""
        at = f"{self.address}:{self.port}"
        return f"host {at}" if self.name in (self.address, at) else f"host {self.name} ({at})"


class SshSettings:
    """What the inventory says of hosts; asks ssh_config for what it does not say."""

    def __init__(self, settings: Mapping[str, Any], clock: Deadline) -> None:
        """Read them, and the files that they name.

        Raises:
            Misconfigured: they can't be used as they are.
        """
        _refuse_unknown(settings, _OF_ALL, "the ssh settings")
        self._all = settings
        self._clock = clock
        self._config = read_config(settings.get("config"), clock)
        entries = _entries(settings.get("hosts"))
        self.folders = (*FOLDERS, *_texts(settings.get("folders"), "folders"))
        self._entries = entries
        self.places = [self._place(name, entry) for name, entry in entries.items()]
        self.clients = client_entries(settings.get("clients", []), "ssh", ("host", "path"))
        for client in self.clients:
            if client.where["host"] not in entries:
                unknown = f'clients of ssh, {client.name}: no host is called "{client.where["host"]}"'
                raise Misconfigured(f"{unknown}; {did_you_mean(client.where['host'], list(entries))}")

    def place(self, address: str) -> HostAddress:
        """The place of a jump host: an entry of the inventory by name, or [user@]host[:port] as ssh writes it."""
        # The jump that holds for all hosts must not hold for the jump host itself.
        return self._place(address, {"jump": "none", **self._entries.get(address, {})})

    def _place(self, name: str, entry: Mapping[str, Any]) -> HostAddress:
        _refuse_unknown(entry, _OF_ONE, f"host {name}")
        match = _ADDRESS.fullmatch(str(entry.get("address", name)))
        if match is None:
            raise Misconfigured(f"{entry.get('address', name)!r} is no host: write it as [user@]host[:port]")
        asked = match["six"] or match["host"]
        found: Mapping[str, Any] = self._lookup(asked)
        if "proxycommand" in found and "jump" not in entry:
            raise Misconfigured(
                f"ssh_config wants a ProxyCommand for host {name}, which is a shell command and is not run: "
                "use ProxyJump, or `jump:` in the inventory"
            )

        def chosen(key: str) -> Any:
            return entry.get(key, self._all.get(key))

        identities = _identities(
            _texts(chosen("identity"), "identity"), found.get("identityfile", ()), name, self._clock
        )
        known_hosts = _texts(chosen("known_hosts"), "known_hosts") or _own_known_hosts(found)
        agent = self._all.get("agent", str(found.get("identitiesonly", "no")).lower() != "yes")
        return HostAddress(
            name=name,
            address=str(found.get("hostname", asked)),
            port=_port(
                entry.get("port") or match["port"] or self._all.get("port") or found.get("port") or SSH_PORT, name
            ),
            user=str(entry.get("user") or match["user"] or self._all.get("user") or found.get("user") or _login()),
            known_as=str(found.get("hostkeyalias", "")),
            brokers=_brokers(entry, name),
            jump=_jump(chosen("jump"), found),
            identities=identities,
            agent=bool(agent),
            known_hosts=tuple(str(Path(file).expanduser()) for file in known_hosts),
            passphrase=self._all.get("passphrase"),
        )

    def _lookup(self, host: str) -> Mapping[str, Any]:
        import paramiko

        try:
            return self._config.lookup(host) if self._config is not None else {}
        except (paramiko.ssh_exception.ConfigParseError, paramiko.ssh_exception.CouldNotCanonicalize) as error:
            raise Misconfigured(f"ssh_config can't be used for host {host}: {error}") from None


def _entries(hosts: Any) -> dict[str, Mapping[str, Any]]:
    if isinstance(hosts, str):
        hosts = [host.strip() for host in hosts.split(",") if host.strip()]
    if isinstance(hosts, Mapping):
        entries = {str(name): entry or {} for name, entry in hosts.items()}
    elif isinstance(hosts, list):
        entries = dict(_entry(host) for host in hosts)
        if len(entries) < len(hosts):
            raise Misconfigured("two entries of `hosts:` have the same name: give each its own")
    else:
        raise Misconfigured("`hosts:` of ssh must say which hosts there are: a list of names, or name: {address: …}")
    if not entries:
        raise Misconfigured("`hosts:` of ssh is empty: name the hosts, or declare ssh absent")
    for name, entry in entries.items():
        if not isinstance(entry, Mapping):
            raise Misconfigured(f"host {name} of ssh must be a mapping such as {{address: 10.0.0.1, broker: 1}}")
    return entries


def _entry(host: Any) -> tuple[str, Mapping[str, Any]]:
    if isinstance(host, Mapping):
        name = host.get("name", host.get("address"))
        if name is None:
            raise Misconfigured("an entry of `hosts:` has no name: write {name: kafka-1, address: 10.0.0.1}")
        return str(name), host
    return str(host), {}


def _refuse_unknown(given: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    names = [name for name in known if name != "name"]
    for name in given:
        if name not in known:
            raise Misconfigured(f'unknown setting "{name}" in {where}; {did_you_mean(str(name), names)}')


def _texts(value: Any, name: str) -> tuple[str, ...]:
    if value is None:
        return ()
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise Misconfigured(f"`{name}:` of ssh must be a path or a list of paths, not {value!r}")
    return tuple(found)


def _port(value: Any, name: str) -> int:
    if isinstance(value, bool) or not str(value).isdigit() or not 0 < int(value) <= _LARGEST_PORT:
        raise Misconfigured(f"host {name}: {value!r} is no port; it is a number from 1 to {_LARGEST_PORT}")
    return int(value)


def _brokers(entry: Mapping[str, Any], name: str) -> tuple[BrokerId, ...]:
    value = entry.get("brokers", entry.get("broker", []))
    found = value if isinstance(value, list) else [value]
    if not all(isinstance(port, int) and not isinstance(port, bool) for port in found):
        raise Misconfigured(f"host {name}: `brokers:` must be node ids, such as [1, 2], not {value!r}")
    return tuple(found)


def _jump(value: Any, found: Mapping[str, Any]) -> tuple[str, ...]:
    jumps = value if value is not None else found.get("proxyjump", "none")
    jumps = jumps if isinstance(jumps, list) else str(jumps).split(",")
    return tuple(str(jump).strip() for jump in jumps if str(jump).strip().lower() not in ("", "none"))


def _identities(given: Iterable[str], usual: Iterable[str], name: str, clock: Deadline) -> tuple[str, ...]:
    """Files of private keys: those of the inventory must be there, those of ssh_config may be."""
    files = [Path(file).expanduser() for file in given]
    for file in files:
        if not is_file(file, clock):
            raise Misconfigured(f"host {name}: {file}, named as `identity:`, is not there")
    return tuple(str(file) for file in files or (Path(f).expanduser() for f in usual) if is_file(file, clock))


def _own_known_hosts(found: Mapping[str, Any]) -> tuple[str, ...]:
    own = str(found.get("userknownhostsfile", "~/.ssh/known_hosts")).split()
    everyones = str(found.get("globalknownhostsfile", "/etc/ssh/ssh_known_hosts")).split()
    return (*own, *everyones)


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        raise Misconfigured("the user to log in as is not set: give `user:` for ssh") from None
