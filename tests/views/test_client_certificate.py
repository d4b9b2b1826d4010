from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.client_certificate import VIEW, compute

NAMES = ("client", "kind", "setting", "value", "file")
STORE = "ssl.keystore.location"
ROWS = [
    ("billing", "producer", "security.protocol", "SSL", "app-1:/opt/billing.properties"),
    ("billing", "producer", STORE, "/etc/tls/app.p12", "app-1:/opt/billing.properties"),
    ("audit", "consumer", "security.protocol", "ssl", "app-1:/opt/audit.properties"),
    ("audit", "consumer", STORE, "/etc/tls/app.p12", "app-1:/opt/audit.properties"),
    ("far", "consumer", "security.protocol", "SSL", "app-2:/opt/far.properties"),
    ("far", "consumer", STORE, "/etc/tls/app.p12", "app-2:/opt/far.properties"),
    ("bare", "consumer", "security.protocol", "SSL", "app-2:/opt/bare.properties"),
    ("pem", "consumer", "security.protocol", "SSL", "pem.properties"),
    ("pem", "consumer", "ssl.keystore.certificate.chain", "…", "pem.properties"),
    ("login", "consumer", "security.protocol", "SASL_SSL", "login.properties"),
]


def by_client() -> dict[str, dict[str, Any]]:
    config = Fact("client_config", {name: [row[i] for row in ROWS] for i, name in enumerate(NAMES)})
    return {row["client"]: row for row in tabulate("x", VIEW.columns, compute(config=config)).rows()}


def test_only_clients_that_speak_tls_without_a_login_are_rows():
    assert set(by_client()) == {"billing", "audit", "far", "bare", "pem"}


def test_a_keystore_of_one_host_that_two_clients_name_is_shared_and_that_of_another_host_is_not():
    assert (by_client()["billing"]["same_file"], by_client()["audit"]["same_file"]) == (["audit"], ["billing"])
    assert by_client()["far"]["same_file"] == []


def test_what_a_client_names_of_its_certificate():
    assert (by_client()["billing"]["keystore"], by_client()["billing"]["inline"]) == ("/etc/tls/app.p12", False)
    assert (by_client()["bare"]["keystore"], by_client()["bare"]["inline"]) == ("", False)
    assert by_client()["pem"]["inline"]
