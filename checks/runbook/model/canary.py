"""What the inventory allows a drill's canary and `runbook measure`: all that this tool ever writes."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Topic = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=180, description="a topic's name")]


class Bounds(Struct, frozen=True, forbid_unknown_fields=True):
    """What any canary keeps to. Nothing is written without `runbook drill --allow-canary` either.

    The bounds are our judgement: 200 records of 10,000 bytes a second are less than a cluster notices.

    Attributes:
        topic: how the names of its topics begin; each drill adds a word of its own, and removes them at its end.
        rate: records a second, over all partitions.
        size: bytes of a record.
        acks: what a producer waits for, as in your applications: all, or 1.
        minutes: after which it stops writing, whatever happens.
    """

    topic: Topic = "runbook-canary"
    rate: Annotated[int, Meta(ge=1, le=200)] = 20
    size: Annotated[int, Meta(ge=64, le=10_000)] = 100
    acks: Literal["all", 1] = "all"
    minutes: Annotated[int, Meta(ge=1, le=480)] = 120


class Canary(Bounds, frozen=True, forbid_unknown_fields=True):
    """Consent to a canary on a link, and its bounds.

    Attributes:
        wait: minutes until the first record must have come through the link; MirrorMaker looks for new topics every ten
            minutes unless told otherwise (refresh.topics.interval.seconds).
        source, target: Kafka settings at either end that differ from those of the environment, such as a login with the
            right to write; secrets as references.
    """

    wait: Annotated[int, Meta(ge=1, le=60)] = 12
    source: dict[str, Any] = {}
    target: dict[str, Any] = {}


class CanaryHere(Bounds, frozen=True, forbid_unknown_fields=True):
    """Consent to a canary in a drill of one environment, and its bounds.

    Attributes:
        kafka: Kafka settings that differ from those of the environment, such as a login with the right to write;
            secrets as references.
    """

    kafka: dict[str, Any] = {}


class Load(Struct, frozen=True, forbid_unknown_fields=True):
    """Consent to `runbook measure`, and its bounds. Nothing is written without its --allow-measure either.

    The defaults are our judgement: what a small test cluster bears without notice.

    Attributes:
        topic: how the names of its topics begin; each run adds words of its own, and removes them at its end.
        megabytes: that one run may write at most, of 10**6 bytes, before compression and copies.
        megabytes_per_second: the highest rate, likewise.
        seconds: that one run may take at most.
        partitions: of one topic at most.
        kafka: Kafka settings that differ from those of the environment, such as a login with the right to write;
            secrets as references.
    """

    topic: Topic = "runbook-canary"
    megabytes: Annotated[int, Meta(ge=1, le=100_000)] = 200
    megabytes_per_second: Annotated[float, Meta(gt=0, le=2_000)] = 10
    seconds: Annotated[int, Meta(ge=1, le=7_200)] = 600
    partitions: Annotated[int, Meta(ge=1, le=1_000)] = 12
    kafka: dict[str, Any] = {}


OF_LINKS = tuple(sorted(set(Canary.__struct_fields__) - set(CanaryHere.__struct_fields__)))
"""Settings that make sense on a link only."""
