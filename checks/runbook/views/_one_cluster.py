"""Whether pods are of one Kafka cluster: of several nothing is counted together."""

from runbook.model.fact import Fact, Gap


def several_clusters(pod: Fact) -> list[Gap]:
    """A gap where pods that are something to Kafka belong to several clusters, of which none was named."""
    rows = pod.rows("roles", "cluster")
    of = sorted({row["cluster"] for row in rows if row["roles"] and row["cluster"]})
    if len(of) < 2:  # noqa: PLR2004 - several
        return []
    return [
        Gap(f"pods of {len(of)} Kafka clusters, {', '.join(of)}: name one by `cluster` of kubernetes in the inventory")
    ]
