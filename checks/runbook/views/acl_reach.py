"""How far the rights of each principal reach: what its ACLs come to, taken together and with what is denied."""

from collections import defaultdict
from itertools import permutations
from typing import Annotated, NamedTuple

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._acl_names import covers_names

_COLUMNS = ("principal", "host", "operation", "permission", "resource_type", "resource", "pattern")
_HARMLESS = {
    "Describe",
    "DescribeConfigs",
    "IdempotentWrite",
}  # IdempotentWrite is for producers, and implied since 3.0
_EVERYBODY = "User:*"
_ALL_TOLD = {
    "Topic": {"Read", "Write", "Create", "Delete", "Alter", "AlterConfigs"},
    "Group": {"Read", "Delete", "AlterConfigs"},
    "Cluster": {"Create", "Alter", "AlterConfigs", "ClusterAction"},
}
"""What comes to All, one by one, by type: without what these imply (AclEntry.supportedOperations of Kafka 4).

Earlier releases refuse AlterConfigs on a group: there only All counts.
"""


class AclReach(Row):
    """A principal that an ACL names."""

    principal: Annotated[str, Cell("Who; User:* is everybody.", key=True, entity="principal")]
    everything_in: Annotated[list[str], Cell("Types of resources in which it may do everything to every one.")]
    cluster_rights: Annotated[list[str], Cell("What it may do to the cluster, beyond describing it.")]
    reads_all: Annotated[bool, Cell("Whether it may read every topic.")]
    writes_all: Annotated[bool, Cell("Whether it may write to every topic.")]
    void: Annotated[list[str], Cell("Rights that a Deny takes away again altogether; Deny wins.")]
    redundant: Annotated[list[str], Cell("Rights that a broader one of the same principal contains.")]


VIEW = View(
    help="One row per principal that an ACL names.",
    row=AclReach,
    inputs={
        "acl": Input("kafka_acl", columns=_COLUMNS),
    },
    version=3,
)


class _Binding(NamedTuple):
    principal: str
    host: str
    operation: str
    permission: str
    resource_type: str
    resource: str
    pattern: str

    def __str__(self) -> str:
        name = f"{self.resource}*" if self.pattern == "Prefixed" else self.resource
        where = "" if self.host == "*" else f" from {self.host}"
        return f"{self.operation} on {self.resource_type} {name}{where}"

    def covers(self, other: "_Binding") -> bool:
        """Whether whatever the other is about, this is about, too: who, from where, what, to which resource."""
        return (
            self.principal in (other.principal, _EVERYBODY)
            and self.host in (other.host, "*")
            and self.operation in (other.operation, "All")
            and self.resource_type == other.resource_type
            and covers_names(self.resource, self.pattern, other.resource, other.pattern)
        )

    @property
    def of_all(self) -> bool:
        """Whether it is about every resource of its type."""
        return self.resource == "*" and self.pattern == "Literal"


def compute(*, acl: Fact) -> Observed:
    """Work it out from kafka_acl."""
    bindings = [_Binding(**row) for row in acl.rows(*_COLUMNS)]
    mine: dict[str, list[_Binding]] = defaultdict(list)
    for binding in bindings:
        if binding.permission == "Allow":
            mine[binding.principal].append(binding)
        else:
            mine.setdefault(binding.principal, [])
    denials = [binding for binding in bindings if binding.permission == "Deny"]
    return Observed(rows=[_row(principal, allowed, denials) for principal, allowed in sorted(mine.items())])


def _row(principal: str, allowed: list[_Binding], denials: list[_Binding]) -> AclReach:
    void = [binding for binding in allowed if any(denial.covers(binding) for denial in denials)]
    left = [binding for binding in allowed if binding not in void]
    cluster = {binding.operation for binding in left if binding.resource_type == "Cluster"} - _HARMLESS
    return AclReach(
        principal=principal,
        everything_in=_everything_in(left, denials),
        cluster_rights=sorted(cluster),
        reads_all=_may("Read", left),
        writes_all=_may("Write", left),
        void=sorted(map(str, void)),
        redundant=sorted(
            {
                str(narrow)
                for broad, narrow in permutations(left, 2)
                if broad.covers(narrow) and not _same(broad, narrow)
            }
        ),
    )


def _everything_in(left: list[_Binding], denials: list[_Binding]) -> list[str]:
    """The types of which all is allowed, in one word or operation by operation, from one address or from any."""
    may: dict[tuple[str, str], set[str]] = defaultdict(set)
    whole = [binding for binding in left if _is_whole(binding)]
    for host in {binding.host for binding in whole}:
        there = (binding._replace(host=host) for binding in whole if binding.host in (host, "*"))
        for binding in there:
            if not any(denial.covers(binding) for denial in denials):
                may[binding.resource_type, host].add(binding.operation)
    return sorted({kind for (kind, _), does in may.items() if "All" in does or does >= _ALL_TOLD.get(kind, {"All"})})


def _is_whole(one: _Binding) -> bool:
    return one.of_all or one.resource_type == "Cluster"  # there is only one cluster


def _may(operation: str, left: list[_Binding]) -> bool:
    return any(
        binding.of_all and binding.resource_type == "Topic" and binding.operation in (operation, "All")
        for binding in left
    )


def _same(one: _Binding, other: _Binding) -> bool:
    return one[1:] == other[1:]
