"""What keeps a Kafka cluster from answering, as kinds of `CannotLook`, and how sentences name a broker."""

from typing import Final, Self

from runbook.model.errors import (
    CannotLook,
    Denied,
    Garbled,
    NoName,
    NoRoute,
    NoTls,
    NotServing,
    NotThere,
    Refused,
    TimedOut,
    Unreachable,
)
from runbook.model.gap_kind import GapKind


class BrokerLabel(str):
    """How sentences name a broker whose address is known: `broker 2 (10.0.0.2:9092)`."""

    __slots__ = ("at",)
    at: str

    def __new__(cls, node: int, at: str) -> Self:
        """Name it."""
        made = super().__new__(cls, f"broker {node} ({at})")
        made.at = at
        return made


def address_in(subject: str) -> str:
    """The address of a broker that a sentence begins with; "" of another subject."""
    return subject.at if isinstance(subject, BrokerLabel) else ""


class WantsCertificate(NoTls):
    """It wants a certificate of ours that it trusts."""

    kind = GapKind.DENIED


class BadCertificate(NoTls):
    """It shows a certificate that is not believed."""


class CutInHandshake(NoTls):
    """The connection was closed while TLS was being agreed on: by a listener without TLS, or by somebody on the way."""


class NoLogin(Denied):
    """It does not accept our credentials, or the way in which they are shown."""


class NotKafka(Garbled):
    """What it answers is nothing that a broker says."""


class AnotherBroker(Unreachable):
    """At its address another broker of its cluster answers."""


class AnotherCluster(Unreachable):
    """At its address a broker of another cluster answers."""


class MixedUp(CannotLook):
    """An address led to another cluster, and the library may have taken that cluster's answers for ours."""


class SharedAddress(Unreachable):
    """Several brokers advertise its address, and nobody tells whose it is."""

    kind = GapKind.INCOMPLETE


class NotRegistered(CannotLook):
    """It has no address: replica lists name it, and the cluster does not."""


class HungUp(Unreachable):
    """It took the connection and closed it without a usable answer, or somebody on the way did."""


class LostOnTheWay(TimedOut):
    """It did not answer, and requests are lost on the way to brokers that do: whether it answers is not known.

    Attributes:
        after: what its tries came to.
    """

    def __init__(self, sentence: str, after: CannotLook | None = None) -> None:
        self.after = after
        super().__init__(sentence, after.waited if after else 0.0)


class NoController(TimedOut):
    """A broker answered that no active controller answered it."""

    kind = GapKind.CONTROLLER_SILENT


class AnswersTooLate(TimedOut):
    """A broker answered that its own time was up."""

    kind = GapKind.NOT_SERVING


class Gone(NotThere):
    """There is no such topic, or no such partition of it: it went away since it was listed, or who answers lags."""


SAYS_ALL: Final = (Refused, NoName, NoRoute, BadCertificate)
"""What says all that there is to say of an address: nothing more is found out by asking there in another way."""
BY_CHANCE: Final = (TimedOut, HungUp, CutInHandshake)
"""What a try that was lost on the way ends in; whatever else it ends in is so of the broker or its address."""


def would_recur(reason: CannotLook) -> bool:
    """Whether a try ended as another one would, as far as the broker's own words tell."""
    return not isinstance(reason, BY_CHANCE) and type(reason) not in {Unreachable, NotServing}
