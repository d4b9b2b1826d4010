"""The samples of security.md are what its own checks ask for: read as on a host, by the real commands."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from runbook.answers.ssh.commands import JAAS, LOGINS, PLAIN_SECRETS, SECURITY_LINES, Command
from runbook.formats.client_files import read_client_file
from support.documented import titled
from support.recorded_hosts import BROKER, WITH_JAAS, look, recorded, running

PAGE = "runbooks/security.md"
LOGIN, CERTIFICATE = "client.properties, by a login", "client.properties, by a certificate"


def printed(command: Command, file: Path) -> str:
    """What the command prints of a file, run as on a host."""
    done = subprocess.run(command.vector((str(file),), [str(file.parent)]), capture_output=True, text=True, check=False)
    assert done.returncode in command.exits, done.stderr
    return done.stdout


@pytest.fixture
def answers(tmp_path: Path) -> dict[str, str]:
    server, jaas = tmp_path / "server.properties", tmp_path / "jaas.conf"
    server.write_text(titled(PAGE, "server.properties"))
    jaas.write_text(titled(PAGE, "kafka_server_jaas.conf"))
    of_server = {command.name: printed(command, server) for command in (SECURITY_LINES, PLAIN_SECRETS, LOGINS)}
    return of_server | {"jaas": printed(JAAS, jaas)}


def test_the_broker_would_start_and_holds_references_in_place_of_passwords(answers: dict[str, str]):
    [row] = look("host_broker_file", recorded({"kafka-1": running(BROKER) | answers})).rows()
    assert row["plain_secrets"] == []
    assert "inter.broker.listener.name" in row["settings"]
    assert "security.inter.broker.protocol" not in row["settings"]
    assert row["settings"]["sasl.mechanism.inter.broker.protocol"] in row["mechanisms"]
    assert row["super_users"] == ["User:broker", "User:admin"]


def test_logins_are_read_and_kerberos_has_its_keytab(answers: dict[str, str]):
    rows = list(look("host_jaas", recorded({"kafka-1": running(WITH_JAAS) | answers})).rows())
    scram = [row for row in rows if row["mechanism"] == "SCRAM-SHA-512"]
    kerberos = {row["section"]: row for row in rows if row["mechanism"] == "GSSAPI"}
    assert {row["username"] for row in scram} == {"broker", ""}
    assert not any(row["users"] for row in rows)
    assert set(kerberos) == {"KafkaServer", "KafkaClient"}
    assert all(row["use_key_tab"] and row["key_tab"] for row in kerberos.values())
    assert kerberos["KafkaServer"]["store_key"]


@pytest.mark.parametrize(("title", "protocol"), [(LOGIN, "SASL_SSL"), (CERTIFICATE, "SSL")])
def test_clients_speak_tls_and_show_no_password(title: str, protocol: str):
    settings: dict[str, Any] = {
        setting.name: setting.value for setting in read_client_file(titled(PAGE, title), "c.properties", "")
    }
    assert settings["security.protocol"] == protocol
    assert settings.get("sasl.mechanism", "SCRAM-SHA-512") == "SCRAM-SHA-512"
    assert ("ssl.keystore.location" in settings) == (protocol == "SSL")
    assert "ssl.endpoint.identification.algorithm" not in settings


@pytest.mark.parametrize("sample", ["server.properties", LOGIN, CERTIFICATE])
def test_each_store_has_its_password_or_java_would_read_a_truststore_as_empty(sample: str):
    text = titled(PAGE, sample)
    stores = re.findall(r"^ssl[.](\w+)[.]location=", text, re.MULTILINE)
    assert "truststore" in stores
    assert [store for store in stores if f"\nssl.{store}.password=${{file:" not in text] == []
