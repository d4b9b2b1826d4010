"""The access control lists, as the authorizer tells them."""

from typing import Final

from runbook.connections.kafka import Kafka
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kafka",),
    help="One row per ACL binding: who may, or may not, do what to which resource, from where.",
    columns=(
        Column("principal", "string", "Who, as User:alice; User:* is everybody.", key=True, entity="principal"),
        Column("host", "string", "From which address; * is any.", key=True),
        Column("operation", "string", "Read, Write, Describe, …; All is each of them.", key=True),
        Column("permission", "string", "Allow, or Deny, which wins over every Allow.", key=True),
        Column("resource_type", "string", "Topic, Group, Cluster, TransactionalId, DelegationToken or User.", key=True),
        Column("resource", "string", "Its name, or what names begin with; * is every one.", key=True),
        Column("pattern", "string", "Literal, or Prefixed: all names that begin so.", key=True),
    ),
    requests=("ApiVersions", "DescribeAcls", "Metadata"),
    rights=("Describe on the cluster",),
)

NO_AUTHORIZER: Final = "the cluster has no authorizer, so there are no ACLs: whoever gets in may do everything"


def observe(kafka: Kafka) -> Observed:
    """Observe all ACLs; Kafka tells all of them or refuses."""
    acls = kafka.acls()
    if acls is None:
        return Observed(inapplicable=NO_AUTHORIZER)
    rows = [(a.principal, a.host, a.operation, a.permission, a.resource_type, a.resource, a.pattern) for a in acls]
    return Observed(rows=sorted(rows))
