"""The ensemble as a whole: who has a vote, who leads, who follows, and how many more it could lose."""

from collections.abc import Mapping
from itertools import combinations
from typing import Annotated

from msgspec import Struct

from runbook.answers.zookeeper import CONFIGURATION, MONITOR, STATE, reads, right
from runbook.formats.zookeeper import (
    FOLLOWER,
    LEADER,
    PARTICIPANT,
    STANDALONE,
    Configuration,
    Ensemble,
    EnsembleMember,
    ServerState,
    is_quorum,
)
from runbook.model.fact import Gap, Observed, distinct
from runbook.model.gap_kind import GapKind
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row
from runbook.rules.quorum import majority


class ZookeeperEnsemble(Row):
    """The ensemble, as one server sees it."""

    ensemble: Annotated[str, Cell("Its servers in the inventory.", key=True)]
    voters: Annotated[int | None, Cell("Servers that have a vote, the dead ones included.", unit="servers")]
    hierarchical: Annotated[bool | None, Cell("Whether votes are counted by groups; the admin server does not tell.")]
    serving: Annotated[
        int | None,
        Cell("Voters that lead or follow: as the leader counts them, else as we do.", unit="servers"),
    ]
    leaders: Annotated[list[str] | None, Cell("Servers that say they lead.", entity="server")]
    silent: Annotated[list[str], Cell("Servers of the inventory that did not answer.", entity="server")]
    closing: Annotated[
        list[str],
        Cell(
            "Those of them that accepted our connection and closed it at once, as at the limit of connections of an "
            "address.",
            entity="server",
        ),
    ]
    quorum: Annotated[bool | None, Cell("Whether one server leads and those that serve can decide.")]
    spare: Annotated[
        int | None, Cell("How many more may be lost, whichever they are; -1 without a quorum.", unit="servers")
    ]


PROBE = Probe(
    connections=("zookeeper",),
    help="One row: the ensemble.",
    row=ZookeeperEnsemble,
    requests=(*reads(STATE), *reads(MONITOR), *reads(CONFIGURATION)),
    rights=(right(STATE), right(MONITOR), right(CONFIGURATION)),
)


_UNTOLD = Gap(
    "how votes count is not reported: allow the four-letter word conf (4lw.commands.whitelist), as the admin server "
    "leaves groups and weights out"
)


class _EnsembleState(Struct):
    """What was found out.

    Attributes:
        voters: how many servers have a vote; None if nobody told.
        members: the configuration; empty if nobody told, or the server stands alone.
        ids: those that serve, as far as they told their ids.
        leaders: those that say they lead; None where a silent one may.
        serving: those that lead or follow, of those that answered.
        counted: as the leader counts them; None if it did not tell.
        silent: servers of the inventory that did not answer.
    """

    voters: int | None
    members: tuple[EnsembleMember, ...]
    ids: set[int]
    leaders: list[str] | None
    serving: int
    counted: int | None
    silent: list[str]

    @property
    def hierarchical(self) -> bool | None:
        """Whether votes count by groups."""
        if any(member.group is None for member in self.members):
            return None
        return any(member.group for member in self.members) if self.members or self.voters == 1 else None

    @property
    def alive(self) -> int | None:
        """How many serve. A leader takes a while to notice a loss: what it says of a silent one is hearsay."""
        if self.counted is not None and (self.counted <= self.serving or not self.silent):
            return self.counted
        return self.serving if self.counted is None and self.serving == self.voters else None

    @property
    def quorum(self) -> bool | None:
        """Whether it can decide; None where what answered neither proves nor rules it out."""
        if self.voters is None or self.leaders is None or self.hierarchical is None:
            return None
        if len(self.leaders) != 1:
            return False
        if is_quorum(self.ids, self.members) if self.hierarchical else 2 * self.serving > self.voters:
            return True
        # not made up: only to prove a quorum, which 0 never does
        return True if not self.hierarchical and 2 * (self.alive or 0) > self.voters else None

    @property
    def spare(self) -> int | None:
        """How many of those that serve may go, in any choice; -1 without a quorum."""
        if not self.quorum:
            return -1 if self.quorum is False else None
        if self.voters is None or self.alive is None:
            return None
        if not self.hierarchical:
            return self.alive - majority(self.voters)
        if len(self.ids) != self.alive:
            return None  # which groups the others belong to is not known
        for lost in range(1, len(self.ids) + 1):
            if not all(is_quorum(self.ids - set(gone), self.members) for gone in combinations(self.ids, lost)):
                return lost - 1
        return len(self.ids)


def observe(zookeeper: Ensemble) -> Observed:
    """Observe the ensemble.

    Servers that do not answer leave no gap where those that do prove or disprove the quorum; what depends on the silent
    ones is then not known by itself.
    """
    (states, gaps), (configurations, unconfigured), (monitors, unmeasured) = zookeeper.overview()
    places = [place.name for place in zookeeper.places()]
    seen = _seen(states, configurations, monitors, [name for name in places if name not in states])
    row = ZookeeperEnsemble(
        ensemble="+".join(places),
        voters=seen.voters,
        hierarchical=seen.hierarchical,
        serving=seen.alive,
        leaders=seen.leaders,
        silent=seen.silent,
        closing=[str(gap.keys["server"]) for gap in gaps if gap.kind is GapKind.CLOSED],
        quorum=seen.quorum,
        spare=seen.spare,
    )
    if seen.quorum is not None:
        return Observed(rows=[row])
    return Observed(rows=[row], gaps=distinct([*gaps, *unconfigured, *unmeasured]) or [_UNTOLD])


def _seen(
    states: Mapping[str, ServerState],
    configurations: Mapping[str, Configuration],
    monitors: Mapping[str, Mapping[str, object]],
    silent: list[str],
) -> _EnsembleState:
    alone = [name for name, state in states.items() if state.mode == STANDALONE]
    if alone:  # several that stand alone are several ensembles: more than one leads
        also = [name for name, state in states.items() if state.mode == LEADER]
        return _EnsembleState(1, (), set(), [*alone, *also], 1, 1, silent)
    serving = [name for name, state in states.items() if state.mode in (LEADER, FOLLOWER)]
    leaders = [name for name in serving if states[name].mode == LEADER]
    members = next((configurations[name].members for name in serving if name in configurations), ())
    numbers = {configurations[name].number for name in serving if name in configurations}
    synced = [_count(monitors[name].get("synced_followers")) for name in leaders if name in monitors]
    return _EnsembleState(
        voters=sum(member.role == PARTICIPANT for member in members) or None,
        members=members,
        ids={number for number in numbers if number is not None},
        leaders=leaders if leaders or not silent else None,
        serving=len(serving),
        counted=synced[0] + 1 if len(synced) == 1 and synced[0] is not None else None,
        silent=silent,
    )


def _count(value: object) -> int | None:
    text = str(value)
    return int(text) if text.isdecimal() else None
