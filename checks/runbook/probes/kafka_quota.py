"""The quotas of users, client ids and addresses."""

from typing import TYPE_CHECKING, Annotated

from msgspec.structs import astuple

from runbook.answers.kafka import Quota
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaQuota(Row):
    """A quota."""

    who: Annotated[str, Cell("Whose it is, in words: user alice; every client; user alice, client app.", key=True)]
    limit: Annotated[str, Cell("producer_byte_rate, consumer_byte_rate, request_percentage, …", key=True)]
    value: Annotated[float, Cell("Bytes a second, or percent of a thread, on each broker.")]
    default: Annotated[bool, Cell("Whether it is the default, for all without a quota of their own.")]
    about: Annotated[str, Cell("What it distinguishes clients by: user, client, user and client, or ip.")]
    principal: Annotated[str, Cell("User:alice, if it is for one user; else empty.", entity="principal")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per quota: whose it is, what it limits, and to how much on each broker.",
    row=KafkaQuota,
    requests=("ApiVersions", "DescribeClientQuotas", "Metadata"),
    rights=("DescribeConfigs on the cluster",),
)


def observe(kafka: "Kafka") -> Observed:
    """Observe all quotas; Kafka tells all of them or refuses."""
    return Observed(rows=sorted(map(_row, kafka.quotas()), key=astuple))


def _row(quota: Quota) -> KafkaQuota:
    parts = {"user": quota.user, "client": quota.client, "ip": quota.ip}
    named = {kind: name for kind, name in parts.items() if name is not None}
    return KafkaQuota(
        who=", ".join(f"{kind} {name}" if name else f"every {kind}" for kind, name in named.items()),
        limit=quota.name,
        value=quota.value,
        default=not any(named.values()),
        about=" and ".join(named),
        principal=f"User:{quota.user}" if quota.user else "",
    )
