"""The files on hosts that hold credentials of Java processes: whether they are there, whose they are, who may read."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from runbook.answers.ssh.commands import (
    JAAS,
    JAVA,
    LOGINS,
    PERMISSIONS,
    PLAIN_SECRETS,
    PROCESS,
    SECURITY_LINES,
    SETTINGS,
)
from runbook.answers.ssh.processes import JavaProcess, read_settings
from runbook.formats.jaas import read_logins
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, ProcessId
from runbook.model.row import Cell, Row
from runbook.probes._logins import jaas_file, permissions

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostSecretFile(Row):
    """A file that holds, or may hold, a credential."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    pid: Annotated[ProcessId, Cell("Process id.", key=True)]
    path: Annotated[str, Cell("File.", key=True)]
    role: Annotated[str, Cell("jaas, keytab, keystore, truststore or properties: what the process takes from it.")]
    kind: Annotated[str, Cell("broker, controller, zookeeper, connect or other: what the process is.")]
    broker: Annotated[BrokerId | None, Cell("Node id of a broker or controller; unknown if it is none.")]
    secret: Annotated[bool, Cell("Whether it holds a credential; a keytab, keystore or JAAS file always does.")]
    exists: Annotated[bool | None, Cell("Whether it is there; unknown if we can't get at it.")]
    mode: Annotated[str | None, Cell("Its permissions in octal digits; unknown if we can't get at it.")]
    owner: Annotated[str | None, Cell("Its owner; unknown if we can't get at it.")]
    foreign: Annotated[bool | None, Cell("Whether its owner is neither root nor the process's user.")]
    open_to_all: Annotated[
        bool | None, Cell("Whether anybody on the host may read it, by modes; ACLs are not looked at.")
    ]
    changeable_by_all: Annotated[bool | None, Cell("Whether anybody on the host may write to it, by modes.")]


PROBE = Probe(
    connections=("ssh",),
    help="One row per Java process and file that holds, or may hold, a credential of it.",
    row=HostSecretFile,
    requests=tuple(
        command.shown()
        for command in (JAVA, PROCESS, SETTINGS, JAAS, LOGINS, SECURITY_LINES, PLAIN_SECRETS, PERMISSIONS)
    ),
    rights=("log in over SSH as a user that may read the properties and JAAS files, such as the brokers' own",),
)

_STORES = {"ssl.keystore.location": "keystore", "ssl.truststore.location": "truststore"}


class _Use(Struct, frozen=True):
    role: str
    secret: bool


def observe(hosts: "Hosts") -> Observed:
    """Observe the files of every host that answers."""
    return hosts.observe(_observe)


def _observe(host: "Host") -> Observed:
    rows: list[HostSecretFile] = []
    gaps = host.absent_brokers()
    for process in host.processes():
        files: dict[str, _Use] = {}
        for read in (_of_properties, _of_logins):
            try:
                files |= read(host, process)
            except CannotLook as error:
                gaps.append(Gap.of(error, host.keys(process), f"which files process {process.pid} uses: {error}"))
        if jaas := jaas_file(process):
            files[jaas] = _Use("jaas", secret=True)
        seen = permissions(host, sorted(files))
        user = _uid(process)
        for path, use in files.items():
            one = seen[path]
            foreign = None if one.uid is None or user is None else one.uid not in (0, user)
            rows.append(
                HostSecretFile(
                    host=host.name,
                    pid=process.pid,
                    path=path,
                    role=use.role,
                    kind=process.kind,
                    broker=process.broker,
                    secret=use.secret,
                    exists=one.exists,
                    mode=None if one.mode is None else f"{one.mode:04o}",
                    owner=one.owner,
                    foreign=foreign,
                    open_to_all=one.open_to_all,
                    changeable_by_all=one.changeable_by_all,
                )
            )
    return Observed(rows=rows, gaps=gaps)


def _of_properties(host: "Host", process: JavaProcess) -> dict[str, _Use]:
    file = process.properties
    if not file:
        return {}
    # not made up: grep ends otherwise where the file can not be read, which is a gap
    found = {file: _Use("properties", secret=bool(host.run(PLAIN_SECRETS, file).strip()))}
    lines = host.run(SECURITY_LINES, file).splitlines()
    for name, value in read_settings("".join(f"{file}:{line}\n" for line in lines)).get(file, {}).items():
        for ending, role in _STORES.items():
            if name.endswith(ending) and value.startswith("/"):
                found[value] = _Use(role, secret=role == "keystore")
    return found


def _of_logins(host: "Host", process: JavaProcess) -> dict[str, _Use]:
    files = ((JAAS, jaas_file(process)), (LOGINS, process.properties))
    logins = [login for command, file in files if file for login in read_logins(host.run(command, file).splitlines())]
    keytabs = [login.values.get("keyTab", "").removeprefix("file:") for login in logins]
    return {keytab: _Use("keytab", secret=True) for keytab in keytabs if keytab.startswith("/")}


def _uid(process: JavaProcess) -> int | None:
    for line in process.files.get("status", "").splitlines():
        if line.startswith("Uid:"):
            return int(line.split()[1])
    return None
