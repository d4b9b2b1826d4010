"""What is told of a record's fields is what the code says."""

import pytest
from msgspec import Struct

from runbook.model.block import Check, Expectation, FactRequest
from runbook.model.run import Head
from runbook.parse.record_fields import attributes, record_fields


def test_attributes_are_read_from_the_docstring() -> None:
    explained = attributes(Expectation)
    assert explained["that"] == "the expression, in CEL, that must be true."
    assert {"each", "join", "touches"} <= set(explained) <= set(Expectation.__struct_fields__)


def test_attributes_explained_together_have_the_same_words() -> None:
    explained = attributes(Head)
    assert explained["cluster_id"] == explained["mode"] == "as the cluster says; None if it did not."


@pytest.mark.parametrize("record", [Check, Expectation, FactRequest])
def test_all_fields_are_there_by_the_names_that_are_written(record: type[Struct]) -> None:
    assert [field.name for field in record_fields(record)] == [*record.__struct_encode_fields__]


def test_words_that_may_stand_there_and_records_that_stand_inside_are_told() -> None:
    fields = {field.name: field for field in record_fields(Check)}
    assert fields["severity"].words == ("critical", "high", "info", "low", "medium")
    assert (fields["against"].type, fields["against"].words[0]) == ("list of string", "availability")
    assert fields["facts"].type == "map of FactRequest"
    assert (fields["id"].must, fields["remedy"].must) == (True, False)
    assert fields["id"].pattern.startswith("^[a-z0-9]+")
