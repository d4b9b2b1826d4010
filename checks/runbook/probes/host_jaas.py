"""How Java processes of hosts log in and let others log in: their JAAS files and login settings, never a password."""

import re

from runbook.connections.ssh import Host, Hosts, JavaProcess
from runbook.connections.ssh.commands import JAAS, JAVA, LOGINS, PROCESS, SETTINGS
from runbook.connections.ssh.logins import jaas_file
from runbook.engine.column import Column
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe
from runbook.formats.jaas import Login, read_logins

PROBE = Probe(
    connections=("ssh",),
    help="One row per login module of a Java process's JAAS file, or of a setting sasl.jaas.config of a broker.",
    columns=(
        Column("host", "string", "Name of the host in the inventory.", key=True, entity="host"),
        Column("pid", "int", "Process id.", key=True),
        Column("file", "string", "File that it stands in.", key=True),
        Column("section", "string", "Section of the JAAS file, or the setting.", key=True),
        Column("position", "int", "Its place among all of the file, from 0.", key=True),
        Column("closed", "bool", "Whether the section ends with `};`: Java refuses a file with one that does not."),
        Column("kind", "string", "broker, controller, zookeeper, connect or other."),
        Column("broker", "int", "Node id of a broker or controller; unknown if it is none.", entity="broker"),
        Column("module", "string", "Class of the login module."),
        Column("mechanism", "string", "SASL mechanism that it is for; empty if its name does not tell."),
        Column("options", "list[string]", "Names of its options; never their values."),
        Column("users", "list[string]", "Users whose passwords stand there, as options user_NAME.", entity="principal"),
        Column("username", "string", "User as whom the process logs in; empty for none."),
        Column("principal", "string", "Principal of Kerberos; empty for none."),
        Column("key_tab", "string", "Keytab; empty for none."),
        Column("use_key_tab", "bool", "Whether it takes its key from the keytab."),
        Column("store_key", "bool", "Whether it keeps the key, as who is logged in to must."),
    ),
    requests=tuple(command.shown() for command in (JAVA, PROCESS, SETTINGS, JAAS, LOGINS)),
    rights=("log in over SSH as a user that may read the files, such as the brokers' own",),
)

_SETTING = re.compile(r"(?:listener\.name\.[^.]+\.)?(?:(.+)\.)?sasl\.jaas\.config")
_MECHANISMS = {"ScramLoginModule": "SCRAM", "PlainLoginModule": "PLAIN", "Krb5LoginModule": "GSSAPI"}
_MECHANISMS |= {"OAuthBearerLoginModule": "OAUTHBEARER", "DigestLoginModule": "DIGEST-MD5"}


def observe(hosts: Hosts) -> Observed:
    """Observe the logins of every host that answers; a gap for each file that can't be read."""
    return hosts.observe(_observe)


def _observe(host: Host) -> Observed:
    rows: list[tuple[object, ...]] = []
    gaps = host.absent_brokers()
    for process in host.processes():
        for command, file in ((JAAS, jaas_file(process)), (LOGINS, process.properties)):
            if not file:
                continue
            try:
                logins = read_logins(host.run(command, file).splitlines())
            except CannotLook as error:
                gaps.append(Gap(f"the logins of process {process.pid}: {error}", host.keys(process)))
                continue
            rows += [_row(host, process, file, position, login) for position, login in enumerate(logins)]
    return Observed(rows=rows, gaps=gaps)


def _row(host: Host, process: JavaProcess, file: str, position: int, login: Login) -> tuple[object, ...]:
    told = login.told
    return (
        host.name,
        process.pid,
        file,
        login.section,
        position,
        login.closed,
        process.kind,
        process.broker,
        login.module,
        _mechanism(login),
        login.options,
        login.users,
        told.get("username", ""),
        told.get("principal", ""),
        told.get("keyTab", ""),
        told.get("useKeyTab", "").lower() == "true",
        told.get("storeKey", "").lower() == "true",
    )


def _mechanism(login: Login) -> str:
    """The mechanism: of a listener's setting its name says which SCRAM it is."""
    setting = _SETTING.fullmatch(login.section)
    if setting and setting[1]:
        return setting[1].upper()
    return _MECHANISMS.get(login.module.rpartition(".")[2], "")
