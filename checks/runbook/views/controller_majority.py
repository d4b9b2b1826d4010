"""Whether the controllers of a KRaft cluster have their majority, as far as those who are silent let it be known."""

from typing import Annotated, Final

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.gap_kind import GapKind
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.rules.quorum import majority

REFUSES: Final = "refused"
"""As `failure` of kafka_broker, of a broker whose host is there and where nothing listens."""
_LONG_ENOUGH: Final = 1.0
"""Seconds of waiting that tell of a controller: one that works answers in milliseconds, and who had less time than this
may have asked from a busy machine. Our judgement."""


class ControllerMajority(Row):
    """The quorum."""

    quorum: Annotated[str, Cell("metadata: there is one in a cluster.", key=True)]
    lost: Annotated[bool | None, Cell("Whether no majority can act. Unknown where neither shows.")]
    answered: Annotated[bool, Cell("Whether a leader answered for the quorum, active or not.")]
    voters: Annotated[int | None, Cell("Controllers with a vote; unknown where no node answered.", unit="controllers")]
    refusing: Annotated[list[BrokerId], Cell("Brokers that refuse connections and are not fenced yet.")]
    silent: Annotated[list[BrokerId], Cell("Brokers that do not answer us and are not fenced, those included.")]


VIEW = View(
    help="One row: whether the controllers can act.",
    row=ControllerMajority,
    inputs={
        "quorum": Input("kafka_quorum", columns=("node", "voter", "leader"), needs=("voter", "leader")),
        "broker": Input("kafka_broker", columns=("broker", "fenced", "answers", "failure"), needs=("fenced",)),
    },
    version=3,
)


def compute(*, quorum: Fact, broker: Fact) -> Observed:
    """Work it out over kafka_quorum and kafka_broker.

    A controller that lives fences a broker that is silent to it. Where a voter is a broker that refuses connections and
    nobody has fenced it, its process is gone, and with a majority of them so is the quorum's, though who led may answer
    for some seconds more (KIP-595: a leader resigns 1.5 fetch timeouts after a majority last fetched from it). Before
    Kafka 3.7 it goes on until it is restarted: then none of the rows is of an active controller.
    """
    rows = list(broker.rows("broker", "fenced", "answers", "failure"))
    silent = [row for row in rows if row["answers"] is False and not row["fenced"]]
    # In a bundle from before the column was there.
    unexplained = [row["broker"] for row in silent if row["failure"] is None]
    if unexplained:
        return Observed(gaps=[Gap("how the broker failed is not known", {"broker": broker}) for broker in unexplained])
    refusing = [row["broker"] for row in silent if row["failure"] == REFUSES]
    fenced = any(row["fenced"] for row in rows)
    voters = [row["node"] for row in quorum.rows("node", "voter") if row["voter"]]
    leads = any(quorum.columns["leader"])
    answered = leads or (bool(voters) and quorum.complete)
    if answered:
        left = len({*voters} - {*refusing})
        lost: bool | None = not leads or left < majority(len(voters))
    elif any(_waited(gap) >= _LONG_ENOUGH for gap in quorum.gaps):
        lost = None if fenced else True  # somebody fenced a broker, if not now then before
    else:
        lost = None
    # That the quorum did not answer is what this tells; as a gap it would make unknown what is known.
    row = ControllerMajority(
        quorum="metadata",
        lost=lost,
        answered=answered,
        voters=len(voters) if answered else None,
        refusing=refusing,
        silent=[row["broker"] for row in silent],
    )
    return Observed(rows=[row])


def _waited(gap: Gap) -> float:
    """Seconds for which a controller's answer was waited for; 0 where that is not why nothing was seen."""
    return gap.waited if gap.kind is GapKind.CONTROLLER_SILENT else 0.0
