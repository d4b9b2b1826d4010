"""Recorded agents and exporters of a lab, played back where HTTP would bring their answers."""

import importlib
import json
from pathlib import Path
from typing import Any

from runbook.connections import jolokia, prometheus
from runbook.model.errors import Unreachable
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline

FOLDER = Path(__file__).parents[1] / "probes" / "recorded"
MISSING = {"status": 404, "error_type": "javax.management.InstanceNotFoundException", "error": "not recorded"}


class Played:
    """One way to the recorded metrics. What the JVMs answer may be changed before the first question."""

    def __init__(self, way: str) -> None:
        """Play `jolokia` or `pages`, of brokers and clients, or `workers`, which are Connect's."""
        self.recording: dict[str, Any] = json.loads((FOLDER / f"metrics_{way}.json").read_text("utf-8"))
        self.silent: set[str] = set()
        module = prometheus if way == "pages" else jolokia
        self.connection = module.connect(self.recording["settings"], Deadline(60, patience=30))
        self.connection._web.close()
        self.connection._web = self
        self.clock = Deadline(60, patience=30)

    def post_json(self, url: str, body: bytes) -> bytes:
        """Answer each question as it was answered then, whatever the order."""
        self._require_voice(url)
        answers = {_named(asked): answer for asked, answer in self.recording["answers"][url]}
        questions = [
            [question["mbean"], question["attribute"], question.get("path", "")] for question in json.loads(body)
        ]
        return json.dumps([answers.get(_named(question), MISSING) for question in questions]).encode()

    def get(self, url: str) -> bytes:
        """Give a page."""
        self._require_voice(url)
        page: str = self.recording["pages"][url]
        return page.encode()

    def _require_voice(self, url: str) -> None:
        if url in self.silent:
            raise Unreachable("can't be reached: connection refused")

    def change(self, bean: str, answer: dict[str, Any]) -> None:
        """Let every agent answer this of an MBean."""
        for answers in self.recording["answers"].values():
            for answered in answers:
                if answered[0][0] == bean:
                    answered[1] = answer

    def tell(self, bean: str, **attributes: Any) -> None:
        """Let every agent answer with these attributes of an MBean; those a pattern's stars stand for are `x`."""
        value = {bean.removesuffix(",*").replace("*", "x"): attributes} if "*" in bean else attributes
        self.change(bean, {"status": 200, "value": value})

    def show(self, page: str) -> None:
        """Let every page have these lines and no others."""
        self.recording["pages"] = dict.fromkeys(self.recording["pages"], page.rstrip(" "))

    def observe(self, probe: str) -> Fact:
        """Put a probe to it, as a worker does."""
        module = importlib.import_module(f"runbook.probes.{probe}")
        return tabulate(probe, module.PROBE.columns, module.observe(self.connection))

    def row(self, probe: str, **key: Any) -> dict[str, Any]:
        """Put a probe and give the one row with these cells."""
        [row] = [row for row in self.observe(probe).rows() if all(row[name] == cell for name, cell in key.items())]
        return row


def _named(question: list[Any]) -> str:
    return json.dumps(question)
