"""What leaves a host of its logins: the real grep over files that try to have it tell a password."""

import subprocess
from pathlib import Path

import pytest

from runbook.answers.ssh.commands import JAAS, LOGINS, PLAIN_SECRETS, SECURITY_LINES, Command
from runbook.formats.jaas import read_logins

JAAS_FILE = r"""// KafkaClient { old = thing
/* KafkaServer { a.b.OldLoginModule required password="hunter22"; */
KafkaServer {
   org.apache.kafka.common.security.plain.PlainLoginModule required
   username="admin"
   password="hunter22=x {hunter22} hunter22 required"
   user_admin="hunter22=b" user_alice = "\"hunter22=c";
   com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true
   keyTab="/etc/security/keytabs/kafka.keytab" principal="kafka/h@R" other=hunter22==;
};
Client
{
   org.apache.zookeeper.server.auth.DigestLoginModule required password="hunter22=zz
   ;
};
"""
PROPERTIES = r"""ssl.key.password=user_hunter22=1
# sasl.jaas.config=old required password="hunter22";
super.users=User:CN=a;User:b
listener.name.c.ssl.keystore.location=/etc/kafka/tls/keystore.p12
ssl.keystore.password=${file:/run/secrets:hunter22}
listener.name.c.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \
  username="admin" \
  password="hunter22=c" user_x="hunter22=z";
listener.name.c.scram-sha-512.sasl.jaas.config = \
  org.apache.kafka.common.security.scram.ScramLoginModule required username="admin" password="${file:/x:hunter22}";
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="b" password="hunter22";
"""


def printed(folder: Path, command: Command, name: str, text: str) -> str:
    """What the command prints of a file, run as on a host."""
    (folder / name).write_text(text, encoding="utf-8")
    vector = command.vector((str(folder / name),), [str(folder)])
    done = subprocess.run(vector, capture_output=True, text=True, check=False)
    assert done.returncode in command.exits, done.stderr
    return done.stdout


def test_sections_modules_and_names_of_options_of_a_jaas_file_are_told(tmp_path: Path):
    logins = read_logins(printed(tmp_path, JAAS, "jaas.conf", JAAS_FILE).splitlines())
    assert [(login.section, login.module.rpartition(".")[2], login.options) for login in logins] == [
        ("KafkaServer", "PlainLoginModule", ["username", "password", "user_admin", "user_alice"]),
        ("KafkaServer", "Krb5LoginModule", ["useKeyTab", "storeKey", "keyTab", "principal", "other"]),
        ("Client", "DigestLoginModule", ["password"]),
    ]
    assert all(login.closed for login in logins)
    assert logins[0].users == ["admin", "alice"]
    assert logins[1].values == {
        "useKeyTab": "true",
        "storeKey": "true",
        "keyTab": "/etc/security/keytabs/kafka.keytab",
        "principal": "kafka/h@R",
    }


def test_login_entries_of_a_properties_file_are_told_also_over_lines(tmp_path: Path):
    logins = read_logins(printed(tmp_path, LOGINS, "server.properties", PROPERTIES).splitlines())
    assert [(login.section, login.module.rpartition(".")[2], login.users, login.values) for login in logins] == [
        ("listener.name.c.plain.sasl.jaas.config", "PlainLoginModule", ["x"], {"username": "admin"}),
        ("listener.name.c.scram-sha-512.sasl.jaas.config", "ScramLoginModule", [], {"username": "admin"}),
        ("sasl.jaas.config", "ScramLoginModule", [], {"username": "b"}),
    ]


def test_settings_with_a_credential_are_named_and_those_with_a_reference_are_not(tmp_path: Path):
    names = printed(tmp_path, PLAIN_SECRETS, "server.properties", PROPERTIES).split()
    assert names == ["ssl.key.password", "password", "sasl.jaas.config"]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('a.plain.sasl.jaas.config=p.PlainLoginModule required user_alice="hunter22";', "a.plain.sasl.jaas.config"),
        ('  user_alice="hunter22";', "user_alice"),
        ('sasl.jaas.config=o.OAuthBearerLoginModule required clientSecret="hunter22";', "sasl.jaas.config"),
        (
            "sasl.oauthbearer.client.credentials.client.secret=hunter22",
            "sasl.oauthbearer.client.credentials.client.secret",
        ),
        (
            "sasl.oauthbearer.assertion.private.key.passphrase=hunter22",
            "sasl.oauthbearer.assertion.private.key.passphrase",
        ),
        ("delegation.token.secret.key=hunter22", "delegation.token.secret.key"),
        ("password.encoder.secret: hunter22", "password.encoder.secret"),
        ('sasl.jaas.config=p.PlainLoginModule required password="${file:/s:p}" user_x="${file:/s:x}";', ""),
        ('sasl.jaas.config=k.Krb5LoginModule required keyTab="/etc/k" principal="kafka/h@R";', ""),
        ("sasl.oauthbearer.token.endpoint.url=https://idp/token", ""),
        ("password.encoder.keyfactory.algorithm=PBKDF2", ""),
    ],
)
def test_each_kind_of_credential_is_named(tmp_path: Path, line: str, name: str):
    """Passwords of Kafka 4.3 by their type, and what login modules take as an option."""
    assert printed(tmp_path, PLAIN_SECRETS, "server.properties", f"{line}\n").strip() == name


def test_settings_about_security_are_told_by_name(tmp_path: Path):
    lines = printed(tmp_path, SECURITY_LINES, "server.properties", PROPERTIES).splitlines()
    assert lines == [
        "super.users=User:CN=a;User:b",
        "listener.name.c.ssl.keystore.location=/etc/kafka/tls/keystore.p12",
    ]


@pytest.mark.parametrize("command", [JAAS, LOGINS, PLAIN_SECRETS, SECURITY_LINES], ids=lambda command: command.name)
def test_no_password_is_among_what_is_told(tmp_path: Path, command: Command):
    for name, text in (("a.conf", JAAS_FILE), ("b.properties", PROPERTIES), ("c.properties", JAAS_FILE)):
        if name.endswith(".conf") == (command is JAAS):
            assert "hunter22" not in printed(tmp_path, command, name, text)
