"""Settings of Kafka's clients, from the files with which their applications are deployed."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.files import READS, ClientFile
from runbook.answers.kubernetes import reads
from runbook.answers.ssh.commands import CLIENT
from runbook.formats.client_files import SettingOfClient, read_client_file
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row
from runbook.plugins.guard import attempt

if TYPE_CHECKING:
    from runbook.connections.files import Files
    from runbook.connections.kubernetes import Kubernetes
    from runbook.connections.ssh import Hosts


class ClientConfig(Row):
    """A setting of a client."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    kind: Annotated[str, Cell("producer, consumer, admin, streams, connect, mirrormaker; empty: unclear.", key=True)]
    setting: Annotated[str, Cell("Name, as Kafka's Java clients call it.", key=True, entity="setting")]
    value: Annotated[
        str | None, Cell("Value in force; unknown where the file leaves it to a variable, hidden if secret.")
    ]
    file: Annotated[str, Cell("The file it comes from: of several the last that has it.")]
    line: Annotated[int, Cell("Line of that file, from 1.")]
    spring: Annotated[bool, Cell("Whether it is one of Spring Boot's, which has names and values of its own.")]
    earlier: Annotated[int, Cell("How many earlier places say it and do not hold.", unit="places")]


PROBE = Probe(
    connections=("files", "kubernetes", "ssh"),
    help="One row per setting that a client's files have: the value in force, and where it stands.",
    needs={"kubernetes": "clients", "ssh": "clients"},
    each=True,
    row=ClientConfig,
    requests=(*READS, "GET /version", f"GET {reads.CONFIG_MAP}", CLIENT.shown()),
    rights=("read the files", "get the configmaps", "run the command `client` on hosts: some settings, by name"),
)


def observe(connection: "Files | Kubernetes | Hosts") -> Observed:
    """Observe the settings of the clients that the inventory lists; later files of a client override earlier ones."""
    client_files, gaps = connection.clients()
    held: dict[tuple[str, str, str], ClientConfig] = {}
    for file in client_files:
        settings = attempt(lambda file=file: _settings(file))  # type: ignore[misc]
        if isinstance(settings, CannotLook):
            gaps.append(Gap.of(settings, says=f"the configuration of client {file.name}: {settings}"))
            continue
        for setting in settings:
            key = (file.name, setting.kind, setting.name)
            held[key] = ClientConfig(
                client=file.name,
                kind=setting.kind,
                setting=setting.name,
                value=setting.value,
                file=file.path,
                line=setting.line,
                spring=setting.spring,
                earlier=held[key].earlier + 1 if key in held else 0,
            )
    return Observed(rows=[held[key] for key in sorted(held)], gaps=gaps)


def _settings(file: ClientFile) -> list[SettingOfClient]:
    return read_client_file(file.text, file.path, file.kind)
