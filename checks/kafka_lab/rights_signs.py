"""What shows who may do what, by the word of the brokers: their ACLs, users and quotas, and what authorizers log."""

import re
from typing import Any, Final

from kafka_lab.admin import kafka_python
from kafka_lab.brokers import run_tool
from kafka_lab.rights import Right
from kafka_lab.state import LabState

_AUTHORIZER: Final = re.compile(r"set super\.users=(.*), default result=([A-Z]+)")


def all_acls(lab: LabState) -> list[Any]:
    """Every ACL, as kafka-python tells it.

    Raises:
        LabError: the cluster did not answer.
    """
    from kafka.admin import (
        ACLFilter,
        ACLOperation,
        ACLPermissionType,
        ACLResourcePatternType,
        ResourcePatternFilter,
        ResourceType,
    )

    anything = ResourcePatternFilter(ResourceType.ANY, None, ACLResourcePatternType.ANY)
    with kafka_python(lab) as admin:
        acls, _ = admin.describe_acls(ACLFilter(None, None, ACLOperation.ANY, ACLPermissionType.ANY, anything))
    return list(acls)


def allowed(lab: LabState) -> set[Right]:
    """What is allowed from any host, by ACLs that name a resource or all of a kind.

    Raises:
        LabError: the cluster did not answer.
    """
    return {
        Right(
            acl.principal.removeprefix("User:"),
            acl.resource_pattern.resource_type.name.lower(),
            acl.resource_pattern.resource_name,
            acl.operation.name.lower(),
        )
        for acl in all_acls(lab)
        if acl.permission_type.name == "ALLOW" and acl.resource_pattern.pattern_type.name == "LITERAL"
    }


def rounds(lab: LabState) -> dict[str, int]:
    """How many times each user's SCRAM password is hashed; the least, if there are several.

    Raises:
        LabError: the cluster did not answer.
    """
    with kafka_python(lab) as admin:
        described = admin.describe_user_scram_credentials()
    return {
        user: min(credential["iterations"] for credential in said["credential_infos"])
        for user, said in described.items()
    }


def default_quotas(lab: LabState) -> dict[str, float]:
    """The limits of every user that has none of its own; Kafka's own tool tells them, as no client library here can.

    Raises:
        LabError: the cluster did not answer.
    """
    whose = ["--bootstrap-server", lab.bootstrap, "--describe", "--entity-type", "users", "--entity-default"]
    said = run_tool(lab, "kafka.admin.ConfigCommand", whose)
    return {name: float(value) for name, value in re.findall(r"([a-z_]+)=([0-9.E]+)", said)}


def authorizer_of(lab: LabState, number: int) -> tuple[set[str], str]:
    """Whom a broker's authorizer puts above all ACLs, and what it says where there is none: DENIED or ALLOWED.

    It logs so when it starts; Kafka tells it by no request.
    """
    found = _AUTHORIZER.findall(lab.log_of(lab.broker(number)).read_text("utf-8", errors="replace"))
    supers, otherwise = found[-1] if found else ("", "")
    return set(supers.split(",")), otherwise
