"""Kubernetes: where a token may go, and who lets a kubeconfig's program run."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from runbook.allowed._plain import plain_host
from runbook.parse.allowed import Refusal

CLUSTER: Final = "cluster"
"""The setting that names one of several Kafka clusters of Strimzi in a namespace."""


def refused(settings: Mapping[str, Any]) -> Iterator[Refusal]:
    """A token in plain text to another machine. What the connection does not know, it refuses by itself."""
    if host := plain_host(str(settings.get("server", ""))):
        message = f"{host} is another machine, and the token would go there over plain http"
        yield Refusal(("server",), message, "write https://HOST:PORT; plain http is for this machine only")


def consents(settings: Mapping[str, Any]) -> Iterator[str]:
    """What would be run: whoever wrote the kubeconfig may have written the inventory too."""
    if settings.get("exec"):
        yield "exec: true of kubernetes lets the kubeconfig name a program that is run for credentials"


def in_full(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The connection's own settings, where one cluster of Strimzi in a namespace of several is named for short."""
    rest = {name: value for name, value in settings.items() if name != CLUSTER}
    if not settings.get(CLUSTER):
        return rest
    of = f"strimzi.io/cluster={settings[CLUSTER]}"
    return {
        "brokers": f"{of},strimzi.io/broker-role=true",
        "controllers": f"{of},strimzi.io/controller-role=true",
    } | rest


def narrowed(source: str, columns: Mapping[str, list[Any]], settings: Mapping[str, Any]) -> list[bool] | None:
    """Which rows of a fact are about the cluster that the settings name; None where all are, or no row says.

    What belongs to no cluster at all, such as a Connect cluster, stays.
    """
    named = settings.get(CLUSTER)
    if not named or not source.startswith("strimzi_"):
        return None
    if "owner" in columns:  # strimzi_status: Kafka resources themselves, and what belongs to one
        about = [
            resource if kind == "Kafka" else owner.removeprefix("Kafka ") if owner.startswith("Kafka ") else named
            for kind, resource, owner in zip(columns["kind"], columns["resource"], columns["owner"], strict=True)
        ]
    else:
        about = columns.get("kafka", [])
    return [one in ("", named) for one in about] if about else None
