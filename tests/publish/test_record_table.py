"""Tables of fields say what the code says."""

import pytest
from msgspec import Struct

from runbook.model.block import Expectation
from runbook.model.link import Mirror
from runbook.model.result import Result
from runbook.model.run import Head
from runbook.parse.inventory import Environment, Waiver
from runbook.publish.record_table import fields


@pytest.mark.parametrize("record", [Expectation, Environment, Mirror, Waiver, Result, Head])
def test_every_field_has_a_row(record: type[Struct]) -> None:
    table = fields(record)
    for name in record.__struct_encode_fields__:
        assert f'<th scope="row"><code>{name}</code></th>' in table


def test_fields_without_a_default_are_needed() -> None:
    table = fields(Waiver)
    assert '<code>owner</code></th><td><span class="rb-type">string</span></td><td>yes</td>' in table
    assert '<code>rows</code></th><td><span class="rb-type">map of string</span></td><td></td>' in table
