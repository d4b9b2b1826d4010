"""What the probes of MirrorMaker's internal topics have in common: both read compacted logs of positions."""

from typing import Final

from runbook.model.parameter import Parameter

REQUESTS: Final = ("ApiVersions", "DescribeAcls", "DescribeCluster", "Fetch", "ListOffsets", "Metadata")
MOST: Final = 1 << 22
"""Bytes that are read in all, unless said otherwise. Our judgement: tens of thousands of positions."""


def parameters(pattern: str) -> dict[str, Parameter]:
    """Which internal topics are read, and how much of them."""
    return {
        "topics": Parameter(type="list[string]", default=[pattern], help="shell patterns of the internal topics"),
        "bytes": Parameter(
            type="int", default=MOST, min=1 << 10, max=1 << 26, help="bytes in all; a log that is longer is a gap"
        ),
    }
