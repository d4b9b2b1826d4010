"""The procedure skip-a-record, by the REST interface of Connect, as the runbook says."""

from pathlib import Path
from typing import Any

import requests

from kafka_lab import LabState
from kafka_lab.connect import wait_for_state, workers_of
from kafka_lab.waiting import wait_until


def skip_by_rest(lab: LabState, connector: str, topic: str, offset: int) -> None:
    """Alter the offset of a connector as the procedure does, and wait until it has gone on."""
    url = f"{workers_of(lab)[0].url}/connectors/{connector}"
    place = {"partition": {"kafka_topic": topic, "kafka_partition": 0}, "offset": {"kafka_offset": offset}}
    ask("PUT", f"{url}/stop")
    wait_until(lambda: ask("GET", f"{url}/status")["tasks"] == [], "the tasks to end", within=240)
    ask("PATCH", f"{url}/offsets", {"offsets": [place]})
    ask("PUT", f"{url}/resume")
    wait_for_state(lab, connector, "RUNNING")
    file = Path(lab.folder, "data", "connect", "refunds.txt")
    wait_until(lambda: "refund=4" in file.read_text("utf-8"), "what stood behind it to come", within=240)


def ask(method: str, url: str, body: Any = None) -> Any:
    """Ask a worker, and again while it is busy."""
    answers: list[Any] = []

    def asked() -> bool:
        answer = requests.request(method, url, json=body, timeout=30)
        answers.append(answer.json() if answer.content else None)
        return answer.ok

    wait_until(asked, f"{method} {url}", within=240)
    return answers[-1]
