"""Settings of Kafka's clients, from the files with which their applications are deployed."""

from typing import TYPE_CHECKING, Annotated

from msgspec import structs

from runbook.answers.files import READS, ClientFile
from runbook.answers.kubernetes import reads
from runbook.answers.ssh.commands import CLIENT
from runbook.formats.client_files import DeployedFile, SettingOfClient, read_client_files
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
    framework: Annotated[
        str, Cell("What hands it on to Kafka's Java clients: spring, quarkus or micronaut; empty for none.")
    ]
    plain: Annotated[bool, Cell("Whether a credential stands there, or where it no longer holds, as plain text.")]
    refused: Annotated[
        str, Cell("Why its framework, or the parser of logins, refuses the value; empty if nothing known does.")
    ]
    ignored_because: Annotated[
        str, Cell("Why its framework hands it to no client, whose name it then keeps; empty if it does.")
    ]
    places: Annotated[dict[str, str], Cell("Where it stands, as FILE:LINE:COLUMN; empty on other machines.")]


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
    files: dict[tuple[str, str], list[ClientFile]] = {}
    for file in client_files:
        files.setdefault((file.name, file.kind), []).append(file)
    held: dict[tuple[str, str, str], ClientConfig] = {}
    for (name, kind), of_client in files.items():
        for setting in _settings(name, kind, of_client, gaps):
            client = f"{name} ({setting.client})" if setting.client else name
            key = (client, setting.kind, setting.name)
            row = _row(client, setting, held[key].earlier + 1 if key in held else 0)
            place = f"{setting.file}:{setting.line}:{setting.column}" if of_client[0].local else ""
            places = {"": place} if place else {}
            if setting.plain and place:
                places["plain"] = place
            if key in held and held[key].plain and not setting.plain:  # what holds no longer still is in the file
                row = structs.replace(row, plain=True)
                places |= {name: at for name, at in held[key].places.items() if name == "plain"}
            held[key] = structs.replace(row, places=places)
    return Observed(rows=[held[key] for key in sorted(held)], gaps=gaps)


def _settings(name: str, kind: str, files: list[ClientFile], gaps: list[Gap]) -> list[SettingOfClient]:
    """The settings of one client: of those of its files that can be read, if one can't, and what keeps it from that."""
    deployed = [DeployedFile(file.path, file.text, file.profile) for file in files]
    settings = attempt(lambda: read_client_files(deployed, kind))
    if not isinstance(settings, CannotLook):
        return settings
    if len(files) > 1:
        return [setting for file in files for setting in _settings(name, kind, [file], gaps)]
    gaps.append(Gap.of(settings, says=f"the configuration of client {name}: {settings}"))
    return []


def _row(client: str, setting: SettingOfClient, earlier: int) -> ClientConfig:
    return ClientConfig(
        client=client,
        kind=setting.kind,
        setting=setting.name,
        value=setting.value,
        file=setting.file,
        line=setting.line,
        spring=setting.spring,
        earlier=earlier,
        framework=setting.framework,
        plain=setting.plain,
        refused=setting.refused,
        ignored_because=setting.ignored_because,
        places={},
    )
