"""Certificates that Strimzi's operator tells clients of a listener to trust, and until when they hold."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

from runbook.answers.kubernetes.objects import flag, many, number, part, text, texts
from runbook.formats.declared import at
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Moment
from runbook.model.row import Cell, row_of
from runbook.probes._strimzi import NAMESPACE, REQUESTS, Declared, DeclaredRow, each, observed

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes

_RENEWAL: Final = 30  # CertificateAuthority.renewalDays of Strimzi, by default


class StrimziAuthority(DeclaredRow):
    """A listener with TLS."""

    kafka: Annotated[str, Cell("Name of the Kafka resource.", key=True)]
    listener: Annotated[str, Cell("Name of the listener.", key=True, entity="listener")] = at("name")
    ends: Annotated[
        Moment | None,
        Cell("Until when the last certificate in the resource's status holds; unknown where it shows none yet."),
    ]
    own: Annotated[bool, Cell("Whether the operator makes and renews it; else somebody gives it in a Secret.")]
    renewal_days: Annotated[int, Cell("Days before its end at which the operator renews it.", unit="days")]


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per listener with TLS of a Kafka resource of Strimzi.",
    row=StrimziAuthority,
    requests=REQUESTS,
    rights=("list kafkas of kafka.strimzi.io in the namespace", NAMESPACE),
)


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe every listener with TLS; where there is no Strimzi the question has no meaning."""
    rows = partial(_rows, kubernetes)
    return observed(kubernetes, {"kafkas": lambda kafkas: each(kafkas, rows)})


def _rows(kubernetes: "Kubernetes", one: Declared) -> list[StrimziAuthority]:
    told = {text(each, "name"): texts(each, "certificates") for each in many(one.whole, "status", "listeners")}
    listeners = [each for each in many(one.spec, "kafka", "listeners") if flag(each, "tls")]
    return [_row(kubernetes, one, each, told.get(text(each, "name"), [])) for each in listeners]


def _row(
    kubernetes: "Kubernetes", one: Declared, listener: dict[str, Any], certificates: list[str]
) -> StrimziAuthority:
    # not made up: a listener that names no certificate of its own has none
    given = bool(part(listener, "configuration", "brokerCertChainAndKey"))
    return row_of(
        StrimziAuthority,
        listener,
        namespace=one.namespace,
        kafka=one.name,
        ends=kubernetes.last_end(certificates) if certificates else None,
        own=not given and flag(one.spec, "clusterCa", "generateCertificateAuthority", default=True),
        renewal_days=number(one.spec, "clusterCa", "renewalDays", default=_RENEWAL),
    )
