from typing import Any

from support.recorded_hosts import BROKER, Output, look, process_text, recorded, running

MOUNTS = """\
22 1 0:40 / / rw - overlay overlay rw
30 22 {a} / /var/lib/kafka/a rw - xfs /dev/mapper/data rw
31 22 {b} / /var/lib/kafka/b rw - xfs /dev/sdc rw"""
VIRTUAL = "/sys/devices/virtual/block"
DEVICES = f"""\
{VIRTUAL}/dm-0/dev:253:0
{VIRTUAL}/dm-0/dm/uuid:LVM-
{VIRTUAL}/dm-1/dev:253:1
{VIRTUAL}/dm-1/dm/uuid:CRYPT-
{VIRTUAL}/dm-2/dev:253:2
{VIRTUAL}/dm-2/dm/uuid:LVM-
{VIRTUAL}/md0/dev:9:0
{VIRTUAL}/loop0/dev:7:0
"""
LAYERS = "dm-0/slaves/dm-1\0dm-1/slaves/sda2\0dm-2/slaves/dm-1\0dm-2/slaves/sdb\0md0/slaves/sdd\0md0/slaves/sde\0"


def rows(a: str = "253:0", b: str = "8:32") -> list[dict[str, Any]]:
    files = {**BROKER, "mountinfo": MOUNTS.format(a=a, b=b)}
    text: dict[str, Output] = running(BROKER) | {
        "process": process_text({100: files}),
        "block-devices": DEVICES,
        "block-layers": LAYERS,
    }
    return list(look("host_log_dir_device", recorded({"kafka-1": text})).rows())


def encrypted(device: str) -> Any:
    return rows(a=device)[0]["encrypted"]


def test_a_volume_on_an_encrypted_device_is_encrypted_and_a_disk_is_not():
    lvm, disk = rows()
    assert (lvm["path"], lvm["type"], lvm["encrypted"]) == ("/var/lib/kafka/a", "xfs", True)
    assert lvm["layers"] == ["dm-0 LVM", "dm-1 CRYPT", "sda2"]
    assert (disk["layers"], disk["encrypted"]) == (["8:32"], False)


def test_the_encrypted_device_itself_is_encrypted():
    assert encrypted("253:1") is True


def test_a_volume_over_two_disks_of_which_one_is_plain_is_not_encrypted():
    assert encrypted("253:2") is False
    assert encrypted("9:0") is False


def test_a_file_system_without_a_device_of_its_own_and_a_loop_are_not_known():
    assert encrypted("0:51") is None
    assert encrypted("7:0") is None


def test_each_cell_comes_under_its_own_name():
    assert rows()[0] == {
        "host": "kafka-1",
        "broker": 1,
        "path": "/var/lib/kafka/a",
        "source": "/dev/mapper/data",
        "type": "xfs",
        "layers": ["dm-0 LVM", "dm-1 CRYPT", "sda2"],
        "encrypted": True,
    }
