"""What the properties files of brokers and controllers say about security, among it what Kafka does not tell."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from runbook.answers.ssh.commands import JAVA, PLAIN_SECRETS, PROCESS, SECURITY_LINES, SETTINGS
from runbook.answers.ssh.login_settings import SECURITY, SECURITY_SETTINGS
from runbook.answers.ssh.processes import JavaProcess, read_settings
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, ProcessId
from runbook.model.row import Cell, Row
from runbook.probes._broker_files import of_broker_files

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostBrokerFile(Row):
    """A properties file of a broker or controller."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    pid: Annotated[ProcessId, Cell("Process id.", key=True)]
    broker: Annotated[BrokerId | None, Cell("Node id; unknown if it can't be read.")]
    file: Annotated[str, Cell("Its properties file.")]
    settings: Annotated[
        dict[str, str],
        Cell(
            "Setting -> value as written, or as the command line overrides it, of process.roles, "
            f"{', '.join(SECURITY_SETTINGS)}."
        ),
    ]
    super_users: Annotated[list[str], Cell("Whom it puts above all ACLs; empty if it names no user.")]
    mechanisms: Annotated[list[str], Cell("SASL mechanisms that it enables for all listeners; GSSAPI by default.")]
    plain_secrets: Annotated[list[str], Cell("Settings whose value is a credential, not a reference to one.")]


PROBE = Probe(
    connections=("ssh",),
    help="One row per broker or controller of a host whose command line names a properties file.",
    row=HostBrokerFile,
    requests=tuple(command.shown() for command in (JAVA, PROCESS, SETTINGS, SECURITY_LINES, PLAIN_SECRETS)),
    rights=("log in over SSH as a user that may read the properties files, such as the brokers' own",),
)

_ASKED = re.compile(SECURITY.replace("[[:space:]]", r"\s"))
_DEFAULT_MECHANISM = "GSSAPI"  # Kafka's own default of sasl.enabled.mechanisms


def observe(hosts: "Hosts") -> Observed:
    """Observe the files of every host that answers."""
    return hosts.observe(lambda host: of_broker_files(host, _rows))


def _rows(host: "Host", process: JavaProcess) -> Iterator[HostBrokerFile]:
    file = process.properties
    lines = host.run(SECURITY_LINES, file).splitlines()
    settings = read_settings("".join(f"{file}:{line}\n" for line in lines)).get(file, {})
    # The process has what its command line overrides; beside that only its roles say how Kafka reads it.
    settings |= {name: value for name, value in process.settings.items() if _is_asked_for(name)}
    secrets = {name.strip() for name in host.run(PLAIN_SECRETS, file).splitlines()}
    users = _parts(settings.get("super.users", ""), ";")
    mechanisms = _parts(settings.get("sasl.enabled.mechanisms", _DEFAULT_MECHANISM), ",")
    yield HostBrokerFile(
        host=host.name,
        pid=process.pid,
        broker=process.broker,
        file=file,
        settings=settings,
        super_users=users,
        mechanisms=mechanisms,
        plain_secrets=sorted(secrets),
    )


def _is_asked_for(name: str) -> bool:
    return name == "process.roles" or _ASKED.match(f"{name}=") is not None


def _parts(text: str, separator: str) -> list[str]:
    return [part.strip() for part in text.split(separator) if part.strip()]
