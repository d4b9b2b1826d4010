"""Record what a real cluster tells of offsets: `record_offsets.py NAME BOOTSTRAP` writes `recorded/NAME.json`.

The answers are those of the requests that `kafka_partition_offset` and `kafka_group_offset` make, in their order.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from runbook.connections.kafka import Kafka, connect
from runbook.model.probe import Deadline
from runbook.probes import kafka_group_offset, kafka_partition_offset


def recorded(settings: dict[str, Any], look: Callable[[Kafka], object]) -> dict[str, Any]:
    """Ask a real cluster, once, and give what it answered."""
    kafka = connect(settings, Deadline(30))
    python = kafka._python
    answers: list[dict[str, Any]] = []
    ask, ask_any = python.ask, python.ask_any

    def note(request: Any, node: int | None, answer: Any) -> Any:
        name = type(request).__name__.removesuffix("Request")
        encoded = bytes(answer.encode()).hex()
        cells = {"request": name, "node": node, "version": answer.API_VERSION, "bytes": encoded}
        if name == "ListOffsets":
            time = request.topics[0].partitions[0].timestamp
            cells["time"] = time if time <= 0 else "then"
        answers.append(cells)
        return answer

    python.ask = lambda node, label, request: note(request, node, ask(node, label, request))
    python.ask_any = lambda build, **how: note(build(), None, ask_any(build, **how))
    look(kafka)
    groups, _ = kafka.groups()
    recording = {
        "release": kafka.release(),
        "requests": sorted(python._manager.broker_version_data.api_versions),
        "silent": [],
        "topics": {
            name: [[p.number, p.leader, p.replicas, p.isr] for p in partitions]
            for name, partitions in kafka.topics().items()
        },
        "internal": sorted(kafka.internal_topics()),
        "groups": {g.name: [g.state, g.type, g.coordinator, g.assignor, g.members] for g in groups},
        "answers": answers,
    }
    kafka.close()
    return recording


def _look(kafka: Kafka) -> None:
    kafka_partition_offset.observe(kafka)
    kafka_group_offset.observe(kafka, late=1)


if __name__ == "__main__":
    FILE = Path(__file__).with_name("recorded").joinpath(f"{sys.argv[1]}.json")
    FILE.write_text(json.dumps(recorded({"bootstrap.servers": sys.argv[2]}, _look)) + "\n")
