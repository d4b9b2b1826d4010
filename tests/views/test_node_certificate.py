from typing import Any

import pytest

from runbook.model.fact import Gap
from runbook.views.node_certificate import NodeCertificate, compute
from support.kafka_facts import fact

CONTROLLER = "controller-3.example:9094"
EARLY, LATE = "2026-11-20T00:00:00Z", "2026-11-22T00:00:00Z"
STORE = "ssl.keystore.location"
SETTINGS = {
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "CONTROLLER:SSL,CLIENTS:SSL,MUTUAL:SSL",
    STORE: "/etc/broker.pem",
}


def shown(listener: str, held_since: str = EARLY, broker: int = 1, at: str = "") -> dict[str, Any]:
    endpoint = at or f"kafka-{broker}.example:{listener}"
    return {"endpoint": endpoint, "position": 0, "broker": broker, "listener": listener, "not_before": held_since}


def nodes(
    settings: dict[str, str],
    *certificates: dict[str, Any],
    wanted: tuple[str | None, ...] = ("required",),
    gaps: tuple[Gap, ...] = (),
) -> list[NodeCertificate]:
    """Rows of a cluster whose only broker has these settings."""
    return [
        *compute(
            setting=fact(
                "kafka_broker_setting",
                [{"broker": 1, "setting": name, "value": value} for name, value in settings.items()],
            ),
            certificate=fact("tls_certificate", [*certificates]),
            endpoint=fact(
                "tls_endpoint",
                [
                    {"endpoint": f"{i}", "origins": ["controller"], "client_certificate": w}
                    for i, w in enumerate(wanted)
                ],
                *gaps,
            ),
            process=fact("jvm_process", [{"broker": 1, "started": LATE}]),
        ).rows
    ]


def test_a_listener_with_the_same_store_shows_what_is_read_at_the_start() -> None:
    own = {"listener.name.clients." + STORE: "/etc/clients.pem"}
    (row,) = nodes(SETTINGS | own, shown("CLIENTS"), shown("MUTUAL"))
    assert (row.endpoint, row.not_before, row.started) == ("kafka-1.example:MUTUAL", EARLY, LATE)


def test_what_stands_for_the_listener_of_controllers_wins() -> None:
    own = {f"listener.name.{name}.{STORE}": "/etc/own.pem" for name in ("controller", "clients")}
    (row,) = nodes(SETTINGS | own, shown("MUTUAL"), shown("CLIENTS"))
    assert row.endpoint == "kafka-1.example:CLIENTS"


@pytest.mark.parametrize(
    "settings",
    [{"listener.name.controller." + STORE: "/etc/own.pem"}, {STORE: ""}],
    ids=["in a store of its own", "in none that is named"],
)
def test_what_no_listener_shows_is_unknown(settings: dict[str, str]) -> None:
    (row,) = nodes(SETTINGS | settings, shown("MUTUAL"))
    assert (row.endpoint, row.not_before) == (None, None)


def test_a_controller_that_brokers_know_by_its_id_shows_it_itself() -> None:
    known = {"controller.quorum.voters": f"3@{CONTROLLER}"}
    rows = nodes(SETTINGS | known, shown("MUTUAL"), shown("", LATE, -1, CONTROLLER))
    assert [(row.node, row.endpoint, row.not_before, row.started) for row in rows] == [
        (1, "kafka-1.example:MUTUAL", EARLY, LATE),
        (3, CONTROLLER, LATE, None),
    ]


@pytest.mark.parametrize("protocols", ["CONTROLLER:PLAINTEXT,MUTUAL:SSL", "MUTUAL:SSL"])
def test_where_controllers_speak_no_tls_there_is_nothing_to_tell(protocols: str) -> None:
    assert nodes(SETTINGS | {"listener.security.protocol.map": protocols}, shown("MUTUAL")) == []


@pytest.mark.parametrize(
    ("wanted", "most"),
    [
        (("none", "required"), "required"),
        (("none", "requested"), "requested"),
        (("none", "none"), "none"),
        (("none", None), None),
        (("requested", None), "requested"),
        ((), None),
    ],
)
def test_the_most_that_a_controller_wants_counts(wanted: tuple[str | None, ...], most: str | None) -> None:
    (row,) = nodes(SETTINGS, shown("MUTUAL"), wanted=wanted)
    assert row.wanted == most


def test_that_no_controller_wants_one_is_known_only_once_all_were_seen() -> None:
    gap = (Gap("a listener did not answer"),)
    assert [nodes(SETTINGS, shown("MUTUAL"), wanted=(w,), gaps=gap)[0].wanted for w in ("none", "required")] == [
        None,
        "required",
    ]
