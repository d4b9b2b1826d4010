"""Record what a lab's agents and exporters answer: `record_metrics.py ENVIRONMENTS.yaml NAME FOLDER [workers|apart]`.

The lab is one with the parts jmx and clients; for `workers` one with connect, whose agents they are; for `apart` the
probes are asked that ask for themselves. Written are the Jolokia agents' answers (answers alone: the questions are made
anew, so a question that changed is noticed) and the exporters' pages, cut to what is asked for.
"""

import json
import sys
from pathlib import Path
from typing import Any

import yaml

from runbook.connections import jolokia, prometheus
from runbook.formats.metrics import exposition, samples
from runbook.formats.metrics.meters import IDENTITY
from runbook.model.probe import Deadline
from runbook.plugins.catalog import catalog
from runbook.probes._metrics import APART, OF_APPLICATIONS, OF_BROKERS, metrics_of

ASKED = (IDENTITY, *metrics_of(OF_BROKERS), *metrics_of(OF_APPLICATIONS))


def of_jolokia(settings: dict[str, Any], *, apart: bool = False) -> dict[str, Any]:
    """The answers by address and question, with which address is whose."""
    connection = jolokia.connect(settings, Deadline(120, patience=100))
    answers: dict[str, list[Any]] = {}
    post = connection._web.post_json

    def note(url: str, body: bytes) -> bytes:
        answer = post(url, body)
        asked = [[entry["mbean"], entry["attribute"], entry.get("path", "")] for entry in json.loads(body)]
        kept = [
            {key: entry[key] for key in ("status", "value", "error_type", "error") if key in entry}
            for entry in json.loads(answer)
        ]
        answers[url] = list(zip(asked, kept, strict=True))
        return answer

    connection._web = type("Noting", (), {"post_json": staticmethod(note), "clock": connection._web.clock})()
    if apart:
        for probe in APART:
            catalog("probes").load(probe).observe(connection)
    else:
        connection.brokers(metrics_of(OF_BROKERS))
        connection.applications(metrics_of(OF_APPLICATIONS))
    return {"settings": settings, "answers": answers}


def of_pages(settings: dict[str, Any]) -> dict[str, Any]:
    """The pages by address, without what nobody asks for."""
    connection = prometheus.connect(settings, Deadline(120, patience=100))
    wanted = samples.names(ASKED, "plain")
    pages = {}
    for url in [*connection._settings.brokers.values(), *(connection._settings.applications or {}).values()]:
        lines = connection._web.get(url).decode().splitlines()
        pages[url] = "".join(f"{line}\n" for line in lines if list(exposition.read(f"{line}\n", wanted)))
    return {"settings": settings, "pages": pages}


if __name__ == "__main__":
    environment = yaml.safe_load(Path(sys.argv[1]).read_text("utf-8"))["environments"][sys.argv[2]]
    folder = Path(sys.argv[3])
    if "workers" in sys.argv:
        kept = {"workers": of_jolokia(environment["jolokia"])}
    elif "apart" in sys.argv:
        kept = {"apart": of_jolokia(environment["jolokia"], apart=True)}
    else:
        kept = {"jolokia": of_jolokia(environment["jolokia"]), "pages": of_pages(environment["prometheus"])}
    for name, content in kept.items():
        (folder / f"metrics_{name}.json").write_text(json.dumps(content, indent=None, sort_keys=True) + "\n", "utf-8")
