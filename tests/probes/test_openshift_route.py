"""Routes of OpenShift, in the form of its API (openshift/api, route/v1), as Strimzi makes them for a listener."""

from typing import Any

import pytest

from runbook.model.errors import Denied
from support.recorded_kubernetes import Played

GROUP = "/apis/route.openshift.io"
ROUTES = f"{GROUP}/v1/namespaces/kafka/routes"


def route(**spec: Any) -> dict[str, Any]:
    return {
        "metadata": {"name": "orders-kafka-1", "namespace": "kafka"},
        "spec": {
            "host": "orders-kafka-1.apps.example.com",
            "to": {"kind": "Service", "name": "kafka-bootstrap", "weight": 100},
            "port": {"targetPort": 9094},
            "tls": {"termination": "passthrough"},
            **spec,
        },
        "status": {
            "ingress": [
                {"routerName": "kafka", "conditions": [{"type": "Admitted", "status": "True"}]},
                {
                    "routerName": "default",
                    "conditions": [{"type": "Admitted", "status": "False", "reason": "HostAlreadyClaimed"}],
                },
            ]
        },
    }


def played(*routes: dict[str, Any]) -> Played:
    recorded = Played("healthy")
    recorded.answers[GROUP] = {
        "kind": "APIGroup",
        "versions": [{"groupVersion": "route.openshift.io/v1", "version": "v1"}],
    }
    recorded.answers[ROUTES] = {
        "kind": "RouteList",
        "apiVersion": "route.openshift.io/v1",
        "metadata": {},
        "items": [*routes],
    }
    return recorded


def test_a_route_tells_where_it_leads_how_tls_ends_and_who_admitted_it() -> None:
    row = played(route()).row("openshift_route", route="orders-kafka-1")
    assert (row["host"], row["service"]) == ("orders-kafka-1.apps.example.com", "kafka-bootstrap")
    assert row["termination"] == "passthrough"
    assert row["roles"] == ["broker", "controller"]
    assert (row["routers"], row["refused"]) == (["kafka"], ["default: HostAlreadyClaimed"])


def test_a_route_without_tls_or_to_something_else_says_so() -> None:
    row = played(route(tls=None, to={"name": "console"})).row("openshift_route", route="orders-kafka-1")
    assert (row["termination"], row["roles"]) == ("", [])


def test_a_platform_without_routes_is_no_openshift() -> None:
    assert "no resources of route.openshift.io" in Played("healthy").observe("openshift_route").inapplicable


def test_not_being_allowed_to_see_them_is_not_their_absence() -> None:
    recorded = played(route())
    recorded.statuses[ROUTES] = 403
    with pytest.raises(Denied, match=r"list routes\.route\.openshift\.io in namespace kafka"):
        recorded.observe("openshift_route")
