import time

from runbook.model.errors import Denied
from support.recorded_hosts import BROKER, look, recorded, running


def listing() -> str:
    now = time.time()
    return f"2048 {now - 86400} /var/log/kafka/server.log.1\x00100 {now} /var/log/kafka/server.log\0"


def test_it_lists_the_files_where_the_broker_says_that_it_logs():
    hosts = recorded({"kafka-1": running(BROKER) | {"files": listing()}})
    first, second = look("host_log_file", hosts).rows()
    assert (first["broker"], first["path"], first["size"], first["age_days"]) == (
        1,
        "/var/log/kafka/server.log",
        100,
        0,
    )
    assert (second["size"], second["age_days"]) == (2048, 1)


def test_a_broker_that_does_not_say_it_is_looked_for_in_the_given_folder():
    outputs = running({**BROKER, "cmdline": "java\0kafka.Kafka\0/etc/kafka/broker-1.properties"}) | {"files": listing()}
    assert not len(look("host_log_file", recorded({"kafka-1": outputs})))
    assert len(look("host_log_file", recorded({"kafka-1": outputs}), folder="/var/log/kafka"))


def test_a_folder_that_may_not_be_listed_is_a_gap_about_the_broker():
    fact = look("host_log_file", recorded({"kafka-1": running(BROKER) | {"files": Denied("no")}}))
    assert [gap.keys for gap in fact.gaps] == [{"host": "kafka-1", "broker": 1}]
