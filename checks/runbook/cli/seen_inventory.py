"""An inventory out of what a cluster tells to whoever asks: its brokers, its id, how it keeps its metadata."""

import datetime as dt
import json
from typing import Any

from runbook.cli.not_configured import line_for
from runbook.cli.shown_answers import ask_all
from runbook.model.errors import UsageError
from runbook.model.fact import Fact
from runbook.parse.inventory import parse_inventory
from runbook.plugins.catalog import catalog
from runbook.safety.sanitize import sanitize

_ASKED = ("kafka_cluster", "kafka_broker")
_NAME = "first"


def seen(address: str, deadline: str) -> str:
    """Ask the cluster at HOST:PORT, and write an inventory of it.

    Raises:
        UsageError: it can't be reached without a login, or tells nothing; with what to do instead.
    """
    plain = f'environments: {{{_NAME}: {{kafka: {{"bootstrap.servers": {json.dumps(address)}}}}}}}\n'
    book = parse_inventory(plain, "--from", dt.datetime.now(dt.UTC).date())
    answers = ask_all([book.targets[_NAME]], book, _ASKED, deadline)
    cluster, broker = (answers[_NAME, probe] for probe in _ASKED)
    row = next(cluster.rows(), None)
    if row is None or not row["cluster_id"]:
        reason = next((gap.reason for gap in (*cluster.gaps, *broker.gaps)), "it tells nothing of itself")
        remedy = "does it want a login? runbook init without --from, and write it into environments.yaml"
        raise UsageError(f"--from {address}: {reason}\n    {remedy}")
    return _written(address, row, broker)


def _written(address: str, cluster: dict[str, Any], broker: Fact) -> str:
    rows = sorted((row for row in broker.rows() if row["host"]), key=lambda row: row["broker"])
    servers = ",".join(f"{row['host']}:{row['port']}" for row in rows) or address
    brokers = [(row["broker"], row["host"]) for row in rows]
    kraft = cluster["mode"] == "kraft"
    told = f"Kafka {cluster['kafka_version'] or '?'}, {cluster['mode'] or 'mode not known'}"
    racks = ", ".join(sorted({row["rack"] for row in rows if row["rack"]})) or "none"
    others = [
        line_for(kind, brokers) if brokers else line_for(kind)
        for kind in catalog("connections").names()
        if kind != "kafka" and not (kraft and kind == "zookeeper")
    ]
    lines = [
        f"# Seen at {address}: {told}; {len(rows)} brokers, racks {racks}.",
        "environments:",
        f"  {_NAME}:                         # call it as you do",
        "    kafka:",
        f"      bootstrap.servers: {json.dumps(servers)}",
        f"    cluster_id: {json.dumps(cluster['cluster_id'])}   # another one that answers there is the wrong one",
        "    labels: {tier: dev}            # prod, stage or dev: some checks are for some of them only",
        "    objectives: [durability, availability, latency, throughput]    # the most important first",
        *(["    absent:", "      zookeeper: the cluster keeps its metadata itself (KRaft)"] if kraft else []),
        "    # what else there is: take the # off where it is true, or say under absent: why there is none",
        *(f"    # {line}" for line in others if line),
        "",
        "# results: site-data/results     # keep the result of every run there, for the scorecard",
    ]
    return "\n".join(sanitize(line) for line in lines) + "\n"
