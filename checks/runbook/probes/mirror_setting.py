"""Settings of the clients of MirrorMaker 2: which of them hold, and which reach nobody."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

from runbook.answers.connect import CONNECTORS, NAMES, RIGHT, WORKER, TellsConnectors, read
from runbook.answers.files import READS
from runbook.formats.mirror_maker import (
    Dedicated,
    Prefixes,
    SettingOfLink,
    as_written,
    client_settings,
    kind_of,
    read_link,
)
from runbook.formats.mirror_maker.given import Configuration
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row
from runbook.probes._mirror_files import described_in

if TYPE_CHECKING:
    from runbook.connections.connect import Connect
    from runbook.connections.files import Files


class MirrorSetting(Row):
    """A setting of MirrorMaker."""

    connector: Annotated[
        str,
        Cell("As `mirror_connector` names it; empty: at the top of the file, for none.", key=True, entity="connector"),
    ]
    file: Annotated[str, Cell("File of the dedicated MirrorMaker; empty on Connect.", key=True)]
    client: Annotated[
        str,
        Cell(
            "source consumer (reads what is copied), target producer (writes it), target consumer, source admin, "
            "target admin, offset-syncs producer, or worker; empty: nothing says.",
            key=True,
        ),
    ]
    setting: Annotated[str, Cell("Name, as the client calls it.", key=True, entity="setting")]
    given: Annotated[str, Cell("The key that was written; empty for what holds because nothing was.", key=True)]
    value: Annotated[
        str | None,
        Cell("Hidden if a credential; unknown for a reference, and for what the workers of a Connect cluster decide."),
    ]
    in_force: Annotated[bool, Cell("Whether the client has this value.")]
    ignored_because: Annotated[str, Cell("Why it has not, and what to write instead; empty if it has.")]


PROBE = Probe(
    connections=("connect", "files"),
    help="One row per setting that a client of MirrorMaker is given, or has where nothing is, and per key in vain.",
    needs={"files": "mirror_maker"},
    each=True,
    row=MirrorSetting,
    requests=(*(read(path) for path in (WORKER, NAMES, CONNECTORS)), *READS),
    rights=(RIGHT, "read the files"),
)


def observe(connection: "Connect | Files") -> Observed:
    """Observe the settings of clients on a Connect cluster, or in the files of dedicated MirrorMakers."""
    if isinstance(connection, TellsConnectors):
        return _on_connect(connection)
    described, gaps = described_in(connection)
    return Observed(rows=[row for path, dedicated in described for row in _in_file(dedicated, path)], gaps=gaps)


def _on_connect(connect: TellsConnectors) -> Observed:
    connectors, gaps = connect.connectors()
    rows: list[MirrorSetting] = []
    for connector in connectors.values():
        given = as_written(connector.settings)
        if (kind := kind_of(connector.class_name)) is not None and _works(kind, given):
            rows += _rows(connector.name, "", client_settings(kind, given, None, Prefixes()))
    return Observed(rows=rows, gaps=list(gaps))


def _in_file(dedicated: Dedicated, path: str) -> Iterator[MirrorSetting]:
    deployed = [
        (connector, connector.settings())
        for connector in dedicated.connectors
        if _works(connector.kind, connector.given)
    ]
    for connector, settings in deployed:
        others = (other for it, other in deployed if it.flow != connector.flow and it.kind != "heartbeat")
        elsewhere = {setting.given for other in others for setting in other if setting.in_force}
        # A cluster's key is for the flows that read it, or write to it: in vain in the other direction, and meant so.
        kept = [setting for setting in settings if setting.in_force or setting.given not in elsewhere]
        yield from _rows(connector.name, path, kept)
    yield from _rows("", path, dedicated.unread)


def _works(kind: str, given: Configuration) -> bool:
    """Whether a connector has clients: one that is turned off has none, but for heartbeats, which nothing turns off."""
    return kind == "heartbeat" or read_link(kind, given).enabled is not False


def _rows(connector: str, file: str, settings: Iterable[SettingOfLink]) -> Iterator[MirrorSetting]:
    for setting in settings:
        yield MirrorSetting(
            connector=connector,
            file=file,
            client=setting.client,
            setting=setting.name,
            given=setting.given,
            value=setting.value,
            in_force=setting.in_force,
            ignored_because=setting.reason,
        )
