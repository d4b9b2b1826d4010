"""The network links of each host, and whether there is more than one."""

import json
from typing import TYPE_CHECKING, Annotated, Any

from runbook.answers.ssh.commands import LINKS
from runbook.model.errors import Garbled
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostNetwork(Row):
    """The network links of a host."""

    host: Annotated[str, Cell("Name in the inventory.", key=True, entity="host")]
    brokers: Annotated[list[BrokerId], Cell("Node ids that the inventory says run there.")]
    up: Annotated[list[str], Cell("Links to the outside that have a carrier; bonds, bridges and the like left out.")]
    down: Annotated[list[str], Cell("Links to the outside without one.")]
    bonds: Annotated[list[str], Cell("Interfaces that join links into one.")]


PROBE = Probe(
    connections=("ssh",),
    help="One row per host.",
    row=HostNetwork,
    requests=(LINKS.shown(),),
    rights=("log in over SSH as any user", "iproute2 on the host"),
)

_JOINING = {"bond", "team"}


def observe(hosts: "Hosts") -> Observed:
    """Observe the links of every host that answers."""
    return hosts.observe(lambda host: Observed(rows=[_row(host)]))


def _row(host: "Host") -> HostNetwork:
    try:
        links: list[dict[str, Any]] = json.loads(host.run(LINKS))
        kinds = {link["ifname"]: link.get("linkinfo", {}).get("info_kind", "") for link in links}
        outside = [link for link in links if kinds[link["ifname"]] in ("", "veth") and link.get("link_type") == "ether"]
        up = {link["ifname"] for link in outside if "LOWER_UP" in link["flags"]}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Garbled(f"{host.label} listed its network links in a way that can't be understood") from None
    return HostNetwork(
        host=host.name,
        brokers=list(host.brokers),
        up=sorted(up),
        down=sorted({link["ifname"] for link in outside} - up),
        bonds=sorted(name for name, kind in kinds.items() if kind in _JOINING),
    )
