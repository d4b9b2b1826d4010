"""What is wrong with how we come in: the bootstrap address, the protocol, the identity of the cluster."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from kafka_lab import LabState, proxies
from support.incidents.incident import Asked, Incident
from support.single_brokers import single

_SOMEBODY_ELSES = "AAAAAAAAAAAAAAAAAAAAAA"


@contextmanager
def _controllers_port(lab: LabState) -> Iterator[Asked]:
    yield Asked({"bootstrap.servers": f"127.0.0.1:{lab.brokers[0].controller_port}"})


@contextmanager
def _http_server(_: LabState) -> Iterator[Asked]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
            del format, args

    # As servers of the web do, it answers a connection while another one waits.
    with ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        server.daemon_threads = True
        server.block_on_close = False
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield Asked({"bootstrap.servers": f"127.0.0.1:{server.server_port}"})
        finally:
            server.shutdown()


@contextmanager
def _no_name(_: LabState) -> Iterator[Asked]:
    yield Asked({"bootstrap.servers": "kafka.nowhere.invalid:9092"})


@contextmanager
def _tls_on_a_plain_port(_: LabState) -> Iterator[Asked]:
    yield Asked({"security.protocol": "SSL"})


@contextmanager
def _wrong_pin(_: LabState) -> Iterator[Asked]:
    yield Asked(cluster_id=_SOMEBODY_ELSES)


@contextmanager
def _two_clusters(lab: LabState) -> Iterator[Asked]:
    """One more broker, which is a cluster of its own, stands in the list."""
    with single(lab, "other") as other:
        shown = f"127.0.0.1:{lab.parts[proxies.PART]['ports']['1'][0]}"
        yield Asked({"bootstrap.servers": f"{shown},{other.brokers[0].address}"})


def _client(**kafka: Any) -> Any:
    def play(_: LabState) -> AbstractContextManager[Asked]:
        return _asked(kafka)

    return play


@contextmanager
def _asked(kafka: dict[str, Any]) -> Iterator[Asked]:
    yield Asked({name.replace("_", "."): value for name, value in kafka.items()})


@contextmanager
def _bad_password(lab: LabState) -> Iterator[Asked]:
    file = Path(lab.folder, "no-password")
    file.write_text("this is not it", "ascii")
    file.chmod(0o600)
    yield Asked({"sasl.password": {"file": str(file)}})


_PLAIN = {"sasl_mechanism": None, "sasl_username": None, "sasl_password": None, "ssl_ca_location": None}
_SECURE = ("security",)

INCIDENTS = [
    Incident("bootstrap-is-a-controller", "wrong", _controllers_port, r"port of a KRaft controller"),
    Incident("bootstrap-is-http", "wrong", _http_server, r"speaks HTTP"),
    Incident("no-such-name", "named", _no_name, r"does not resolve"),
    Incident("tls-on-a-plain-port", "named", _tls_on_a_plain_port, r"TLS"),
    Incident("two-clusters-in-the-list", "wrong", _two_clusters, r"leads to 2 clusters"),
    Incident("wrong-pin", "wrong", _wrong_pin, r"the inventory pins"),
    Incident("bad-password", "named", _bad_password, r"password|login|credentials|authenticat", parts=_SECURE),
    Incident(
        "plain-client-on-sasl",
        "named",
        _client(security_protocol="PLAINTEXT", **_PLAIN),
        r"TLS only|security\.protocol",
        parts=_SECURE,
    ),
]
