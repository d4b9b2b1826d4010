import json
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kafka_lab.errors import LabError
from kafka_lab.ports import free_ports


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache in which no port was noted yet."""
    monkeypatch.setenv("RUNBOOK_CACHE", str(tmp_path))
    return tmp_path


def test_a_port_in_use_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        monkeypatch.setattr("random.sample", lambda *_: [port, *range(20000, 22000)])
        assert port not in free_ports(10)


def test_labs_that_start_at_the_same_time_share_no_port() -> None:
    with ThreadPoolExecutor(8) as pool:
        given = [port for ports in pool.map(free_ports, [25] * 40) for port in ports]
    assert len(set(given)) == len(given) == 1000


def test_the_ports_given_the_longest_ago_are_given_again(cache: Path) -> None:
    noted = dict.fromkeys(map(str, range(20000, 32000)), 2.0) | {"23456": 1.0}
    (cache / "ports.json").write_text(json.dumps(noted))
    assert free_ports(1) == [23456]
    assert free_ports(1) != [23456]


@pytest.mark.parametrize("text", ["", "[]", '{"20000": []}', '{"20000": "x"}', "\xff"])
def test_a_note_that_cannot_be_read_keeps_no_lab_from_starting(cache: Path, text: str) -> None:
    (cache / "ports.json").write_text(text, encoding="latin-1")
    assert len(free_ports(3)) == 3


def test_where_there_are_not_enough_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.sample", lambda *_: [20000, 20001])
    with pytest.raises(LabError, match="No 3 free ports"):
        free_ports(3)
