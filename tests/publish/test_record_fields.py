"""Tables of fields say what the code says."""

import pytest
from msgspec import Struct

from runbook.model.block import Expectation
from runbook.model.link import Mirror
from runbook.model.result import Result
from runbook.model.run import Head
from runbook.parse.inventory import Environment, Waiver
from runbook.publish.record_fields import attributes, fields


def test_attributes_are_read_from_the_docstring() -> None:
    explained = attributes(Expectation)
    assert explained["that"] == "the expression that must be true."
    assert {"each", "join", "touches"} <= set(explained) <= set(Expectation.__struct_fields__)


def test_attributes_explained_together_have_the_same_words() -> None:
    explained = attributes(Head)
    assert explained["cluster_id"] == explained["mode"] == "as the cluster says; None if it did not."


@pytest.mark.parametrize("record", [Expectation, Environment, Mirror, Waiver, Result, Head])
def test_every_field_has_a_row(record: type[Struct]) -> None:
    table = fields(record)
    for name in record.__struct_encode_fields__:
        assert f'<th scope="row"><code>{name}</code></th>' in table


def test_fields_without_a_default_are_needed() -> None:
    table = fields(Waiver)
    assert "<code>owner</code></th><td>string</td><td>yes</td>" in table
    assert "<code>rows</code></th><td>map of string</td><td></td>" in table
