"""How clients come to a cluster, as their files say, beside what the addresses that they name answer."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class ClientWayIn(Row):
    """A client whose file says how it connects, and an address in it that a broker advertises."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    kind: Annotated[str, Cell("producer, consumer, admin, …; empty: unclear.", key=True)]
    address: Annotated[str, Cell("host:port, as the client names it.", key=True)]
    broker: Annotated[BrokerId, Cell("Whose it is.")]
    listener: Annotated[str, Cell("Its name there.")]
    encrypts: Annotated[bool | None, Cell("Whether the client speaks TLS; unknown where a variable holds it.")]
    logs_in: Annotated[bool | None, Cell("Whether the client logs in, by SASL.")]
    mechanism: Annotated[str | None, Cell("By which mechanism; unknown where its file does not say.")]
    plain: Annotated[bool | None, Cell("Whether the address answers in plain text.")]
    anonymous: Annotated[bool | None, Cell("Whether it serves who has neither a login nor a certificate.")]
    offered: Annotated[list[str] | None, Cell("Mechanisms it offers; none to who needs a certificate first.")]


VIEW = View(
    help="One row per client whose file says its security.protocol, and address in it that a broker advertises.",
    row=ClientWayIn,
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
        "entry": Input(
            "kafka_entry",
            columns=("broker", "listener", "address", "for_controllers", "plain", "anonymous", "mechanisms"),
        ),
    },
)


def compute(*, config: Fact, entry: Fact) -> Observed:
    """Work it out from client_config and kafka_entry.

    What a file does not say may be said elsewhere, by code or by a variable: no default is taken for it.
    """
    clients: dict[tuple[str, str], dict[str, str | None]] = defaultdict(dict)
    for row in config.rows():
        clients[row["client"], row["kind"]][row["setting"]] = row["value"]
    entries = {row["address"].lower(): row for row in entry.rows() if not row["for_controllers"]}
    return Observed(
        rows=[
            _row(client, kind, says, address, entries[address.lower()])
            for (client, kind), says in sorted(clients.items())
            if "security.protocol" in says
            for address in _addresses(says.get("bootstrap.servers") or "")
            if address.lower() in entries
        ]
    )


def _addresses(text: str) -> Iterator[str]:
    """The addresses of a list, without the protocol that librdkafka takes in front of each."""
    for word in dict.fromkeys(text.split(",")):
        if address := word.strip().rpartition("//")[2]:
            yield address


def _row(client: str, kind: str, says: Mapping[str, str | None], address: str, entry: Mapping[str, Any]) -> ClientWayIn:
    protocol = says["security.protocol"]
    speaks = None if protocol is None else protocol.upper()
    return ClientWayIn(
        client=client,
        kind=kind,
        address=address,
        broker=entry["broker"],
        listener=entry["listener"],
        encrypts=None if speaks is None else speaks.endswith("SSL"),
        logs_in=None if speaks is None else speaks.startswith("SASL"),
        mechanism=says.get("sasl.mechanism"),
        plain=entry["plain"],
        anonymous=entry["anonymous"],
        offered=entry["mechanisms"],
    )
