from pathlib import Path
from typing import Any

import pytest

from runbook.safety.secret import is_reference, is_secret, plain_secrets, wrong_references


@pytest.mark.parametrize(
    "name",
    [
        "sasl.password",
        "ssl.key.password",
        "ssl.keystore.key",
        "ssl.key.pem",
        "sasl.jaas.config",
        "keyfile_password",
        "profile.password",
        "client.secret",
        "basic.auth.user.info",
        "sasl.oauthbearer.client.credentials.client.secret",
        "token",
        "PASSPHRASE",
        "datadog.api_key",
        "http.headers.authorization",
        "db.pwd",
    ],
)
def test_a_setting_that_is_a_credential_is_known_by_its_name(name: str) -> None:
    assert is_secret(name)


@pytest.mark.parametrize(
    "name",
    [
        "bootstrap.servers",
        "ssl.key.location",
        "ssl.ca.location",
        "password.file",
        "sasl.oauthbearer.token.endpoint.url",
        "token.refresh.interval",
        "delegation.token.expiry.time.ms",
        "sasl.mechanism",
        "sasl.username",
        "ssl.keystore.type",
        "aws.access.key.id",
        "output.format.key",
    ],
)
def test_a_setting_that_only_sounds_like_one_is_none(name: str) -> None:
    assert not is_secret(name)


def test_credentials_in_plain_text_are_named_by_their_paths() -> None:
    settings: dict[str, Any] = {
        "sasl.password": "hunter2",
        "ssl.key.password": {"env": "X"},
        "client.secret": 12345678,
        "token": "",
        "sasl.username": "a",
    }
    assert plain_secrets(settings) == [("sasl.password",), ("client.secret",)]


def test_credentials_are_found_however_deep_they_stand() -> None:
    settings: dict[str, Any] = {
        "hosts": {"one": {"user": "ann", "password": "plain1"}, "file": {"address": "10.0.0.1"}},
        "agents": [{"token": "plain2"}, {"token": {"env": "X"}}],
    }
    assert plain_secrets(settings) == [("hosts", "one", "password"), ("agents", 0, "token")]


@pytest.mark.parametrize(
    ("address", "holds"),
    [
        ("http://ann:hunter2@host:8778/jolokia", True),
        ("https://:hunter2@host", True),
        ("https://ann@host/a:b@c", False),
        ("https://host:8778/a@b", False),
        ("PLAIN://host:9092", False),
    ],
)
def test_a_password_in_an_address_is_one_in_plain_text(address: str, *, holds: bool) -> None:
    assert plain_secrets({"agents": [address]}) == ([("agents", 0)] if holds else [])


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ({"env": "A"}, True),
        ({"env": "A", "file": "B"}, True),  # a wrong one, which is told when it is followed
        ({"keyring": "kafka", "user": "runbook"}, True),
        ({"command": ["pass", "show", "kafka"]}, True),
        ({"file": {"address": "10.0.0.1"}}, False),
        ({"user": "runbook"}, False),
        ({"file": "a", "kind": "consumer"}, False),
        ({}, False),
    ],
)
def test_a_mapping_is_a_reference_by_its_words(value: dict[str, Any], *, is_one: bool) -> None:
    assert is_reference(value) == is_one


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ({"env": "A", "file": "/b"}, "to come from env and from file"),
        ({"env": "A", "user": "b"}, "the env of password is written otherwise"),
        ({"keyring": "a"}, "the keyring of password is written otherwise"),
        ({"keyring": "a", "user": ""}, "the keyring of password is written otherwise"),
        ({"command": "pass show kafka"}, "the command of password is written otherwise"),
        ({"command": []}, "the command of password is written otherwise"),
        ({"command": ["pass", 1]}, "the command of password is written otherwise"),
        ({"file": None}, "the file of password is written otherwise"),
        ({"evn": "A"}, "password is one value, and this says nothing of where it comes from"),
        ({}, "password is one value"),
    ],
)
def test_a_reference_that_can_not_be_followed_is_told_before_it_is(reference: Any, said: str) -> None:
    for settings, path in (
        ({"password": reference}, ("password",)),
        ({"hosts": [{"password": reference}]}, ("hosts", 0, "password")),
        ({"tls": {"password": [reference]}}, ("tls", "password", 0)),
    ):
        [wrong] = wrong_references(settings)
        assert said in wrong.message
        assert wrong.path == path
        assert "{env: NAME}" in wrong.remedy or wrong.remedy == "choose one of them" or "write {" in wrong.remedy


@pytest.mark.parametrize(
    "reference",
    [
        {"env": "A"},
        {"file": "/b"},
        {"keyring": "a", "user": "b"},
        {"command": ["pass", "show", "kafka"]},
        "plain",
        None,
    ],
)
def test_a_reference_as_it_should_be_and_any_other_value_is_no_wrong_one(reference: Any) -> None:
    assert list(wrong_references({"password": reference, "agents": {1: {"url": "http://a"}}, "user": "b"})) == []


_TYPED = [
    line.split()
    for line in (Path(__file__).parent / "recorded" / "connector_settings.txt").read_text().splitlines()[1:]
]
_SAID_OTHERWISE = {
    "connection.uri": "an address: its login gives itself away",
    "ssl.keystore.certificate.chain": "public",
    "ssl.truststore.certificates": "public",
}
"""Settings of type PASSWORD whose name says nothing, and why that does no harm."""


def test_names_tell_the_settings_that_real_connectors_declare_as_passwords():
    wrong = {name for _, kind, name in _TYPED if (kind == "PASSWORD") != is_secret(name)}
    assert wrong == {*_SAID_OTHERWISE}
    assert len(_TYPED) > 600


def test_a_login_in_an_address_gives_itself_away():
    assert plain_secrets({"connection.uri": "mongodb://writer:tops3cret@mongo:27017"}) == [("connection.uri",)]
