"""Each connector of MirrorMaker 2: what it copies, how often it looks, and how it is."""

from collections import Counter
from collections.abc import Iterator

from msgspec import structs

from runbook.connections.connect import Connect
from runbook.connections.connect.questions import CONNECTORS, NAMES, RIGHT, WORKER, read
from runbook.connections.files import READS, Files
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.mirror_maker import Dedicated, Link, as_written, kind_of, read_link
from runbook.probes._mirror_files import described_in

PROBE = Probe(
    connections=("connect", "files"),
    help="One row per connector: the values in force, Kafka's own where nothing is given; unknown: not of its kind.",
    needs={"files": "mirror_maker"},
    each=True,
    columns=(
        Column("connector", "string", "Name; of a dedicated MirrorMaker flow and class.", key=True, entity="connector"),
        Column("file", "string", "File of the dedicated MirrorMaker that runs it; empty on Connect.", key=True),
        Column("state", "string", "RUNNING, PAUSED, STOPPED, FAILED, UNASSIGNED or RESTARTING; unknown from a file."),
        Column("tasks", "int", "Tasks that its work was divided into; unknown from a file.", unit="tasks"),
        Column("tasks_running", "int", "Tasks that run; unknown from a file.", unit="tasks"),
        Column("tasks_failed", "int", "Tasks that failed: nobody starts them again.", unit="tasks"),
        Column("group", "string", "group.id of its workers; unknown on Connect, whose REST interface does not tell."),
        Column("exactly_once", "string", "exactly.once.source.support of its workers: disabled, preparing or enabled."),
        Column("internal_rest", "bool", "dedicated.mode.enable.internal.rest; unknown on Connect."),
        Column("kind", "string", "source copies records, checkpoint translates offsets, heartbeat shows both live."),
        Column("source", "string", "Alias of the cluster that is copied."),
        Column("target", "string", "Alias of the cluster that gets the copies."),
        Column("enabled", "bool", "enabled: without it source and checkpoint do nothing; heartbeats don't ask."),
        Column("tasks_max", "int", "tasks.max: how many tasks it may have.", unit="tasks"),
        Column("policy", "string", "How copies are named: default (with the source's alias), identity, or a class."),
        Column("separator", "string", "replication.policy.separator, between alias and topic."),
        Column("source_bootstrap", "list[string]", "Addresses of the source."),
        Column("target_bootstrap", "list[string]", "Addresses of the target."),
        Column("topics", "list[string]", "Java patterns, one of which the whole name matches; unknown: own filter."),
        Column("topics_exclude", "list[string]", "Java patterns of topics that are left out all the same."),
        Column("groups", "list[string]", "Java patterns of groups whose offsets are translated."),
        Column("groups_exclude", "list[string]", "Java patterns of groups that are left out all the same."),
        Column("config_properties_exclude", "list[string]", "Java patterns of topics' settings that are not copied."),
        Column("replication_factor", "int", "Of the copies.", unit="replicas"),
        Column("offset_syncs_replication_factor", "int", "Of the offset-syncs topic.", unit="replicas"),
        Column("checkpoints_replication_factor", "int", "Of the checkpoints topic.", unit="replicas"),
        Column("heartbeats_replication_factor", "int", "Of the heartbeats topic.", unit="replicas"),
        Column("sync_topic_configs", "bool", "Whether settings of topics are copied."),
        Column("sync_topic_acls", "bool", "Whether ACLs of topics are copied, all but the right to write."),
        Column("sync_group_offsets", "bool", "Whether translated offsets are committed for idle groups in the target."),
        Column("emit_heartbeats", "bool", "Whether heartbeats are written."),
        Column("emit_checkpoints", "bool", "Whether translated offsets are written."),
        Column("emit_offset_syncs", "bool", "Whether it is written down which offsets belong together."),
        Column("heartbeats_replication", "bool", "Whether heartbeats are copied whatever the filter says."),
        Column("refresh_topics_seconds", "int", "Between looks for new topics; -1: never.", unit="s"),
        Column("refresh_groups_seconds", "int", "Between looks for new groups; -1: never.", unit="s"),
        Column("sync_group_offsets_seconds", "int", "Between commits of translated offsets.", unit="s"),
        Column("emit_checkpoints_seconds", "int", "Between checkpoints.", unit="s"),
        Column("emit_heartbeats_seconds", "int", "Between heartbeats.", unit="s"),
        Column("offset_lag_max", "int", "offset.lag.max: how far apart offset syncs may be.", unit="records"),
        Column("offset_syncs_location", "string", "Cluster that has the offset-syncs topic: source or target."),
    ),
    requests=(*(read(path) for path in (WORKER, NAMES, CONNECTORS)), *READS),
    rights=(RIGHT, "read the files"),
)


def observe(connection: Connect | Files) -> Observed:
    """Observe the connectors of a Connect cluster, or those that files of dedicated MirrorMakers describe."""
    if isinstance(connection, Connect):
        return _on_connect(connection)
    told, gaps = described_in(connection)
    return Observed(rows=[row for path, one in told for row in _in_file(one, path)], gaps=gaps)


def _on_connect(connect: Connect) -> Observed:
    told, gaps = connect.connectors()
    release = connect.release()
    rows: list[tuple[object, ...]] = []
    for one in told.values():
        if (kind := kind_of(one.class_name)) is None:
            continue
        states = Counter(task.state for task in one.tasks)
        tasks = max(one.configured, len(one.tasks))
        own = (one.name, "", one.state, tasks, states["RUNNING"], states["FAILED"], None, None, None)
        rows.append((*own, *_cells(read_link(kind, as_written(one.settings), release))))
    return Observed(rows=rows, gaps=list(gaps))


def _in_file(dedicated: Dedicated, path: str) -> Iterator[tuple[object, ...]]:
    for one in dedicated.connectors:
        own = (one.name, path, None, None, None, None, one.group, one.exactly_once, dedicated.internal_rest)
        yield (*own, *_cells(read_link(one.kind, one.given)))


def _cells(link: Link) -> Iterator[object]:
    return ([*cell] if isinstance(cell, tuple) else cell for cell in structs.astuple(link))
