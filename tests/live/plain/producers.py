"""What producers.md says of producers that are as they should be, and of others, each wrong in one way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kafka_lab import LabState
from support import producers_told as told
from support.evidence.expected import Expected
from support.evidence.scene import State, scene

_NOT_HERE: Final = frozenset({"only-expendable-records-are-sent-with-acks-0"})
_SPLIT: Final = "no-key-is-in-several-partitions"
"""The scene was kept before there was this check, so with an inventory that names no topics for it."""
_UNTOLD: Final = {"producers-rebootstrap": ("unknown",)}  # its library is told to other checks
_RIGHT: Final = Expected(
    passes=frozenset(
        {
            "acks-all-means-two-brokers",
            "acks-is-all-by-default",
            "batches-fit-their-topics",
            "delivery-outlasts-a-failover",
            "keys-are-where-their-hash-puts-them",
            "no-transaction-hangs",
            "one-key-has-one-partition",
            "producer-settings-are-as-declared",
            "producers-compress",
            "producers-of-durable-topics-use-acks-all",
            "producers-use-the-codec-of-their-topic",
            "records-fit-their-topics",
            "requests-outlast-a-stalled-follower",
            "retries-end-by-time",
            "retries-neither-repeat-nor-reorder",
            "the-buffer-bears-an-outage",
            "the-buffer-holds-the-largest-record",
            "transaction-timeouts-are-taken",
            "transactional-ids-belong-to-one-client",
            "transactions-are-of-version-2",
            "transactions-end-within-their-timeout",
            "written-partitions-have-idempotent-producers",
        }
    ),
    inapplicable=_NOT_HERE,
    undetermined={_SPLIT: ("pass", "not_applicable"), **_UNTOLD},
)
_WRONG: Final = Expected(
    fails={
        "acks-all-means-two-brokers": told.THIN,
        "acks-is-all-by-default": "acks=1 by default of java 2.8",
        "batches-fit-their-topics": "batch.size 2097152",
        "delivery-outlasts-a-failover": "delivery.timeout.ms 15000",
        "keys-are-where-their-hash-puts-them": told.MISPLACED,
        "no-transaction-hangs": told.HANGING,
        "one-key-has-one-partition": "crc32",
        "producer-settings-are-as-declared": "77 was declared",
        "producers-compress": "compression.type=none",
        "producers-of-durable-topics-use-acks-all": "acks=1",
        "producers-use-the-codec-of-their-topic": ("lz4", "zstd"),
        "records-fit-their-topics": "max.request.size 5242880",
        "requests-outlast-a-stalled-follower": "request.timeout.ms 10000",
        "retries-end-by-time": "retries=3",
        "retries-neither-repeat-nor-reorder": "the default of its library",
        "the-buffer-bears-an-outage": "a buffer of 1000000 bytes",
        "the-buffer-holds-the-largest-record": "max.request.size 5242880",
        "transaction-timeouts-are-taken": "1800000",
        "transactional-ids-belong-to-one-client": "transactional.id=writer",
        "transactions-are-of-version-2": "transaction.version is 1",
        "written-partitions-have-idempotent-producers": told.PLAIN,
    },
    only={
        "acks-all-means-two-brokers": {"topic": {told.THIN}},
        "acks-is-all-by-default": {"client": {"old"}},
        "delivery-outlasts-a-failover": {"client": {"impatient"}},
        "no-transaction-hangs": {"topic": {told.HANGING}},
        "producers-compress": {"client": {"old"}},
        "retries-end-by-time": {"client": {"counted"}},
        "retries-neither-repeat-nor-reorder": {"client": {"hasty", "old"}},
        "transaction-timeouts-are-taken": {"client": {"slow"}},
        "transactional-ids-belong-to-one-client": {"client": {"slow", "twin"}},
        "written-partitions-have-idempotent-producers": {"topic": {told.PLAIN}},
    },
    passes=frozenset({"transactions-end-within-their-timeout"}),
    inapplicable=_NOT_HERE,
    undetermined={_SPLIT: ("fail", "not_applicable"), **_UNTOLD},
)


@scene({"right": {"producers": _RIGHT}, "wrong": {"producers": _WRONG}})
def producers_of_every_kind(lab: LabState, folder: Path) -> Iterator[State]:
    """Producers as their owners declared them; then others, and a transaction that no coordinator knows."""
    with told.all_right(lab):
        inventory = told.inventory(lab, folder / "right-producers", told.RIGHT, told.PARAMS_RIGHT, ["ledger-entries"])
        yield State("right", inventory, lambda: told.claims_right(lab))
    with told.all_wrong(lab):
        inventory = told.inventory(lab, folder / "wrong-producers", told.WRONG, told.PARAMS_WRONG, [told.MISPLACED])
        yield State("wrong", inventory, lambda: told.claims_wrong(lab))
