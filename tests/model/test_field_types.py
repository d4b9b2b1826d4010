from typing import Any

import msgspec
import pytest

from runbook.model.field_types import Duration, Expression, Id, Name, Sentence, Site


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (Id, "every-broker-answers", "every_broker"),
        (Name, "replication_factor", "replication-factor"),
        (Sentence, "No broker is fenced", "No"),
        (Expression, "row.size > 1", ""),
        (Duration, "500ms", "5 minutes"),
        (Site, "source", "left"),
    ],
)
def test_a_field_takes_what_is_of_its_type_and_nothing_else(kind: Any, right: str, wrong: str) -> None:
    assert msgspec.convert(right, kind) == right
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, kind)
