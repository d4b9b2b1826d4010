"""Which clients come with a certificate of their own, as far as their configuration tells."""

from collections import defaultdict
from typing import Annotated

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class ClientCertificate(Row):
    """A client and kind whose configuration says that it speaks TLS without a login (SSL)."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    kind: Annotated[str, Cell("producer, consumer, admin, …; empty: unclear.", key=True)]
    keystore: Annotated[str | None, Cell("ssl.keystore.location; empty for none, unknown where a variable holds it.")]
    inline: Annotated[bool, Cell("Whether it has its certificate in its settings (ssl.keystore.certificate.chain).")]
    same_file: Annotated[
        list[str] | None, Cell("Other clients of the same host that name this keystore; unknown where a variable may.")
    ]


VIEW = View(
    help="One row per client and kind whose configuration says that it speaks TLS without a login (SSL).",
    row=ClientCertificate,
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value", "file"), needs=("file",)),
    },
    version=2,
)

_PROTOCOL = "security.protocol"
_STORE = "ssl.keystore.location"
_CHAIN = "ssl.keystore.certificate.chain"


def compute(*, config: Fact) -> Observed:
    """Work it out from client_config. Files of different hosts or containers may well have the same name."""
    settings: dict[tuple[str, str], dict[str, tuple[str | None, str]]] = defaultdict(dict)
    for row in config.rows():
        settings[row["client"], row["kind"]][row["setting"]] = (row["value"], row["file"])
    users: dict[tuple[str, str | None], set[str]] = defaultdict(set)
    for (client, _), given in settings.items():
        store, file = given.get(_STORE, ("", ""))
        if store != "":
            users[_host(file), store].add(client)
    clients = sorted(settings.items())
    gaps = [
        Gap(f"whether client {client} speaks TLS is not known: its file leaves {_PROTOCOL} to a variable")
        for (client, _), given in clients
        if _protocol(given) is None
    ]
    rows = [_row(key, given, users) for key, given in clients if (_protocol(given) or "").upper() == "SSL"]
    return Observed(rows=rows, gaps=gaps)


def _protocol(settings: dict[str, tuple[str | None, str]]) -> str | None:
    return settings.get(_PROTOCOL, ("", ""))[0]


def _row(
    key: tuple[str, str], settings: dict[str, tuple[str | None, str]], users: dict[tuple[str, str | None], set[str]]
) -> ClientCertificate:
    (client, kind), (store, file) = key, settings.get(_STORE, ("", ""))
    return ClientCertificate(
        client=client,
        kind=kind,
        keystore=store,
        inline=_CHAIN in settings,
        same_file=_others(client, store, _host(file), users),
    )


def _others(
    client: str, store: str | None, host: str, users: dict[tuple[str, str | None], set[str]]
) -> list[str] | None:
    """Who else names the same keystore; None where a variable holds this one's, or one that may be the same."""
    if store == "":
        return []
    found = sorted(users[host, store] - {client}) if store else []
    unsure = store is None or users.get((host, None), set()) - {client}
    return found or (None if unsure else [])


def _host(file: str) -> str:
    """The host of a file as client_config names it, host:/path; "" for one that was not read on a host."""
    host, found, _ = file.partition(":/")
    return host if found else ""
