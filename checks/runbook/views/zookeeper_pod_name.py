"""Where the names lead by which ZooKeeper servers in pods know each other."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._pod_names import PodNames


class ZookeeperPodName(Row):
    """A member that a server's configuration names."""

    server: Annotated[str, Cell("Who says so: name in the inventory.", key=True, entity="server")]
    member: Annotated[int, Cell("The member's id.", key=True)]
    host: Annotated[str, Cell("Where its peers reach it.", entity="host")]
    leads_to: Annotated[
        list[str] | None, Cell("The pods that it leads to; unknown for a Service without a selector.", entity="pod")
    ]
    twins: Annotated[list[int], Cell("Other members whose name leads to one of these pods, too.")]


VIEW = View(
    help="One row per server that reports, and member that it knows: the pods that the member's name leads to.",
    row=ZookeeperPodName,
    inputs={
        "member": Input("zookeeper_member", columns=("server", "member", "host"), needs=("host",)),
        "pod": Input("kubernetes_pod", columns=("pod", "subdomain"), needs=("subdomain",)),
        "service": Input(
            "kubernetes_service",
            columns=("service", "pods", "endpoints", "external"),
            needs=("pods", "endpoints", "external"),
        ),
    },
    version=1,
)


def compute(*, member: Fact, pod: Fact, service: Fact) -> Observed:
    """Work it out from zookeeper_member, kubernetes_pod and kubernetes_service; of Services not seen, nothing."""
    if not (pod.complete and service.complete):
        return Observed()
    subdomains = dict(zip(pod.columns["pod"], pod.columns["subdomain"], strict=True))
    names = PodNames(subdomains, list(service.rows()))
    members = [(row, names.target(row["host"]).pods) for row in member.rows("server", "member", "host")]
    return Observed(
        rows=[
            ZookeeperPodName(
                server=row["server"],
                member=row["member"],
                host=row["host"],
                leads_to=pods,
                twins=sorted(
                    other["member"]
                    for other, theirs in members
                    if other["server"] == row["server"] and other is not row and set(pods or ()) & set(theirs or ())
                ),
            )
            for row, pods in members
        ]
    )
