"""Where the names lead that brokers in pods advertise."""

from typing import Annotated

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._pod_names import PodNames


class AdvertisedName(Row):
    """A broker that runs as a pod."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    pod: Annotated[str, Cell("The broker's pod.", entity="pod")]
    host: Annotated[str, Cell("The name or address that it advertises where we came in.", entity="host")]
    way: Annotated[
        str, Cell("What that is: the name of a `pod` or a `service`, a Service's `balancer`, or something `elsewhere`.")
    ]
    leads_to: Annotated[
        list[str] | None, Cell("The pods it leads to; unknown for a Service without a selector.", entity="pod")
    ]
    peers_inside: Annotated[bool, Cell("Whether any broker advertises there what leads to pods of this namespace.")]


VIEW = View(
    help="One row per broker whose pod is known: whether what it advertises leads to that pod and to no other.",
    row=AdvertisedName,
    inputs={
        "pod": Input("kubernetes_pod", columns=("pod", "broker", "subdomain"), needs=("subdomain",)),
        "broker": Input("kafka_broker", columns=("broker", "host"), needs=("host",)),
        "service": Input(
            "kubernetes_service",
            columns=("service", "pods", "endpoints", "external"),
            needs=("pods", "endpoints", "external"),
        ),
    },
    version=1,
)


def compute(*, pod: Fact, broker: Fact, service: Fact) -> Observed:
    """Work it out from kubernetes_pod, kafka_broker and kubernetes_service.

    Without all Services nothing is said: one that was not seen may be what a name leads to.
    """
    pods = list(pod.rows("pod", "broker", "subdomain"))
    gaps = [Gap(f"which broker {row['pod']} is unknown", {}) for row in pods if row["broker"] is None]
    if not service.complete:
        return Observed(gaps=gaps)
    names = PodNames({row["pod"]: row["subdomain"] for row in pods}, list(service.rows()))
    hosts = dict(zip(broker.columns["broker"], broker.columns["host"], strict=True))
    known = [(row, hosts.get(row["broker"], "")) for row in pods if row["broker"] is not None]
    gaps += [
        Gap(f"broker {row['broker']} is not registered", {"broker": row["broker"]}) for row, host in known if not host
    ]
    targets = [(row, host, names.target(host)) for row, host in known if host]
    inside = any(target.way != "elsewhere" for _, _, target in targets)
    return Observed(
        rows=[
            AdvertisedName(
                broker=row["broker"],
                pod=row["pod"],
                host=host,
                way=target.way,
                leads_to=target.pods,
                peers_inside=inside,
            )
            for row, host, target in targets
        ],
        gaps=gaps,
    )
