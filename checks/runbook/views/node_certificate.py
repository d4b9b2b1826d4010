"""What each node connects to the controllers with: read when it started, while its listeners may show a newer one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

from runbook.formats.listeners import Settings, controllers_encrypted, to_controllers
from runbook.model.fact import Fact, Observed
from runbook.model.quantity import ControllerId, Moment
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._broker_settings import by_broker

_STORE: Final = "ssl.keystore.location"
_WANTED: Final = ("none", "requested", "required")
"""What a controller wants of who connects to it, the least first."""


class NodeCertificate(Row):
    """A node of a KRaft cluster whose controllers speak TLS."""

    node: Annotated[ControllerId, Cell("Node id.", key=True)]
    endpoint: Annotated[
        str | None,
        Cell("One of its listeners that shows what is in the store it connects with; unknown where none was seen."),
    ]
    not_before: Annotated[Moment | None, Cell("From when the certificate holds that is shown there.")]
    started: Annotated[Moment | None, Cell("When the node started, and read what it connects with.")]
    wanted: Annotated[
        str | None, Cell("What controllers want of who connects: none, requested or required; the most that one does.")
    ]


VIEW = View(
    help=(
        "One row per broker, and per controller that controller.quorum.voters names, where controllers speak TLS: "
        "what it shows, and since when it runs."
    ),
    row=NodeCertificate,
    version=2,
    inputs={
        "setting": Input("kafka_broker_setting", columns=("broker", "setting", "value")),
        "certificate": Input(
            "tls_certificate", columns=("endpoint", "position", "broker", "listener", "not_before"), tells=True
        ),
        "endpoint": Input("tls_endpoint", columns=("endpoint", "origins", "client_certificate"), tells=True),
        "process": Input("jvm_process", columns=("broker", "started")),
    },
)


def compute(*, setting: Fact, certificate: Fact, endpoint: Fact, process: Fact) -> Observed:
    """Work it out from kafka_broker_setting, tls_certificate, tls_endpoint and jvm_process."""
    brokers = by_broker(setting).items()
    over_tls = {
        ControllerId(node): settings for node, settings in brokers if controllers_encrypted(settings) is not False
    }
    shown = [row for row in certificate.rows() if row["position"] == 0]
    started = {row["broker"]: row["started"] for row in process.rows()}
    wanted = _wanted(endpoint)
    at = {broker: _of_broker(broker, settings, shown) for broker, settings in over_tls.items()}
    for voter, address in {voter for settings in over_tls.values() for voter in _voters(settings)}:
        at[voter] = at.get(voter) or next((row for row in shown if row["endpoint"] == address), None)
    return Observed(rows=[_row(node, row or {}, started.get(node), wanted) for node, row in sorted(at.items())])


def _row(node: ControllerId, shown: Mapping[str, Any], started: Moment | None, wanted: str | None) -> NodeCertificate:
    return NodeCertificate(
        node=node,
        endpoint=shown.get("endpoint"),
        not_before=shown.get("not_before"),
        started=started,
        wanted=wanted,
    )


def _of_broker(
    broker: ControllerId, settings: Settings, shown: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any] | None:
    """What one of its listeners shows out of the store that it connects to controllers with."""
    channel = to_controllers(settings)
    if channel is None or not controllers_encrypted(settings):
        return None
    store = _store(settings, channel[0])
    own = (row for row in shown if row["broker"] == broker and row["listener"] is not None)
    return next((row for row in own if _store(settings, row["listener"]) == store), None) if store else None


def _store(settings: Settings, listener: str) -> str | None:
    """Where the store of a listener is, by its own setting before that of all; None where it is hidden."""
    own = settings.get(f"listener.name.{listener.lower()}.{_STORE}", "")
    return settings.get(_STORE) if own == "" else own


def _voters(settings: Settings) -> Iterator[tuple[ControllerId, str]]:
    """Controllers that a broker was told by their ids, and where each is; a controller shows what it connects with."""
    for part in (settings.get("controller.quorum.voters") or "").split(","):
        node, at, address = part.strip().partition("@")
        if at and node.isdecimal():
            yield ControllerId(int(node)), address


def _wanted(endpoint: Fact) -> str | None:
    """The most that any controller wants; that it is nothing is known once all were seen."""
    rows = [row for row in endpoint.rows() if row["origins"] is None or "controller" in row["origins"]]
    said = [None if row["origins"] is None else row["client_certificate"] for row in rows]
    most = max((_WANTED.index(one) for one in said if one is not None), default=0)
    sure = most > 0 or (said and None not in said and endpoint.complete)
    return _WANTED[most] if sure else None
