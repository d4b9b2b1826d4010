from support.recorded_kubernetes import Played

CLASSES = "/apis/storage.k8s.io/v1/storageclasses"


def test_a_class_tells_who_makes_its_volumes_and_when():
    row = Played("healthy").row("kubernetes_storage_class", storage_class="local-nvme")
    assert (row["provisioner"], row["binding"]) == ("kubernetes.io/no-provisioner", "WaitForFirstConsumer")
    assert (row["reclaim_policy"], row["expandable"], row["default"]) == ("Retain", False, False)


def test_parameters_that_point_at_credentials_are_left_out():
    played = Played("healthy")
    thing = played.item(CLASSES, "local-nvme")
    thing["parameters"] = {"type": "gp3", "csi.storage.k8s.io/provisioner-secret-name": "planted"}
    thing["metadata"]["annotations"] = {"storageclass.kubernetes.io/is-default-class": "true"}
    row = played.row("kubernetes_storage_class", storage_class="local-nvme")
    assert row["parameters"] == {"type": "gp3"}
    assert row["default"]
