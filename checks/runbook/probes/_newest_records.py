"""Some of the newest records of topics, for probes that look at records: which may be read, how many, and what not."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from runbook.answers.kafka import ReadLimits, ReadRecord
from runbook.model.fact import Gap, distinct
from runbook.model.parameter import Parameter

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka

REQUESTS: Final = ("ApiVersions", "DescribeAcls", "DescribeCluster", "Fetch", "ListOffsets", "Metadata")
RIGHTS: Final = (
    "Describe on all topics",
    "Read on the topics under may_read, for records of them",
    "Describe on the cluster, to see that no ACL hides topics",
)
TOPICS: Final = Parameter(
    type="list[string]", default=[], help="shell patterns of topics; without, all that may be read"
)
LIMITS: Final[Mapping[str, Parameter]] = {
    "records": Parameter(type="int", default=10, min=1, max=1000, help="records of a partition, at most"),
    "partitions": Parameter(type="int", default=50, min=1, max=1000, help="partitions in all, at most"),
    "bytes": Parameter(
        type="int", default=1 << 20, min=1 << 10, max=1 << 24, help="bytes in all, as stored; batches come whole"
    ),
}


def newest_records(
    kafka: "Kafka", topics: Sequence[str] | None, limits: ReadLimits
) -> tuple[Sequence[ReadRecord], list[Gap]]:
    """Read some of the newest records of each partition; topics that may not be read are gaps.

    Args:
        kafka: the connection, which reads what the environment's `may_read` allows.
        topics: shell patterns; none: all that may be read.
        limits: how much is read.
    """
    names = [
        name
        for name in kafka.topics()
        if (any(fnmatchcase(name, pattern) for pattern in topics) if topics else name in kafka.allowance)
    ]
    found, gaps = kafka.records(names, limits)
    if not topics and not names:
        gaps = [Gap("no records may be read: may_read: [PATTERN OF TOPICS] in the inventory allows it"), *gaps]
    return found, distinct([*kafka.topics_gaps(), *gaps])
