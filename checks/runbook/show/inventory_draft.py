"""An inventory out of what a cluster tells to whoever asks: its brokers, its id, how it keeps its metadata."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

from runbook.judge.summary import counted
from runbook.model.errors import Invalid, UsageError
from runbook.model.fact import Fact
from runbook.parse.connection_lines import line_for
from runbook.parse.inventory import parse_inventory
from runbook.parse.runbook import read_text
from runbook.parse.yaml_document import read_yaml
from runbook.plugins.catalog import catalog
from runbook.safety.sanitize import sanitize
from runbook.terminal.progress import ask_all

_ASKED = ("kafka_cluster", "kafka_broker")
_NAME = "dev"  # as its tier below says

_RESULTS = (
    "# every run keeps its results there, for scorecard and incident; scheduled ones, and those with --trigger",
    "# incident, also what they saw, so that runbook check, diff last and incident say what changed: give it the care",
    "# that you give to this file",
    "# results: {to: site-data/results, keep_facts: 14d}",
)


def seen(address: str, deadline: str) -> str:
    """Ask the cluster at HOST:PORT, and write an inventory of it.

    Raises:
        UsageError: it can't be reached without a login, or tells nothing; with what to do instead.
    """
    summary, lines = _asked(address, deadline, _NAME)
    return "\n".join([f"# Seen at {address}: {summary}", *_RESULTS, "environments:", *lines]) + "\n"


def seen_beside(address: str, deadline: str, inventory: Path) -> tuple[str, str]:
    """By which name a cluster, at HOST:PORT, is in an inventory, "" where it is not; and the lines that it takes there.

    Raises:
        UsageError: as above.
        Invalid: the inventory is no YAML.
    """
    document = read_yaml(read_text(inventory, str(inventory)), str(inventory))
    there = document.value.get("environments") if isinstance(document.value, dict) else None
    known = there if isinstance(there, dict) else {}
    summary, lines = _asked(address, deadline, f"dev-{len(known) + 1}" if known else _NAME)
    told = "\n".join(lines)
    same = [
        name
        for name, said in known.items()
        if isinstance(said, dict) and said.get("cluster_id") and json.dumps(said["cluster_id"]) in told
    ]
    return sanitize(same[0]) if same else "", f"  # Seen at {address}: {summary}\n{told}"


def _asked(address: str, deadline: str, name: str) -> tuple[str, list[str]]:
    """What a cluster is, in a few words, and the lines of an environment of this name."""
    plain = f'environments: {{{_NAME}: {{kafka: {{"bootstrap.servers": {json.dumps(address)}}}}}}}\n'
    try:
        book = parse_inventory(plain, "--from", dt.datetime.now(dt.UTC).date())
    except Invalid as error:  # its only line of somebody else's is the address
        found = error.problems[0]
        raise UsageError(f"--from: {sanitize(found.message)}\n    {found.remedy}") from error
    answers = ask_all([book.targets[_NAME]], _ASKED, deadline)
    cluster, broker = (answers[_NAME, probe] for probe in _ASKED)
    row = next(cluster.rows(), None)
    if row is None or not row["cluster_id"]:
        reason = next((gap.reason for gap in (*cluster.gaps, *broker.gaps)), "it reports nothing of itself")
        remedy = "--from needs a listener without a login; with one: runbook init, and write it into environments.yaml"
        raise UsageError(f"--from {address}: {reason}\n    {remedy}")
    return _written(address, row, broker, name)


def _written(address: str, cluster: dict[str, Any], broker: Fact, name: str) -> tuple[str, list[str]]:
    rows = sorted((row for row in broker.rows() if row["host"]), key=lambda row: row["broker"])
    servers = ",".join(f"{row['host']}:{row['port']}" for row in rows) or address
    brokers = [(row["broker"], row["host"]) for row in rows]
    kraft = cluster["mode"] == "kraft"
    release = f"Kafka {cluster['kafka_version'] or '?'}, {cluster['mode'] or 'mode not known'}"
    racks = ", ".join(sorted({row["rack"] for row in rows if row["rack"]})) or "none"
    others = [
        line_for(kind, brokers) if brokers else line_for(kind)
        for kind in catalog("connections").names()
        if kind != "kafka" and not (kraft and kind == "zookeeper")
    ]
    lines = [
        f"  {name}:".ljust(33) + "# call it as you do",
        "    kafka:",
        f"      bootstrap.servers: {json.dumps(servers)}",
        f"    cluster_id: {json.dumps(cluster['cluster_id'])}   # another one that answers there is the wrong one",
        "    labels: {tier: dev}            # prod, stage, sandbox or a word of yours: some checks are for some only",
        "    objectives: [durability, availability, latency, throughput]    # the most important first",
        *(["    absent:", "      zookeeper: the cluster keeps its metadata itself (KRaft)"] if kraft else []),
        "    # what else there is: take the # off where it is true, or say under absent: why there is none,",
        "    # and of hosts, JVMs and files, which there always are, under unobserved: why they are not observed",
        *(f"    # {line}" for line in others if line),
    ]
    return sanitize(f"{release}; {counted(len(rows), 'broker')}, racks {racks}."), [sanitize(line) for line in lines]
