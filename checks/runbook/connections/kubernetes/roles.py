"""Which pods are Kafka's: by the inventory's selectors, else by the labels that the known ways to deploy give."""

from collections.abc import Mapping
from typing import Final

from runbook.answers.kubernetes.labels import Requirement, Selector, matches, parse_selector
from runbook.answers.kubernetes.strimzi import CLUSTER

ROLES: Final = ("broker", "controller", "zookeeper")

_KNOWN: Final[dict[str, tuple[str, ...]]] = {
    "broker": (
        "strimzi.io/broker-role=true",
        "strimzi.io/component-type=kafka,!strimzi.io/broker-role",
        "platform.confluent.io/type=kafka",
        "app.kubernetes.io/name=kafka,app.kubernetes.io/component=kafka",
        "app.kubernetes.io/name=kafka,app.kubernetes.io/component=broker",
        "app=kafka",
    ),
    "controller": (
        "strimzi.io/controller-role=true",
        "platform.confluent.io/type=kraftcontroller",
        "app.kubernetes.io/name=kafka,app.kubernetes.io/component=controller",
        "app.kubernetes.io/name=kafka,app.kubernetes.io/component=controller-eligible",
    ),
    "zookeeper": (
        "strimzi.io/component-type=zookeeper",
        "platform.confluent.io/type=zookeeper",
        "app.kubernetes.io/name=zookeeper",
        "app=zookeeper",
    ),
}
"""Labels of Strimzi, Confluent for Kubernetes, the Bitnami charts and hand-written manifests."""


class Roles:
    """Tells what a pod is to Kafka."""

    def __init__(self, given: Mapping[str, Selector], cluster: str = "") -> None:
        """Go by the given selectors for the roles they name, else by known labels, of that cluster if it is named."""
        self._given = given
        self._cluster = cluster
        of = (Requirement(CLUSTER, "In", (cluster,)),) if cluster else ()
        self._known = {
            role: [(*_known(text), *of) for text in known] for role, known in _KNOWN.items() if role not in given
        }

    def of(self, labels: Mapping[str, str]) -> list[str]:
        """Give the roles that labels tell; empty for a pod that is not Kafka's."""
        return [role for role in ROLES if self._has(role, labels)]

    def said_by(self, role: str) -> str:
        """Say by which labels pods of a role are told, for the reason why none was found."""
        if role in self._given:
            return "those of the inventory"
        of = f", of the Kafka resource {self._cluster}" if self._cluster else ""
        return f"those that Strimzi, Confluent for Kubernetes, Bitnami's charts or app=kafka give{of}"

    def given(self, role: str) -> bool:
        """Whether the inventory has a selector for a role."""
        return role in self._given

    def _has(self, role: str, labels: Mapping[str, str]) -> bool:
        if role in self._given:
            return matches(self._given[role], labels)
        return any(matches(selector, labels) for selector in self._known[role])


def _known(text: str) -> Selector:
    return parse_selector(text, "a known label")
