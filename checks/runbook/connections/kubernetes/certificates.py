"""Certificates that objects of Kubernetes hold."""

import ssl
from collections.abc import Iterable

from runbook.model import moment
from runbook.model.errors import Garbled
from runbook.model.quantity import Moment

_BEGIN = "-----BEGIN CERTIFICATE-----"


def last_end(texts: Iterable[str]) -> Moment:
    """Until when the one that holds longest does.

    Args:
        texts: one or more certificates each, as PEM.

    Raises:
        Garbled: one can't be read, or there is none.
    """
    from cryptography import x509

    found = [f"{_BEGIN}{rest}" for text in texts for rest in text.split(_BEGIN)[1:]]
    if not found:
        raise Garbled("it shows a certificate that is none")
    try:
        read = [x509.load_der_x509_certificate(ssl.PEM_cert_to_DER_cert(one.strip())) for one in found]
    except (ValueError, x509.InvalidVersion) as error:
        raise Garbled(f"it shows a certificate that can't be read: {error}") from error
    return Moment(moment.written(max(one.not_valid_after_utc for one in read)))
