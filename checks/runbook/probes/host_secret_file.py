"""The files on hosts that hold credentials of Java processes: whether they are there, whose they are, who may read."""

from runbook.connections.ssh import Host, Hosts, JavaProcess
from runbook.connections.ssh.commands import (
    JAAS,
    JAVA,
    LOGINS,
    PERMISSIONS,
    PLAIN_SECRETS,
    PROCESS,
    SECURITY_LINES,
    SETTINGS,
)
from runbook.connections.ssh.logins import jaas_file, permissions
from runbook.connections.ssh.processes import read_settings
from runbook.engine.column import Column
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe
from runbook.formats.jaas import read_logins

PROBE = Probe(
    connections=("ssh",),
    help="One row per Java process and file that holds, or may hold, a credential of it.",
    columns=(
        Column("host", "string", "Name of the host in the inventory.", key=True, entity="host"),
        Column("pid", "int", "Process id.", key=True),
        Column("path", "string", "File.", key=True),
        Column("role", "string", "jaas, keytab, keystore, truststore or properties: what the process takes from it."),
        Column("kind", "string", "broker, controller, zookeeper, connect or other: what the process is."),
        Column("broker", "int", "Node id of a broker or controller; unknown if it is none.", entity="broker"),
        Column("secret", "bool", "Whether it holds a credential; a keytab, keystore or JAAS file always does."),
        Column("exists", "bool", "Whether it is there; unknown if we can't get at it."),
        Column("mode", "string", "Its permissions in octal digits; unknown if we can't get at it."),
        Column("owner", "string", "Its owner; unknown if we can't get at it."),
        Column("foreign", "bool", "Whether its owner is neither root nor the process's user."),
        Column("open_to_all", "bool", "Whether anybody on the host may read it, by modes; ACLs are not looked at."),
        Column("changeable_by_all", "bool", "Whether anybody on the host may write to it, by modes."),
    ),
    requests=tuple(
        command.shown()
        for command in (JAVA, PROCESS, SETTINGS, JAAS, LOGINS, SECURITY_LINES, PLAIN_SECRETS, PERMISSIONS)
    ),
    rights=("log in over SSH as a user that may read the properties and JAAS files, such as the brokers' own",),
)

_STORES = {"ssl.keystore.location": "keystore", "ssl.truststore.location": "truststore"}


def observe(hosts: Hosts) -> Observed:
    """Observe the files of every host that answers."""
    return hosts.observe(_observe)


def _observe(host: Host) -> Observed:
    rows: list[tuple[object, ...]] = []
    gaps = host.absent_brokers()
    for process in host.processes():
        files: dict[str, tuple[str, bool]] = {}
        for read in (_of_properties, _of_logins):
            try:
                files |= read(host, process)
            except CannotLook as error:
                gaps.append(Gap(f"which files process {process.pid} uses: {error}", host.keys(process)))
        if jaas := jaas_file(process):
            files[jaas] = ("jaas", True)
        seen = permissions(host, sorted(files))
        user = _uid(process)
        for path, (role, secret) in files.items():
            one = seen[path]
            foreign = None if one.uid is None or user is None else one.uid not in (0, user)
            mode = None if one.mode is None else f"{one.mode:04o}"
            who = (role, process.kind, process.broker, secret)
            what = (one.exists, mode, one.owner, foreign, one.open_to_all, one.changeable_by_all)
            rows.append((host.name, process.pid, path, *who, *what))
    return Observed(rows=rows, gaps=gaps)


def _of_properties(host: Host, process: JavaProcess) -> dict[str, tuple[str, bool]]:
    file = process.properties
    if not file:
        return {}
    found = {file: ("properties", bool(host.run(PLAIN_SECRETS, file).strip()))}
    lines = host.run(SECURITY_LINES, file).splitlines()
    for name, value in read_settings("".join(f"{file}:{line}\n" for line in lines)).get(file, {}).items():
        for ending, role in _STORES.items():
            if name.endswith(ending) and value.startswith("/"):
                found[value] = (role, role == "keystore")
    return found


def _of_logins(host: Host, process: JavaProcess) -> dict[str, tuple[str, bool]]:
    files = ((JAAS, jaas_file(process)), (LOGINS, process.properties))
    logins = [one for command, file in files if file for one in read_logins(host.run(command, file).splitlines())]
    keytabs = [login.told.get("keyTab", "").removeprefix("file:") for login in logins]
    return {keytab: ("keytab", True) for keytab in keytabs if keytab.startswith("/")}


def _uid(process: JavaProcess) -> int | None:
    for line in process.files.get("status", "").splitlines():
        if line.startswith("Uid:"):
            return int(line.split()[1])
    return None
