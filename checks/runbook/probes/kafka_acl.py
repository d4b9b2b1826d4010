"""The access control lists, as the authorizer tells them."""

from typing import TYPE_CHECKING, Annotated, Final

from msgspec.structs import astuple

from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaAcl(Row):
    """One binding of an ACL."""

    principal: Annotated[str, Cell("Who, as User:alice; User:* is everybody.", key=True, entity="principal")]
    host: Annotated[str, Cell("From which address; * is any.", key=True)]
    operation: Annotated[str, Cell("Read, Write, Describe, …; All is each of them.", key=True)]
    permission: Annotated[str, Cell("Allow, or Deny, which wins over every Allow.", key=True)]
    resource_type: Annotated[str, Cell("Topic, Group, Cluster, TransactionalId, DelegationToken or User.", key=True)]
    resource: Annotated[str, Cell("Its name, or what names begin with; * is every one.", key=True)]
    pattern: Annotated[str, Cell("Literal, or Prefixed: all names that begin so.", key=True)]


PROBE = Probe(
    connections=("kafka",),
    help="One row per ACL binding: who may, or may not, do what to which resource, from where.",
    row=KafkaAcl,
    requests=("ApiVersions", "DescribeAcls", "Metadata"),
    rights=("Describe on the cluster",),
)

NO_AUTHORIZER: Final = "the cluster has no authorizer, so there are no ACLs: every client may do everything"


def observe(kafka: "Kafka") -> Observed:
    """Observe all ACLs; Kafka tells all of them or refuses."""
    acls = kafka.acls()
    if acls is None:
        return Observed(inapplicable=NO_AUTHORIZER)
    rows = [
        KafkaAcl(
            principal=acl.principal,
            host=acl.host,
            operation=acl.operation,
            permission=acl.permission,
            resource_type=acl.resource_type,
            resource=acl.resource,
            pattern=acl.pattern,
        )
        for acl in acls
    ]
    return Observed(rows=sorted(rows, key=astuple))
