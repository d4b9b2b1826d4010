"""Real TLS servers on loopback, for tests of what is seen from outside."""

import contextlib
import datetime as dt
import socket
import ssl
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from kafka_lab.certificates import Authority

HOST = "127.0.0.1"


def context(
    folder: Path,
    *,
    names: tuple[str, ...] = (HOST, "localhost"),
    days: float = 60,
    first: ssl.TLSVersion = ssl.TLSVersion.TLSv1_2,
    last: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3,
    clients: ssl.VerifyMode = ssl.CERT_NONE,
    ciphers: str = "",
) -> ssl.SSLContext:
    """A server's side, with a certificate of an authority made in the folder."""
    Authority(folder).issue("server", "server", names=names, days=days)
    return of_files(folder, "server", first, last, clients, ciphers)


def of_files(
    folder: Path,
    name: str,
    first: ssl.TLSVersion = ssl.TLSVersion.TLSv1_2,
    last: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3,
    clients: ssl.VerifyMode = ssl.CERT_NONE,
    ciphers: str = "",
) -> ssl.SSLContext:
    """A server's side, with the certificate of this name in the folder."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(folder / f"{name}.crt", folder / f"{name}.key")
    if first < ssl.TLSVersion.TLSv1_2:
        made.set_ciphers("ALL:@SECLEVEL=0")
    if ciphers:
        made.set_ciphers(f"{ciphers}:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # that old versions are no good is what is tested
        made.minimum_version, made.maximum_version = first, last
    if clients != ssl.CERT_NONE:
        made.load_verify_locations(folder / "ca.crt")
        made.verify_mode = clients
    return made


@contextlib.contextmanager
def accepting(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """A listener on loopback that serves whoever comes in a thread of its own; gives the port."""
    listener = socket.create_server((HOST, 0))

    def accept() -> None:
        while True:
            try:
                plain, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(plain,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()


@contextlib.contextmanager
def serving(tls: ssl.SSLContext) -> Iterator[int]:
    """Shake hands with whoever comes, say a word, and wait until they go; gives the port."""

    def serve(plain: socket.socket) -> None:
        with plain, contextlib.suppress(OSError):
            plain.settimeout(10)
            with tls.wrap_socket(plain, server_side=True) as talk:
                talk.recv(1)

    with accepting(serve) as port:
        yield port


def certificates(folder: Path, *names: str) -> list[Any]:
    """Certificates of these names in the folder."""
    from cryptography import x509

    return [x509.load_pem_x509_certificate(folder.joinpath(f"{name}.crt").read_bytes()) for name in names]


def until(moment: str) -> float:
    """Seconds from now to a moment."""
    return (dt.datetime.fromisoformat(moment) - dt.datetime.fromtimestamp(time.time(), dt.UTC)).total_seconds()
