import pytest

from runbook.formats.addresses import host_port


@pytest.mark.parametrize(
    ("host", "said"),
    [("kafka-1.example", "kafka-1.example:9092"), ("10.0.0.1", "10.0.0.1:9092"), ("2001:db8::1", "[2001:db8::1]:9092")],
)
def test_a_host_and_its_port_are_one_text_that_can_be_read_again(host: str, said: str) -> None:
    assert host_port(host, 9092) == said
