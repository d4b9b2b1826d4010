"""Certificates as plain records, and whom they lead to."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from runbook.answers.tls import Certificate
from runbook.model import moment
from runbook.model.errors import Garbled
from runbook.model.quantity import Moment

_AT_MOST = 20  # certificates of one chain that are read; OpenSSL accepts 100. Our judgement
_A_MOMENT = dt.timedelta(seconds=1)


def load(chain: Sequence[bytes]) -> list[Any]:
    """Certificates out of DER.

    Raises:
        Garbled: one can't be read.
    """
    from cryptography import x509

    try:
        return [x509.load_der_x509_certificate(certificate) for certificate in chain[:_AT_MOST]]
    except (ValueError, x509.InvalidVersion) as error:
        raise Garbled(f"shows a certificate that can't be read: {error}") from error


def described(certificate: Any) -> Certificate:
    """The facts of a certificate.

    Raises:
        Garbled: an extension of it can't be read, or its key is of a kind that is not known here.
    """
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import hashes

    try:
        usages = _extension(certificate, x509.ExtendedKeyUsage)
        constraints = _extension(certificate, x509.BasicConstraints)
        key_type, bits = _key(certificate.public_key())
        return Certificate(
            subject=certificate.subject.rfc4514_string(),
            issuer=certificate.issuer.rfc4514_string(),
            serial=f"{certificate.serial_number:x}",
            fingerprint=certificate.fingerprint(hashes.SHA256()).hex(),
            names=_names(certificate),
            key_type=key_type,
            key_bits=bits,
            signature_hash=_hash(certificate),
            not_before=Moment(moment.written(certificate.not_valid_before_utc)),
            not_after=Moment(moment.written(certificate.not_valid_after_utc)),
            self_signed=_signed_by_itself(certificate),
            authority=bool(constraints is not None and constraints.ca),
            for_servers=usages is None or any(u.dotted_string in _SERVER_USAGES for u in usages),
            ocsp=_access(certificate),
            crl=_distribution(certificate),
        )
    except (  # the library raises a TypeError for a name whose value has a type that it does not expect
        TypeError,
        ValueError,
        UnsupportedAlgorithm,
        x509.UnsupportedGeneralNameType,
        x509.DuplicateExtension,
    ) as error:
        raise Garbled(f"shows a certificate that can't be read: {error}") from error


def whole_chain(shown: Sequence[Any], authorities: Sequence[Any]) -> tuple[list[Any], str]:
    """The certificates up to an authority that is trusted, or why they lead to none.

    Whether they have expired is another question: it is left out, by asking for a time at which all of them held.
    """
    from OpenSSL import crypto

    store = crypto.X509Store()
    try:  # OpenSSL refuses some that the other library reads
        for authority in authorities:
            store.add_cert(crypto.X509.from_cryptography(authority))
        own, *others = [crypto.X509.from_cryptography(certificate) for certificate in shown]
    except crypto.Error:
        return [], "OpenSSL can't read one of the certificates"
    store.set_time(_time(shown, authorities))
    try:
        found = crypto.X509StoreContext(store, own, others).get_verified_chain()
    except crypto.X509StoreContextError as error:
        return [], str(error)
    return [certificate.to_cryptography() for certificate in found], ""


def _time(shown: Sequence[Any], authorities: Sequence[Any]) -> dt.datetime:
    """Now, or the last moment at which what is shown had not expired; of two that never held together, the first's."""
    issuers = {certificate.issuer for certificate in shown}
    concerned = [*shown, *(authority for authority in authorities if authority.subject in issuers)]
    latest: dt.datetime = min(certificate.not_valid_after_utc for certificate in concerned) - _A_MOMENT
    earliest: dt.datetime = max(certificate.not_valid_before_utc for certificate in concerned)
    return max(min(dt.datetime.now(dt.UTC), latest), earliest)


_SERVER_USAGES = ("1.3.6.1.5.5.7.3.1", "2.5.29.37.0")  # serverAuth, anyExtendedKeyUsage


def _extension(certificate: Any, kind: Any) -> Any:
    from cryptography import x509

    try:
        return certificate.extensions.get_extension_for_class(kind).value
    except x509.ExtensionNotFound:
        return None


def _names(certificate: Any) -> tuple[str, ...]:
    from cryptography import x509

    found = _extension(certificate, x509.SubjectAlternativeName)
    if found is None:
        return ()
    addresses = (str(address) for address in found.get_values_for_type(x509.IPAddress))
    return (*found.get_values_for_type(x509.DNSName), *addresses)


def _key(key: Any) -> tuple[str, int]:
    from cryptography.hazmat.primitives.asymmetric import dsa, ec, rsa

    kinds = ((rsa.RSAPublicKey, "RSA"), (ec.EllipticCurvePublicKey, "EC"), (dsa.DSAPublicKey, "DSA"))
    name = next((name for kind, name in kinds if isinstance(key, kind)), type(key).__name__.removesuffix("PublicKey"))
    # not made up: 0 is documented: such keys (Ed25519) have one size
    return name, int(getattr(key, "key_size", 0))


def _hash(certificate: Any) -> str:
    """Of the signature; such as sha256, or the scheme's name where it brings its own hash (Ed25519)."""
    from cryptography.exceptions import UnsupportedAlgorithm

    try:
        used = certificate.signature_hash_algorithm
    except UnsupportedAlgorithm:
        used = None
    return str(used.name) if used is not None else str(certificate.signature_algorithm_oid.dotted_string)


def _signed_by_itself(certificate: Any) -> bool:
    from cryptography.exceptions import InvalidSignature

    if certificate.subject != certificate.issuer:
        return False
    try:
        certificate.verify_directly_issued_by(certificate)
    except (InvalidSignature, TypeError, ValueError):
        return False
    return True


def _access(certificate: Any) -> tuple[str, ...]:
    from cryptography import x509
    from cryptography.x509.oid import AuthorityInformationAccessOID

    found = _extension(certificate, x509.AuthorityInformationAccess) or ()
    ocsp = AuthorityInformationAccessOID.OCSP
    return tuple(str(certificate.access_location.value) for certificate in found if certificate.access_method == ocsp)


def _distribution(certificate: Any) -> tuple[str, ...]:
    from cryptography import x509

    found = _extension(certificate, x509.CRLDistributionPoints) or ()
    return tuple(str(name.value) for point in found for name in point.full_name or ())
