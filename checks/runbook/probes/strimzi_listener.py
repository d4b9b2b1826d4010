"""Listeners of Strimzi's Kafka resources, as they are declared."""

from typing import Annotated, Any

from runbook.answers.kubernetes.objects import OFF, flag, many, part, text
from runbook.formats.declared import Means, at
from runbook.model.fact import Observed
from runbook.model.row import Cell, row_of
from runbook.probes._strimzi import SOURCE, Declared, Declares, PlacedRow, each, observed, probe_of


class StrimziListener(PlacedRow):
    """A listener of a Kafka resource."""

    kafka: Annotated[str, Cell("The Kafka resource.", key=True)]
    listener: Annotated[str, Cell("Name of the listener.", key=True, entity="listener")] = at("name")
    source: Annotated[str, SOURCE]
    port: Annotated[int, Cell("Port inside of the cluster.")] = at(
        "port", absent=Means(0, "the operator refuses a listener without one")
    )
    type: Annotated[str, Cell("internal, cluster-ip, nodeport, loadbalancer, ingress, route or tlsroute.")] = at("type")
    outside: Annotated[
        bool, Cell("Whether its type leads to it from outside of the Kubernetes cluster.", written="type")
    ]
    tls: Annotated[bool, Cell("Whether it is encrypted.")] = at("tls", absent=OFF)
    authentication: Annotated[
        str, Cell("Type of authentication: tls, scram-sha-512, custom…; empty for none.", written="authentication")
    ]
    peers: Annotated[
        int, Cell("Peers that its network policy lets in; -1 where it lets in everybody.", written="networkPolicyPeers")
    ]


PROBE = probe_of(StrimziListener, "kafkas", help="One row per listener of a Kafka resource of Strimzi.")


def observe(strimzi: Declares) -> Observed:
    """Observe the listeners that are declared."""
    return observed(strimzi, {"kafkas": lambda found: each(found, _listeners)})


def _listeners(one: Declared) -> list[StrimziListener]:
    return [_row(one, place, listener) for place, listener in enumerate(many(one.spec, "kafka", "listeners"))]


def _row(one: Declared, place: int, listener: dict[str, Any]) -> StrimziListener:
    kind = text(listener, "type")
    return row_of(
        StrimziListener,
        listener,
        places=one.places(StrimziListener, "spec", "kafka", "listeners", place),
        namespace=one.namespace,
        kafka=one.name,
        source=one.source,
        authentication=_authentication(listener),
        outside=kind not in ("internal", "cluster-ip"),
        peers=len(many(listener, "networkPolicyPeers")) or -1,  # an empty list lets in everybody, as none does
    )


def _authentication(listener: dict[str, Any]) -> str:
    """Its type; empty also for a custom one that asks for neither SASL nor, over TLS, a client's certificate."""
    declared = part(listener, "authentication")
    certificate = part(declared, "listenerConfig").get("ssl.client.auth") == "required" and flag(listener, "tls")
    kind = text(declared, "type")
    return "" if kind == "custom" and not (flag(declared, "sasl") or certificate) else kind
