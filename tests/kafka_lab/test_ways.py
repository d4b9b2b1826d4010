"""Ways that go wrong in each manner the lab knows: a real process between two ports of this machine."""

import socket
import socketserver
import struct
import time
from collections.abc import Callable, Iterator

import pytest

from kafka_lab import proxies, ways
from kafka_lab.errors import LabError
from kafka_lab.state import LabState
from support.behind_ways import served
from support.until import PATIENT, until

Pretend = Callable[[str], LabState]
SILENT = 1.0  # seconds after which something that is let through at once is taken not to come


class Teller(socketserver.BaseRequestHandler):
    """Stands where a broker stands: says its port, then again what it hears."""

    def handle(self) -> None:
        """Until the other end has no more to say."""
        said = str(self.server.server_address[1]).encode() + b" "
        while heard := self.request.recv(1024):
            self.request.sendall(said + heard)
            said = b""


@pytest.fixture
def lab(pretend: Pretend) -> Iterator[LabState]:
    made = pretend("one")
    state = made.parts[proxies.PART] = ways.planned(made)
    with served(state, Teller):
        ways.start(made, state, proxies.PART)
        yield made
        ways.stop(state)


def connected(lab: LabState, number: int) -> socket.socket:
    shown, _ = lab.parts[proxies.PART]["ports"][str(number)]
    return socket.create_connection(("127.0.0.1", shown), timeout=PATIENT)


def request(key: int) -> bytes:
    """As Kafka's clients begin: the length, the number of the request."""
    return struct.pack(">ihh", 4, key, 0)


def record(kind: int, said: bytes) -> bytes:
    """One of TLS: its kind, the version, the length of what is in it."""
    return struct.pack(">BHH", kind, 0x0303, len(said)) + said


def echoed(lab: LabState, number: int, sent: bytes, within: float = PATIENT) -> bytes | None:
    """What comes back of it, in whatever pieces; None if not all of it does in time."""
    came = b""
    with connected(lab, number) as end:
        end.settimeout(within)
        end.sendall(sent)
        try:
            while not came.endswith(sent) and (more := end.recv(1024)):
                came += more
        except TimeoutError:
            return None
    return came


def test_each_way_leads_to_its_own_broker_whatever_is_said_on_it(lab: LabState):
    for number in (1, 2, 3):
        own = str(proxies.behind(lab, number)).encode()
        for said in (request(ways.METADATA), record(22, b"as TLS begins"), b"\xff\xff neither of them"):
            assert echoed(lab, number, said) == own + b" " + said


def test_one_request_of_one_broker_hangs_with_what_follows_it_on_its_connection(lab: LabState):
    proxies.say(lab, {2: {"hang": [ways.METADATA]}})
    assert until(lambda: echoed(lab, 2, request(ways.METADATA), SILENT) is None)
    assert echoed(lab, 2, request(ways.API_VERSIONS)) is not None
    assert echoed(lab, 1, request(ways.METADATA)) is not None
    with connected(lab, 2) as end:
        end.sendall(request(ways.API_VERSIONS))
        assert end.recv(1024)
        end.sendall(request(ways.METADATA) + request(ways.API_VERSIONS))
        end.settimeout(SILENT)
        with pytest.raises(TimeoutError):
            end.recv(1024)
    proxies.mend(lab)
    assert until(lambda: echoed(lab, 2, request(ways.METADATA), SILENT) is not None)


def pattern(lab: LabState, number: int, connections: int, requests: int, sent: bytes = b"") -> list[str]:
    """What came of requests, one after another, by connection: `.` was answered, `x` closed, `-` silent."""
    sent = sent or request(ways.API_VERSIONS)
    found = []
    for _ in range(connections):
        with connected(lab, number) as end:
            end.settimeout(SILENT / 4)
            came = ""
            while len(came) < requests and not came.endswith(("x", "-")):
                try:
                    end.sendall(sent)
                    came += "." if end.recv(1024) else "x"
                except TimeoutError:
                    came += "-"
                except OSError:
                    came += "x"
            found.append(came)
    return found


def test_requests_are_lost_by_chance_in_both_ways_and_a_seed_loses_the_same_again(lab: LabState):
    def lost(seed: int, closing: float = 0.5) -> list[str]:
        proxies.mend(lab)
        time.sleep(2 * proxies.SEEN_AFTER)
        proxies.lose(lab, 0.3, seed=seed, closing=closing, numbers=[2])
        time.sleep(2 * proxies.SEEN_AFTER)
        return pattern(lab, 2, 8, 3)

    first = lost(1)
    assert {outcome[-1] for outcome in first} == {".", "x", "-"}
    assert lost(1) == first != lost(2)
    assert "-" not in "".join(lost(1, closing=1.0))
    assert pattern(lab, 1, 4, 3) == ["..."] * 4
    proxies.mend(lab)
    time.sleep(2 * proxies.SEEN_AFTER)
    assert pattern(lab, 2, 4, 3) == ["..."] * 4


def test_over_tls_records_are_lost_by_chance_like_requests(lab: LabState):
    proxies.lose(lab, 0.3, seed=1, numbers=[2])
    time.sleep(2 * proxies.SEEN_AFTER)
    found = pattern(lab, 2, 8, 3, record(23, b"nobody can read this"))
    assert {outcome[-1] for outcome in found} == {".", "x", "-"}
    proxies.mend(lab)
    time.sleep(2 * proxies.SEEN_AFTER)
    proxies.lose(lab, 0.3, seed=1, numbers=[2])
    time.sleep(2 * proxies.SEEN_AFTER)
    assert pattern(lab, 2, 8, 3) == found


def test_how_many_requests_are_answered_is_counted_one_connection_each(lab: LabState):
    assert proxies.answered(lab, 3, 5, within=PATIENT) == 5
    proxies.lose(lab, 1.0, seed=1, closing=0.0)
    assert until(lambda: proxies.answered(lab, 3, 5, within=SILENT / 2) == 0)
    proxies.lose(lab, 0.3, seed=1, numbers=[3])
    assert until(lambda: 0 < proxies.answered(lab, 3, 20, within=SILENT) < 20)


def test_a_way_may_lead_to_another_broker(lab: LabState):
    proxies.say(lab, {3: {"target": proxies.behind(lab, 1)}})
    other = str(proxies.behind(lab, 1)).encode()
    assert until(lambda: (echoed(lab, 3, request(ways.METADATA)) or b"").startswith(other))
    proxies.mend(lab)
    own = str(proxies.behind(lab, 3)).encode()
    assert until(lambda: (echoed(lab, 3, request(ways.METADATA)) or b"").startswith(own))


def test_connections_may_be_reset_at_once(lab: LabState):
    proxies.say(lab, {1: {"reset": True}})

    def reset() -> bool:
        try:
            return echoed(lab, 1, request(ways.METADATA)) is None
        except ConnectionResetError:
            return True

    assert until(reset)


def test_a_drip_takes_its_time_for_every_byte(monkeypatch: pytest.MonkeyPatch, lab: LabState):
    def whole(self: Teller) -> None:
        self.request.sendall(self.request.recv(8, socket.MSG_WAITALL))

    monkeypatch.setattr(Teller, "handle", whole)
    proxies.say(lab, {1: {"delay": 0.1, "piece": 1}})

    def slow() -> bool:
        began = time.monotonic()
        return bool(echoed(lab, 1, request(ways.METADATA))) and time.monotonic() - began >= 1.6  # eight bytes, and back

    assert until(slow)


def test_who_answers_is_told_by_the_words_of_its_refusal(monkeypatch: pytest.MonkeyPatch, lab: LabState):
    words = b"Unexpected broker id, expected 1 or empty string, but received 3"
    monkeypatch.setattr(Teller, "handle", lambda self: self.request.sendall(words))
    assert proxies.who_answers(lab, 3) == 1
    monkeypatch.setattr(Teller, "handle", lambda self: self.request.sendall(b"its settings"))
    assert proxies.who_answers(lab, 3) == 3
    monkeypatch.setattr(Teller, "handle", lambda _: None)
    with pytest.raises(LabError, match="Nobody answers at"):
        proxies.who_answers(lab, 3)


def test_without_the_part_there_is_nothing_to_break(pretend: Pretend):
    with pytest.raises(LabError, match=r"has no proxies: start it anew: .* --name two --with proxies"):
        proxies.say(pretend("two"), {1: {}})
