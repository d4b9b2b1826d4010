import pytest

from kafka_lab.errors import LabError
from kafka_lab.http import RefusedError, ask
from support.http_servers import Answer, http_server


def test_what_is_told_in_json_is_given_and_nothing_is_none():
    with http_server(lambda asked: Answer(b'{"a": 1}' if asked.method == "GET" else b"")) as (place, asked):
        assert ask(f"http://{place}/x") == {"a": 1}
        assert ask(f"http://{place}/x", method="POST", body=b"{}", kind="text/x") is None
    assert (asked[1].body, asked[1].headers["Content-Type"]) == (b"{}", "text/x")


def test_no_proxy_stands_between(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    with http_server(lambda _: Answer(b"1")) as (place, _):
        assert ask(f"http://{place}/") == 1


def test_a_refusal_tells_its_status_and_its_words():
    with http_server(lambda _: Answer(b"no such thing", 404)) as (place, _), pytest.raises(RefusedError) as refused:
        ask(f"http://{place}/x")
    assert refused.value.status == 404
    assert "no such thing" in str(refused.value)


@pytest.mark.parametrize("said", [b"<html>", b"{"])
def test_what_is_no_json_is_no_answer(said: bytes):
    with http_server(lambda _: Answer(said)) as (place, _), pytest.raises(LabError, match="does not answer"):
        ask(f"http://{place}/")


def test_nobody_there_is_no_answer():
    with pytest.raises(LabError, match="does not answer"):
        ask("http://127.0.0.1:1/")
