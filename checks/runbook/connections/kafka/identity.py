"""Who answers at an address: of which cluster, and as which broker.

An address proves nothing: it may lead to another cluster or, where a broker advertises what is not its own, to another
broker. A greeting (ApiVersions) tells neither. Metadata tells the cluster; and a broker that is asked for its own
settings by a number which is not its own refuses, naming both (Kafka's `ConfigHelper.describeConfigs`).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from runbook.answers.kafka.errors import AnotherBroker, AnotherCluster, SharedAddress
from runbook.formats.addresses import host_port
from runbook.model.errors import CannotLook, Misconfigured

_LEAST: Final = 0.15  # seconds
_MOST: Final = 0.5
_AS_LONG: Final = 3.0

_BROKER_RESOURCE: Final = 4
INVALID_REQUEST: Final = 42
"""The code of the error by which a broker refuses to tell settings of another."""
_ANOTHER: Final = re.compile(r"expected (\d+)\b.*received")


def together(first: float) -> float:
    """Seconds that the other bootstrap servers have once the first has told its cluster after so many: our judgement.

    Who is later is not used at all, so that a dead one costs no more.
    """
    return min(_MOST, max(_LEAST, _AS_LONG * first))


def strangers(servers: Iterable[str], brokers: Iterable[Any]) -> list[str]:
    """Those bootstrap servers at whose address none of these brokers is, which are all that a cluster told.

    They may lead to another cluster, which must not go unseen because they are slow. So each of them has, from the
    start, the half of what one request may take (our judgement) before it is left alone.
    """
    known = {host_port(broker.host, broker.port) for broker in brokers}
    return [server for server in servers if server not in known]


def metadata_request(topics: Iterable[str] = ()) -> Any:
    """Ask for the cluster's id, its brokers, and these topics."""
    from kafka.protocol.metadata import MetadataRequest as Request

    named = [Request.MetadataRequestTopic(name=topic) for topic in topics]
    return Request(topics=named, allow_auto_topic_creation=False)


def own_settings_request(broker: int) -> Any:
    """Ask a broker for settings that only the broker of this number gives: its number, and nothing else."""
    from kafka.protocol.admin import DescribeConfigsRequest

    keys = ["node.id", "broker.id"]
    return DescribeConfigsRequest(
        resources=[(_BROKER_RESOURCE, str(broker), keys)], include_synonyms=False, include_documentation=False
    )


def refuse_another_cluster(answer: Any, cluster: str | None, label: str) -> None:
    """Make sure that an answer to Metadata comes from the cluster of this id; where either is not told, nothing is.

    Raises:
        AnotherCluster: it comes from another one.
    """
    found = getattr(answer, "cluster_id", None)
    if cluster and found and found != cluster:
        raise AnotherCluster(f"{label} can't be reached: at its address another cluster answers, whose id is {found}")


def refuse_another_broker(answer: Any, label: str) -> bool:
    """Make sure that the broker which was asked for its own settings is the one that answered.

    Returns:
        Whether that is proved: it is not where we may not read settings.

    Raises:
        AnotherBroker: another broker answered.
    """
    [result] = answer.results
    if result.error_code == INVALID_REQUEST and (other := another_broker(result.error_message, label)):
        raise other
    return not result.error_code


def another_broker(message: str | None, label: str) -> AnotherBroker | None:
    """What a refusal as an invalid request tells of a broker: that another one refused it, which names itself."""
    named = _ANOTHER.search(message or "")
    return AnotherBroker(f"{label} can't be reached: at its address broker {named[1]} answers") if named else None


def refuse_shared_address(label: str, others: list[int]) -> None:
    """Refuse an address that several brokers advertise, where nobody tells whose it is.

    Raises:
        SharedAddress: there are such brokers.
    """
    if others:
        named = " and ".join(f"broker {number}" for number in sorted(others))
        raise SharedAddress(f"{label} can't be distinguished from {named}, which advertises the same address")


def refuse_several_clusters(answers: Mapping[str, Any]) -> None:
    """Make sure that all bootstrap servers are of one cluster.

    Args:
        answers: address -> its answer to Metadata.

    Raises:
        Misconfigured: they are of several.
    """
    clusters: dict[str, list[str]] = {}
    for address, answer in answers.items():
        if found := getattr(answer, "cluster_id", None):
            clusters.setdefault(found, []).append(address)
    if len(clusters) > 1:
        raise several_clusters(clusters)


def several_clusters(clusters: Mapping[str, list[str]]) -> CannotLook:
    """Say that the bootstrap list leads to several clusters: id -> the addresses that lead there."""
    named = "; ".join(
        f"{', '.join(sorted(servers))} to {cluster}"
        for cluster, servers in sorted(clusters.items(), key=lambda one: sorted(one[1]))
    )
    return Misconfigured(
        f"bootstrap.servers leads to {len(clusters)} clusters ({named}): nothing is asked of either, as answers could "
        "not be distinguished. Name the servers of one cluster only"
    )
