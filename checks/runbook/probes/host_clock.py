"""How far the clock of each host is from the clock here."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.ssh import Answer
from runbook.answers.ssh.commands import CLOCK
from runbook.model.errors import Garbled
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, MillisecondsExact
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostClock(Row):
    """The clock of a host."""

    host: Annotated[str, Cell("Name in the inventory.", key=True, entity="host")]
    brokers: Annotated[list[BrokerId], Cell("Node ids that the inventory says run there.")]
    offset_ms: Annotated[MillisecondsExact, Cell("Its clock minus ours.")]
    uncertainty_ms: Annotated[MillisecondsExact, Cell("Half the time that it took to ask.")]


PROBE = Probe(
    connections=("ssh",),
    help="One row per host; the true distance is within the uncertainty of the one given.",
    row=HostClock,
    requests=(CLOCK.shown(),),
    rights=("log in over SSH as any user",),
)

_LOOKS = 3  # the quickest answer is the most certain one. Our judgement


def observe(hosts: "Hosts") -> Observed:
    """Observe the clock of every host that answers."""
    return hosts.observe(lambda host: Observed(rows=[_row(host)]))


def _row(host: "Host") -> HostClock:
    answers = [host.again(CLOCK) for _ in range(_LOOKS)]
    quickest = min(answers, key=lambda answer: answer.ended - answer.began)
    offset = _parsed(host, quickest) - (quickest.began + quickest.ended) / 2
    uncertainty = (quickest.ended - quickest.began) / 2
    return HostClock(
        host=host.name,
        brokers=list(host.brokers),
        offset_ms=MillisecondsExact(round(offset * 1000, 1)),
        uncertainty_ms=MillisecondsExact(round(uncertainty * 1000, 1)),
    )


def _parsed(host: "Host", answer: Answer) -> float:
    try:
        return float(answer.data)
    except ValueError:
        raise Garbled(f"{host.label} reported a time that is no number: {answer.data[:40]!r}") from None
