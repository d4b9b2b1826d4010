"""How clients get into clusters of a service that a plan of Terraform declares: with TLS, with a login (MSK)."""

from typing import Annotated, Final

from runbook.formats.statements import ClusterStated
from runbook.model.fact import Observed
from runbook.model.row import Cell
from runbook.probes._other_tools import OtherTools, with_others
from runbook.probes._strimzi import (
    SOURCE,
    Declares,
    PlacedRow,
    declared_if_any,
    probe_of,
)


class ClusterAccess(PlacedRow):
    """A cluster of a service."""

    kafka: Annotated[str, Cell("The address in Terraform.", key=True)]
    name: Annotated[str, Cell("Its own name.")]
    source: Annotated[str, SOURCE]
    tls_only: Annotated[bool | None, Cell("Whether clients must use TLS.", why="why")]
    login_only: Annotated[bool | None, Cell("Whether clients must log in.", why="why")]
    why: Annotated[str, Cell("Why some of it is not known; empty where all is.")]


_NONE: Final = "no plan of Terraform declares an MSK cluster"
PROBE = probe_of(ClusterAccess, help="One row per MSK cluster of a plan of Terraform.")


def observe(files: Declares) -> Observed:
    """Observe what the files declare; listeners of Strimzi are another fact."""
    if not isinstance(files, OtherTools):
        declared_if_any(files, "kafkas")  # one that does not answer tells nothing at all
    return with_others(files, Observed(inapplicable=_NONE), "cluster", lambda tools: map(_row, tools.access()))


def _row(one: ClusterStated) -> ClusterAccess:
    return ClusterAccess(
        namespace=one.namespace,
        kafka=one.resource,
        name=one.name,
        source=one.source,
        tls_only=one.tls_only,
        login_only=one.login_only,
        why=one.why,
        places=one.places,
    )
