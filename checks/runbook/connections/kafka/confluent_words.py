"""What confluent-kafka says in words of its own, in Kafka's: enumerations, and why it does not take settings."""

import importlib
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from runbook.answers.kafka import Acl, Broker, Cluster, GroupDescription, GroupMember, Setting, TopicPartition
from runbook.connections._local_files import from_os
from runbook.connections.kafka.errors import plainly
from runbook.model.errors import Misconfigured
from runbook.model.quantity import BrokerId, PartitionNumber

_SOURCES: Final = {
    0: "UNKNOWN_CONFIG",
    1: "DYNAMIC_TOPIC_CONFIG",
    2: "DYNAMIC_BROKER_CONFIG",
    3: "DYNAMIC_DEFAULT_BROKER_CONFIG",
    4: "STATIC_BROKER_CONFIG",
    5: "DEFAULT_CONFIG",
    8: "GROUP_CONFIG",
}
_NO_FILE: Final = frozenset({"ssl.engine.location"})
_ITS_OWN_SEARCH: Final = "probe"  # by which librdkafka looks for the system's authorities itself
_OF_A_FILE: Final = re.compile(r"(ssl\.(?:ca|certificate|key|crl|keystore)\.location)\b.*?: (.*)")
_WRONG: Final[tuple[tuple[str, str, str], ...]] = (
    (r".*", "key values mismatch", "the key in {path} is not that of the certificate in ssl.certificate.location"),
    (r".*keystore.*", "mac verify failure", "{path} does not open with the password in ssl.keystore.password"),
    (r".*keystore.*", "", "{path} holds no key and certificate in PKCS#12"),
    (r".*key.*", "", "{path} holds no private key in PEM, or one that does not open with ssl.key.password"),
    (r".*crl.*", "", "{path} holds no list of revoked certificates in PEM"),
    (r".*", "", "{path} holds no certificate in PEM"),
)
"""Of a setting that names a file, and the words of OpenSSL, what is wrong; the first that fits decides."""


def setting(entry: Any) -> Setting:
    """One setting in force."""
    return Setting(entry.value, _SOURCES.get(entry.source, str(entry.source)), entry.is_sensitive, entry.is_read_only)


def any_acl() -> Any:
    """The filter that every ACL passes."""
    admin: Any = importlib.import_module("confluent_kafka.admin")  # its types leave out names that it documents
    kind, pattern = admin.ResourceType.ANY, admin.ResourcePatternType.ANY
    operation, permission = admin.AclOperation.ANY, admin.AclPermissionType.ANY
    return admin.AclBindingFilter(kind, None, pattern, None, None, operation, permission)


def acl(entry: Any) -> Acl:
    """One ACL."""
    return Acl(
        principal=entry.principal,
        host=entry.host,
        operation=in_kafkas_words(entry.operation),
        permission=in_kafkas_words(entry.permission_type),
        resource_type=in_kafkas_words(entry.restype),
        resource=entry.name,
        pattern=in_kafkas_words(entry.resource_pattern_type),
    )


def cluster(answer: Any) -> Cluster:
    """The brokers that are in service, and our rights."""
    from confluent_kafka.admin import AclOperation  # type: ignore[attr-defined]  # public, yet not re-exported

    rights = answer.authorized_operations
    return Cluster(
        id=answer.cluster_id,
        brokers=tuple(
            Broker(id=node.id, host=node.host, port=node.port, rack=node.rack or "", fenced=False)
            for node in answer.nodes
        ),
        controller=BrokerId(-1 if answer.controller is None else answer.controller.id),
        describes_all=None if rights is None else AclOperation.DESCRIBE in rights,
    )


def description(answer: Any) -> GroupDescription:
    """A group with its members."""
    return GroupDescription(
        state=in_a_word(answer.state),
        type=in_a_word(answer.type),
        coordinator=BrokerId(-1 if answer.coordinator is None else answer.coordinator.id),
        assignor=answer.partition_assignor or "",
        members=tuple(_member(member) for member in answer.members),
    )


def _member(member: Any) -> GroupMember:
    places = member.assignment.topic_partitions if member.assignment else ()
    return GroupMember(
        id=member.member_id,
        client=member.client_id or "",
        host=(member.host or "").removeprefix("/"),
        instance=member.group_instance_id or "",
        assigned=tuple(sorted(TopicPartition(place.topic, PartitionNumber(place.partition)) for place in places)),
    )


def in_a_word(value: Any) -> str:
    """A name in small letters."""
    return str(value.name).lower()


def in_kafkas_words(value: Any) -> str:
    """A name as Kafka writes it: DESCRIBE_CONFIGS is DescribeConfigs."""
    return "".join(part.capitalize() for part in str(value.name).split("_"))


def refuse_missing_files(settings: Mapping[str, Any]) -> None:
    """Look whether the files that settings of TLS name can be read.

    Raises:
        Misconfigured: one can't.
    """
    for name, value in settings.items():
        if not (name.startswith("ssl.") and name.endswith(".location")) or name in _NO_FILE or value == _ITS_OWN_SEARCH:
            continue
        path = Path(str(value))
        try:
            if stat.S_ISREG(path.stat().st_mode):  # opening a pipe could wait for ever
                path.open("rb").close()
        except OSError as error:
            raise Misconfigured(f"{name}: {from_os(error, path, 'kafka')}") from None


def refused_settings(error: Exception, settings: Mapping[str, Any]) -> str:
    """Say why confluent-kafka does not take settings."""
    text = str(error.args[0].str() if error.args and hasattr(error.args[0], "str") else error)
    text = text.removeprefix("Failed to create admin client: ")
    if "No provider for SASL mechanism" in text:
        return (
            f"the librdkafka that is installed has no such SASL mechanism ({text.partition('No provider for ')[2]}): "
            "pip's wheel lacks GSSAPI. Install librdkafka-dev and SASL's module for GSSAPI, then "
            "pip install --no-binary confluent-kafka confluent-kafka; or use a listener with SCRAM or a certificate"
        )
    if of_a_file := _OF_A_FILE.search(text):
        name, words = of_a_file.groups()
        wrong = next(wrong for of, said, wrong in _WRONG if re.fullmatch(of, name) and said in words)
        return f"{name}: {wrong.format(path=settings.get(name, 'its file'))} ({plainly(words)})"
    names = "its property names are those of its CONFIGURATION.md"
    return f"librdkafka does not take these settings: {plainly(text)}; {names}"
