"""One HTTP request without credentials: the answer's status is read, and nothing else of it."""

import http.client
import ssl
from contextlib import closing
from urllib.parse import urlsplit

from runbook.connections.tls.errors import explained
from runbook.model.errors import Garbled, Misconfigured, NoTls


def status_for_anybody(url: str, patience: float) -> int:
    """The status of the answer to a GET by somebody who has no login, and trusts whoever is there.

    Raises:
        CannotLook: there was no answer, or it was not HTTP.
    """
    parts = urlsplit(url)
    try:
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise Misconfigured(f"is no address: {error}") from error
    kind: http.client.HTTPConnection
    if parts.scheme == "https":
        kind = http.client.HTTPSConnection(host, port, timeout=patience, context=_blind())
    else:
        kind = http.client.HTTPConnection(host, port, timeout=patience)
    with closing(kind) as connection:
        try:
            connection.request("GET", parts.path or "/", headers={"User-Agent": "runbook"})
            return connection.getresponse().status
        except ssl.SSLError as error:
            raise NoTls(f"can't be reached over TLS: {str(error.reason or error).replace('_', ' ').lower()}") from error
        except http.client.HTTPException as error:
            raise Garbled("did not answer in HTTP") from error
        except OSError as error:
            raise explained(error) from error


def _blind() -> ssl.SSLContext:
    """TLS with whoever is there: an outsider trusts nobody, and sends nothing that is worth keeping."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
