from typing import Any

import pytest

from runbook.model.fact import Fact, tabulate
from runbook.views.broker_authorization import VIEW, compute

FILE = "STATIC_BROKER_CONFIG"
KAFKAS = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"


def row(**settings: str | None) -> dict[str, Any]:
    return of({name.replace("_", "."): (value, FILE) for name, value in settings.items()})


def of(declared: dict[str, tuple[str | None, str]], *, whole: bool = True) -> dict[str, Any]:
    settings = ({"authorizer.class.name": ("", "DEFAULT_CONFIG")} if whole else {}) | declared
    columns: dict[str, list[Any]] = {
        "broker": [1] * len(settings),
        "setting": list(settings),
        "value": [value for value, _ in settings.values()],
        "source": [source for _, source in settings.values()],
    }
    fact = Fact("kafka_broker_setting", columns)
    return next(tabulate("broker_authorization", VIEW.columns, compute(setting=fact)).rows())


def test_what_the_file_does_not_set_is_absent_and_thus_kafkas_default():
    found = row(authorizer_class_name=KAFKAS, process_roles="broker")
    assert found["kraft"]
    assert (found["authorizer"], found["open_by_default"], found["super_users"]) == (KAFKAS, False, [])


def test_what_kafka_hides_is_not_known():
    found = of({"super.users": (None, FILE), "allow.everyone.if.no.acl.found": (None, FILE)})
    assert (found["open_by_default"], found["super_users"], found["authorizer"]) == (None, None, "")


def test_of_a_service_that_leaves_settings_out_what_is_missing_is_not_known():
    found = of({"num.partitions": ("6", FILE), "super.users": ("User:a", FILE)}, whole=False)
    unknown = [name for name, value in found.items() if value is None]
    assert unknown == ["kraft", "authorizer", "open_by_default", "super_users", "passwords"]


def test_what_another_authorizer_heeds_is_not_known():
    found = row(authorizer_class_name="org.apache.ranger.RangerKafkaAuthorizer", super_users="User:a")
    assert (found["open_by_default"], found["super_users"]) == (None, None)


@pytest.mark.parametrize(("roles", "apart"), [("broker", True), ("broker,controller", False), ("", False)])
def test_controllers_that_run_apart_decide_by_their_own_files(roles: str, *, apart: bool):
    assert bool(row(authorizer_class_name=KAFKAS, process_roles=roles)["apart"]) is apart


@pytest.mark.parametrize(("value", "is_open"), [("true", True), (" TRUE ", True), ("false", False), ("", False)])
def test_what_a_version_tells_is_taken(value: str, *, is_open: bool):
    assert of({"allow.everyone.if.no.acl.found": (value, FILE)})["open_by_default"] is is_open
    assert of({"super.users": ("User:a; User:b;", FILE)})["super_users"] == ["User:a", "User:b"]


def test_passwords_that_stand_in_the_file_are_named():
    settings = {
        "ssl.keystore.password": (None, FILE),
        "ssl.key.password": (None, "DEFAULT_CONFIG"),
        "listener.name.a.plain.sasl.jaas.config": (None, FILE),
        "super.users": (None, FILE),
    }
    expected = ["listener.name.a.plain.sasl.jaas.config", "ssl.keystore.password"]
    assert of(settings)["passwords"] == expected
    assert of({"node.id": ("1", FILE)})["passwords"] == []


def test_a_hidden_login_or_a_provider_leaves_open_what_the_file_says():
    assert of({"listener.name.a.scram-sha-512.sasl.jaas.config": (None, FILE)})["passwords"] is None
    assert of({"ssl.key.password": (None, FILE), "config.providers": ("vault", FILE)})["passwords"] is None
    assert of({"config.providers": ("vault", FILE)})["passwords"] == []
