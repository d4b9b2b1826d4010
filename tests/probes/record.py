"""Record a real cluster for the tests of this folder: `record.py NAME BOOTSTRAP` writes `recorded/NAME.json`."""

import json
import sys
from pathlib import Path
from typing import Any

from confluent_kafka.admin import ConfigResource

from runbook.connections.kafka import connect
from runbook.model.probe import Deadline


def _record(bootstrap: str) -> dict[str, Any]:
    """Ask a real cluster everything, once."""
    kafka = connect({"bootstrap.servers": bootstrap}, Deadline(30))
    python, admin = kafka._python, kafka._confluent._client
    answers: list[dict[str, Any]] = []

    def note(request: Any, node: int | None, answer: Any) -> Any:
        name = type(request).__name__.removesuffix("Request")
        encoded = bytes(answer.encode()).hex()
        answers.append({"request": name, "node": node, "version": answer.API_VERSION, "bytes": encoded})
        return answer

    ask, ask_any = python.ask, python.ask_any
    python.ask = lambda node, label, request: note(request, node, ask(node, label, request))
    python.ask_any = lambda build, **how: note(build(), None, ask_any(build, **how))
    silent = [broker.id for broker in kafka.cluster().brokers if kafka.silence(broker)]
    for question in (
        "topic_settings",
        "log_dirs",
        "eligible_leaders",
        "quorum",
        "features",
        "reassignments",
        "topics_gaps",
    ):
        getattr(kafka, question)()
    groups, _ = kafka.groups()
    settings = {}
    for broker in kafka.broker_settings()[0]:
        (future,) = admin.describe_configs([ConfigResource(ConfigResource.Type.BROKER, str(broker))]).values()
        settings[str(broker)] = {
            name: [entry.value, entry.source, entry.is_sensitive, entry.is_read_only]
            for name, entry in sorted(future.result().items())
        }
    recording = {
        "release": kafka.release(),
        "requests": sorted(python._manager.broker_version_data.api_versions),
        "silent": silent,
        "topics": {
            name: [[p.number, p.leader, p.replicas, p.isr] for p in partitions]
            for name, partitions in kafka.topics().items()
        },
        "internal": sorted(kafka.internal_topics()),
        "settings": settings,
        "groups": {g.name: [g.state, g.type, g.coordinator, g.assignor, g.members] for g in groups},
        "answers": answers,
    }
    kafka.close()
    return recording


if __name__ == "__main__":
    FILE = Path(__file__).with_name("recorded").joinpath(f"{sys.argv[1]}.json")
    FILE.write_text(json.dumps(_record(sys.argv[2])) + "\n")
