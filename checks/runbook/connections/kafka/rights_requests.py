"""Requests about who may do what, made through kafka-python: ACLs, SCRAM users and quotas; and what answers mean."""

from typing import Any, Final

from runbook.answers.kafka import Acl, Quota, ScramCredential
from runbook.connections.kafka.cluster_requests import check
from runbook.connections.kafka.errors import from_code
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import Garbled
from runbook.model.fact import Gap

_NO_AUTHORIZER: Final = 54  # SECURITY_DISABLED (org.apache.kafka.common.protocol.Errors)
_NO_SUCH_USER: Final = 91  # RESOURCE_NOT_FOUND: the user went away between two looks
_ANY: Final = 1
_DESCRIBE_CONFIGS: Final = "DescribeConfigs on the cluster"

# The codes of org.apache.kafka.common.acl and .resource, and of ScramMechanism, as clients 4.3 have them.
_OPERATIONS: Final = {
    2: "All",
    3: "Read",
    4: "Write",
    5: "Create",
    6: "Delete",
    7: "Alter",
    8: "Describe",
    9: "ClusterAction",
    10: "DescribeConfigs",
    11: "AlterConfigs",
    12: "IdempotentWrite",
    13: "CreateTokens",
    14: "DescribeTokens",
    15: "TwoPhaseCommit",
}
_PERMISSIONS: Final = {2: "Deny", 3: "Allow"}
_RESOURCES: Final = {2: "Topic", 3: "Group", 4: "Cluster", 5: "TransactionalId", 6: "DelegationToken", 7: "User"}
_PATTERNS: Final = {3: "Literal", 4: "Prefixed"}
_MECHANISMS: Final = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}


def describe_acls(client: KafkaPythonClient) -> list[Acl] | None:
    """Return every ACL; None if the cluster has no authorizer, and thus none.

    Raises:
        CannotLook: they can't be told. Without Describe on the cluster Kafka refuses; it leaves nothing out.
    """
    from kafka.protocol.admin import DescribeAclsRequest

    def build() -> Any:
        return DescribeAclsRequest(
            resource_type_filter=_ANY,
            resource_name_filter=None,  # None is any; "", kafka-python's default, is a name that nothing has
            pattern_type_filter=_ANY,
            principal_filter=None,
            host_filter=None,
            operation=_ANY,
            permission_type=_ANY,
        )

    answer = client.ask_any(build)
    if answer.error_code == _NO_AUTHORIZER:
        return None
    check(answer.error_code, "the cluster")
    return [
        Acl(
            principal=acl.principal,
            host=acl.host,
            operation=_word(_OPERATIONS, acl.operation),
            permission=_word(_PERMISSIONS, acl.permission_type),
            resource_type=_word(_RESOURCES, found.resource_type),
            resource=found.resource_name,
            pattern=_word(_PATTERNS, found.pattern_type),
        )
        for found in answer.resources
        for acl in found.acls
    ]


def describe_logins(client: KafkaPythonClient) -> tuple[list[ScramCredential], list[Gap]]:
    """Return the SCRAM credentials of all users, never the hashes, and a gap for each user that is not told."""
    from kafka.protocol.admin import DescribeUserScramCredentialsRequest

    answer = client.ask_any(lambda: DescribeUserScramCredentialsRequest(users=None))
    check(answer.error_code, "the cluster")
    logins, gaps = [], []
    for found in answer.results:
        if found.error_code not in (0, _NO_SUCH_USER):
            gaps.append(Gap.of(from_code(found.error_code, f"user {found.user}"), {"principal": f"User:{found.user}"}))
        logins += [
            ScramCredential(
                user=found.user, mechanism=_word(_MECHANISMS, credential.mechanism), iterations=credential.iterations
            )
            for credential in found.credential_infos
        ]
    return logins, gaps


def describe_quotas(client: KafkaPythonClient) -> list[Quota]:
    """Return every quota of users, client ids and addresses."""
    from kafka.protocol.admin import DescribeClientQuotasRequest

    answer = client.ask_any(lambda: DescribeClientQuotasRequest(components=[], strict=False))
    if answer.error_code:
        raise from_code(answer.error_code, "the cluster", right=_DESCRIBE_CONFIGS)
    return [
        Quota(
            user=parts.get("user"),
            client=parts.get("client-id"),
            ip=parts.get("ip"),
            name=value.key,
            value=value.value,
        )
        for entry in answer.entries or ()
        for parts in [{part.entity_type: part.entity_name or "" for part in entry.entity}]
        for value in entry.values
    ]


def _word(words: dict[int, str], code: int) -> str:
    if code not in words:
        raise Garbled(f"the cluster gave the code {code}, which this tool does not know: a later version may")
    return words[code]
