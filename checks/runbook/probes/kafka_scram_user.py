"""The users whose passwords Kafka keeps itself, as salted hashes."""

from runbook.connections.kafka import Kafka
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kafka",),
    help="One row per user and SCRAM mechanism. Neither salts nor hashes are asked for.",
    columns=(
        Column("user", "string", "Name of the user.", key=True),
        Column("principal", "string", "The same as ACLs name it, as User:alice.", key=True, entity="principal"),
        Column("mechanism", "string", "SCRAM-SHA-256 or SCRAM-SHA-512.", key=True),
        Column("iterations", "int", "How often the password is hashed: what a guess costs.", unit="hashes"),
    ),
    requests=("ApiVersions", "DescribeUserScramCredentials", "Metadata"),
    rights=("Describe on the cluster",),
)


def observe(kafka: Kafka) -> Observed:
    """Observe all SCRAM users; Kafka tells all of them or refuses."""
    logins, gaps = kafka.logins()
    rows = sorted((one.user, f"User:{one.user}", one.mechanism, one.iterations) for one in logins)
    return Observed(rows=rows, gaps=gaps)
