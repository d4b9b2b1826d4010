"""How an address failed, in one word: what people search for, and what checks decide by."""

from typing import Final, Literal, get_args

from runbook.answers.kafka import errors
from runbook.model.errors import CannotLook, NoName, NoRoute, NoTls, Refused, TimedOut

Failure = Literal[
    "",
    "refused",
    "closed",
    "timed out",
    "no such name",
    "no route",
    "certificate",
    "TLS",
    "credentials",
    "not Kafka",
    "another broker",
    "another cluster",
    "shared address",
    "not registered",
    "another error",
]
"""Empty where it answers."""

FAILURES: Final = tuple(word for word in get_args(Failure) if word)

_WORDS: Final[tuple[tuple[type[CannotLook], Failure], ...]] = (
    (Refused, "refused"),
    (errors.HungUp, "closed"),
    (NoName, "no such name"),
    (NoRoute, "no route"),
    (errors.BadCertificate, "certificate"),
    (NoTls, "TLS"),
    (errors.NoLogin, "credentials"),
    (errors.NotKafka, "not Kafka"),
    (errors.AnotherBroker, "another broker"),
    (errors.AnotherCluster, "another cluster"),
    (errors.SharedAddress, "shared address"),
    (errors.NotRegistered, "not registered"),
    (TimedOut, "timed out"),
)
"""The first class that fits decides."""


def failure(error: CannotLook | None) -> Failure:
    """The word for why a broker does not answer; of tries that were lost on the way, what they came to."""
    if error is None:
        return ""
    if isinstance(error, errors.LostOnTheWay) and error.after is not None:
        return failure(error.after)
    return next((word for kind, word in _WORDS if isinstance(error, kind)), "another error")
