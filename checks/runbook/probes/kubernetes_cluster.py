"""The Kubernetes cluster: its API server's version."""

from runbook.connections.kubernetes import Kubernetes
from runbook.connections.kubernetes.objects import text
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kubernetes",),
    help="One row: the API server.",
    columns=(
        Column("server", "string", "Address of the API server.", key=True),
        Column("version", "string", "Its version, as in v1.36.3."),
        Column("major", "int", "First number of the version."),
        Column("minor", "int", "Second number of the version; a cloud's suffix is left out."),
        Column("platform", "string", "Operating system and processor it runs on."),
    ),
    requests=("GET /version",),
    rights=("none beyond a login: system:public-info-viewer, which every user has by default",),
)


def observe(kubernetes: Kubernetes) -> Observed:
    """Observe the version."""
    said = kubernetes.version()
    major, minor = (_number(text(said, part)) for part in ("major", "minor"))
    server = kubernetes.server.removeprefix("the API server ")
    return Observed(rows=[(server, text(said, "gitVersion"), major, minor, text(said, "platform"))])


def _number(text_: str) -> int | None:
    """Read a part of the version; clouds write the minor one as 36+."""
    digits = text_.rstrip("+")
    return int(digits) if digits.isdigit() else None
