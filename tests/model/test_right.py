import pytest

from runbook.model.right import AskedRight, read_right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("User:a Write Topic orders", AskedRight("User:a", "Write", "Topic", "orders", "*")),
        ("User:a Read Group billing 192.0.2.1", AskedRight("User:a", "Read", "Group", "billing", "192.0.2.1")),
        ("User:CN=a b,O=c Write Topic x", AskedRight("User:CN=a b,O=c", "Write", "Topic", "x", "*")),
        ("Write Topic orders", None),
        ("a writes to orders", None),
        ("", None),
    ],
)
def test_a_right_is_read_from_its_end(text: str, right: AskedRight | None) -> None:
    assert read_right(text) == right
