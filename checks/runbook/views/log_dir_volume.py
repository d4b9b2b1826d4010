"""What is behind each log directory of a broker that runs as a pod."""

from pathlib import PurePosixPath
from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Gap, Observed
from runbook.engine.view import View

VIEW = View(
    help="One row per broker and log directory.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("path", "string", "The log directory, as the broker names it.", key=True, entity="log_dir"),
        Column("pod", "string", "The broker's pod.", entity="pod"),
        Column("kind", "string", "claim, hostPath, emptyDir…; `image` where nothing is mounted there."),
        Column("claim", "string", "The claim it is on; empty for none."),
        Column("sharers", "list[string]", "Other pods that mount the same claim.", entity="pod"),
    ),
    of=(("broker", "path"), ("pod", "broker", "mounts", "claims")),
    needs=((), ("mounts", "claims")),
    version=2,
)


def compute(log_dir: Fact, pod: Fact, /) -> Observed:
    """Work it out from kafka_log_dir and kubernetes_pod; a broker without a known pod is a gap."""
    names = ("pod", "broker", "mounts", "claims")
    pods = list(zip(*(pod.columns[name] for name in names), strict=True))
    of = {broker: (name, mounts) for name, broker, mounts, _ in pods if broker is not None}
    users: dict[str, list[str]] = {}
    for name, _, _, claims in pods:
        for claim in claims:
            users.setdefault(claim, []).append(name)
    rows, gaps = [], []
    for broker, path in zip(log_dir.columns["broker"], log_dir.columns["path"], strict=True):
        if broker not in of:
            gaps.append(Gap(f"no pod is known to be broker {broker}", {"broker": broker}))
            continue
        name, mounts = of[broker]
        kind, claim = _behind(path, mounts)
        rows.append((broker, path, name, kind, claim, [one for one in users.get(claim, ()) if one != name]))
    return Observed(rows=rows, gaps=gaps)


def _behind(path: str, mounts: dict[str, Any]) -> tuple[str, str]:
    """Give what is mounted at the path or nearest above it."""
    here = PurePosixPath(path)
    for folder in (here, *here.parents):
        found = mounts.get(str(folder)) or mounts.get(f"{folder}/")
        if found:
            kind, _, named = str(found).partition(" ")
            return kind, named if kind == "claim" else ""
    return "image", ""
