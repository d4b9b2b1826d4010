"""One broker of a guarded lab with every kind of wrong listener, a weak certificate and classes of somebody's own."""

import datetime as dt
import ssl
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Final

import yaml

from kafka_lab import LabState, security, tls_signs
from kafka_lab.admin import broker_settings
from kafka_lab.configuration import properties_file
from kafka_lab.ports import free_ports
from support.java_compiler import compile_into
from support.security import SECRET
from support.security.guarded import answers, status_of_metrics

WRONG_BROKER: Final = 3

_SCRAM: Final = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
_PLAIN: Final = "org.apache.kafka.common.security.plain.PlainLoginModule required"
_WEAK_BITS: Final = 1024
_ELSEWHERE: Final = "elsewhere.example"
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


def compiled(lab: LabState, folder: Path) -> Path:
    """Compile an authorizer of one's own and a callback handler that lets anybody in, into an agent's jar."""
    sources = []
    for name, text in _CLASSES.items():
        source = folder / f"{name}.java"
        source.write_text(text)
        sources.append(source)
    compile_into(folder, sources, lab)
    jar = folder / "homemade.jar"
    with zipfile.ZipFile(jar, "w") as out:
        out.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nPremain-Class: Agent\n\n")
        for name in _CLASSES:
            out.write(folder / f"{name}.class", f"{name}.class")
    return jar


@contextmanager
def spoiled_broker(lab: LabState, jar: Path) -> Iterator[dict[str, str]]:
    """Restart one broker with every kind of wrong listener; gives the addresses that it advertises, by listener.

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
    guarded = exporter.read_text("utf-8")
    shown = yaml.safe_load(guarded)
    del shown["httpServer"]  # read at start: the pages of the others stay guarded
    try:
        exporter.write_text(yaml.safe_dump(shown), encoding="utf-8")
        security.alter(lab, [WRONG_BROKER], altered, options)
        yield advertised
    finally:
        exporter.write_text(guarded, encoding="utf-8")
        security.restore(lab)


def lets_anybody_in(lab: LabState, advertised: Mapping[str, str]) -> Mapping[str, bool]:
    """What proves that it is wrong: plain clients come in, and the broker says what decides there."""
    anybody = {"sasl_mechanism": "PLAIN", "sasl_username": "made-up", "sasl_password": "made-up"}
    easy, login, number = advertised["EASY"], advertised["LOGIN"], WRONG_BROKER
    place = number - 1
    command = Path(f"/proc/{lab.broker(number).process.pid}/cmdline").read_text()  # type: ignore[union-attr]
    return {
        "a stranger comes in at OPEN": answers(lab, advertised["OPEN"], "PLAINTEXT"),
        "a made-up user comes in at LOGIN, in plain text": answers(lab, login, "SASL_PLAINTEXT", **anybody),
        "a client without a certificate comes in at EASY": tls_signs.takes(easy, ssl.TLSVersion.TLSv1_2),
        "EASY takes clients in TLS 1.1": tls_signs.takes(easy, ssl.TLSVersion.TLSv1_1),
        **_weaknesses(easy),
        "the address of ELSEWHERE leads to LOGIN": (
            f"ELSEWHERE://{login}" in str(broker_settings(lab, "advertised.listeners")[place])
        ),
        "the address of ELSEWHERE speaks no TLS": not tls_signs.takes(login, ssl.TLSVersion.TLSv1_2),
        "anybody may read its metrics": status_of_metrics(lab, number) == HTTPStatus.OK,
        "its authorizer is somebody's own": broker_settings(lab, "authorizer.class.name")[place] == "Homemade",
        "it speaks plain text to brokers": broker_settings(lab, "inter.broker.listener.name")[place] == "PLAINTEXT",
        "a password stands in its file": SECRET in properties_file(lab, lab.broker(number)).read_text("utf-8"),
        "it debugs Kerberos": "-Dsun.security.krb5.debug=true" in command,
    }


def _weaknesses(address: str) -> dict[str, bool]:
    """What is wrong with the certificate that a listener shows."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

    host, _, port = address.partition(":")
    shown = x509.load_pem_x509_certificate(ssl.get_server_certificate((host, int(port)), timeout=20).encode())
    names = shown.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    key = shown.public_key()
    return {
        "the certificate of EASY has ended": shown.not_valid_after_utc < dt.datetime.now(dt.UTC),
        "the certificate of EASY is for another host": names.get_values_for_type(x509.DNSName) == [_ELSEWHERE],
        "the certificate of EASY vouches for itself": shown.issuer == shown.subject,
        "the key of EASY is weak": isinstance(key, RSAPublicKey) and key.key_size == _WEAK_BITS,
    }


def _weak_certificate(folder: Path) -> None:
    """Write `weak.pem`: an RSA key of 1024 bits, and a certificate that has ended, of itself, for another host."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=_WEAK_BITS)
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
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(_ELSEWHERE)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    (folder / "weak.pem").write_bytes(pem + made.public_bytes(serialization.Encoding.PEM))
