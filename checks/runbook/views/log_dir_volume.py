"""What is behind each log directory of a broker that runs as a pod."""

from pathlib import PurePosixPath
from typing import Annotated, Any

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class LogDirVolume(Row):
    """A broker and log directory."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    path: Annotated[str, Cell("The log directory, as the broker names it.", key=True, entity="log_dir")]
    pod: Annotated[str, Cell("The broker's pod.", entity="pod")]
    kind: Annotated[str, Cell("claim, hostPath, emptyDir…; `image` where nothing is mounted there.")]
    claim: Annotated[str, Cell("The claim it is on; empty for none.")]
    sharers: Annotated[list[str], Cell("Other pods that mount the same claim.", entity="pod")]


VIEW = View(
    help="One row per broker and log directory.",
    row=LogDirVolume,
    inputs={
        "log_dir": Input("kafka_log_dir", columns=("broker", "path")),
        "pod": Input("kubernetes_pod", columns=("pod", "broker", "mounts", "claims"), needs=("mounts", "claims")),
    },
    version=2,
)


def compute(*, log_dir: Fact, pod: Fact) -> Observed:
    """Work it out from kafka_log_dir and kubernetes_pod; a broker without a known pod is a gap."""
    pods = list(pod.rows("pod", "broker", "mounts", "claims"))
    of = {row["broker"]: row for row in pods if row["broker"] is not None}
    users: dict[str, list[str]] = {}
    for row in pods:
        for claim in row["claims"]:
            users.setdefault(claim, []).append(row["pod"])
    rows, gaps = [], []
    for broker, path in zip(log_dir.columns["broker"], log_dir.columns["path"], strict=True):
        if broker not in of:
            gaps.append(Gap(f"no pod is known to be broker {broker}", {"broker": broker}))
            continue
        name = of[broker]["pod"]
        kind, claim = _behind(path, of[broker]["mounts"])
        rows.append(
            LogDirVolume(
                broker=broker,
                path=path,
                pod=name,
                kind=kind,
                claim=claim,
                sharers=[pod for pod in users.get(claim, ()) if pod != name],
            )
        )
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
