"""The Kubernetes cluster: its API server's version."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.kubernetes.objects import text
from runbook.formats.declared import at, by
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row, row_of


def _number(part: str) -> int | None:
    """Read a part of the version; clouds write the minor one as 36+."""
    digits = part.rstrip("+")
    return int(digits) if digits.isdigit() else None


if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class KubernetesCluster(Row):
    """The API server."""

    server: Annotated[str, Cell("Address of the API server.", key=True)]
    version: Annotated[str, Cell("Its version, as in v1.36.3.")] = at("gitVersion")
    major: Annotated[int | None, Cell("First number of the version.")] = by(lambda said: _number(text(said, "major")))
    minor: Annotated[int | None, Cell("Second number of the version; a cloud's suffix is left out.")] = by(
        lambda said: _number(text(said, "minor"))
    )
    platform: Annotated[str, Cell("Operating system and processor it runs on.")] = at("platform")


PROBE = Probe(
    connections=("kubernetes",),
    help="One row: the API server.",
    row=KubernetesCluster,
    requests=("GET /version",),
    rights=("none beyond a login: system:public-info-viewer, which every user has by default",),
)


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe the version."""
    server = kubernetes.server.removeprefix("the API server ")
    return Observed(rows=[row_of(KubernetesCluster, kubernetes.version(), server=server)])
