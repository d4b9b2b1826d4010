"""Until when the release of Kubernetes that runs is maintained. Raise `version` when the table changes."""

from typing import Annotated, Final

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Moment
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class KubernetesRelease(Row):
    """The release of an API server."""

    server: Annotated[str, Cell("Address of the API server.", key=True)]
    release: Annotated[str, Cell("As in 1.35.")]
    maintained_until: Annotated[Moment, Cell("Kubernetes' own fixes come until then, or longer.")]
    ends_then: Annotated[
        bool | None, Cell("Whether they end then; unknown for releases of after this table.", why="gap")
    ]
    gap: Annotated[str, Cell("Why that is not known; empty if it is.")]


_ENDS: Final = {
    33: Moment("2026-06-28T00:00:00.000Z"),
    34: Moment("2026-10-27T00:00:00.000Z"),
    35: Moment("2027-02-28T00:00:00.000Z"),
}
"""Minor release of 1.x → end of its maintenance, as Kubernetes announces it (kubernetes.io, Releases: end of life)."""

_OLDEST: Final = min(_ENDS)
_NEWEST: Final = max(_ENDS)

VIEW = View(
    help=f"One row per API server: the end of its release, as far as announced for releases up to 1.{_NEWEST}.",
    row=KubernetesRelease,
    inputs={
        "cluster": Input("kubernetes_cluster", columns=("server", "major", "minor"), needs=("major", "minor")),
    },
    version=1,
)


def compute(*, cluster: Fact) -> Observed:
    """Work it out from kubernetes_cluster: no release ends before an older one does."""
    return Observed(rows=[_row(row["server"], row["major"], row["minor"]) for row in cluster.rows()])


def _row(server: str, major: int, minor: int) -> KubernetesRelease:
    newer = major > 1 or minor > _NEWEST
    end = _ENDS[_NEWEST] if newer else _ENDS[max(minor, _OLDEST)]
    gap = f"{major}.{minor} is newer than what this version of the runbook knows the end of" if newer else ""
    return KubernetesRelease(
        server=server, release=f"{major}.{minor}", maintained_until=end, ends_then=None if newer else True, gap=gap
    )
