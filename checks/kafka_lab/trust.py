"""Which authorities Java trusts: the same as this machine does.

A packaged Java brings its own list, which knows nothing of a company's own authority.
"""

import hashlib
import ssl
import warnings
from pathlib import Path

from kafka_lab.errors import LabError
from runbook.plugins.extras import install

_PASSWORD = "changeit"  # noqa: S105 - Java's customary one; the certificates are public
_BUNDLES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")


def trust_options(cache: Path) -> list[str]:
    """Give Java's options to trust this machine's authorities; none where the machine has no list of them.

    The trust store is made once per list, in the cache.

    Raises:
        LabError: The list can't be read, or the package that converts it is missing.
    """
    bundle = _machines_bundle()
    if bundle is None:
        return []
    content = bundle.read_bytes()
    store = cache / f"trust-{hashlib.sha256(content).hexdigest()[:16]}.p12"
    if not store.exists():
        cache.mkdir(parents=True, exist_ok=True)
        unfinished = store.with_suffix(".unfinished")
        unfinished.write_bytes(_java_trust_store(bundle, content))
        unfinished.replace(store)
    return [
        f"-Djavax.net.ssl.trustStore={store}",
        f"-Djavax.net.ssl.trustStorePassword={_PASSWORD}",
        "-Djavax.net.ssl.trustStoreType=PKCS12",
    ]


def _machines_bundle() -> Path | None:
    named = ssl.get_default_verify_paths().cafile  # honours $SSL_CERT_FILE
    candidates = [Path(path) for path in (named, *_BUNDLES) if path]
    return next((path for path in candidates if path.is_file()), None)


def _java_trust_store(bundle: Path, content: bytes) -> bytes:
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12
    except ImportError:
        raise LabError(
            f"The package cryptography is missing, which tells Java whom this machine trusts: {install('lab')}"
        ) from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some public roots have serial numbers of 0; Java accepts them
        try:
            certificates = x509.load_pem_x509_certificates(content)
        except ValueError as error:
            raise LabError(f"{bundle} is no list of PEM certificates ({error}): correct $SSL_CERT_FILE") from error
    named = [
        pkcs12.PKCS12Certificate(certificate, str(place).encode()) for place, certificate in enumerate(certificates)
    ]
    return pkcs12.serialize_java_truststore(named, BestAvailableEncryption(_PASSWORD.encode()))
