"""In which data centres ZooKeeper's votes are, and whether the ensemble outlives each of them."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Struct

from runbook.formats.zookeeper import PARTICIPANT, EnsembleMember, is_quorum
from runbook.model.fact import Fact, Gap, Observed
from runbook.model.row import Cell
from runbook.model.view import Input, View
from runbook.rules.quorum import majority
from runbook.views._data_centres import SITES, moved, reader
from runbook.views.controller_centre import VotesThere, layout


class ZookeeperCentre(VotesThere):
    """ZooKeeper's votes in a data centre."""

    hierarchical: Annotated[bool | None, Cell("Whether votes count by groups; the admin server does not tell.")]
    groups: Annotated[list[int] | None, Cell("Groups of a hierarchical quorum that have a server there.")]
    split_groups: Annotated[
        list[int] | None,
        Cell("Those of them that have servers elsewhere too; unknown where none is known to, and some are unplaced."),
    ]


VIEW = View(
    help="One row per data centre in which brokers or voting ZooKeeper servers stand.",
    row=ZookeeperCentre,
    inputs={
        "member": Input("zookeeper_member", columns=("member", "role", "group", "weight")),
        "config": Input("zookeeper_config", columns=("server", "number")),
        "server": Input("zookeeper_server", columns=("server", "rack", "answers"), needs=("answers",)),
        "broker": Input("kafka_broker", columns=("broker", "rack")),
    },
    version=4,
    parameters={"sites": SITES},
)


def compute(*, member: Fact, config: Fact, server: Fact, broker: Fact, sites: list[str] | None = None) -> Observed:
    """Work it out from zookeeper_member, zookeeper_config, zookeeper_server and kafka_broker.

    Servers are placed by `rack` in the inventory, and matched with members by the ids that they tell.
    """
    members = _members(member)
    if not members:
        return Observed(gaps=[Gap("no server reported who has a vote")])
    centre = reader(sites or [])
    rack_of = {name: centre(rack or None) for name, rack in zip(*_two(server, "server", "rack"), strict=True)}
    seat_of = {number: rack_of.get(name) for name, number in zip(*_two(config, "server", "number"), strict=True)}
    alive_names = {name for name, answers in zip(*_two(server, "server", "answers"), strict=True) if answers}
    number_of = dict(zip(*_two(config, "server", "number"), strict=True))
    alive = {number_of.get(name) for name in alive_names}  # with None, if one that answers does not tell its id
    seats = [seat_of.get(member.number) for member in members]
    brokers: list[str | None] = list(moved(broker, sites or []).columns["rack"])
    shape = layout(brokers, seats)
    unplaced = [server.number for server, seat in zip(members, seats, strict=True) if seat is None]
    rows = []
    for name in sorted({place for place in (*seats, *brokers) if place}):
        here = {server.number for server, seat in zip(members, seats, strict=True) if seat == name}
        decided = _decided(members, alive, here, {*unplaced})
        left = None if unplaced else len(alive - here)
        groups = _groups(members, here, {*unplaced})
        rows.append(
            ZookeeperCentre(
                data_centre=name,
                brokers=brokers.count(name),
                votes=len(here),
                voters=len(members),
                needed=majority(len(members)),
                left=left,
                survives=decided,
                unplaced=[str(number) for number in unplaced],
                layout=shape,
                hierarchical=_hierarchical(members),
                groups=groups.there,
                split_groups=groups.split,
            )
        )
    return Observed(rows=rows)


class _Groups(Struct, frozen=True, kw_only=True):
    there: list[int] | None = None
    split: list[int] | None = None


def _groups(members: Sequence[EnsembleMember], here: set[int], unplaced: set[int]) -> _Groups:
    """The groups with a server there, and those of them with one elsewhere too; None where that is not known."""
    if _hierarchical(members) is None:
        return _Groups()
    groups = sorted({member.group for member in members if member.number in here and member.group})
    away = {member.group for member in members if member.number not in here | unplaced}
    split = [group for group in groups if group in away]
    return _Groups(there=groups, split=None if unplaced and not split else split)


def _decided(members: Sequence[EnsembleMember], alive: set[Any], here: set[int], unplaced: set[int]) -> bool | None:
    """Whether a quorum is left without a data centre; None where servers without place or id, or groups, decide."""
    if any(member.group is None or member.weight is None for member in members):
        return None
    if is_quorum(alive - here - unplaced, members):
        return True
    nameless = {member.number for member in members} if None in alive else set[int]()
    return None if (unplaced or nameless) and is_quorum((alive | nameless) - here, members) else False


def _hierarchical(members: Sequence[EnsembleMember]) -> bool | None:
    groups = [member.group for member in members]
    return None if None in groups else any(groups)


def _members(fact: Fact) -> list[EnsembleMember]:
    """Every voting member once, as the first server that tells it has it."""
    found: dict[int, EnsembleMember] = {}
    for row in fact.rows():
        if row["role"] == PARTICIPANT:
            number = row["member"]
            found.setdefault(
                number, EnsembleMember(number, "", 0, 0, PARTICIPANT, group=row["group"], weight=row["weight"])
            )
    return [found[number] for number in sorted(found)]


def _two(fact: Fact, first: str, second: str) -> tuple[list[Any], list[Any]]:
    return fact.columns[first], fact.columns[second]
