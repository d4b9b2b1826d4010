"""Logins in plain text: refused where it is a token of Kubernetes, remarked on elsewhere; loopback by what it is."""

import datetime as dt
from pathlib import Path

import pytest

from runbook.allowed._plain import is_this_machine
from runbook.model.errors import Invalid, Misconfigured
from runbook.parse.allowed import remarks, require_allowed
from runbook.parse.inventory import parse_inventory
from runbook.plugins.catalog import catalog
from runbook.show.reachability import describe, reached

TODAY = dt.date(2026, 11, 22)
OTHERS = [
    "127.evil.invalid",
    "localhost.evil.invalid",
    "::1.evil",
    "127.0.0.1.nip.io",
    "128.0.0.1",
    "10.0.0.1",
    "127.1",
]
OURS = ["127.0.0.1", "127.9.9.9", "localhost", "kafka.localhost", "::1"]


@pytest.mark.parametrize("host", OTHERS)
def test_another_machine_is_known_by_more_than_its_beginning(host: str) -> None:
    assert not is_this_machine(host)


@pytest.mark.parametrize("host", OURS)
def test_this_machine_is_known(host: str) -> None:
    assert is_this_machine(host)


@pytest.mark.parametrize("host", ["127.evil.invalid", "localhost.evil.invalid", "10.0.0.1"])
def test_no_token_of_kubernetes_goes_to_another_machine_in_plain_text(host: str) -> None:
    text = f"environments: {{prod: {{kubernetes: {{server: 'http://{host}:8080', token: {{env: T}}}}}}}}"
    with pytest.raises(Invalid, match=f"{host} is another machine"):
        parse_inventory(text, "environments.yaml", TODAY)
    with pytest.raises(Misconfigured, match="another machine"):
        require_allowed("kubernetes", {"server": f"http://{host}:8080"})


SETTINGS = {
    "jolokia": "agents: {1: 'ADDRESS/jolokia'}",
    "prometheus": "url: 'ADDRESS'",
    "schema_registry": "url: ['ADDRESS']",
    "connect": "workers: {w1: {address: 'ADDRESS'}}",
    "zookeeper": "servers: {z1: {address: 'z:2181', admin: 'ADDRESS'}}",
}


def test_every_kind_that_is_asked_over_http_is_looked_at() -> None:
    rooms = Path(catalog("connections")._files["connect"]).parents[1]
    over_http = {
        name
        for name in catalog("connections").names()
        if any(
            "import address" in text or "_http import Web" in text or ", web" in text
            for text in (file.read_text("utf-8") for file in (rooms / name).glob("*.py"))
        )
    }
    assert over_http - {"tls", "kubernetes"} == set(SETTINGS)


@pytest.mark.parametrize("kind", SETTINGS)
@pytest.mark.parametrize(
    ("address", "more", "said"),
    [
        ("http://sr.example.invalid:8081", "username: u, password: {env: P}", True),
        ("http://sr.example.invalid:8081", "token: {env: P}", True),
        ("sr.example.invalid:8081", "username: u, password: {env: P}", True),
        ("sr.example.invalid:8081", "username: u, password: {env: P}, ca: /x.pem", False),
        ("https://sr.example.invalid:8081", "username: u, password: {env: P}", False),
        ("http://127.0.0.1:8081", "username: u, password: {env: P}", False),
        ("http://sr.example.invalid:8081", "", False),
    ],
)
def test_a_login_over_plain_http_is_remarked_on(kind: str, address: str, more: str, *, said: bool) -> None:
    settings = SETTINGS[kind].replace("ADDRESS", address) + (f", {more}" if more else "")
    target = parse_inventory(f"environments: {{prod: {{{kind}: {{{settings}}}}}}}", "e.yaml", TODAY).targets["prod"]
    text = describe(reached(target, None))
    assert ("its login goes to sr.example.invalid over plain http" in text) == said
    assert text.count("over plain http") == said


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN"}, "can be read on the way"),
        ({"security.protocol": "sasl_plaintext", "sasl.mechanism": "SCRAM-SHA-512"}, "can be guessed at"),
        (
            {"security.protocol": "SSL", "enable.ssl.certificate.verification": False},
            "anybody can pass for the brokers",
        ),
        (
            {"security.protocol": "SSL", "ssl.endpoint.identification.algorithm": "none"},
            "any certificate of the authority",
        ),
        ({"security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN"}, ""),
        ({}, ""),
    ],
)
def test_a_weak_way_to_kafka_is_remarked_on(settings: dict[str, object], word: str) -> None:
    remarks_made = list(remarks("kafka", settings))
    assert [word in text for text in remarks_made] == ([True] if word else [])
