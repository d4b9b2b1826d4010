from support.recorded_kubernetes import Played

VOLUMES = "/api/v1/persistentvolumes"


def test_a_local_volume_is_pinned_to_its_node():
    row = Played("healthy").row("kubernetes_volume", volume="nvme-1")
    assert (row["claim"], row["phase"], row["kind"], row["driver"]) == ("data-kafka-1", "Bound", "local", "")
    assert (row["reclaim_policy"], row["pinned"], row["capacity"]) == ("Retain", True, 100 << 30)
    assert (row["file_system"], row["mount_options"]) == ("xfs", ["noatime"])


def test_a_csi_volume_names_its_driver():
    played = Played("healthy")
    spec = played.item(VOLUMES, "nvme-1")["spec"]
    spec.pop("local")
    spec["csi"] = {"driver": "ebs.csi.aws.com", "volumeHandle": "vol-1", "fsType": "ext4"}
    row = played.row("kubernetes_volume", volume="nvme-1")
    assert (row["kind"], row["driver"], row["file_system"]) == ("csi", "ebs.csi.aws.com", "ext4")


def test_volumes_of_other_namespaces_are_none_of_our_business():
    played = Played("healthy")
    played.item(VOLUMES, "nvme-1")["spec"]["claimRef"]["namespace"] = "payroll"
    assert "nvme-1" not in played.observe("kubernetes_volume").columns["volume"]
