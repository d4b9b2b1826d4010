"""Servers that go wrong in one way each, on loopback, for tests of connections."""

import contextlib
import datetime as dt
import os
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

Handler = Callable[[socket.socket], None]
_END = threading.Event  # one per server: set when the test is over


def _read_some(peer: socket.socket) -> None:
    peer.settimeout(5)
    with contextlib.suppress(OSError):
        peer.recv(65536)


def _reset(peer: socket.socket) -> None:
    _read_some(peer)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def _send(data: bytes) -> Handler:
    def handle(peer: socket.socket) -> None:
        _read_some(peer)
        with contextlib.suppress(OSError):
            peer.sendall(data)

    return handle


def _hang(over: threading.Event) -> Handler:
    def handle(_: socket.socket) -> None:
        over.wait(60)

    return handle


def _send_and_hang(data: bytes, over: threading.Event) -> Handler:
    def handle(peer: socket.socket) -> None:
        _send(data)(peer)
        over.wait(60)

    return handle


# Each takes the event that ends the test, and gives what a server does with one client.
FAULTS: dict[str, Callable[[threading.Event], Handler]] = {
    "black hole": _hang,
    "reset": lambda _: _reset,
    "closed at once": lambda _: lambda _: None,
    "truncated": lambda _: _send(struct.pack(">i", 1000) + b"\0" * 10),
    "stuck in mid-answer": lambda over: _send_and_hang(struct.pack(">i", 1000) + b"\0" * 10, over),
    "garbage": lambda _: _send(b"\xff" + os.urandom(4095)),  # of no size that an answer may have
    "another protocol": lambda _: _send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"),
    "an answer of 2 GB announced": lambda over: _send_and_hang(struct.pack(">i", 0x7FFFFFFF), over),
}


@contextlib.contextmanager
def faulty_server(fault: str, tls: ssl.SSLContext | None = None) -> Iterator[str]:
    """Serve a fault; gives the address. The fault `refused` is an address where nothing listens."""
    listener = socket.create_server(("127.0.0.1", 0))
    address = f"127.0.0.1:{listener.getsockname()[1]}"
    if fault == "refused":
        listener.close()
        yield address
        return
    over = threading.Event()
    handle = FAULTS[fault](over) if tls is None else (lambda _: None)

    def serve(peer: socket.socket) -> None:
        with peer, contextlib.suppress(OSError, ssl.SSLError):
            if tls is not None:
                with tls.wrap_socket(peer, server_side=True) as inside:
                    over.wait(1)
                    inside.recv(1)
            else:
                handle(peer)

    def accept() -> None:
        while not over.is_set():
            try:
                peer, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(peer,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield address
    finally:
        over.set()
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def expired_certificate(folder: Path) -> tuple[Path, Path]:
    """Make a self-signed certificate for 127.0.0.1 that expired yesterday; gives certificate and key."""
    import ipaddress

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=30))
        .not_valid_after(now - dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "expired.pem", folder / "expired.key"
    files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
        )
    )
    return files
