"""A secure lab with hosts and clients beside it: all of it as it should be, or as much as possible of it wrong at once.

For tests of both sides of every check of security.md. What is wrong is real: listeners, certificates, classes, ACLs,
users, quotas and files.
"""

import datetime as dt
import os
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from lab_hosts import JAAS, JAAS_FILE, PROPERTIES
from runbook.lab import LabState, rights, security
from runbook.lab.admin import kafka_python
from runbook.lab.brokers import run_tool
from runbook.lab.configuration import free_ports
from runbook.lab.hosts import Machine, Plan
from runbook.lab.java import JavaError, find_java

SECRET: Final = "hunter22-made-up"
"""Stands wherever a state has a credential where none belongs; no output may hold it."""
WRONG_BROKER: Final = 3
TILL: Final = "192.0.2.7"

_PROPERTIES_FILE = "/etc/kafka/server.properties"
_LOG_FILE = "/var/log/kafka/server.log"
_JAR = "/opt/kafka/libs/kafka_2.13-{}.jar"
_SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
_PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule required"

# -- hosts


def right_host(plan: Plan, number: int) -> None:
    """Make a stand-in host right: references in place of passwords, a PLAIN login that keeps no users."""
    plan.files[_PROPERTIES_FILE] = PROPERTIES.format(number=number).replace(
        "ssl.keystore.password=hunter22\n",
        "config.providers=dir\n"
        "config.providers.dir.class=org.apache.kafka.common.config.provider.DirectoryConfigProvider\n"
        "ssl.keystore.password=${dir:/run/secrets/kafka:keystore}\n",
    )
    plan.files[JAAS_FILE] = JAAS + f'plain.KafkaServer {{\n  {_PLAIN} username="admin" password="hunter22";\n}};\n'


_WRONG_JAAS = f"""\
kafkaServer {{
  org.apache.kafka.common.security.scram.ScramLoginModule required
  username="ghost" password="{SECRET}" user_alice="{SECRET}";
  {_PLAIN} username="a" password="{SECRET}" user_bob="{SECRET}";
  com.sun.security.auth.module.Krb5LoginModule required
  useTicketCache=true keyTab="/etc/security/keytabs/gone.keytab" principal="kafka@LAB";
}};
KafkaServer {{
  org.apache.kafka.common.security.scram.ScramLoginModule required username="ghost" password="{SECRET}";
}};
"""
_WRONG_PROPERTIES = f"""\
security.inter.broker.protocol=SASL_SSL
allow.everyone.if.no.acl.found=true
super.users=User:admin;User:*
ssl.key.password={SECRET}
"""


def spoil_hosts(machines: list[Machine]) -> None:
    """Write the files of the second host wrongly, its data to a plain disk; have the third run an old release."""
    upper = Path(machines[1].plan.folder, "upper")
    jaas, properties, log = (upper / path[1:] for path in (JAAS_FILE, _PROPERTIES_FILE, _LOG_FILE))
    jaas.write_text(_WRONG_JAAS)
    jaas.chmod(0o666)
    os.chown(jaas, 0, 0)
    on_a_disk = Path(machines[1].plan.shared[0], "data")
    on_a_disk.mkdir()
    properties.write_text(properties.read_text() + _WRONG_PROPERTIES + f"log.dirs={on_a_disk}\n")
    properties.chmod(0o604)
    os.chown(properties, 7002, 7002)
    log.write_text(f"all is well\nConnecting with password={SECRET}\n")
    libs = Path(machines[2].plan.folder, "upper", _JAR.format("4.3.0")[1:])
    libs.rename(libs.with_name(Path(_JAR.format("3.9.0")).name))


# -- clients and their logs

_CLIENTS: Final[Mapping[str, Mapping[str, str]]] = {
    "right": {
        "billing": "security.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-512\n"
        "ssl.endpoint.identification.algorithm=https\n",
        "shop": "security.protocol=SSL\nssl.keystore.location=/etc/shop/shop.p12\n",
        "till": "security.protocol=SSL\nssl.keystore.location=/etc/till/till.p12\n",
    },
    "wrong": {
        "billing": "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\n",
        "shop": "security.protocol=SSL\nssl.endpoint.identification.algorithm=\n",
        "till": "security.protocol=SSL\nssl.keystore.location=/etc/shared/store.p12\n",
        "kiosk": "security.protocol=SSL\nssl.keystore.location=/etc/shared/store.p12\n",
    },
}
LIES_ON_A_DISK: Final = os.major(Path(tempfile.gettempdir()).stat().st_dev) != 0
"""Whether folders of tests lie on a device, of which hosts then tell whether it encrypts."""
_LOGS: Final = {
    "right": "INFO started\nINFO sasl.jaas.config = [hidden]\n",
    "wrong": f"INFO started\nINFO connecting with password={SECRET}\n",
}


def client_files(folder: Path, state: str) -> dict[str, Any]:
    """Write the configurations and logs of some clients; gives the connection that reads them."""
    place = folder / state
    place.mkdir()
    for name, text in _CLIENTS[state].items():
        (place / f"{name}.properties").write_text(text)
        (place / f"{name}.log").write_text(_LOGS[state])
    return {
        "clients": [
            {"name": name, "kind": "producer", "path": str(place / f"{name}.properties")} for name in _CLIENTS[state]
        ],
        "logs": [{"client": name, "path": str(place / f"{name}.log")} for name in _CLIENTS[state]],
    }


# -- rights, users, quotas


def declared() -> list[str]:
    """Every ACL that a lab has which is as it should be, as the check takes them."""
    given = [*rights.documented(security.READER), *rights.of_application(security.APPLICATION)]
    words = {"describe": "Describe", "describe_configs": "DescribeConfigs", "read": "Read"}
    lines = [
        f"Allow User:{one.user} * {words[one.operation]} {one.kind.capitalize()} {one.name} Literal" for one in given
    ]
    return [*lines, f"Allow User:till {TILL} Write Topic orders Literal"]


def complete(lab: LabState) -> None:
    """Add what a guarded lab lacks for its hosts and clients: the user of the brokers' files, and a bound principal."""
    rights.add_user(lab, "admin", security.password(lab, "admin"))
    _acls(lab, ("User:till", TILL, "WRITE", "ALLOW", "TOPIC", "orders", "LITERAL"))


def spoil_rights(lab: LabState) -> None:
    """Give too much to too many, twice and in vain; a weak password; no limits."""
    _acls(
        lab,
        ("User:*", "*", "READ", "ALLOW", "TOPIC", "payments", "LITERAL"),
        ("User:intern", "*", "ALL", "ALLOW", "TOPIC", "*", "LITERAL"),
        ("User:intern", "*", "ALTER", "ALLOW", "CLUSTER", "kafka-cluster", "LITERAL"),
        ("User:intern", "*", "READ", "ALLOW", "GROUP", "pay", "PREFIXED"),
        ("User:intern", "*", "READ", "ALLOW", "GROUP", "payroll", "LITERAL"),
        ("User:shop", "*", "WRITE", "ALLOW", "TOPIC", "orders", "LITERAL"),
        ("User:shop", "*", "WRITE", "DENY", "TOPIC", "orders", "LITERAL"),
        ("User:till", "*", "WRITE", "ALLOW", "TOPIC", "payments", "LITERAL"),
    )
    rights.add_user(lab, "intern", security.password(lab, "intern"), 4096)
    rights.remove_default_quotas(lab, ["producer_byte_rate", "consumer_byte_rate", "request_percentage"])


def quiet_denials(lab: LabState) -> None:
    """Have one broker not log any more whom it refuses."""
    whose = ["--bootstrap-server", lab.bootstrap, "--alter", "--entity-type", "broker-loggers"]
    level = ["--entity-name", str(WRONG_BROKER), "--add-config", "kafka.authorizer.logger=ERROR"]
    run_tool(lab, "kafka.admin.ConfigCommand", [*whose, *level])


def _acls(lab: LabState, *given: tuple[str, ...]) -> None:
    from kafka.admin import ACL, ACLOperation, ACLPermissionType, ACLResourcePatternType, ResourcePattern, ResourceType

    made = [
        ACL(
            who,
            host,
            ACLOperation[operation],
            ACLPermissionType[permission],
            ResourcePattern(ResourceType[kind], name, ACLResourcePatternType[pattern]),
        )
        for who, host, operation, permission, kind, name, pattern in given
    ]
    with kafka_python(lab) as admin:
        assert not admin.create_acls(made)["failed"]


# -- one broker

_CLASSES: Final = {
    "Agent": "public class Agent { public static void premain(String words) {} }",
    "Homemade": "public class Homemade extends org.apache.kafka.metadata.authorizer.StandardAuthorizer {}",
    "LetsAnybodyIn": """
import java.util.*;
import javax.security.auth.callback.Callback;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.plain.PlainAuthenticateCallback;

public class LetsAnybodyIn implements AuthenticateCallbackHandler {
    public void configure(Map<String, ?> settings, String mechanism, List<AppConfigurationEntry> entries) {}
    public void close() {}
    public void handle(Callback[] callbacks) {
        for (Callback one : callbacks)
            if (one instanceof PlainAuthenticateCallback) ((PlainAuthenticateCallback) one).authenticated(true);
    }
}
""",
}


def no_compiler() -> str:
    """Why nothing can be compiled here; "" if it can."""
    try:
        told = subprocess.run([find_java(), "--list-modules"], capture_output=True, text=True, timeout=60, check=False)
    except JavaError as error:
        return str(error)
    return "" if "jdk.compiler" in told.stdout else "this Java has no compiler: install a JDK"


def compiled(lab: LabState, folder: Path) -> Path:
    """Compile an authorizer of one's own and a callback handler that lets anybody in, into an agent's jar."""
    sources = []
    for name, text in _CLASSES.items():
        source = folder / f"{name}.java"
        source.write_text(text)
        sources.append(str(source))
    jars = ":".join(str(jar) for jar in sorted(Path(lab.jars).glob("*.jar")))
    compiler = [str(find_java()), "-m", "jdk.compiler/com.sun.tools.javac.Main", "-proc:none", "-nowarn"]
    subprocess.run([*compiler, "-cp", jars, "-d", str(folder), *sources], check=True, timeout=120)
    jar = folder / "homemade.jar"
    with zipfile.ZipFile(jar, "w") as out:
        out.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nPremain-Class: Agent\n\n")
        for name in _CLASSES:
            out.write(folder / f"{name}.class", f"{name}.class")
    return jar


def spoil_broker(lab: LabState, jar: Path) -> dict[str, str]:
    """Restart one broker with every kind of wrong listener; gives the addresses by listener.

    OPEN is plain text without a login, LOGIN takes any password in plain text, EASY is TLS with a weak key and weak
    ciphers that asks for no certificate, and ELSEWHERE is advertised at the port of LOGIN.
    """
    broker = lab.broker(WRONG_BROKER)
    protocols = {"OPEN": "PLAINTEXT", "LOGIN": "SASL_PLAINTEXT", "EASY": "SSL", "ELSEWHERE": "SASL_SSL"}
    addresses = {
        name: f"{security.HOST}:{port}" for name, port in zip(protocols, free_ports(len(protocols)), strict=True)
    }
    advertised = addresses | {"ELSEWHERE": addresses["LOGIN"]}
    rules = security.folder(lab) / "weak.security"
    rules.write_text("jdk.tls.disabledAlgorithms=SSLv3\njdk.tls.legacyAlgorithms=\n")
    _weak_certificate(security.folder(lab))
    before = security.settings(lab, broker)

    def joined(setting: str, more: Mapping[str, str], between: str) -> str:
        return ",".join([str(before[setting]), *(f"{name}{between}{what}" for name, what in more.items())])

    altered = {
        "listeners": joined("listeners", addresses, "://"),
        "advertised.listeners": joined("advertised.listeners", advertised, "://"),
        "listener.security.protocol.map": joined("listener.security.protocol.map", protocols, ":"),
        "inter.broker.listener.name": "PLAINTEXT",
        "authorizer.class.name": "Homemade",
        "listener.name.login.sasl.enabled.mechanisms": "PLAIN",
        "listener.name.login.plain.sasl.jaas.config": f'{_PLAIN} user_admin="{SECRET}";',
        "listener.name.login.plain.sasl.server.callback.handler.class": "LetsAnybodyIn",
        "listener.name.easy.ssl.client.auth": "none",
        "listener.name.easy.ssl.keystore.type": "PEM",
        "listener.name.easy.ssl.keystore.location": str(security.folder(lab) / "weak.pem"),
        "listener.name.easy.ssl.enabled.protocols": "TLSv1,TLSv1.1,TLSv1.2",
        "listener.name.easy.ssl.cipher.suites": "TLS_RSA_WITH_AES_128_CBC_SHA,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        "listener.name.elsewhere.ssl.client.auth": "none",
        "listener.name.elsewhere.sasl.enabled.mechanisms": "SCRAM-SHA-512",
        "listener.name.elsewhere.scram-sha-512.sasl.jaas.config": _SCRAM,
    }
    options = [f"-javaagent:{jar}", f"-Djava.security.properties={rules}", "-Dsun.security.krb5.debug=true"]
    exporter = Path(lab.parts["jmx"]["rules"])
    shown = yaml.safe_load(exporter.read_text("utf-8"))
    del shown["httpServer"]  # read at start: the pages of the others stay guarded
    exporter.write_text(yaml.safe_dump(shown), encoding="utf-8")
    security.alter(lab, [WRONG_BROKER], altered, options)
    return advertised


def _weak_certificate(folder: Path) -> None:
    """Write `weak.pem`: an RSA key of 1024 bits, and a certificate that has ended, of itself, for another host."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "weak")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=30))
        .not_valid_after(now - dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("elsewhere.example")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    (folder / "weak.pem").write_bytes(pem + made.public_bytes(serialization.Encoding.PEM))
