"""Incidents of certificates, logins and rights, on brokers that ask for them."""

import datetime as dt
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState, rights, security
from kafka_lab.rights import Right
from support.evidence.labs import kafka_lab
from support.new_incidents import Incident, Shape, plainly, restart

_STORE: Final = "listener.name.clients.ssl.keystore.location"
_EVERYONE: Final = [Right("*", "topic", "*", operation) for operation in ("read", "write")]
_OF_THE_GROUP: Final = [Right(security.APPLICATION, "group", "billing", "read")]


def _lab(folder: Path) -> AbstractContextManager[LabState]:
    return kafka_lab("secure", folder, ["security"])


def _signed(lab: LabState, file: str, *, days: tuple[float, float], through: bool = False, name: str = "") -> None:
    """Write a certificate for clients that the lab's authority cannot issue: of other days, or through another one."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
        load_pem_private_key,
    )

    folder = security.folder(lab)
    now = dt.datetime.now(dt.UTC)
    root = x509.load_pem_x509_certificate((folder / "ca.crt").read_bytes())
    root_key: Any = load_pem_private_key((folder / "ca.key").read_bytes(), None)

    def common(subject: str) -> Any:
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, subject)])

    def made(subject: str, key: Any, issuer: Any, signer: Any, *, authority: bool) -> Any:
        builder = (
            x509.CertificateBuilder()
            .subject_name(common(subject))
            .issuer_name(issuer)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + dt.timedelta(days=days[0]))
            .not_valid_after(now + dt.timedelta(days=days[1]))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        )
        if not authority:
            names = [x509.DNSName(name)] if name else [x509.DNSName("localhost"), _here()]
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        return builder.sign(signer, hashes.SHA256())

    def _here() -> Any:
        import ipaddress

        return x509.IPAddress(ipaddress.ip_address(security.HOST))

    issuer, signer = root.subject, root_key
    if through:
        signer = ec.generate_private_key(ec.SECP256R1())
        between = made("issuing authority 2026", signer, root.subject, root_key, authority=True)
        issuer = between.subject
        (folder / f"{file}-between.crt").write_bytes(between.public_bytes(Encoding.PEM))
    key = ec.generate_private_key(ec.SECP256R1())
    leaf = made(file, key, issuer, signer, authority=False)
    (folder / f"{file}.crt").write_bytes(leaf.public_bytes(Encoding.PEM))
    (folder / f"{file}.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def _show(lab: LabState, number: int, file: str) -> None:
    security.write_key_store(lab, file)
    restart(lab, number, {_STORE: security.folder(lab) / f"{file}.pem"})


def _without_intermediate(lab: LabState) -> None:
    _signed(lab, "kafka-2-new", days=(-1, 90), through=True)
    _show(lab, 2, "kafka-2-new")


def _old_name(lab: LabState) -> None:
    _signed(lab, "kafka-3-old", days=(-30, 300), name="kafka-3.old-dc.example.com")
    _show(lab, 3, "kafka-3-old")


def _last_hours(lab: LabState) -> None:
    _signed(lab, "kafka-1-ending", days=(-364, 0.2))
    _show(lab, 1, "kafka-1-ending")


def _tomorrow(lab: LabState) -> None:
    _signed(lab, "kafka-2-tomorrow", days=(1, 90))
    _show(lab, 2, "kafka-2-tomorrow")


def _password_moved_on(lab: LabState) -> None:
    rights.add_user(lab, security.READER, "changed-on-the-cluster-only")


def _password_back(lab: LabState) -> None:
    rights.add_user(lab, security.READER, security.password(lab, security.READER))


def _in_plain_text(lab: LabState) -> None:
    for number in (1, 2, 3):
        restart(lab, number, {"inter.broker.listener.name": "PLAINTEXT"})


def _supers(*names: str) -> dict[str, str]:
    return {"super.users": ";".join(f"User:{name}" for name in names)}


_BROKERS = ("ANONYMOUS", "broker-1", "broker-2", "broker-3")

SHAPE = Shape(
    _lab,
    (
        Incident(
            "chain-without-intermediate",
            "security",
            _without_intermediate,
            plainly(2),
            "broker 2.*(intermediate|chain|issuer)|(intermediate|chain|issuer).*broker 2",
        ),
        Incident(
            "certificate-of-an-old-host-name", "security", _old_name, plainly(3), "(broker 3|3).*(name|host)|old-dc"
        ),
        Incident(
            "certificate-ends-today",
            "security",
            _last_hours,
            plainly(1),
            "broker 1.*(expire|days|hours)|expire.*broker 1",
        ),
        Incident("certificate-from-tomorrow", "security", _tomorrow, plainly(2), "not (yet )?valid|clock"),
        Incident(
            "password-changed-on-one-side",
            "security",
            _password_moved_on,
            _password_back,
            "refuse.*(password|credential|log)|(password|credential|authenticat)",
        ),
        Incident(
            "acl-of-a-group-deleted",
            "security",
            lambda lab: rights.disallow(lab, _OF_THE_GROUP),
            lambda lab: rights.allow(lab, _OF_THE_GROUP),
            "billing",
        ),
        Incident(
            "super-users-overwritten",
            "security",
            lambda lab: restart(lab, 2, _supers(*_BROKERS, "billing")),
            plainly(2),
            "super.*(broker 2|2)|(broker 2|2).*super",
        ),
        Incident(
            "brokers-talk-in-plain-text",
            "security",
            _in_plain_text,
            plainly(1, 2, 3),
            "(brokers|between).*(plain|encrypt)",
        ),
        Incident(
            "one-broker-lets-everyone",
            "security",
            lambda lab: restart(lab, 3, {"allow.everyone.if.no.acl.found": "true"}),
            plainly(3),
            "allow.everyone|no ACL",
        ),
        Incident(
            "everybody-may-by-an-acl",
            "security",
            lambda lab: rights.allow(lab, _EVERYONE),
            lambda lab: rights.disallow(lab, _EVERYONE),
            r"(everybody|everyone|User:\*)",
        ),
    ),
)
