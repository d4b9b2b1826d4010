"""Each connector of MirrorMaker 2: what it copies, how often it looks, and how it is."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import structs

from runbook.answers.connect import CONNECTORS, NAMES, RIGHT, WORKER, TellsConnectors, read
from runbook.answers.files import READS
from runbook.formats.mirror_maker import Dedicated, MirrorLink, as_written, kind_of, read_link
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row
from runbook.probes._mirror_files import described_in

if TYPE_CHECKING:
    from runbook.connections.connect import Connect
    from runbook.connections.files import Files


class MirrorConnector(Row):
    """A connector of MirrorMaker."""

    connector: Annotated[str, Cell("Name; of a dedicated MirrorMaker flow and class.", key=True, entity="connector")]
    file: Annotated[str, Cell("File of the dedicated MirrorMaker that runs it; empty on Connect.", key=True)]
    state: Annotated[
        str | None,
        Cell("RUNNING, PAUSED, STOPPED, FAILED, UNASSIGNED or RESTARTING; unknown from a file."),
    ]
    trace: Annotated[
        str | None,
        Cell("First line of what went wrong with the connector itself, with its last cause; unknown from a file."),
    ]
    tasks: Annotated[int | None, Cell("Tasks that its work was divided into; unknown from a file.", unit="tasks")]
    tasks_running: Annotated[int | None, Cell("Tasks that run; unknown from a file.", unit="tasks")]
    tasks_failed: Annotated[int | None, Cell("Tasks that failed: Connect does not restart them.", unit="tasks")]
    group: Annotated[
        str | None,
        Cell("group.id of its workers; unknown on Connect, whose REST interface does not tell."),
    ]
    exactly_once: Annotated[
        str | None, Cell("exactly.once.source.support of its workers: disabled, preparing or enabled.")
    ]
    internal_rest: Annotated[bool | None, Cell("dedicated.mode.enable.internal.rest; unknown on Connect.")]
    kind: Annotated[str, Cell("source copies records, checkpoint translates offsets, heartbeat shows both live.")]
    source: Annotated[str | None, Cell("Alias of the cluster that is copied.")]
    target: Annotated[str | None, Cell("Alias of the cluster that gets the copies.")]
    enabled: Annotated[bool | None, Cell("enabled: without it source and checkpoint do nothing; heartbeats don't ask.")]
    tasks_max: Annotated[int | None, Cell("tasks.max: how many tasks it may have.", unit="tasks")]
    policy: Annotated[
        str | None, Cell("How copies are named: default (with the source's alias), identity, or a class.")
    ]
    separator: Annotated[str | None, Cell("replication.policy.separator, between alias and topic.")]
    source_bootstrap: Annotated[list[str] | None, Cell("Addresses of the source.")]
    target_bootstrap: Annotated[list[str] | None, Cell("Addresses of the target.")]
    topics: Annotated[
        list[str] | None,
        Cell("Java patterns, one of which the whole name matches; unknown: own filter."),
    ]
    topics_exclude: Annotated[list[str] | None, Cell("Java patterns of topics that are left out all the same.")]
    groups: Annotated[list[str] | None, Cell("Java patterns of groups whose offsets are translated.")]
    groups_exclude: Annotated[list[str] | None, Cell("Java patterns of groups that are left out all the same.")]
    config_properties_exclude: Annotated[
        list[str] | None, Cell("Java patterns of topics' settings that are not copied.")
    ]
    replication_factor: Annotated[int | None, Cell("Of the copies.", unit="replicas")]
    offset_syncs_replication_factor: Annotated[int | None, Cell("Of the offset-syncs topic.", unit="replicas")]
    checkpoints_replication_factor: Annotated[int | None, Cell("Of the checkpoints topic.", unit="replicas")]
    heartbeats_replication_factor: Annotated[int | None, Cell("Of the heartbeats topic.", unit="replicas")]
    sync_topic_configs: Annotated[bool | None, Cell("Whether settings of topics are copied.")]
    sync_topic_acls: Annotated[bool | None, Cell("Whether ACLs of topics are copied, all but the right to write.")]
    sync_group_offsets: Annotated[
        bool | None, Cell("Whether translated offsets are committed for idle groups in the target.")
    ]
    emit_heartbeats: Annotated[bool | None, Cell("Whether heartbeats are written.")]
    emit_checkpoints: Annotated[bool | None, Cell("Whether translated offsets are written.")]
    emit_offset_syncs: Annotated[bool | None, Cell("Whether it is written down which offsets belong together.")]
    heartbeats_replication: Annotated[bool | None, Cell("Whether heartbeats are copied whatever the filter says.")]
    refresh_topics_seconds: Annotated[int | None, Cell("Between looks for new topics; -1: never.", unit="s")]
    refresh_groups_seconds: Annotated[int | None, Cell("Between looks for new groups; -1: never.", unit="s")]
    sync_group_offsets_seconds: Annotated[int | None, Cell("Between commits of translated offsets.", unit="s")]
    emit_checkpoints_seconds: Annotated[int | None, Cell("Between checkpoints.", unit="s")]
    emit_heartbeats_seconds: Annotated[int | None, Cell("Between heartbeats.", unit="s")]
    offset_lag_max: Annotated[int | None, Cell("offset.lag.max: how far apart offset syncs may be.", unit="records")]
    offset_syncs_location: Annotated[str | None, Cell("Cluster that has the offset-syncs topic: source or target.")]


PROBE = Probe(
    connections=("connect", "files"),
    help="One row per connector: the values in force, Kafka's own where nothing is given; unknown: not of its kind.",
    needs={"files": "mirror_maker"},
    each=True,
    row=MirrorConnector,
    requests=(*(read(path) for path in (WORKER, NAMES, CONNECTORS)), *READS),
    rights=(RIGHT, "read the files"),
)


def observe(connection: "Connect | Files") -> Observed:
    """Observe the connectors of a Connect cluster, or those that files of dedicated MirrorMakers describe."""
    if isinstance(connection, TellsConnectors):
        return _on_connect(connection)
    described, gaps = described_in(connection)
    return Observed(rows=[row for path, dedicated in described for row in _in_file(dedicated, path)], gaps=gaps)


def _on_connect(connect: TellsConnectors) -> Observed:
    connectors, gaps = connect.connectors()
    release = connect.release()
    rows = []
    for connector in connectors.values():
        if (kind := kind_of(connector.class_name)) is None:
            continue
        states = Counter(task.state for task in connector.tasks)
        rows.append(
            MirrorConnector(
                connector=connector.name,
                file="",
                state=connector.state,
                trace=connector.trace,
                tasks=max(connector.configured, len(connector.tasks)),
                tasks_running=states["RUNNING"],
                tasks_failed=states["FAILED"],
                group=None,
                exactly_once=None,
                internal_rest=None,
                **_in_force(read_link(kind, as_written(connector.settings), release)),
            )
        )
    return Observed(rows=rows, gaps=list(gaps))


def _in_file(dedicated: Dedicated, path: str) -> Iterator[MirrorConnector]:
    for connector in dedicated.connectors:
        yield MirrorConnector(
            connector=connector.name,
            file=path,
            state=None,
            trace=None,
            tasks=None,
            tasks_running=None,
            tasks_failed=None,
            group=connector.group,
            exactly_once=connector.exactly_once,
            internal_rest=dedicated.internal_rest,
            **_in_force(read_link(connector.kind, connector.given)),
        )


def _in_force(link: MirrorLink) -> dict[str, Any]:
    """The values in force, under the names that the row has for them too."""
    fields = structs.asdict(link)
    return {name: [*cell] if isinstance(cell, tuple) else cell for name, cell in fields.items()}
