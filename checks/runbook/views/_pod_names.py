"""To which pods a name of Kubernetes' DNS leads: a pod's own name, or that of a Service."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

_DNS: Final = "svc"
"""The part of a full name behind which the domain of the cluster stands."""


_PARTS: Final = 2
"""Of a pod's name: its own, and its subdomain."""


class PodsBehind(Struct, frozen=True):
    """Where a name leads: `pod`, `service`, `balancer`, or `elsewhere`; and the pods there, None if nobody can tell."""

    way: str
    pods: list[str] | None


class PodNames:
    """What names mean in a namespace, by its pods and Services."""

    def __init__(self, pods: Mapping[str, str], services: Sequence[Mapping[str, Any]]) -> None:
        """Know pods, each with its subdomain, and the rows of kubernetes_service."""
        self._pods = dict(pods)
        self._services = {row["service"]: row for row in services}

    def target(self, host: str) -> PodsBehind:
        """Find where a name leads.

        A pod is POD.SUBDOMAIN, a Service SERVICE; either may go on with the namespace, `svc` and the cluster's domain.
        A bare pod's name leads nowhere: DNS has none.
        """
        balancers = [row for row in self._services.values() if host in row["external"]]
        if balancers:
            return PodsBehind("balancer", _behind(balancers[0]))
        labels = host.rstrip(".").split(".")
        full = _DNS in labels[1:4]
        named = labels[: labels.index(_DNS, 1)] if full else labels
        if len(named) >= _PARTS and self._pods.get(named[0]) == named[1]:
            return PodsBehind("pod", [named[0]])
        if len(named) <= _PARTS and named[0] in self._services:
            return PodsBehind("service", _behind(self._services[named[0]]))
        return PodsBehind("pod", []) if full else PodsBehind("elsewhere", [])


def _behind(service: Mapping[str, Any]) -> list[str] | None:
    """The pods that a Service selects; nobody knows of one whose endpoints are kept by other means."""
    selected: list[str] = service["pods"]
    return None if not selected and service["endpoints"] else selected
