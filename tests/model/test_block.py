from typing import get_args

import pytest

from runbook.model.block import BLOCKS, OBJECTIVES, SEVERITIES, Objective, Severity
from runbook.parse.schema import json_schema


def test_severities_and_objectives_are_listed_in_the_order_of_their_types() -> None:
    assert get_args(Severity) == SEVERITIES
    assert get_args(Objective) == OBJECTIVES


@pytest.mark.parametrize("kind", BLOCKS)
def test_every_field_of_a_block_is_explained(kind: str) -> None:
    record = BLOCKS[kind]
    explained = "\n".join(base.__doc__ or "" for base in record.__mro__)
    assert [name for name in record.__struct_fields__ if f"    {name}: " not in explained] == []


@pytest.mark.parametrize("kind", BLOCKS)
def test_a_block_takes_no_field_it_does_not_know(kind: str) -> None:
    schema = json_schema(BLOCKS[kind])
    objects = [part for part in schema["$defs"].values() if "properties" in part]
    assert objects
    assert all(part["additionalProperties"] is False for part in objects)
