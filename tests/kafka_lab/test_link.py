"""The link of a lab: a real process between two ports of this machine."""

import math
import socket
import socketserver
import time
from collections.abc import Callable, Iterator

import pytest

from kafka_lab import link, processes
from kafka_lab.errors import LabError
from kafka_lab.state import LabState
from support.behind_ways import served
from support.until import PATIENT, until

Pretend = Callable[[str], LabState]
SILENT = 1.0  # seconds after which something that is let through at once is taken not to come


class Echo(socketserver.BaseRequestHandler):
    """Says again what it hears."""

    def handle(self) -> None:
        """Until the other end has no more to say."""
        while heard := self.request.recv(1024):
            self.request.sendall(heard)


@pytest.fixture
def lab(pretend: Pretend) -> Iterator[LabState]:
    """A lab with a link that ends at something which echoes, in place of a broker."""
    made = pretend("one")
    made.parts[link.PART] = {"link": link.planned(made)}
    with served(made.parts[link.PART]["link"], Echo):
        link.start(made)
        yield made
        link.stop(made.parts[link.PART]["link"])


def connected(lab: LabState) -> socket.socket:
    host, _, port = link.bootstrap(lab).split(",")[1].partition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENT)


def heard(end: socket.socket, within: float = PATIENT) -> bytes | None:
    """What comes back of a word that is sent; None if nothing does in time."""
    end.settimeout(within)
    end.sendall(b"beat")
    try:
        return end.recv(1024)
    except TimeoutError:
        return None


def test_what_is_sent_comes_through_and_back(lab: LabState):
    with connected(lab) as end:
        assert heard(end) == b"beat"


def test_a_link_that_is_cut_is_silent_and_one_that_is_mended_takes_new_connections_only(lab: LabState):
    with connected(lab) as old:
        assert heard(old) == b"beat"
        link.cut(lab)
        assert until(lambda: heard(old, SILENT) is None)
        with connected(lab) as new:
            assert heard(new, SILENT) is None
        link.mend(lab)
        assert until(lambda: closed(old))
    with connected(lab) as end:
        assert heard(end) == b"beat"


def closed(end: socket.socket) -> bool:
    end.settimeout(PATIENT)
    try:
        return end.recv(1024) == b""
    except ConnectionResetError:
        return True


def test_over_a_slow_link_each_piece_is_late_both_ways(lab: LabState):
    link.slow(lab, 0.5)

    def slow() -> bool:
        with connected(lab) as end:
            began = time.monotonic()
            return heard(end) == b"beat" and time.monotonic() - began >= 1.0

    assert until(slow)


def test_it_is_started_once_and_again_when_it_was_lost(lab: LabState):
    before = lab.parts[link.PART]["link"]["process"]
    link.start(lab)
    assert lab.parts[link.PART]["link"]["process"] == before
    processes.terminate(processes.Process(**before), patience=0)
    link.start(lab)
    assert lab.parts[link.PART]["link"]["process"] != before
    with connected(lab) as end:
        assert heard(end) == b"beat"


def test_each_broker_shows_the_port_of_the_link_and_listens_on_another(lab: LabState):
    settings = link.listener(lab, lab.broker(2))
    shown, own = lab.parts[link.PART]["link"]["ports"]["2"]
    assert f"LINK://127.0.0.1:{shown}" in settings["advertised.listeners"]
    assert f"LINK://127.0.0.1:{own}" in settings["listeners"]
    assert f"127.0.0.1:{shown}" in link.bootstrap(lab).split(",")
    assert f"PLAINTEXT://{lab.broker(2).address}" in settings["advertised.listeners"]


def test_without_the_part_there_is_no_link_to_cut(pretend: Pretend):
    with pytest.raises(LabError, match="runbook lab up --name two --with dr"):
        link.start(pretend("two"))


def test_how_long_an_answer_takes_over_the_link_is_told_and_that_none_comes(lab: LabState):
    assert link.answers_after(lab, within=PATIENT) < PATIENT
    link.slow(lab, 0.5)
    assert until(lambda: link.answers_after(lab, within=PATIENT) >= 2 * 0.5)
    link.cut(lab)
    assert until(lambda: link.answers_after(lab, within=SILENT) == math.inf)
    link.mend(lab)
    assert until(lambda: link.answers_after(lab, within=PATIENT) < PATIENT)
