"""Record what the Connect workers of a lab answer: `record.py NAME HOME FILE`.

Written are, by worker, its id and the answers as they came, by path; of a worker that does not answer there are none.
"""

import contextlib
import json
import sys
import urllib.request
from pathlib import Path
from typing import Any

from kafka_lab.connect import workers_of
from kafka_lab.state import known
from runbook.answers.connect import CONNECTORS, NAMES, PLUGINS, WORKER


def record(name: str, home: Path) -> dict[str, Any]:
    """The answers, by worker and path."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    answers: dict[str, Any] = {}
    for worker in workers_of(known(name, home)):
        texts: dict[str, str] = {}
        for path in (WORKER, NAMES, CONNECTORS, PLUGINS):
            with contextlib.suppress(OSError), opener.open(worker.url + path, timeout=10) as answer:
                texts[path] = answer.read().decode()
        answers[worker.name] = {"id": worker.url.removeprefix("http://"), "answers": texts}
    return answers


if __name__ == "__main__":
    recorded = json.dumps(record(sys.argv[1], Path(sys.argv[2])), indent=1)
    Path(sys.argv[3]).write_text(recorded + "\n", "utf-8")
