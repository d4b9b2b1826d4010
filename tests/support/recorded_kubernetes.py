"""A recorded Kubernetes cluster to put probes to: what a real API server answered, played back behind the one seam.

`connections/kubernetes/record.py` makes the recordings from the lab's control plane (Kubernetes 1.36), which has to be
built first. Without a recording nothing can be played, and tests that need one are skipped, saying so.
"""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from runbook.connections.kubernetes import Kubernetes, connect
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline

FOLDER = Path(__file__).parents[1] / "connections" / "kubernetes" / "recorded"
SETTINGS = {"server": "https://127.0.0.1:1", "namespace": "kafka", "brokers": "app=kafka", "controllers": "app=kafka"}


class Played:
    """A recorded cluster; its answers may be changed before the first question. What was not recorded is a 404."""

    def __init__(self, name: str, **settings: Any) -> None:
        """Play a recording under these settings."""
        pytest.importorskip("kubernetes")  # `make quick` does without it
        if not FOLDER.joinpath(f"{name}.json").exists():
            pytest.skip(f"no recording {name}.json: tests/connections/kubernetes/record.py makes it")
        self.answers: dict[str, Any] = json.loads(FOLDER.joinpath(f"{name}.json").read_text("utf-8"))
        self.statuses: dict[str, int] = {}
        self.asked: list[str] = []
        self.kubernetes: Kubernetes = connect(SETTINGS | settings, Deadline(5))
        self.kubernetes._api._request = self._answer  # type: ignore[method-assign]

    def _answer(self, path: str, query: dict[str, Any]) -> tuple[int, bytes]:
        del query
        self.asked.append(path)
        status = self.statuses.get(path, 200 if path in self.answers else 404)
        return status, json.dumps(self.answers.get(path, {})).encode()

    def items(self, path: str) -> list[dict[str, Any]]:
        """Give the objects of a recorded list, to change them."""
        found: list[dict[str, Any]] = self.answers[path]["items"]
        return found

    def item(self, path: str, name: str) -> dict[str, Any]:
        """Give one object of a recorded list, to change it."""
        return next(item for item in self.items(path) if item["metadata"]["name"] == name)

    def observe(self, probe: str, **parameters: Any) -> Fact:
        """Put a probe to it, as a worker does."""
        module = importlib.import_module(f"runbook.probes.{probe}")
        return tabulate(probe, module.PROBE.columns, module.observe(self.kubernetes, **parameters))

    def row(self, probe: str, *, parameters: dict[str, Any] | None = None, **key: Any) -> dict[str, Any]:
        """Put a probe and give the one row with these keys."""
        rows = self.observe(probe, **(parameters or {})).rows()
        [row] = [row for row in rows if all(row[name] == value for name, value in key.items())]
        return row
