"""A registry over HTTP: what is asked, how often, of whom, and what comes of answers that are none."""

import json
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from runbook.connections.schema_registry import Registry, connect, settings_at
from runbook.connections.schema_registry.answers import CompatibilityAnswer
from runbook.model.errors import CannotLook, Denied, Garbled, Misconfigured, Unreachable
from runbook.model.probe import Deadline
from support.busy_machine import LATE
from support.http_servers import Answer, Asked, http_server
from support.registry_servers import Content, Style, registry_server

TWO = {"orders-value": ["v1", "v2"], "a/b ü?-value": ["w"]}


def registry(*addresses: str, seconds: float = 20.0, **settings: Any) -> Registry:
    return connect({"url": list(addresses), **settings}, Deadline(seconds))


@contextmanager
def nobody() -> Iterator[str]:
    """An address at which nobody listens, and nobody else can meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"


@pytest.mark.parametrize("style", ["confluent", "apicurio"])
def test_the_whole_history_is_read_from_either_kind_of_registry(style: Style):
    with registry_server(Content(TWO, style=style)) as (address, _):
        schemas, gaps = registry(address).schemas()
    assert [(schema.subject, schema.version, schema.schema) for schema in schemas] == [
        ("a/b ü?-value", 1, "w"),
        ("orders-value", 1, "v1"),
        ("orders-value", 2, "v2"),
    ]
    assert gaps == []


@pytest.mark.parametrize("style", ["confluent", "apicurio"])
def test_nothing_is_asked_twice_whatever_is_looked_at(style: Style):
    with registry_server(Content(TWO, style=style)) as (address, asked):
        reader = registry(address)
        for _ in range(2):
            for look in (
                reader.instances,
                reader.subjects,
                reader.deleted_subjects,
                reader.levels,
                reader.modes,
                reader.schemas,
            ):
                look()
    assert asked
    assert set(Counter(each.path for each in asked).values()) == {1}
    assert {each.method for each in asked} == {"GET"}


def test_pages_are_turned_until_the_end():
    content = Content({f"s{number:04}-value": ["x", "y"] for number in range(1100)})
    with registry_server(content) as (address, asked):
        schemas, gaps = registry(address).schemas()
    assert (len(schemas), gaps) == (2200, [])
    assert sum(each.path.startswith("/schemas?") for each in asked) == 4  # three pages, and an empty one
    assert not [each for each in asked if each.path.endswith("/versions")]


def test_a_registry_that_always_gives_the_same_page_comes_to_an_end():
    content = Content(TWO)
    page = content.answer(Asked("GET", "/schemas?offset=0&limit=1000", {}, b""))

    def answer(asked: Asked) -> Answer:
        return page if asked.path.startswith("/schemas?") else content.answer(asked)

    with http_server(answer) as (address, _):
        assert len(registry(address).schemas()[0]) == 3


def test_a_subject_that_pages_leave_out_is_asked_for_by_itself():
    content = Content(TWO)
    short = Content({"orders-value": ["v1", "v2"]})

    def answer(asked: Asked) -> Answer:
        return (short if asked.path.startswith("/schemas?") else content).answer(asked)

    with http_server(answer) as (address, _):
        assert len(registry(address).schemas()[0]) == 3


def test_the_next_instance_is_asked_where_the_first_is_down():
    with nobody() as dead, registry_server(Content(TWO)) as (address, _):
        reader = registry(dead, address)
        assert reader.subjects() == sorted(TWO)
        down, up = reader.instances()
    assert down.silence == "can't be reached: connection refused"
    assert (up.silence, up.level, up.mode, up.version) == ("", "BACKWARD", "READWRITE", "8.0.0")


def test_where_no_instance_answers_nothing_is_known_not_even_that_they_are_down():
    with nobody() as first, nobody() as second, pytest.raises(Unreachable, match="nor does any of 1 others answer"):
        registry(first, second).instances()


def test_what_a_registry_does_not_tell_of_itself_is_not_known():
    with registry_server(Content(TWO, style="apicurio")) as (address, _):
        [instance] = registry(address).instances()
    assert instance.version is None
    assert instance.types == ["AVRO", "JSON", "PROTOBUF"]


def test_deleted_subjects_are_those_that_only_the_whole_list_has():
    with registry_server(Content(TWO, deleted=("old-value",))) as (address, _):
        assert registry(address).deleted_subjects() == ["old-value"]


WRONG: dict[str, tuple[Answer, type[CannotLook]]] = {
    "an error": (Answer(b'{"error_code": 50001}', 500), Garbled),
    "no JSON": (Answer(b"<html>welcome</html>"), Garbled),
    "other JSON": (Answer(b'{"subjects": []}'), Garbled),
    "a deep one": (Answer(b"[" * 100_000), Garbled),
    "a login": (Answer(b"", 401), Denied),
    "a refusal": (Answer(b'{"error_code": 40301}', 403), Denied),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_an_answer_that_is_none_is_no_empty_registry(wrong: str):
    answer, kind = WRONG[wrong]
    with http_server(lambda _: answer) as (address, _):
        reader = registry(address)
        for look in (reader.instances, reader.subjects, reader.levels, reader.modes, reader.schemas):
            with pytest.raises(kind, match=f"the Schema Registry at http://{address}"):
                look()


@pytest.mark.parametrize("wrong", WRONG)
def test_an_answer_that_is_none_for_one_subject_leaves_a_gap_about_it(wrong: str):
    content = Content(TWO, style="apicurio")

    def answer(asked: Asked) -> Answer:
        about_orders = asked.path.startswith(("/config/orders", "/mode/orders", "/subjects/orders"))
        return WRONG[wrong][0] if about_orders else content.answer(asked)

    with http_server(answer) as (address, _):
        reader = registry(address)
        for (found, gaps), count in ((reader.levels(), 1), (reader.modes(), 1), (reader.schemas(), 1)):
            assert len(found) == count
            assert [gap.keys for gap in gaps] == [{"subject": "orders-value"}]


def test_many_subjects_without_an_answer_are_one_gap():
    content = Content({f"s{number}-value": ["x"] for number in range(50)})

    def answer(asked: Asked) -> Answer:
        return Answer(b"", 500) if asked.path.startswith("/config/") else content.answer(asked)

    with http_server(answer) as (address, _):
        found, [gap] = registry(address).levels()
    assert found == {}
    assert "of 50 subjects, s0-value first: answered with HTTP 500" in gap.reason


def slowly(content: Content, seconds: float) -> Callable[[Asked], Answer]:
    def answer(asked: Asked) -> Answer:
        if asked.path.startswith(("/config/", "/subjects/")):
            time.sleep(seconds)
        return content.answer(asked)

    return answer


def test_a_slow_registry_of_many_subjects_is_left_in_time_and_the_rest_is_a_gap():
    content = Content({f"s{number:04}-value": ["x"] for number in range(3000)}, style="apicurio")
    with http_server(slowly(content, 0.2)) as (address, _):
        reader = registry(address, seconds=4.0)
        start = time.monotonic()
        found, gaps = reader.levels()
        took = time.monotonic() - start
    assert 0 < len(found) < 3000
    assert gaps
    assert took < 4 + LATE


def test_credentials_are_sent_where_they_are_given():
    with registry_server(Content(TWO)) as (address, asked):
        registry(address, username="me", password="x").subjects()
    assert {each.headers["Authorization"] for each in asked} == {"Basic bWU6eA=="}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "needs `url`"),
        ({"url": []}, "needs `url`"),
        ({"url": [""]}, "needs `url`"),
        ({"url": "ftp://x"}, "must be an address"),
        ({"url": ["http://a:1", "http://a:1/"]}, "names an instance twice"),
        ({"url": "http://me:secret@a:1"}, "holds a password"),
        ({"urls": "http://a:1"}, 'no setting "urls": did you mean url'),
    ],
)
def test_settings_that_can_not_be_used_are_refused_with_what_to_write(settings: dict[str, Any], words: str):
    with pytest.raises(Misconfigured, match=words):
        connect(settings, Deadline(1))


PROPOSALS: list[dict[str, Any]] = [{"subject": "orders-value", "path": "orders.avsc"}]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"subject": "a"}, "must be a list"),
        (["a"], "must be a list"),
        ([{"subject": "a"}], "needs `subject` and `path`"),
        ([{"subject": "a", "file": "b"}], 'has no "file"'),
        ([{"subject": "a", "path": "b", "references": {"c": "d"}}], "must map names to a subject and version"),
    ],
)
def test_proposals_that_can_not_be_used_are_refused_with_what_to_write(given: Any, words: str):
    with pytest.raises(Misconfigured, match=words):
        connect({"url": "a:1", "proposals": given}, Deadline(1))


def test_a_proposal_is_shown_to_the_registry_whole_and_once(tmp_path: Path):
    file = tmp_path / "orders.proto"
    file.write_text("text", "utf-8")
    given = {"subject": "orders-value", "path": str(file), "type": "PROTOBUF", "references": {"a.proto": "a/b/3"}}
    with registry_server(Content(TWO)) as (address, asked):
        [(_, trial)] = registry(address, proposals=[given]).trials()
    [shown] = [request for request in asked if request.method == "POST"]
    assert shown.path == "/compatibility/subjects/orders-value/versions/latest?verbose=true"
    assert json.loads(shown.body) == {
        "schema": "text",
        "schemaType": "PROTOBUF",
        "references": [{"name": "a.proto", "subject": "a/b", "version": 3}],
    }
    assert isinstance(trial, CompatibilityAnswer)
    assert (trial.is_compatible, trial.messages) == (False, ["no"])


def test_a_file_that_can_not_be_read_is_told(tmp_path: Path):
    with registry_server(Content(TWO)) as (address, _):
        [(_, trial)] = registry(address, proposals=[PROPOSALS[0] | {"path": str(tmp_path / "gone")}]).trials()
    assert "can't be read: No such file" in str(trial)


def test_a_proposal_for_a_new_subject_is_shown_to_nobody():
    with registry_server(Content({})) as (address, asked):
        [(_, trial)] = registry(address, proposals=PROPOSALS).trials()
    assert trial is None
    assert not [request for request in asked if request.method == "POST"]


def test_one_address_needs_no_list():
    with registry_server(Content(TWO)) as (address, _):
        assert connect(settings_at(address), Deadline(9)).subjects() == sorted(TWO)
