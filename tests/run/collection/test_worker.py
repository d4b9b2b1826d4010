import io
import json
import struct
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runbook.model.ask import FactQuestion
from runbook.model.fact import Fact, Gap
from runbook.run.collection.worker import OF_NO_ASK, Frame, Job, Outlet, _tell_of_work, blank, run_job
from runbook.safety.redaction import Redaction
from runbook.safety.secret import HIDDEN
from support.small_runbooks import FAKES, fact
from support.until import until

pytestmark = pytest.mark.usefixtures("fakes")
SECRET = 'pl4nted"secret\\'


def frames(stream: io.BytesIO) -> list[Frame]:
    data, found = stream.getvalue(), []
    while data:
        (length,) = struct.unpack(">I", data[:4])
        found.append(msgspec.json.decode(data[4 : 4 + length], type=Frame))
        data = data[4 + length :]
    return found


def asked(given: dict[str, Any], **more: str) -> FactQuestion:
    return FactQuestion("prod", "fake", "fake_act", json.dumps(given, sort_keys=True), **more)


def answers(*asks: FactQuestion, settings: dict[str, Any] | None = None) -> tuple[dict[int, dict[str, Fact]], bytes]:
    """Run a job in this process; gives what came of each ask, and the bytes that left."""
    stream = io.BytesIO()
    run_job(Job("fake", settings or {}, time.monotonic() + 5.0, dict(enumerate(asks)), [str(FAKES)]), Outlet(stream))
    return {frame.number: frame.facts for frame in frames(stream) if frame.facts is not None}, stream.getvalue()


def test_an_ask_is_said_to_have_begun_and_then_answered() -> None:
    stream = io.BytesIO()
    run_job(Job("fake", {}, time.monotonic() + 5.0, {7: asked({"text": "x", "rows": 2})}), Outlet(stream))
    begun, done = frames(stream)
    assert (begun.number, begun.facts, done.number) == (7, None, 7)
    assert done.facts is not None
    assert done.facts[""].columns["text"] == ["x", "x"]
    assert done.facts[""].collected_at.startswith("20")


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("raise", "a mistake in the probe fake_act: RuntimeError: user: and '' (runbook --debug shows where)"),
        ("time out", "no answer for "),
        ("wrong type", "fake_act gave '0' for number, which is declared int"),
        ("cells without names", "fake_act gave rows of tuple, not its own"),
    ],
)
def test_a_probe_that_fails_is_a_fact_with_a_gap(how: str, reason: str) -> None:
    found, _ = answers(asked({"how": how}), asked({"text": "well"}))
    assert [gap.reason for gap in found[0][""].gaps] == [reason]
    assert set(found[0][""].columns) == {"number", "text", "at"}
    assert found[1][""].complete


def test_a_parameter_that_a_probe_does_not_take_is_a_gap() -> None:
    found, _ = answers(FactQuestion("prod", "fake", "fake_node", '{"nonsense": 1}'))
    assert "unexpected keyword argument" in found[0][""].gaps[0].reason


@pytest.mark.parametrize(
    ("manner", "reason"),
    [
        ("denied", "the password  is wrong"),
        ("raise", "a mistake in the connection fake: ZeroDivisionError: with '' (runbook --debug shows where)"),
    ],
)
def test_a_connection_that_fails_is_a_gap_in_every_fact(manner: str, reason: str) -> None:
    found, _ = answers(asked({}), asked({"text": "b"}, looks="1s"), settings={"manner": manner})
    assert [gap.reason for facts in found.values() for fact in facts.values() for gap in fact.gaps] == [reason] * 3
    assert set(found[1]) == {"", "before"}


def test_a_reference_that_can_not_be_followed_is_a_gap() -> None:
    found, _ = answers(asked({}), settings={"password": {"env": "NOT_SET_ANYWHERE"}})
    assert "environment variable NOT_SET_ANYWHERE, which is not set" in found[0][""].gaps[0].reason


def test_a_probe_is_told_how_far_to_look_back() -> None:
    found, _ = answers(asked({}, window="24h"))
    assert found[0][""].columns["text"] == ["24h"]


def test_two_looks_are_two_facts_in_the_order_of_time() -> None:
    found, _ = answers(asked({"text": "x"}, looks="50ms"))
    assert found[0]["before"].collected_at < found[0][""].collected_at


def test_the_connection_is_closed_when_all_is_asked(tmp_path: Path) -> None:
    answers(asked({}), settings={"closed": str(tmp_path / "closed")})
    assert (tmp_path / "closed").read_text() == "closed"


@pytest.mark.parametrize("how", ["well", "gap", "raise", "time out"])
def test_no_secret_leaves_a_worker_in_any_form(how: str) -> None:
    found, sent = answers(
        asked({"how": how, "text": "a SECRET, and 'SECRET' again"}), settings={"password": SECRET, "user": "x"}
    )
    answer = msgspec.json.encode(found[0]).decode()
    assert HIDDEN in answer
    for form in (SECRET, json.dumps(SECRET)[1:-1], repr(SECRET)[1:-1], "pl4nted"):
        assert form.encode() not in sent
        assert form not in answer


def test_no_secret_leaves_with_an_error_of_connecting() -> None:
    for manner in ("denied", "raise"):
        _, sent = answers(asked({}), settings={"password": SECRET, "manner": manner})
        assert b"pl4nted" not in sent


@pytest.mark.parametrize("password", ["number", "text", "facts", "columns", "fake_act", "reason", "null"])
def test_a_password_that_is_called_as_a_column_breaks_nothing(password: str) -> None:
    found, _ = answers(asked({"text": "SECRET"}), settings={"password": password})
    assert found[0][""].columns["text"] == [HIDDEN]
    assert found[0][""].columns["number"] == [0]


def test_a_frame_is_in_the_order_in_which_a_bundle_stores_it() -> None:
    stream = io.BytesIO()
    sent = Fact("p", {"b": [1], "a": [{"z": "1", "y": "2"}]}, [Gap("x", {"host": "h", "broker": 1})])
    Outlet(stream).send(Frame(1, {"": sent}))
    [frame] = frames(stream)
    assert frame.facts is not None
    kept = frame.facts[""]
    assert (list(kept.columns), list(kept.columns["a"][0]), list(kept.gaps[0].keys)) == (
        ["a", "b"],
        ["y", "z"],
        ["broker", "host"],
    )


def test_gaps_are_redacted_in_their_reasons_and_keys() -> None:
    stream = io.BytesIO()
    outlet = Outlet(stream)
    outlet.redaction = Redaction(["hunter22"])
    outlet.send(
        Frame(
            1,
            {
                "": Fact(
                    "p",
                    {},
                    [Gap("at hunter22", {"host": "hunter22"}, at="hunter22:1", right="hunter22")],
                    "no hunter22",
                )
            },
        )
    )
    assert b"hunter22" not in stream.getvalue()


def test_what_was_not_answered_is_a_typed_fact_without_rows() -> None:
    left = blank(asked({}), Gap("late"))
    assert (left.columns, left.gaps) == (fact("fake_act").columns, [Gap("late", connection="fake")])
    assert blank(asked({}), inapplicable="no meaning").gaps == []
    assert blank(FactQuestion("prod", "fake", "nowhere"), Gap("late")).columns == {}


def test_what_is_no_unicode_is_sent_as_its_escape() -> None:
    stream = io.BytesIO()
    cells = {"text": ["a\udcff"], "map": [{"\ud800": ["\udc80"]}]}
    Outlet(stream).send(Frame(1, {"": Fact("p", cells, [Gap("no \udcff", {"host": "\udcff"})], "\udcff")}))
    [frame] = frames(stream)
    assert frame.facts is not None
    fact = frame.facts[""]
    assert fact.columns == {"text": ["a\\udcff"], "map": [{"\\ud800": ["\\udc80"]}]}
    assert (fact.gaps, fact.inapplicable) == ([Gap("no \\udcff", {"host": "\\udcff"})], "\\udcff")


def test_who_works_says_so_also_while_nothing_is_answered() -> None:
    frames: list[Frame] = []
    outlet, ended = Outlet(io.BytesIO()), threading.Event()
    outlet.send = frames.append  # type: ignore[method-assign]
    thread = threading.Thread(target=_tell_of_work, args=(outlet, ended), daemon=True)
    thread.start()

    def works() -> bool:
        return sum(range(1_000_000)) > 0 and bool(frames)

    assert until(works)
    ended.set()
    thread.join()
    assert (frames[0].number, frames[0].facts, frames[0].debug) == (OF_NO_ASK, None, "")
