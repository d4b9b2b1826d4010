from runbook.model.errors import Denied
from runbook.model.fact import Fact
from support.recorded_hosts import BROKER, Output, look, recorded, running

LISTING = (
    "2048 1.5 /var/log/kafka/server.log\x00900 1.5 /var/log/kafka/server.log.2026-11-21\x00"
    "9000 1.5 /var/log/kafka/big.log\x000 1.5 /var/log/kafka/empty.out\0"
)


def fact(**outputs: Output) -> Fact:
    answers: dict[str, Output] = (
        running(BROKER) | {"files": LISTING, "leaks": "/var/log/kafka/server.log:3\n"} | outputs
    )
    return look("host_log_leak", recorded({"kafka-1": answers}), max_bytes=8000)


def test_lines_are_counted_in_files_that_are_written_now():
    [row] = fact().rows()
    assert row == {"host": "kafka-1", "broker": 1, "path": "/var/log/kafka/server.log", "size": 2048, "leaking": 3}


def test_a_file_that_is_too_large_to_be_read_is_a_gap():
    [gap] = fact().gaps
    assert "big.log is larger than 8000 bytes" in gap.reason
    assert gap.keys == {"host": "kafka-1", "broker": 1}


def test_logs_that_may_not_be_read_are_a_gap():
    assert "no" in [gap.reason for gap in fact(leaks=Denied("no")).gaps]


def test_a_broker_that_does_not_say_where_it_logs_to_is_a_gap():
    outputs = running({**BROKER, "cmdline": "java\0kafka.Kafka\0/etc/kafka/broker-1.properties"})
    [gap] = look("host_log_leak", recorded({"kafka-1": outputs})).gaps
    assert "give `folder`" in gap.reason
