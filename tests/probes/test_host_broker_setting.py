from runbook.model.errors import Denied
from support.recorded_hosts import BROKER, PROPERTIES, look, recorded, running

FILE = "1:node.id=1\n3:num.io.threads=8 # disks\n5:log.dirs = /var/lib/kafka/a,/var/lib/kafka/b\n9:num.io.threads: 9\n12:listeners=A://:1,\\\n"


def test_what_a_file_sets_is_told_with_its_line_and_the_last_place_holds():
    fact = look("host_broker_setting", recorded({"kafka-1": running(BROKER) | {"broker": FILE}}))
    assert [(row["setting"], row["value"], row["line"]) for row in fact.rows()] == [
        ("listeners", None, 12),
        ("log.dirs", "/var/lib/kafka/a,/var/lib/kafka/b", 5),
        ("node.id", "1", 1),
        ("num.io.threads", "9", 9),
    ]
    assert {(row["host"], row["pid"], row["broker"], row["file"]) for row in fact.rows()} == {
        ("kafka-1", 100, 1, PROPERTIES)
    }


def test_what_the_command_line_overrides_has_no_line():
    words = f"{BROKER['cmdline']}\0--override\0num.io.threads=x\0--override\0ssl.key.password=hunter22"
    fact = look("host_broker_setting", recorded({"kafka-1": running({**BROKER, "cmdline": words}) | {"broker": FILE}}))
    assert [(row["value"], row["line"]) for row in fact.rows() if row["setting"] == "num.io.threads"] == [("x", None)]
    assert not [row for row in fact.rows() if "password" in row["setting"]]


def test_a_file_that_may_not_be_read_is_a_gap_about_its_broker():
    fact = look("host_broker_setting", recorded({"kafka-1": running(BROKER) | {"broker": Denied("no")}}))
    assert (len(fact), [gap.keys for gap in fact.gaps]) == (0, [{"host": "kafka-1", "broker": 1}])


def test_a_broker_whose_file_is_named_by_no_full_path_is_a_gap():
    outputs = running({**BROKER, "cmdline": "java\0kafka.Kafka\0config/server.properties"})
    [gap] = look("host_broker_setting", recorded({"kafka-1": outputs})).gaps
    assert "names no properties file" in gap.reason
