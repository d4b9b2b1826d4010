"""A kubeconfig's plugin is run only where the person who runs this said so, outside of all files."""

import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from runbook.model.ask import FactQuestion
from runbook.parse.allowed import COMMANDS_ALLOWED
from runbook.run.collection.worker import Job, Outlet, run_job


def reasons(settings: dict[str, Any]) -> list[str]:
    """Why a worker can't look with these settings."""
    frames: list[Any] = []
    outlet = Outlet(None)  # type: ignore[arg-type]
    outlet.send = frames.append  # type: ignore[method-assign]
    run_job(
        Job(
            "kubernetes",
            settings,
            time.monotonic() + 5.0,
            {0: FactQuestion("prod", "kubernetes", "kubernetes_pod", "{}")},
        ),
        outlet,
    )
    return [gap.reason for frame in frames for fact in (frame.facts or {}).values() for gap in fact.gaps]


@pytest.mark.parametrize(("variable", "runs"), [("", False), ("yes", False), ("1", True)])
def test_a_plugin_waits_for_the_person(
    *, variable: str, runs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("kubernetes")  # `make quick` does without it
    monkeypatch.setenv(COMMANDS_ALLOWED, variable)
    plugin = {"apiVersion": "client.authentication.k8s.io/v1", "command": "touch", "args": [str(tmp_path / "ran")]}
    kubeconfig = {
        "current-context": "c",
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1"}}],
        "users": [{"name": "u", "user": {"exec": plugin | {"interactiveMode": "Never"}}}],
    }
    (tmp_path / "kc").write_text(yaml.safe_dump(kubeconfig))
    [reason] = reasons({"kubeconfig": str(tmp_path / "kc"), "exec": True})
    assert (tmp_path / "ran").exists() == runs
    assert (f"set {COMMANDS_ALLOWED}=1" in reason) != runs
