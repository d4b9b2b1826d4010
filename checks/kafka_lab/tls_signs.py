"""What clients see of a listener's TLS: whether they trust it, for how long, and which versions it takes."""

import socket
import ssl
import time
import warnings
from typing import Final

from kafka_lab import security
from kafka_lab.errors import LabError
from kafka_lab.state import LabState

_PATIENCE: Final = 10.0
_DAY: Final = 86400


def mistrust(lab: LabState, number: int) -> str:
    """Why a client that trusts the lab's authority and compares names turns away from a broker; "" if it does not.

    Raises:
        LabError: the broker did not answer.
    """
    try:
        _end(lab, number)
    except ssl.SSLCertVerificationError as error:
        return error.verify_message
    return ""


def days_left(lab: LabState, number: int) -> float:
    """For how many days clients will go on trusting the certificate of a broker; 0 where they don't today.

    Raises:
        LabError: the broker did not answer.
    """
    try:
        return (_end(lab, number) - time.time()) / _DAY
    except ssl.SSLCertVerificationError:
        return 0.0


def takes(address: str, version: ssl.TLSVersion) -> bool:
    """Whether a listener takes clients that speak this version of TLS and no other.

    Raises:
        LabError: nobody answered there.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_ciphers("ALL:@SECLEVEL=0")  # else our own side refuses what is old
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = context.maximum_version = version
    try:
        _handshake(address, context).close()
    except ssl.SSLError:
        return False
    return True


def _end(lab: LabState, number: int) -> float:
    """When the certificate that a broker shows to clients ends, in seconds since 1970, if a client trusts it."""
    context = ssl.create_default_context(cafile=str(security.folder(lab) / "ca.crt"))
    with _handshake(security.address(lab, lab.broker(number), "CLIENTS"), context) as connection:
        return ssl.cert_time_to_seconds(str((connection.getpeercert() or {})["notAfter"]))


def _handshake(address: str, context: ssl.SSLContext) -> ssl.SSLSocket:
    host, _, port = address.partition(":")
    try:
        door = socket.create_connection((host, int(port)), _PATIENCE)
        try:
            return context.wrap_socket(door, server_hostname=host)
        except BaseException:
            door.close()
            raise
    except ssl.SSLError:
        raise
    except OSError as error:
        raise LabError(f"No handshake with {address}: {error}") from error
