"""Sets min.insync.replicas=1 and unclean elections for the whole cluster, and fewer I/O threads on broker 2."""

from runbook.lab.admin import change_cluster_settings, change_settings
from runbook.lab.state import LabState

_ODD_ONE = "2"


def inject(lab: LabState) -> None:
    """Change the dynamic settings."""
    change_cluster_settings(lab, {"min.insync.replicas": "1", "unclean.leader.election.enable": "true"})
    change_settings(lab, "broker", {_ODD_ONE: {"num.io.threads": "4"}})


def heal(lab: LabState) -> None:
    """Take them back."""
    # With eligible leader replicas on (KIP-966), the cluster's min.insync.replicas can be changed but not removed.
    change_cluster_settings(lab, {"min.insync.replicas": "2", "unclean.leader.election.enable": "false"})
    change_cluster_settings(lab, {"unclean.leader.election.enable": None})  # refused where it is not set
    change_settings(lab, "broker", {_ODD_ONE: {"num.io.threads": None}})
