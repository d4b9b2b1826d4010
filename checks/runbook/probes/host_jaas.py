"""How Java processes of hosts log in and let others log in: their JAAS files and login settings, never a password."""

import re
from typing import TYPE_CHECKING, Annotated

from runbook.answers.ssh.commands import JAAS, JAVA, LOGINS, PROCESS, SETTINGS
from runbook.answers.ssh.processes import JavaProcess
from runbook.formats.jaas import LoginModule, read_logins
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, ProcessId
from runbook.model.row import Cell, Row
from runbook.probes._logins import jaas_file

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostJaas(Row):
    """A login module."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    pid: Annotated[ProcessId, Cell("Process id.", key=True)]
    file: Annotated[str, Cell("File that it stands in.", key=True)]
    section: Annotated[str, Cell("Section of the JAAS file, or the setting.", key=True)]
    position: Annotated[int, Cell("Its place among all of the file, from 0.", key=True)]
    closed: Annotated[bool, Cell("Whether the section ends with `};`: Java refuses a file with one that does not.")]
    kind: Annotated[str, Cell("broker, controller, zookeeper, connect or other.")]
    broker: Annotated[BrokerId | None, Cell("Node id of a broker or controller; unknown if it is none.")]
    module: Annotated[str, Cell("Class of the login module.")]
    mechanism: Annotated[str, Cell("SASL mechanism that it is for; empty if its name does not tell.")]
    options: Annotated[list[str], Cell("Names of its options; never their values.")]
    users: Annotated[list[str], Cell("Users whose passwords stand there, as options user_NAME.", entity="principal")]
    username: Annotated[str, Cell("User as whom the process logs in; empty for none.")]
    principal: Annotated[str, Cell("Principal of Kerberos; empty for none.")]
    key_tab: Annotated[str, Cell("Keytab; empty for none.")]
    use_key_tab: Annotated[bool, Cell("Whether it takes its key from the keytab.")]
    store_key: Annotated[bool, Cell("Whether it keeps the key, as who is logged in to must.")]


PROBE = Probe(
    connections=("ssh",),
    help="One row per login module of a Java process's JAAS file, or of a setting sasl.jaas.config of a broker.",
    row=HostJaas,
    requests=tuple(command.shown() for command in (JAVA, PROCESS, SETTINGS, JAAS, LOGINS)),
    rights=("log in over SSH as a user that may read the files, such as the brokers' own",),
)

_SETTING = re.compile(r"(?:listener\.name\.[^.]+\.)?(?:(.+)\.)?sasl\.jaas\.config")
_MECHANISMS = {"ScramLoginModule": "SCRAM", "PlainLoginModule": "PLAIN", "Krb5LoginModule": "GSSAPI"}
_MECHANISMS |= {"OAuthBearerLoginModule": "OAUTHBEARER", "DigestLoginModule": "DIGEST-MD5"}


def observe(hosts: "Hosts") -> Observed:
    """Observe the logins of every host that answers; a gap for each file that can't be read."""
    return hosts.observe(_observe)


def _observe(host: "Host") -> Observed:
    rows: list[HostJaas] = []
    gaps = host.absent_brokers()
    for process in host.processes():
        for command, file in ((JAAS, jaas_file(process)), (LOGINS, process.properties)):
            if not file:
                continue
            try:
                logins = read_logins(host.run(command, file).splitlines())
            except CannotLook as error:
                gaps.append(Gap.of(error, host.keys(process), f"the logins of process {process.pid}: {error}"))
                continue
            rows += [_row(host, process, file, position, login) for position, login in enumerate(logins)]
    return Observed(rows=rows, gaps=gaps)


def _row(host: "Host", process: JavaProcess, file: str, position: int, login: LoginModule) -> HostJaas:
    values = login.values
    return HostJaas(
        host=host.name,
        pid=process.pid,
        file=file,
        section=login.section,
        position=position,
        closed=login.closed,
        kind=process.kind,
        broker=process.broker,
        module=login.module,
        mechanism=_mechanism(login),
        options=login.options,
        users=login.users,
        username=values.get("username", ""),
        principal=values.get("principal", ""),
        key_tab=values.get("keyTab", ""),
        use_key_tab=values.get("useKeyTab", "").lower() == "true",
        store_key=values.get("storeKey", "").lower() == "true",
    )


def _mechanism(login: LoginModule) -> str:
    """The mechanism: of a listener's setting its name says which SCRAM it is."""
    setting = _SETTING.fullmatch(login.section)
    if setting and setting[1]:
        return setting[1].upper()
    return _MECHANISMS.get(login.module.rpartition(".")[2], "")
