import json
from typing import Any

import msgspec

from runbook.model.errors import Denied
from support.recorded_hosts import BROKER, Output, look, process_text, recorded, running

OTHER = {**BROKER, "cmdline": "java\0-jar\0/opt/app.jar", "cgroup": "0::/system.slice/docker-1f.scope"}


def rows(outputs: dict[str, Output], brokers: list[int] | None = None) -> list[dict[str, Any]]:
    return list(look("host_process", recorded({"kafka-1": outputs}, kafka_1={"brokers": brokers or []})).rows())


def test_a_broker_is_known_by_its_main_class_and_its_properties_file():
    [seen] = rows(running(BROKER))
    assert (seen["pid"], seen["kind"], seen["broker"], seen["main"]) == (100, "broker", 1, "kafka.Kafka")


def test_it_reads_limits_memory_and_counts():
    [seen] = rows(running(BROKER))
    assert (seen["open_files_limit"], seen["open_files_hard_limit"], seen["open_files"]) == (100000, 200000, 321)
    assert (seen["maps"], seen["resident"], seen["swapped"], seen["threads"]) == (1200, 2048 * 1024, 4096, 90)
    assert (seen["uid"], seen["user"], seen["service"]) == (7001, "kafka", "kafka.service")


def test_it_reads_how_the_jvm_was_started():
    [seen] = rows(running(BROKER))
    assert (seen["heap_min"], seen["heap_max"], seen["collector"]) == (1 << 30, 4 << 30, "g1")
    assert (seen["gc_log"], seen["java"], seen["options_elsewhere"]) == ("/var/log/kafka/gc.log", "17.0.9", [])


def test_no_limit_is_the_greatest_integer():
    [seen] = rows(running({**BROKER, "limits": "Max open files            unlimited            unlimited     files"}))
    assert seen["open_files_limit"] == 2**63 - 1


def test_what_only_the_own_user_may_see_is_unknown_to_others():
    outputs = running(BROKER) | {"maps": "", "environment": Denied("no"), "descriptors": "/proc/100/fd 0\n"}
    [seen] = rows(outputs)
    assert (seen["maps"], seen["options_elsewhere"], seen["open_files"]) == (None, None, None)
    assert (seen["heap_min"], seen["heap_max"]) == (None, None)  # _JAVA_OPTIONS, which wins, may be among them
    assert seen["open_files_limit"] == 100000


def test_a_heap_that_a_variable_overrides_is_unknown():
    outputs = running(BROKER) | {"environment": "/proc/100/environ:PATH=\0/proc/100/environ:_JAVA_OPTIONS=\0"}
    [seen] = rows(outputs)
    assert (seen["heap_max"], seen["options_elsewhere"]) == (None, ["_JAVA_OPTIONS"])


def test_other_java_processes_are_told_apart_and_seen_beside_the_broker():
    broker, other = rows(running(BROKER, OTHER))
    assert (other["kind"], other["main"], other["broker"], other["service"]) == ("other", "/opt/app.jar", None, None)
    assert (broker["beside_broker"], other["beside_broker"]) == (False, True)


def test_what_has_a_name_that_is_not_asked_for_leaves_the_others_known():
    odd = {**BROKER, "cmdline": "/opt/my java/bin/java\0kafka.Kafka\0/etc/kafka/my broker.properties"}
    broker, second = rows(running(BROKER, odd))
    assert (broker["broker"], broker["java"]) == (1, "17.0.9")
    assert (second["kind"], second["broker"], second["java"], second["uid"]) == ("broker", None, None, 7001)


def test_two_brokers_on_one_host_are_told_apart_by_their_properties_files():
    second = {**BROKER, "cmdline": "java\0-Xmx1g\0kafka.Kafka\0/etc/kafka/broker-2.properties"}
    outputs = running(BROKER, second)
    outputs["settings"] = f"{outputs['settings']}/etc/kafka/broker-2.properties:node.id=2\n"
    assert [seen["broker"] for seen in rows(outputs)] == [1, 2]


def test_an_override_on_the_command_line_names_the_broker():
    [seen] = rows(running({**BROKER, "cmdline": f"{BROKER['cmdline']}\0--override\0node.id=7"}))
    assert seen["broker"] == 7


def test_the_inventory_names_the_only_broker_whose_file_cannot_be_read():
    [seen] = rows(running(BROKER) | {"settings": ""}, [5])
    assert seen["broker"] == 5


def test_a_node_that_is_controller_only_is_no_broker():
    outputs = running(BROKER)
    outputs["settings"] = f"{outputs['settings']}/etc/kafka/broker-1.properties:process.roles=controller\n"
    [seen] = rows(outputs)
    assert (seen["kind"], seen["broker"]) == ("controller", 1)


def test_a_zookeeper_server_is_known_by_its_main_class():
    command = "java\0-Xmx2g\0org.apache.zookeeper.server.quorum.QuorumPeerMain\0/etc/zookeeper/zoo.cfg"
    [seen] = rows(running({**BROKER, "cmdline": command}))
    assert (seen["kind"], seen["heap_max"]) == ("zookeeper", 2 << 30)


def test_a_broker_that_should_be_there_and_is_not_is_a_gap():
    fact = look("host_process", recorded({"kafka-1": running(BROKER)}, kafka_1={"brokers": [1, 2]}))
    assert [gap.keys for gap in fact.gaps] == [{"host": "kafka-1", "broker": 2}]


def test_a_host_that_hides_processes_is_a_gap():
    outputs = running() | {"process": ""}
    fact = look("host_process", recorded({"kafka-1": outputs}))
    assert "hidepid" in fact.gaps[0].reason


def test_no_password_of_a_command_line_gets_into_a_fact_or_a_process():
    hosts = recorded({"kafka-1": running(BROKER)})
    processes, _ = hosts.each(lambda host: host.processes())
    assert "hunter22" in process_text({100: BROKER})
    assert "hunter22" not in json.dumps(look("host_process", hosts).columns)
    assert "hunter22" not in str([process.argv for process in processes["kafka-1"]])


def test_no_value_of_a_variable_is_asked_for():
    hosts = recorded({"kafka-1": running(BROKER)})
    look("host_process", hosts)
    ran = hosts._hosts["kafka-1"]._link.ran  # type: ignore[attr-defined]
    [environment] = [vector for vector in ran if vector[-1].endswith("/environ")]
    assert "-saozHE" in environment
    assert msgspec.json.encode(environment).count(b")=") == 1
