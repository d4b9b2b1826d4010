"""Each member of the ensemble as each ZooKeeper server lists it, also where a server does not list it at all."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_WILDCARDS: Final = ("0.0.0.0", "::", "0:0:0:0:0:0:0:0")  # noqa: S104 - compared, never bound
_OBSERVER: Final = "observer"


class ZookeeperEntry(Row):
    """A server that reports its list, and a member that any of them lists."""

    server: Annotated[str, Cell("Whose list it is: name in the inventory.", key=True, entity="server")]
    member: Annotated[int, Cell("The member's id.", key=True)]
    entry: Annotated[
        str | None,
        Cell(
            "HOST:PEER_PORT:ELECTION_PORT:ROLE; a wildcard, by which a server lists itself, as the other servers have "
            "it. Empty where the member is not listed."
        ),
    ]


_MEMBER: Final = ("server", "member", "host", "peer_port", "election_port", "role", "group")
VIEW = View(
    help="One row per ZooKeeper server that reports its list, and member that any of them lists.",
    row=ZookeeperEntry,
    inputs={
        "member": Input("zookeeper_member", columns=_MEMBER),
    },
)


def compute(*, member: Fact) -> Observed:
    """Lay the lists of zookeeper_member beside each other.

    The admin server reports no groups, and no observers: there such a member is not missing.
    """
    lists: dict[str, dict[int, Mapping[str, Any]]] = {}
    for row in member.rows(*_MEMBER):
        lists.setdefault(row["server"], {})[row["member"]] = row
    members = sorted({number for listed in lists.values() for number in listed})
    hosts = {
        number: _host(listed[number]["host"] for listed in lists.values() if number in listed) for number in members
    }
    observers = {number for listed in lists.values() for number, row in listed.items() if row["role"] == _OBSERVER}
    return Observed(
        rows=[
            ZookeeperEntry(server=server, member=number, entry=_entry(listed.get(number), hosts[number]))
            for server, listed in lists.items()
            for number in members
            if number in listed or number not in observers or all(row["group"] is not None for row in listed.values())
        ]
    )


def _host(listed: Iterable[str | None]) -> str | None:
    """The host that most servers have for a member, wildcards aside; None if none has one."""
    counted = Counter(host for host in listed if host is not None and host not in _WILDCARDS)
    return next((host for host, _ in counted.most_common(1)), None)


def _entry(row: Mapping[str, Any] | None, host: str | None) -> str | None:
    if row is None:
        return ""
    shown = host if host is not None and row["host"] in _WILDCARDS else row["host"]
    cells = (shown, row["peer_port"], row["election_port"], row["role"])
    return None if None in cells else ":".join(map(str, cells))
