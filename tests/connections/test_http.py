"""The seam through which Jolokia and Prometheus are asked."""

import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from runbook.connections._http import Web, address, check_names, each, web
from runbook.model.errors import CannotLook, Denied, Garbled, Misconfigured, TimedOut, Unreachable
from runbook.model.probe import Deadline
from support.busy_machine import LATE
from support.http_servers import Answer, http_server


@pytest.fixture
def session() -> Iterator[Web]:
    made = web({}, Deadline(60, patience=20), most=1 << 20)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("status", "error", "says"),
    [
        (401, Denied, "credentials"),
        (403, Denied, "does not let us look"),
        (404, Garbled, "HTTP 404"),
        (409, Garbled, "HTTP 409: it can't answer while something changes"),
        (500, Garbled, "HTTP 500: it failed at that"),
        (418, Garbled, "HTTP 418: is it the right address"),
    ],
)
def test_a_refusal_is_told_from_a_wrong_address(session: Web, status: int, error: type[CannotLook], says: str):
    with http_server(lambda _: Answer(b"no", status)) as (place, _), pytest.raises(error, match=says):
        session.get(f"http://{place}/")


def test_a_redirect_is_not_followed(session: Web):
    with http_server(lambda _: Answer(b"", 302, (("Location", "http://127.0.0.1:1/elsewhere"),))) as (place, asked):
        with pytest.raises(Garbled, match="redirect"):
            session.get(f"http://{place}/")
        assert len(asked) == 1


def test_ten_megabytes_are_not_taken_in(session: Web):
    with http_server(lambda _: Answer(b"x" * (10 << 20))) as (place, _), pytest.raises(Garbled, match="more than 1 MB"):
        session.get(f"http://{place}/")


def test_a_byte_a_second_is_cut_off_in_time():
    over = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def drip() -> None:
        peer, _ = listener.accept()
        with peer:
            peer.recv(65536)
            peer.sendall(b"HTTP/1.1 200 OK\r\nX: ")
            while not over.wait(0.2):
                peer.sendall(b"y")

    threading.Thread(target=drip, daemon=True).start()
    session = web({}, Deadline(3), most=1 << 20)
    start = time.monotonic()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    [answer] = each({1: url}, lambda _, where: session.get(where), session.clock).values()
    assert time.monotonic() - start < 3 + LATE
    assert isinstance(answer, TimedOut)
    over.set()
    listener.close()


def test_a_login_is_sent_and_that_of_netrc_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login other password planted-secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    with http_server(lambda _: Answer(b"ok")) as (place, asked):
        for settings in ({}, {"username": "runbook", "password": "größer"}, {"token": "abc"}):
            web(settings, Deadline(60, patience=20), most=1024).get(f"http://{place}/")
    sent = [request.headers.get("Authorization") for request in asked]
    assert sent == [None, "Basic cnVuYm9vazpncsO2w59lcg==", "Bearer abc"]


def test_this_machine_is_never_asked_through_a_proxy(session: Web, monkeypatch: pytest.MonkeyPatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with http_server(lambda _: Answer(b"ok")) as (place, _):
        assert session.get(f"http://{place}/") == b"ok"


def test_another_machine_is_asked_through_the_proxy_of_the_environment(session: Web, monkeypatch: pytest.MonkeyPatch):
    with http_server(lambda _: Answer(b"by proxy")) as (place, asked):
        monkeypatch.setenv("http_proxy", f"http://{place}")
        assert session.get("http://broker1.example:9404/metrics") == b"by proxy"
    assert asked[0].path == "http://broker1.example:9404/metrics"


@contextmanager
def hanging_up(answers: list[int]) -> Iterator[tuple[str, list[bytes]]]:
    """A server that resets each connection after so many answers on it; gives its address, and what it was asked."""
    asked: list[bytes] = []
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        for times in answers:
            with listening.accept()[0] as peer:
                for number in range(times + 1):
                    asked.append(peer.recv(65536))
                    if number < times:
                        peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/", asked
    finally:
        listening.close()
        thread.join(10)


def test_a_connection_that_was_closed_meanwhile_is_opened_again(session: Web):
    with hanging_up([1, 2]) as (url, asked):
        assert [session.get(url), session.get(url), session.get(url)] == [b"ok", b"ok", b"ok"]
        assert len(asked) == 4  # the second was asked twice
        session.close()


def test_who_hangs_up_twice_is_not_asked_a_third_time(session: Web):
    with hanging_up([0, 0]) as (url, asked):
        with pytest.raises(Unreachable, match="connection reset by peer"):
            session.get(url)
        assert len(asked) == 2


def test_jvms_are_asked_side_by_side():
    all_are_here = threading.Barrier(5, timeout=15)

    def wait(_: object) -> Answer:
        all_are_here.wait()
        return Answer(b"ok")

    session = web({}, Deadline(20, patience=15), most=1 << 20)
    with http_server(wait) as (place, _):
        answers = each(dict.fromkeys(range(5), f"http://{place}/"), lambda _, url: session.get(url), session.clock)
    assert list(answers.values()) == [b"ok"] * 5


@pytest.mark.parametrize(
    ("given", "settings", "whole"),
    [
        ("host:1", {}, "http://host:1/metrics"),
        ("host:1", {"ca": "x"}, "https://host:1/metrics"),
        ("http://host:1", {}, "http://host:1/metrics"),
        ("https://host/own/path", {}, "https://host/own/path"),
    ],
)
def test_an_address_is_completed(given: str, settings: dict[str, str], whole: str):
    assert address(given, "/metrics", settings, "scrape.1") == whole


@pytest.mark.parametrize("given", ["", "ftp://host", "http://", "http://host:nine", "http://host:99999", None])
def test_what_is_no_address_is_refused_with_an_example(given: str | None):
    with pytest.raises(Misconfigured, match=r"scrape\.1 must be an address such as http://host:port/metrics"):
        address(given, "/metrics", {}, "scrape.1")


def test_a_password_in_an_address_is_refused_and_not_repeated():
    with pytest.raises(Misconfigured, match="holds a password") as refused:
        address("http://me:planted-secret@host", "/", {}, "url")
    assert "planted-secret" not in str(refused.value)


def test_a_setting_that_nobody_reads_is_named_with_the_nearest():
    with pytest.raises(Misconfigured, match="did you mean agents"):
        check_names({"agent": {}}, ("agents",), "jolokia")


def test_a_certificate_that_can_not_be_read_is_said_so(tmp_path: Path):
    with pytest.raises(Misconfigured, match="can't be read: give the path of a PEM file"):
        web({"ca": str(tmp_path / "none.pem")}, Deadline(3), most=1)
