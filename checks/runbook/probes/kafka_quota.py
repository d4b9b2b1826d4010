"""The quotas of users, client ids and addresses."""

from runbook.connections.kafka import Kafka
from runbook.connections.kafka.answers import Quota
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kafka",),
    help="One row per quota: whose it is, what it limits, and to how much on each broker.",
    columns=(
        Column("who", "string", "Whose it is, in words: user alice; every client; user alice, client app.", key=True),
        Column("limit", "string", "producer_byte_rate, consumer_byte_rate, request_percentage, …", key=True),
        Column("value", "float", "Bytes a second, or percent of a thread, on each broker."),
        Column("default", "bool", "Whether it is for all that have no quota of their own: nobody is named in it."),
        Column("about", "string", "What it tells clients apart by: user, client, user and client, or ip."),
        Column("principal", "string", "User:alice, if it is for one user; else empty.", entity="principal"),
    ),
    requests=("ApiVersions", "DescribeClientQuotas", "Metadata"),
    rights=("DescribeConfigs on the cluster",),
)


def observe(kafka: Kafka) -> Observed:
    """Observe all quotas; Kafka tells all of them or refuses."""
    return Observed(rows=sorted(map(_row, kafka.quotas())))


def _row(quota: Quota) -> tuple[str, str, float, bool, str, str]:
    parts = {"user": quota.user, "client": quota.client, "ip": quota.ip}
    told = {kind: name for kind, name in parts.items() if name is not None}
    who = ", ".join(f"{kind} {name}" if name else f"every {kind}" for kind, name in told.items())
    principal = f"User:{quota.user}" if quota.user else ""
    return who, quota.name, quota.value, not any(told.values()), " and ".join(told), principal
