"""What MirrorMaker's clients and connectors write down at their start, and what probes say of them; for live tests."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

CLIENTS = {
    "source consumer": ("ConsumerConfig", re.compile(r"replication-consumer$")),
    "target producer": ("ProducerConfig", re.compile(r"^connector-producer-(MirrorSourceConnector|mirror-source)-")),
    "offset-syncs producer": ("ProducerConfig", re.compile(r"offset-syncs-source-producer$")),
}
"""Each client with the kind of what it writes down, and what its id is like."""

CONFIGS = {"source": "MirrorSourceConfig", "checkpoint": "MirrorCheckpointConfig", "heartbeat": "MirrorHeartbeatConfig"}
COLUMNS = {
    "source": {
        "source": "source.cluster.alias",
        "target": "target.cluster.alias",
        "enabled": "enabled",
        "tasks_max": "tasks.max",
        "separator": "replication.policy.separator",
        "topics": "topics",
        "topics_exclude": "topics.exclude",
        "config_properties_exclude": "config.properties.exclude",
        "replication_factor": "replication.factor",
        "offset_syncs_replication_factor": "offset-syncs.topic.replication.factor",
        "sync_topic_configs": "sync.topic.configs.enabled",
        "sync_topic_acls": "sync.topic.acls.enabled",
        "emit_offset_syncs": "emit.offset-syncs.enabled",
        "heartbeats_replication": "heartbeats.replication.enabled",
        "refresh_topics_seconds": "refresh.topics.interval.seconds",
        "offset_lag_max": "offset.lag.max",
        "offset_syncs_location": "offset-syncs.topic.location",
    },
    "checkpoint": {
        "groups": "groups",
        "groups_exclude": "groups.exclude",
        "checkpoints_replication_factor": "checkpoints.topic.replication.factor",
        "sync_group_offsets": "sync.group.offsets.enabled",
        "sync_group_offsets_seconds": "sync.group.offsets.interval.seconds",
        "emit_checkpoints": "emit.checkpoints.enabled",
        "emit_checkpoints_seconds": "emit.checkpoints.interval.seconds",
        "refresh_groups_seconds": "refresh.groups.interval.seconds",
        "tasks_max": "tasks.max",
    },
    "heartbeat": {
        "heartbeats_replication_factor": "heartbeats.topic.replication.factor",
        "emit_heartbeats": "emit.heartbeats.enabled",
        "emit_heartbeats_seconds": "emit.heartbeats.interval.seconds",
    },
}
"""Columns of `mirror_connector` by kind of connector, with the settings they tell."""


def blocks_of(text: str) -> list[tuple[str, dict[str, str]]]:
    """What each client or connector wrote down at its start: its kind, and its settings."""
    blocks: list[tuple[str, dict[str, str]]] = []
    within = False
    for line in text.splitlines():
        if begun := re.search(r"(\w+) values: *$", line):
            blocks.append((begun[1], {}))
            within = True
        elif within and (setting := re.fullmatch(r"\s+([\w.-]+) = (.*)", line)):
            blocks[-1][1][setting[1]] = setting[2].strip()
        else:
            within = False
    return blocks


def of_client(text: str, client: str) -> dict[str, str]:
    """What the client last started wrote down."""
    kind, pattern = CLIENTS[client]
    found = [block for title, block in blocks_of(text) if title == kind and pattern.search(block.get("client.id", ""))]
    return found[-1]


def all_started(text: str) -> bool:
    """Whether every client and connector has written its settings down."""
    blocks = blocks_of(text)
    ids = [(kind, block.get("client.id", "")) for kind, block in blocks]
    clients = all(
        any(title == kind and pattern.search(id_) for title, id_ in ids) for kind, pattern in CLIENTS.values()
    )
    return clients and set(CONFIGS.values()) <= {kind for kind, _ in blocks}


def differences(rows: Iterable[Mapping[str, Any]], block: Mapping[str, str]) -> list[Mapping[str, Any]]:
    """The rows of `mirror_setting` that are wrong: in force and not what was written down, or the other way round."""
    settings = [row for row in rows if row["setting"] in block and row["value"] is not None]
    return [row for row in settings if (row["value"] == _plain(block[row["setting"]])) != row["in_force"]]


def said_and_done(row: Mapping[str, Any], text: str) -> tuple[dict[str, str], dict[str, str]]:
    """What `mirror_connector` says of a connector, and what it wrote down itself, by column."""
    columns = COLUMNS[row["kind"]]
    blocks = [block for kind, block in blocks_of(text) if kind == CONFIGS[row["kind"]]]
    mine = [block for block in blocks if block["source.cluster.alias"] == row["source"]]
    return {column: _shown(row[column]) for column in columns}, {
        column: mine[-1][name] for column, name in columns.items()
    }


def _plain(value: str) -> str:
    """As one writes it, of what Java writes down: a list has no brackets, and all copies are all."""
    return "all" if value == "-1" else value.strip("[]").replace(", ", ",")


def _shown(value: object) -> str:
    """As Java writes it down."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(value)}]"
    return str(value)
