"""Who may do what in a lab with logins: users, ACLs and quotas, set by the lab's own commands."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from kafka_lab.admin import kafka_python
from kafka_lab.brokers import run_tool
from kafka_lab.errors import LabError
from kafka_lab.state import LabState

ITERATIONS: Final = 16384
"""Of a SCRAM credential: the most that Kafka takes (ScramMechanism.SCRAM_SHA_512.maxIterations)."""

_CONFIGS: Final = "describe_configs"


class Right(NamedTuple):
    """What is allowed to a user, from any host: ("runbook", "topic", "*", "describe")."""

    user: str
    kind: str
    name: str
    operation: str


def documented(user: str) -> list[Right]:
    """What docs/how-to/least-privilege.md gives the user of this tool; a test holds the two together."""
    asked = [("topic", "*"), ("cluster", "kafka-cluster")]
    rights = [Right(user, kind, name, operation) for kind, name in asked for operation in ("describe", _CONFIGS)]
    return [*rights, *(Right(user, kind, "*", "describe") for kind in ("group", "transactional_id"))]


def of_application(user: str) -> list[Right]:
    """What an application needs that reads one topic in one group."""
    topic = [Right(user, "topic", "orders", operation) for operation in ("describe", "read")]
    return [*topic, Right(user, "group", "billing", "read")]


def add_user(lab: LabState, user: str, password: str, iterations: int = ITERATIONS) -> None:
    """Give a user a SCRAM-SHA-512 password, or another one.

    No user is ever removed: a broker of Kafka 4.3 that reads of a removal as it starts may forget all users.
    Its ScramDelta drops a mechanism once a removal leaves that no users, and goes on adding users to what it dropped.

    Raises:
        LabError: the cluster refused.
    """
    from kafka.admin import UserScramCredentialUpsertion

    _alter_user(lab, UserScramCredentialUpsertion(user, "SCRAM-SHA-512", password, iterations))


def has_user(lab: LabState, user: str) -> bool:
    """Whether a user has a SCRAM password.

    Raises:
        LabError: the cluster refused.
    """
    with kafka_python(lab) as admin:
        return user in admin.describe_user_scram_credentials()


def allow(lab: LabState, rights: Iterable[Right]) -> None:
    """Set ACLs.

    Raises:
        LabError: the cluster refused.
    """
    from kafka.admin import ACL

    with kafka_python(lab) as admin:
        answer = admin.create_acls([ACL(*_parts(right)) for right in rights])
    if answer["failed"]:
        raise LabError(f"The cluster did not set rights as asked: {answer['failed'][0]}")


def disallow(lab: LabState, rights: Iterable[Right]) -> None:
    """Take ACLs back; those that are not there are no error.

    Raises:
        LabError: the cluster refused.
    """
    from kafka.admin import ACLFilter

    with kafka_python(lab) as admin:
        admin.delete_acls([ACLFilter(*_parts(right)) for right in rights])


def allowed(lab: LabState, right: Right) -> bool:
    """Whether there is an ACL that says exactly this.

    Raises:
        LabError: the cluster refused.
    """
    from kafka.admin import ACLFilter

    with kafka_python(lab) as admin:
        found, _ = admin.describe_acls(ACLFilter(*_parts(right)))
    return bool(found)


def set_default_quotas(lab: LabState, limits: dict[str, int]) -> None:
    """Limit every user that has no limits of its own; Kafka's own tool does it, as no client library here can.

    Raises:
        LabError: the cluster refused.
    """
    _quotas(lab, "--add-config", ",".join(f"{name}={value}" for name, value in limits.items()))


def remove_default_quotas(lab: LabState, limits: Iterable[str]) -> None:
    """Take these limits of every user away.

    Raises:
        LabError: the cluster refused.
    """
    _quotas(lab, "--delete-config", ",".join(limits))


def limit_client(lab: LabState, client: str, limits: Mapping[str, int | None]) -> None:
    """Give a client id limits of its own, and take those away that are None.

    Raises:
        LabError: the cluster refused.
    """
    for name, value in limits.items():
        option = ("--delete-config", name) if value is None else ("--add-config", f"{name}={value}")
        _quotas(lab, *option, whose=("clients", "--entity-name", client))


def _quotas(lab: LabState, option: str, value: str, whose: Sequence[str] = ("users", "--entity-default")) -> None:
    alter = ["--bootstrap-server", lab.bootstrap, "--alter", "--entity-type", *whose]
    run_tool(lab, "kafka.admin.ConfigCommand", [*alter, option, value])


def _alter_user(lab: LabState, change: Any) -> None:
    with kafka_python(lab) as admin:
        answers = admin.alter_user_scram_credentials([change])
    for user, refused in answers.items():
        if refused:
            raise LabError(f"The cluster did not change the password of {user} as asked: {refused}")


def _parts(right: Right) -> tuple[Any, ...]:
    from kafka.admin import ACLOperation, ACLPermissionType, ResourcePattern, ResourceType

    return (
        f"User:{right.user}",
        "*",
        ACLOperation[right.operation.upper()],
        ACLPermissionType.ALLOW,
        ResourcePattern(ResourceType[right.kind.upper()], right.name),
    )
