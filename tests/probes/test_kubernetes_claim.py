from support.recorded_kubernetes import Played

CLAIMS = "/api/v1/namespaces/kafka/persistentvolumeclaims"


def test_a_claim_tells_what_it_got_and_who_mounts_it():
    row = Played("healthy").row("kubernetes_claim", claim="data-kafka-1")
    assert (row["phase"], row["storage_class"], row["volume"]) == ("Bound", "local-nvme", "nvme-1")
    assert (row["requested"], row["capacity"]) == (100 << 30, 100 << 30)
    assert (row["access_modes"], row["volume_mode"], row["resizing"]) == (["ReadWriteOnce"], "Filesystem", False)
    assert (row["pods"], row["roles"]) == (["kafka-1"], ["broker", "controller"])


def test_one_that_waits_says_so():
    played = Played("healthy")
    claim = played.item(CLAIMS, "data-kafka-1")
    claim["status"] = {"phase": "Pending", "conditions": [{"type": "FileSystemResizePending", "status": "True"}]}
    claim["spec"].pop("volumeName")
    row = played.row("kubernetes_claim", claim="data-kafka-1")
    assert (row["phase"], row["volume"], row["capacity"], row["resizing"]) == ("Pending", "", 0, True)


def test_one_that_was_deleted_and_is_still_mounted_says_so_as_kubectl_does():
    played = Played("healthy")
    played.item(CLAIMS, "data-kafka-1")["metadata"]["deletionTimestamp"] = "2026-10-05T08:00:00Z"
    assert played.row("kubernetes_claim", claim="data-kafka-1")["phase"] == "Terminating"
