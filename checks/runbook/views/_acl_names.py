"""Which names an ACL is about, beside those of another one, and whether ACLs together say what another one says."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

IMPLIED_BY = {"Describe": {"Read", "Write", "Delete", "Alter"}, "DescribeConfigs": {"AlterConfigs"}}
"""Operation → those whose Allow allows it, too (org.apache.kafka.common.acl.AclOperation)."""


def covers_names(resource: str, pattern: str, other_resource: str, other_pattern: str) -> bool:
    """Whether the names that the other ACL is about are all names of the first one, by their resources and patterns."""
    if pattern == "Prefixed":
        return other_resource.startswith(resource) and not (other_resource == "*" and resource)
    return resource == "*" or (resource == other_resource and other_pattern == "Literal")


class Broader:
    """ACLs, and whether one of them says as much as another ACL, or more: for all, from anywhere, of more names."""

    def __init__(self, acls: Iterable[Mapping[str, Any]]) -> None:
        """Know rows of kafka_acl."""
        self._of: dict[tuple[str, str, str], list[Mapping[str, Any]]] = defaultdict(list)
        for acl in acls:
            self._of[acl["principal"], acl["permission"], acl["resource_type"]].append(acl)

    def have(self, acl: Mapping[str, Any]) -> bool:
        """Whether one says the same, or more."""
        does = acl["operation"]
        enough = {"All", does} | (IMPLIED_BY.get(does, set()) if acl["permission"] == "Allow" else set())
        return any(
            one["operation"] in enough
            and one["host"] in (acl["host"], "*")
            and covers_names(one["resource"], one["pattern"], acl["resource"], acl["pattern"])
            for who in {acl["principal"], "User:*"}
            for one in self._of.get((who, acl["permission"], acl["resource_type"]), ())
        )
