"""Secrets in the forms that providers document, by each way that a setting or a text takes into a fact; and no others.

Before names, shapes and forms were one knowledge, 46 of 117 settings passed as a client's or a connector's, 105 as a
mapping of a fact, and 60 of 83 texts.
"""

import io
import json
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runbook.connections.connect import configuration
from runbook.formats.client_files import read_client_file
from runbook.model.fact import Fact
from runbook.recording.secrets import stand_in
from runbook.run.collection.worker import Frame, Outlet
from runbook.safety.redaction import Redaction
from runbook.safety.secret import HIDDEN, is_plain
from runbook.safety.secret_shapes import without_shapes
from support.planted import Planted, planted_prose, planted_settings

RECORDED = Path(__file__).parents[1] / "recorded"
REDACTION = Redaction([])


def of_client(planted: Planted) -> Any:
    line = f"{planted.name}={planted.text.replace(chr(10), chr(92) + 'n')}\n"
    return [REDACTION.record(row) for row in read_client_file(f"acks=all\n{line}", "c.properties", "producer")]


def of_connector(planted: Planted) -> Any:
    given = {planted.name: planted.text}
    assert configuration.plain_secrets(given) == (planted.name,)
    return REDACTION.value([configuration.harmless(given), configuration.shown(given)])


def of_fact(planted: Planted) -> Any:
    stream = io.BytesIO()
    fact = Fact(source="own", columns={"settings": [{planted.name: planted.text}]})
    Outlet(stream).send(Frame(1, {"": fact}))
    return stream.getvalue()[4:].decode()  # after its length


WAYS: dict[str, Callable[[Planted], Any]] = {
    "a client's file": of_client,
    "a connector": of_connector,
    "a fact": of_fact,
    "a line": lambda planted: REDACTION.text(f"{planted.name}={planted.text}"),
    "JSON": lambda planted: REDACTION.text(json.dumps({planted.name: planted.text})),
    "JSON in JSON": lambda planted: REDACTION.text(json.dumps(json.dumps({planted.name: planted.text}))),
}


@pytest.mark.parametrize("way", WAYS)
def test_no_setting_with_a_secret_passes(way: str) -> None:
    settings = planted_settings()
    assert len(settings) >= 100
    assert [one.line for one in settings if one.leaks_into(str(WAYS[way](one)))] == []


NO_FORM = {"the password is <<{a12}>>", "invalid credentials: app/<<{a12}>>"}
"""What nothing tells from a word of the sentence: a run learns these secrets only by its own references."""


def test_no_text_with_a_secret_passes() -> None:
    texts = planted_prose()
    assert len(texts) >= 80
    passed = {one.line for one in texts if one.leaks_into(REDACTION.text(one.text))}
    assert passed <= NO_FORM
    assert all(REDACTION.found_in(one.text) for one in texts if one.line not in NO_FORM)


def told(value: Any) -> Iterator[tuple[str, str]]:
    """Every setting in a recording, and every text under an empty name."""
    if isinstance(value, bytes):
        yield from told(value.decode("utf-8", "replace"))
    elif isinstance(value, str):
        yield "", value
    elif isinstance(value, list):
        if [type(part) for part in value] == [str, str]:
            yield value[0], value[1]
        for part in value:
            yield from told(part)
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from ((name, part) for part in [part] if isinstance(part, str))
            yield from told(part)


def test_nothing_that_real_systems_told_is_hidden_without_need() -> None:
    """Of a twelfth of all recordings (all were tried by hand): what is hidden was a secret of a laboratory."""
    given = {
        pair
        for file in sorted(RECORDED.rglob("*.raw.xz"))[::12]
        for pair in told(msgspec.msgpack.decode(lzma.decompress(file.read_bytes())))
    }
    settings = {(name, value) for name, value in given if name}
    texts = {value for name, value in given if not name}
    ours = stand_in(12)[:8]
    assert len(settings) > 500
    assert {pair for pair in settings if is_plain(*pair) and ours not in pair[1] and pair[1] != HIDDEN} == set()
    hidden = {text for text in texts if without_shapes(text).count(HIDDEN) > text.count(HIDDEN)}
    assert {text[:200] for text in hidden if ours not in text} == set()
