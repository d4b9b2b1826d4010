"""Certificates and keys of a lab: one authority for everything, good for two months."""

import datetime as dt
import ipaddress
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kafka_lab.errors import LabError
from runbook.plugins.extras import install

_DAYS = 60
_PRIVATE = 0o600
_OWN_FOLDER = 0o700


class Authority:
    """Issues certificates into one folder, which only its owner may enter; needs the package cryptography."""

    def __init__(self, folder: Path, name: str = "runbook-lab-authority") -> None:
        """Use the authority of this folder, whoever made it; make `ca.crt` and `ca.key` if need be.

        Raises:
            LabError: the package cryptography is missing, or what is there can't be used.
        """
        _require_cryptography()
        self._folder = folder
        if folder.joinpath("ca.crt").exists():
            self._name, self._key = _read(folder, "ca")
            return
        folder.mkdir(parents=True, exist_ok=True, mode=_OWN_FOLDER)
        folder.chmod(_OWN_FOLDER)
        self._key = _new_key()
        self._name = _name(name)
        _write(folder, "ca", self._key, _signed(self._name, self._key, self._name, self._key, authority=True))

    def issue(
        self,
        file: str,
        user: str,
        *,
        groups: Sequence[str] = (),
        names: Sequence[str] = (),
        days: float = _DAYS,
        held: float = _DAYS,
    ) -> None:
        """Write `file.crt` and `file.key`.

        Args:
            file: their name.
            user: the common name, which Kubernetes takes for the user's.
            groups: organizations, which Kubernetes takes for the user's groups.
            names: of a server: its addresses and host names.
            days: how long it holds; negative for one that has expired.
            held: for how many days it has held: 0 for one that was made just now, as those of a renewal are.
        """
        key = _new_key()
        subject = _name(user, groups)
        made = _signed(subject, key, self._name, self._key, names=names, days=days, held=held)
        _write(self._folder, file, key, made)

    def issue_self_signed(self, file: str, user: str, *, names: Sequence[str]) -> None:
        """Write `file.crt`, which nobody but its own key vouches for, and `file.key`."""
        key, subject = _new_key(), _name(user)
        _write(self._folder, file, key, _signed(subject, key, subject, key, names=names))

    def issue_signer(self, file: str) -> None:
        """Write the RSA key by which service accounts' tokens are signed: `file.key`, and `file.pub` to verify them."""
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import rsa

        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        public = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        _write_private(self._folder / f"{file}.key", _pem(key))
        self._folder.joinpath(f"{file}.pub").write_bytes(public)


def _require_cryptography() -> None:
    try:
        import cryptography  # noqa: F401 - whether it is there is the question
    except ImportError:
        raise LabError(f"The package cryptography is missing: {install('lab')}") from None


def _signed(
    subject: Any,
    key: Any,
    issuer: Any,
    signer: Any,
    *,
    names: Sequence[str] = (),
    authority: bool = False,
    days: float = _DAYS,
    held: float = _DAYS,
) -> Any:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.x509.oid import ExtendedKeyUsageOID

    now = dt.datetime.now(dt.UTC)
    usage = [ExtendedKeyUsageOID.CLIENT_AUTH, *([ExtendedKeyUsageOID.SERVER_AUTH] if names else [])]
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=held))
        .not_valid_after(now + dt.timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    )
    if not authority:
        builder = builder.add_extension(x509.ExtendedKeyUsage(usage), critical=False)
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName([_san(name) for name in names]), critical=False)
    return builder.sign(signer, hashes.SHA256())


def _new_key() -> Any:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def _read(folder: Path, file: str) -> tuple[Any, Any]:
    """The subject of a certificate, and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(folder.joinpath(f"{file}.key").read_bytes(), None)
        return x509.load_pem_x509_certificate(folder.joinpath(f"{file}.crt").read_bytes()).subject, key
    except (OSError, ValueError) as error:
        raise LabError(f"There is no usable authority in {folder}: {error}") from error


def _write(folder: Path, file: str, key: Any, certificate: Any) -> None:
    from cryptography.hazmat.primitives import serialization

    _write_private(folder / f"{file}.key", _pem(key))
    folder.joinpath(f"{file}.crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))


def _write_private(file: Path, content: bytes) -> None:
    """Write what only the owner may read; nobody else can in between."""
    file.unlink(missing_ok=True)
    file.touch(_PRIVATE)
    file.write_bytes(content)


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
