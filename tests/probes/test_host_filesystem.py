from typing import Any

from runbook.model.fact import Fact
from support.recorded_hosts import BROKER, Output, look, process_text, recorded, running

MOUNTS = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 8:16 / /var/lib/kafka/a rw,noatime - xfs /dev/sdb rw,attr2
31 22 8:32 / /var/lib/kafka/b rw,relatime - xfs /dev/sdc rw
32 22 0:40 / /mnt/a\\040b rw - tmpfs tmpfs rw"""
SPACE = """\
Filesystem     Type 1024-blocks Used Available Capacity Mounted on
/dev/sdb       xfs         1000  400       600      40% /var/lib/kafka/a
/dev/sdc       xfs         2000  400      1600      20% /var/lib/kafka/b
"""


def fact(outputs: dict[str, Output], brokers: list[int] | None = None) -> Fact:
    return look("host_filesystem", recorded({"kafka-1": outputs}, kafka_1={"brokers": brokers or []}))


def outputs_of(mounts: str = MOUNTS, space: str = SPACE) -> dict[str, Output]:
    files = {**BROKER, "mountinfo": mounts}
    return running(BROKER) | {"process": process_text({100: files}), "space": space}


def rows(**changes: Any) -> list[dict[str, Any]]:
    return list(fact(outputs_of(**changes)).rows())


def test_each_log_directory_has_the_file_system_it_is_on():
    a, b = rows()
    assert (a["path"], a["mount"], a["source"], a["type"]) == ("/var/lib/kafka/a",) * 2 + ("/dev/sdb", "xfs")
    assert (a["size"], a["free"], b["size"]) == (1000 * 1024, 600 * 1024, 2000 * 1024)
    assert ("noatime" in a["options"], "noatime" in b["options"]) == (True, False)


def test_it_counts_the_devices_under_one_broker():
    assert [row["volumes"] for row in rows()] == [2, 2]
    without = "\n".join(line for line in MOUNTS.splitlines() if "kafka" not in line)
    assert [row["volumes"] for row in rows(mounts=without)] == [1, 1]


def test_a_broker_in_a_container_has_no_size_that_another_mount_would_lend_it():
    elsewhere = SPACE.replace("/dev/sdb", "/dev/sdz")
    assert (rows(space=elsewhere)[0]["size"], rows(space=elsewhere)[1]["size"]) == (None, 2000 * 1024)


def test_mounts_that_cannot_be_read_leave_everything_but_the_path_unknown():
    a, _ = rows(mounts="")
    assert (a["path"], a["type"], a["options"], a["volumes"]) == ("/var/lib/kafka/a", None, None, None)


def test_a_properties_file_that_cannot_be_read_is_a_gap_about_the_broker():
    seen = fact(outputs_of() | {"settings": ""}, [1])
    assert not len(seen)
    assert [gap.keys for gap in seen.gaps] == [{"host": "kafka-1", "broker": 1}]
    assert "properties file" in seen.gaps[0].reason


def test_a_broker_without_log_dirs_has_the_default_of_kafka():
    [row] = fact(outputs_of() | {"settings": "/etc/kafka/broker-1.properties:node.id=1\n"}).rows()
    assert row["path"] == "/tmp/kafka-logs"


def test_each_cell_comes_under_its_own_name():
    above = MOUNTS.replace("/var/lib/kafka/a", "/var/lib/kafka").replace("/dev/sdb", "/dev/sdd")
    space = SPACE.replace("/var/lib/kafka/a", "/var/lib/kafka").replace("/dev/sdb", "/dev/sdd")
    assert rows(mounts=above, space=space)[0] == {
        "host": "kafka-1",
        "broker": 1,
        "path": "/var/lib/kafka/a",
        "mount": "/var/lib/kafka",
        "source": "/dev/sdd",
        "device": "8:16",
        "type": "xfs",
        "options": ["rw", "noatime", "attr2"],
        "size": 1000 * 1024,
        "free": 600 * 1024,
        "volumes": 2,
    }
