from typing import Any

import pytest

from runbook.model.fact import Gap
from runbook.views import mirrored_schema
from support.mirror_facts import HIDDEN, fact_of, seen

ORDER = {"subject": "orders-value", "version": 1, "id": 7, "schema": '"string"'}


def version(*there: dict[str, Any], gaps: tuple[Gap, ...] = ()) -> tuple[Any, ...]:
    [row] = seen(
        mirrored_schema, source=fact_of("schema_version", [ORDER]), target=fact_of("schema_version", there, gaps)
    )
    return row["present"], row["same_text"], row["meaning"]


@pytest.mark.parametrize(
    ("there", "says"),
    [
        (ORDER, (True, True, "this schema")),
        (ORDER | {"id": 8}, (True, True, "nothing")),
        (ORDER | {"subject": "other"}, (False, None, "this schema")),
        (ORDER | {"schema": '"long"'}, (True, False, "another")),
        (ORDER | {"version": 2, "schema": '"long"'}, (False, None, "another")),
    ],
)
def test_what_an_id_means_there_is_told_apart_from_whether_the_subject_is_there(
    there: dict[str, Any], says: tuple[Any, ...]
) -> None:
    assert version(there) == says


def test_what_may_only_be_hidden_is_not_known_to_be_missing() -> None:
    assert version(gaps=HIDDEN) == (None, None, None)


@pytest.mark.parametrize("first", [True, False])
def test_of_an_id_in_several_contexts_that_of_the_same_one_holds(*, first: bool) -> None:
    of_another = ORDER | {"subject": ":.other:orders-value"}
    there = (ORDER | {"schema": '"long"'}, of_another)
    assert version(*(there if first else there[::-1]))[2] == "another"
    assert version(of_another)[2] == "this schema"
