"""The Kubernetes cluster: its API server's version."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.kubernetes.objects import text
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class KubernetesCluster(Row):
    """The API server."""

    server: Annotated[str, Cell("Address of the API server.", key=True)]
    version: Annotated[str, Cell("Its version, as in v1.36.3.")]
    major: Annotated[int | None, Cell("First number of the version.")]
    minor: Annotated[int | None, Cell("Second number of the version; a cloud's suffix is left out.")]
    platform: Annotated[str, Cell("Operating system and processor it runs on.")]


PROBE = Probe(
    connections=("kubernetes",),
    help="One row: the API server.",
    row=KubernetesCluster,
    requests=("GET /version",),
    rights=("none beyond a login: system:public-info-viewer, which every user has by default",),
)


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe the version."""
    said = kubernetes.version()
    major, minor = (_number(text(said, part)) for part in ("major", "minor"))
    server = kubernetes.server.removeprefix("the API server ")
    return Observed(
        rows=[
            KubernetesCluster(
                server=server,
                version=text(said, "gitVersion"),
                major=major,
                minor=minor,
                platform=text(said, "platform"),
            )
        ]
    )


def _number(text_: str) -> int | None:
    """Read a part of the version; clouds write the minor one as 36+."""
    digits = text_.rstrip("+")
    return int(digits) if digits.isdigit() else None
