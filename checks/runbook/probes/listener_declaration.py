"""Listeners as they are declared, by Strimzi's Kafka resources or values of a chart."""

from typing import Annotated, Any

from runbook.answers.kubernetes.objects import OFF, flag, many, part, text
from runbook.answers.manifests import UnreadManifest
from runbook.formats.declared import Means, at
from runbook.formats.statements import ListenerStated
from runbook.model.fact import Gap, Observed
from runbook.model.row import Cell, row_of
from runbook.probes._other_tools import with_others
from runbook.probes._strimzi import (
    SOURCE,
    Declared,
    Declares,
    PlacedRow,
    each,
    observed,
    probe_of,
)


class ListenerDeclaration(PlacedRow):
    """A listener of a declared cluster."""

    kafka: Annotated[str, Cell("The Kafka resource, or the file of the values.", key=True)]
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


PROBE = probe_of(
    ListenerDeclaration,
    "kafkas",
    help="One row per listener of a Kafka resource of Strimzi, or of a cluster that values of a chart declare.",
)


def observe(strimzi: Declares) -> Observed:
    """Observe the listeners that are declared."""
    seen = observed(strimzi, {"kafkas": lambda found: each(found, _listeners)})
    return with_others(strimzi, seen, "cluster", lambda files: map(_of_other, files.listeners()))


def _listeners(one: Declared) -> list[ListenerDeclaration]:
    return [_row(one, place, listener) for place, listener in enumerate(many(one.spec, "kafka", "listeners"))]


def _row(one: Declared, place: int, listener: dict[str, Any]) -> ListenerDeclaration:
    kind = text(listener, "type")
    return row_of(
        ListenerDeclaration,
        listener,
        places=one.places(ListenerDeclaration, "spec", "kafka", "listeners", place),
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


def _of_other(one: ListenerStated | UnreadManifest) -> ListenerDeclaration | Gap:
    """The row of a listener that another tool is to make."""
    if isinstance(one, UnreadManifest):
        return one.gap()
    return ListenerDeclaration(
        namespace=one.namespace,
        kafka=one.kafka,
        listener=one.listener,
        source=one.source,
        port=one.port,
        type=one.type,
        outside=one.outside,
        tls=one.tls,
        authentication=one.authentication,
        peers=-1,
        places=one.places,
    )
