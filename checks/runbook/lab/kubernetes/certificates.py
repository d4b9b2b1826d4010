"""The control plane's certificates and keys: one authority for everything, good for a month."""

import datetime as dt
import ipaddress
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from runbook.lab.errors import LabError

_DAYS = 30


class Authority:
    """Issues certificates into one folder; needs the package cryptography."""

    def __init__(self, folder: Path) -> None:
        """Make the authority: `ca.crt` and `ca.key`.

        Raises:
            LabError: the package cryptography is missing.
        """
        try:
            from cryptography.hazmat.primitives.asymmetric import ec
        except ImportError:
            raise LabError("The package cryptography is missing: pip install 'kafka-runbook[lab]'") from None
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._new_key: Callable[[], Any] = lambda: ec.generate_private_key(ec.SECP256R1())
        self._key = self._new_key()
        self._name = _name("runbook-lab-authority")
        self._write("ca", self._key, self._sign(self._name, self._key, authority=True))

    def issue(
        self, file: str, user: str, *, groups: Sequence[str] = (), names: Sequence[str] = (), days: float = _DAYS
    ) -> None:
        """Write `file.crt` and `file.key`.

        Args:
            file: their name.
            user: the common name, which Kubernetes takes for the user's.
            groups: organizations, which Kubernetes takes for the user's groups.
            names: of a server: its addresses and host names.
            days: how long it holds; negative for one that has expired.
        """
        key = self._new_key()
        self._write(file, key, self._sign(_name(user, groups), key, names=names, days=days))

    def issue_signer(self, file: str) -> None:
        """Write the RSA key by which service accounts' tokens are signed: `file.key`, and `file.pub` to verify them."""
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import rsa

        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        public = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        self._folder.joinpath(f"{file}.key").write_bytes(_pem(key))
        self._folder.joinpath(f"{file}.pub").write_bytes(public)

    def _sign(
        self, subject: Any, key: Any, *, names: Sequence[str] = (), authority: bool = False, days: float = _DAYS
    ) -> Any:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes
        from cryptography.x509.oid import ExtendedKeyUsageOID

        now = dt.datetime.now(dt.UTC)
        usage = ExtendedKeyUsageOID.SERVER_AUTH if names else ExtendedKeyUsageOID.CLIENT_AUTH
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(days=_DAYS))
            .not_valid_after(now + dt.timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
        )
        if not authority:
            builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName([_san(one) for one in names]), critical=False)
        return builder.sign(self._key, hashes.SHA256())

    def _write(self, file: str, key: Any, certificate: Any) -> None:
        from cryptography.hazmat.primitives import serialization

        self._folder.joinpath(f"{file}.key").write_bytes(_pem(key))
        self._folder.joinpath(f"{file}.crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))


def _name(user: str, groups: Sequence[str] = ()) -> Any:
    from cryptography import x509

    said = [x509.NameAttribute(x509.NameOID.ORGANIZATION_NAME, group) for group in groups]
    return x509.Name([*said, x509.NameAttribute(x509.NameOID.COMMON_NAME, user)])


def _san(name: str) -> Any:
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _pem(key: Any) -> bytes:
    from cryptography.hazmat.primitives import serialization

    plain = serialization.NoEncryption()
    held: bytes = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    return held
