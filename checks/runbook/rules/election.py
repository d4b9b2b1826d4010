"""Who leads a partition and who is in sync, as Kafka's controller decides it with each change.

The rules are those of Kafka's PartitionChangeBuilder. With eligible leader replicas (KIP-966) the last in sync leaves
an empty ISR and becomes eligible; without them, and in ZooKeeper mode, the last in sync stays listed as such.
"""

from collections.abc import Collection, Iterable
from typing import Final, Literal, NamedTuple, TypeVar

NOBODY: Final = -1
"""In the place of a leader: there is none."""
Node = TypeVar("Node", bound=int)
Election = Literal["online", "preferred", "unclean"]
_CAPPED_SINCE: Final = (3, 7)
"""KAFKA-15583: from this release on the minimum counts as at most the replicas that the partition has."""
_AWAITS_ALL_SINCE: Final = (3, 8)
"""KAFKA-15665: a reassignment ends when all of its target are in sync; before, in KRaft, when those added are."""
_AWAITS_ADDED_SINCE: Final = (4, 3)
"""KAFKA-19975: one that adds at least as many as it removes ends again when those added are."""


class ElectionState(NamedTuple):
    """A partition as the controller keeps it.

    Attributes:
        replicas: in order of preference.
        isr: in sync.
        elr: eligible to lead once nobody is in sync. Whoever was in sync stays so, with a replica or without.
        leader: NOBODY where there is none.
        last_leader: who led last, of a partition without a leader and without anybody in sync; else NOBODY.
        adding, removing: replicas that a reassignment adds and removes.
    """

    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    elr: tuple[int, ...] = ()
    leader: int = NOBODY
    last_leader: int = NOBODY
    adding: tuple[int, ...] = ()
    removing: tuple[int, ...] = ()


class ElectionTerms(NamedTuple):
    """What a partition is decided by, beside itself.

    Attributes:
        serves: the brokers that may lead: registered, and not fenced.
        needs: how many in sync acks=all writes need.
        keeps_eligible: whether eligible leader replicas are on.
        release: of the controllers, as in (4, 3).
    """

    serves: Collection[int]
    needs: int
    keeps_eligible: bool
    release: tuple[int, ...] = _AWAITS_ADDED_SINCE


class ElectionMove(NamedTuple):
    """A reassignment that begins: all replicas until it ends, and those of them that it adds and removes."""

    replicas: tuple[int, ...]
    adding: tuple[int, ...]
    removing: tuple[int, ...]


def copies_needed(minimum: int | None, replicas: int, release: tuple[int, ...] | None) -> int | None:
    """Work out how many replicas must be in sync; None where that is not known.

    Args:
        minimum: min.insync.replicas in force for the topic.
        replicas: that the partition has; while it is reassigned old and new ones (Partition.effectiveMinIsr).
        release: of the brokers, as in (3, 9).
    """
    if minimum is None or minimum <= replicas:
        return minimum
    if release is None:
        return None
    return replicas if release >= _CAPPED_SINCE else minimum


def awaited_copies(
    target: Collection[int],
    adding: Collection[int],
    removing: Collection[int],
    *,
    release: tuple[int, ...] | None,
    kraft: bool | None = True,
) -> tuple[int, ...]:
    """The replicas that must be in sync before a reassignment ends (Kafka's PartitionReassignmentReplicas).

    ZooKeeper's controller awaits all of the target (`isReassignmentComplete`). Where the mode or the release is not
    known, so do we: that is never too few.

    Args:
        target: all replicas that it is to have.
        adding: those of them that it has not yet.
        removing: replicas that are to go.
        release: of the controllers, as in (4, 3).
        kraft: whether it is decided in KRaft mode.
    """
    if not kraft or release is None or _AWAITS_ALL_SINCE <= release < _AWAITS_ADDED_SINCE:
        return tuple(target)
    shrinks = release >= _AWAITS_ADDED_SINCE and len(adding) < len(removing)
    return tuple(target if shrinks else adding)


def out_of_sync(replicas: Iterable[Node], isr: Collection[int]) -> list[Node]:
    """The replicas that are not in sync, in their order."""
    return [node for node in replicas if node not in isr]


def may_lead(replicas: Iterable[Node], isr: Collection[int], elr: Collection[int]) -> list[Node]:
    """The replicas of which one is elected without loss as soon as it serves, in order of preference.

    Those in sync, or those eligible where nobody is. Who is eligible and holds no replica any more is never elected.
    """
    return [node for node in replicas if node in (isr or elr)]


def decided(
    before: ElectionState,
    terms: ElectionTerms,
    *,
    isr: Collection[int] | None = None,
    election: Election = "online",
    ended_badly: Collection[int] = (),
    move: ElectionMove | None = None,
) -> ElectionState:
    """What the controller makes of a partition.

    Args:
        before: the partition.
        terms: what it is decided by.
        isr: who is in sync from now on; None: as before.
        election: how a leader is found.
        ended_badly: brokers that came back from a stop without order, as by a kill. They may have lost records, and are
            not eligible any more.
        move: a reassignment that begins.
    """
    moving = before if move is None else before._replace(**move._asdict())
    state = _completed(moving._replace(isr=before.isr if isr is None else tuple(isr)), terms)
    elr = _eligible(state, before.isr, terms, ended_badly)
    state = state._replace(elr=elr)
    leader, clean = _elected(state, terms, election)
    if not clean:
        state = state._replace(isr=(leader,), elr=())
    elif leader not in (*state.isr, NOBODY):
        state = state._replace(isr=(leader,), elr=tuple(node for node in elr if node != leader))
    if not state.isr and not terms.keeps_eligible:
        state = state._replace(isr=before.isr)
    return state._replace(leader=leader, last_leader=_last_leader(before, leader, terms))


def _completed(state: ElectionState, terms: ElectionTerms) -> ElectionState:
    """A reassignment ends (KIP-455) when all copies are in sync that its release awaits."""
    replicas = tuple(node for node in state.replicas if node not in state.removing)
    isr = tuple(node for node in state.isr if node not in state.removing)
    awaited = awaited_copies(replicas, state.adding, state.removing, release=terms.release)
    if not (state.adding or state.removing) or not isr or not {*awaited} <= {*isr}:
        return state
    return state._replace(replicas=replicas, isr=isr, adding=(), removing=())


def _eligible(
    state: ElectionState, were: Collection[int], terms: ElectionTerms, ended_badly: Collection[int]
) -> tuple[int, ...]:
    if not terms.keeps_eligible or len(state.isr) >= terms.needs:
        return ()
    return tuple(sorted({*state.elr, *were} - {*state.isr} - {*ended_badly}))


def _elected(state: ElectionState, terms: ElectionTerms, election: Election) -> tuple[int, bool]:
    """Who leads, and whether without loss: who led stays, unless preferred leaders are elected."""
    heirs = [node for node in may_lead(state.replicas, state.isr, state.elr) if node in terms.serves]
    if election == "preferred" and state.replicas[0] in heirs:
        return state.replicas[0], True
    if state.leader in (state.isr or state.elr) and state.leader in terms.serves:
        return state.leader, True
    if heirs:
        return heirs[0], True
    alive = [node for node in state.replicas if node in terms.serves]
    if terms.keeps_eligible and not state.isr and not state.elr and state.last_leader in alive:
        return state.last_leader, False
    if election == "unclean" and alive:
        return alive[0], False
    return NOBODY, True


def _last_leader(before: ElectionState, leader: int, terms: ElectionTerms) -> int:
    if leader != NOBODY or not terms.keeps_eligible:
        return NOBODY
    return before.leader if before.leader != NOBODY else before.last_leader


class Fate(NamedTuple):
    """What becomes of a partition: no copy with all acknowledged data is left where data is at risk."""

    refusing: bool
    offline: bool
    at_risk: bool


def fate(*, in_sync: int, eligible: int, copies: int, needs: int, unclean: bool) -> Fate:
    """What becomes of a partition of which so many are left.

    Args:
        in_sync: replicas in sync.
        eligible: replicas that are eligible to lead.
        copies: replicas.
        needs: in-sync replicas that acks=all writes need.
        unclean: whether an unclean election is allowed.
    """
    at_risk = not in_sync and not eligible
    offline = at_risk and not (unclean and copies)
    # With nobody in sync, the one elected from the eligible or, uncleanly, from the rest is in sync alone.
    return Fate(refusing=offline or max(in_sync, 1) < needs, offline=offline, at_risk=at_risk)


def when_back(
    before: ElectionState, back: Collection[int], serves: Collection[int], *, last_is_known: bool
) -> ElectionState | None:
    """A partition once brokers are back and all that serves has caught up; None where that hangs on how they ended.

    Whether a broker that is away ended in good order is not told. One that did not is no longer eligible once it is
    back, and with nobody eligible left the one that led last leads again, if it serves.

    Args:
        before: the partition.
        back: the brokers that come back.
        serves: the brokers that serve then, those included.
        last_is_known: whether `last_leader` is.
    """
    held = [node for node in before.replicas if node in back]
    led = before.leader != NOBODY and before.leader in serves and before.leader not in back
    if not held:
        return before
    if led:
        return _caught_up(before, before.leader, {*before.isr, *held})
    heirs = [node for node in may_lead(before.replicas, before.isr, before.elr) if node in back]
    if before.isr:
        return _caught_up(before, heirs[0], serves) if heirs else before
    left = {*before.elr} - {*back}
    after_kill = not left and before.last_leader in serves and before.last_leader in before.replicas
    if not left and not last_is_known:
        return None
    if bool(heirs) != after_kill:
        return None
    return _caught_up(before, heirs[0], serves) if heirs else before


def _caught_up(before: ElectionState, leader: int, serves: Collection[int]) -> ElectionState:
    """With a leader everything that serves catches up: who comes back, and who waited for one to lead."""
    isr = tuple(node for node in before.replicas if node in before.isr or node in serves)
    return before._replace(leader=leader, isr=isr, elr=(), last_leader=NOBODY)
