"""Which checks of throughput-latency.md no kept state shows to pass, or to fail, and where they were seen instead."""

from typing import Final

_HAND: Final = "seen by hand on Kafka 4.3, tests/records/draws/seen-by-hand.md"
_OLD: Final = (
    "seen by hand on Kafka 3.9, tests/records/draws/seen-by-hand.md; on combined nodes of 4.3 the controller's idle "
    "handlers hide it"
)
_SIGNED: Final = "a sign-off that is missing or has expired leaves it unknown: it can't fail"
_CAUGHT_UP: Final = (
    "a follower that was 4 million records behind by hand shrank its lag quickly enough; "
    "recommended-fetcher-counts-are-in-force showed that lag"
)
NEVER_PASS: Final = {
    "applications-leave-time-for-poll": _HAND,
    "batches-leave-producers-quickly": _HAND,
    "broker-threads-are-as-declared": _HAND,
    "busy-handlers-use-all-cores": _HAND,
    "consumer-fetches-read-quickly": _HAND,
    "end-to-end-latency-was-measured": _HAND,
    "fetches-fit-into-the-heap": _HAND,
    "fetches-stay-below-their-limit": _HAND,
    "followers-acknowledge-quickly": _HAND,
    "io-threads-of-producers-are-not-blocked": _HAND,
    "latency-consumers-do-not-wait": _HAND,
    "latency-producers-do-not-linger": _HAND,
    "latency-producers-keep-small-batches": _HAND,
    "leaders-append-quickly": _HAND,
    "more-fetchers-where-followers-lag": _HAND,
    "no-client-is-throttled-for-long": _HAND,
    "no-producer-is-throttled": _HAND,
    "producers-do-not-wait-for-memory": _HAND,
    "producers-get-quick-answers": _HAND,
    "producers-have-memory-for-every-partition": _HAND,
    "producers-keep-the-default-memory": _HAND,
    "producers-seldom-retry": _HAND,
    "recommended-consumer-settings-are-in-force": _HAND,
    "recommended-fetcher-counts-are-in-force": _HAND,
    "recommended-partition-counts-are-in-force": _HAND,
    "recommended-producer-settings-are-in-force": _HAND,
    "records-are-small": _HAND,
    "requests-wait-briefly-for-handlers": _HAND,
    "responses-leave-quickly": _HAND,
    "the-cluster-carries-what-was-wanted": _HAND,
    "throughput-consumers-fetch-steadily": _HAND,
    "throughput-consumers-wait-for-data": _HAND,
    "throughput-producers-fill-batches": _HAND,
    "throughput-producers-wait-for-batches": _HAND,
}
NEVER_FAIL: Final = NEVER_PASS | {
    "busy-handlers-use-all-cores": _OLD,
    "end-to-end-latency-was-measured": _SIGNED,
    "more-fetchers-where-followers-lag": _CAUGHT_UP,
}
