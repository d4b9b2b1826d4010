"""What topics.md says of topics that are as they should be, and of topics each of which is wrong in one way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kafka_lab import LabState
from support import topics_told
from support.evidence.expected import Expected
from support.evidence.scene import State, scene

_NOT_HERE: Final = {"tiered-topics-keep-less-locally"}
_RIGHT: Final = Expected(
    passes=frozenset(
        {
            "brokers-keep-what-was-decided",
            "changelogs-are-compacted",
            "compacted-topics-can-be-cleaned",
            "durability-is-designed",
            "durable-topics-say-their-minimum",
            "followers-fetch-the-largest-batch",
            "kafkas-own-topics-are-compacted",
            "keys-are-declared",
            "names-follow-the-policy",
            "no-dynamic-retention-hides-the-file",
            "no-record-is-from-long-ago",
            "no-record-is-from-the-future",
            "ordered-records-have-keys",
            "ordered-topics-have-one-partition",
            "overrides-are-declared",
            "partitions-are-of-a-bearable-size",
            "partitions-share-the-bytes",
            "producers-send-what-some-topic-takes",
            "records-go-when-their-time-is-over",
            "requests-hold-the-largest-batch",
            "segments-are-not-tiny",
            "segments-close-within-the-retention",
            "single-partitions-are-meant",
            "size-bounds-hold-several-segments",
            "tombstones-outlive-the-slowest-reader",
            "topics-are-as-declared",
            "topics-are-made-on-purpose",
            "topics-are-used",
            "topics-have-a-bound",
            "topics-have-an-owner",
            "topics-keep-by-a-class",
            "topics-keep-the-codec-of-producers",
            "topics-refuse-records-from-the-future",
            "what-must-be-forgotten-is",
        }
    ),
    inapplicable=frozenset(_NOT_HERE),
)
_WRONG: Final = Expected(
    fails={
        "brokers-keep-what-was-decided": "keeps 691200000 ms",
        "changelogs-are-compacted": "misfit-changelog",
        "compacted-topics-can-be-cleaned": "hoarder",
        "durability-is-designed": ("orders", "retention.ms=691200000 (declared 1)", "lonely"),
        "durable-topics-say-their-minimum": "clicks",
        "followers-fetch-the-largest-batch": "enormous",
        "kafkas-own-topics-are-compacted": "__consumer_offsets",
        "keys-are-declared": ("clicks", "payments"),
        "names-follow-the-policy": "Shouted",
        "no-dynamic-retention-hides-the-file": (
            "log.retention.ms=691200000 (DYNAMIC_DEFAULT_BROKER_CONFIG)",
            "it is longer: deleting it deletes records",
        ),
        "no-record-is-from-long-ago": "ancient",
        "no-record-is-from-the-future": ("ahead", "overdue"),
        "ordered-records-have-keys": "keyless",
        "ordered-topics-have-one-partition": "orders",
        "overrides-are-declared": "flicker",
        "partitions-are-of-a-bearable-size": "lopsided",
        "partitions-share-the-bytes": "lopsided",
        "producers-send-what-some-topic-takes": "scanner",
        "records-go-when-their-time-is-over": "overdue",
        "requests-hold-the-largest-batch": "enormous",
        "segments-are-not-tiny": "flicker",
        "segments-close-within-the-retention": "lazy",
        "single-partitions-are-meant": "lonely",
        "size-bounds-hold-several-segments": "tight",
        "tombstones-outlive-the-slowest-reader": "late-view",
        "topics-are-as-declared": ("orders", "retention.ms=691200000 (declared 1)"),
        "topics-are-used": "resting",
        "topics-have-a-bound": "forever",
        "topics-have-an-owner": ("lonely", "nowhere"),
        "topics-keep-by-a-class": ("forever", "tight"),
        "topics-keep-the-codec-of-producers": "packed",
        "topics-refuse-records-from-the-future": "timeless",
        "what-must-be-forgotten-is": "hoarder",
    },
    only={
        "changelogs-are-compacted": {"name": frozenset({"misfit-changelog"})},
        "compacted-topics-can-be-cleaned": {"topic": frozenset({"hoarder"})},
        "followers-fetch-the-largest-batch": {"topic": frozenset({"enormous"})},
        "names-follow-the-policy": {"name": frozenset({"Shouted"})},
        "no-record-is-from-long-ago": {"topic": frozenset({"ancient"})},
        "no-record-is-from-the-future": {"topic": frozenset({"ahead", "overdue"})},
        "partitions-share-the-bytes": {"topic": frozenset({"lopsided"})},
        "records-go-when-their-time-is-over": {"topic": frozenset({"overdue"})},
        "segments-are-not-tiny": {"topic": frozenset({"flicker"})},
        "segments-close-within-the-retention": {"topic": frozenset({"lazy"})},
        "single-partitions-are-meant": {"name": frozenset({"lonely"})},
        "size-bounds-hold-several-segments": {"name": frozenset({"tight"})},
        "topics-have-a-bound": {"name": frozenset({"forever"})},
        "topics-keep-the-codec-of-producers": {"name": frozenset({"packed"})},
        "topics-refuse-records-from-the-future": {"topic": frozenset({"timeless"})},
    },
    passes=frozenset({"topics-are-made-on-purpose"}),
    inapplicable=frozenset(_NOT_HERE),
)


@scene({"right": {"topics": _RIGHT}, "wrong": {"topics": _WRONG}})
def topics_of_every_kind(lab: LabState, folder: Path) -> Iterator[State]:
    """Topics as their owners declared them; then others, which nobody thought of."""
    with topics_told.all_right(lab):
        inventory = topics_told.inventory(lab, folder, 1_048_576, ["ledger"], topics_told.PARAMS_RIGHT)
        yield State("right", inventory, lambda: topics_told.claims_right(lab))
    with topics_told.all_wrong(lab):
        inventory = topics_told.inventory(lab, folder, 300_000_000, ["keyless"], topics_told.PARAMS_WRONG)
        yield State("wrong", inventory, lambda: topics_told.claims_wrong(lab))
