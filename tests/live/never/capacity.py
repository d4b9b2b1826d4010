"""Which checks of capacity.md no kept state shows to pass, or to fail, and where they were seen instead."""

from typing import Final

_HAND: Final = "seen by hand on Kafka 4.3, tests/records/draws/seen-by-hand.md"
_LOWERED: Final = "seen by hand, with a lowered or raised parameter, tests/records/draws/seen-by-hand.md"
_OLD: Final = "seen by hand on Kafka 3.9, to fail with a lowered parameter, tests/records/draws/seen-by-hand.md"
NEVER_PASS: Final = {
    "a-lost-broker-fits-on-the-others": _HAND,
    "a-lost-brokers-traffic-fits-on-the-others": _HAND,
    "a-lost-rack-fits-on-the-others": _HAND,
    "an-empty-broker-refills-in-hours": _HAND,
    "brokers-hold-a-bearable-number-of-replicas": _HAND,
    "disks-keep-the-planned-reserve": _LOWERED,
    "low-latency-brokers-hold-hundreds-of-replicas": _HAND,
    "no-disk-fills-at-the-measured-rate": _LOWERED,
    "no-disk-fills-within-days": _HAND,
    "no-log-directory-is-cordoned": _HAND,
    "old-records-can-be-read": "nobody reads old records of the lab while its remote store is there; stored facts do",
    "retention-fits-on-the-disks": _HAND,
    "the-network-bears-the-traffic": _HAND,
    "topics-carry-what-was-planned": _HAND,
    "zookeeper-mode-holds-few-enough-partitions": _OLD,
}
NEVER_FAIL: Final = {
    "a-lost-broker-fits-on-the-others": _LOWERED,
    "a-lost-brokers-traffic-fits-on-the-others": _HAND,
    "a-lost-rack-fits-on-the-others": _LOWERED,
    "an-empty-broker-refills-in-hours": _LOWERED,
    "brokers-hold-a-bearable-number-of-replicas": _LOWERED,
    "disks-keep-the-planned-reserve": _HAND,
    "low-latency-brokers-hold-hundreds-of-replicas": _HAND,
    "no-disk-fills-at-the-measured-rate": _LOWERED,
    "no-disk-fills-within-days": _HAND,
    "no-log-directory-is-cordoned": _HAND,
    "retention-fits-on-the-disks": _HAND,
    "the-network-bears-the-traffic": _HAND,
    "the-remote-store-shrinks-with-retention": _HAND,
    "tiered-uploads-keep-up": _LOWERED,
    "topics-carry-what-was-planned": _HAND,
    "zookeeper-mode-holds-few-enough-partitions": _OLD,
}
