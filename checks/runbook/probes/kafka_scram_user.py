"""The users whose passwords Kafka keeps itself, as salted hashes."""

from typing import TYPE_CHECKING, Annotated

from msgspec.structs import astuple

from runbook.model.errors import Unsupported
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaScramUser(Row):
    """A user's SCRAM credential."""

    user: Annotated[str, Cell("Name of the user.", key=True)]
    principal: Annotated[str, Cell("The same as ACLs name it, as User:alice.", key=True, entity="principal")]
    mechanism: Annotated[str, Cell("SCRAM-SHA-256 or SCRAM-SHA-512.", key=True)]
    iterations: Annotated[int, Cell("How often the password is hashed: what a guess costs.", unit="hashes")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per user and SCRAM mechanism. Neither salts nor hashes are asked for.",
    row=KafkaScramUser,
    requests=("ApiVersions", "DescribeUserScramCredentials", "Metadata"),
    rights=("Describe on the cluster",),
)


def observe(kafka: "Kafka") -> Observed:
    """Observe all SCRAM users; Kafka tells all of them or refuses."""
    try:
        logins, gaps = kafka.logins()
    except Unsupported:
        if not kafka.is_kraft():
            raise
        return Observed(inapplicable="in KRaft mode Kafka keeps SCRAM users from 3.5 on (KIP-900)")
    rows = [
        KafkaScramUser(
            user=login.user, principal=f"User:{login.user}", mechanism=login.mechanism, iterations=login.iterations
        )
        for login in logins
    ]
    return Observed(rows=sorted(rows, key=astuple), gaps=gaps)
