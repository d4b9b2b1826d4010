import pytest

from runbook.formats.subjects import context_of, name_in_context


@pytest.mark.parametrize(
    ("subject", "context", "name"),
    [
        ("orders-value", "", "orders-value"),
        (":.eu:orders-value", "eu", "orders-value"),
        (":.eu:a:b", "eu", "a:b"),
        (":.eu", "", ":.eu"),
        ("a:.b:c", "", "a:.b:c"),
        ("", "", ""),
    ],
)
def test_a_context_is_what_stands_before_the_name(subject: str, context: str, name: str):
    assert (context_of(subject), name_in_context(subject)) == (context, name)
