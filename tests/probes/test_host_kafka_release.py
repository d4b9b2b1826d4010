from typing import Any

import pytest

from runbook.model.errors import Denied
from runbook.model.fact import Fact
from support.recorded_hosts import BROKER, Output, look, recorded, running


def fact(files: Output = "", **process: Any) -> Fact:
    return look("host_kafka_release", recorded({"kafka-1": running(BROKER | process) | {"files": files}}))


def release(*jars: str) -> Any:
    listing = "".join(f"1 1.5 /opt/kafka/libs/{jar}\0" for jar in ("kafka-clients-4.1.0.jar", *jars))
    return fact(listing).columns["kafka_version"][0]


def test_a_star_stands_for_the_jars_of_its_folder():
    assert release("kafka_2.13-4.1.0.jar") == "4.1.0"
    assert release("kafka_2.11-0.10.2.1.jar") == "0.10.2.1"


@pytest.mark.parametrize("jars", [(), ("kafka_2.13-7.6.0-ccs.jar",), ("kafka_2.13-4.1.0.jar", "kafka_2.13-4.0.0.jar")])
def test_no_jar_another_makers_and_several_are_no_release(jars: tuple[str, ...]):
    assert release(*jars) is None


@pytest.mark.parametrize("option", ["-cp\0", "-classpath\0", "--class-path\0", "--class-path="])
def test_jars_may_be_named_one_by_one(option: str):
    path = "/opt/kafka/libs/a.jar:/opt/kafka/libs/kafka_2.13-3.9.1.jar"
    seen = fact(cmdline=f"java\0{option}{path}\0kafka.Kafka\0/etc/kafka/broker-1.properties")
    assert seen.columns["kafka_version"] == ["3.9.1"]


def test_a_folder_that_may_not_be_listed_is_a_gap():
    assert [gap.keys for gap in fact(Denied("no")).gaps] == [{"host": "kafka-1", "broker": 1}]


def test_each_cell_comes_under_its_own_name():
    [row] = fact("1 1.5 /opt/kafka/libs/kafka_2.13-4.1.0.jar\0").rows()
    assert row == {"host": "kafka-1", "pid": 100, "broker": 1, "kafka_version": "4.1.0"}
