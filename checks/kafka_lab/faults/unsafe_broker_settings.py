"""Sets min.insync.replicas=1 and unclean elections for the whole cluster, and fewer I/O threads on broker 2."""

from collections.abc import Mapping

from kafka_lab.admin import broker_settings, change_cluster_settings, change_settings
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

_MIN_ISR = "min.insync.replicas"
_UNCLEAN = "unclean.leader.election.enable"
_THREADS = "num.io.threads"
_ODD_ONE = "2"
_WITHIN = 20.0


def inject(lab: LabState) -> None:
    """Change the dynamic settings, and wait until every broker has them in force."""
    change_cluster_settings(lab, {_MIN_ISR: "1", _UNCLEAN: "true"})
    change_settings(lab, "broker", {_ODD_ONE: {_THREADS: "4"}})
    wait_until(lambda: _in_force(lab) == ({"1"}, {"true"}, 2), "the brokers to take the settings", within=_WITHIN)


def heal(lab: LabState) -> None:
    """Take them back."""
    # With eligible leader replicas on (KIP-966), the cluster's min.insync.replicas can be changed but not removed.
    change_cluster_settings(lab, {_MIN_ISR: "2", _UNCLEAN: "false"})
    change_cluster_settings(lab, {_UNCLEAN: None})  # refused where it is not set
    change_settings(lab, "broker", {_ODD_ONE: {_THREADS: None}})
    wait_until(lambda: _in_force(lab) == ({"2"}, {"false"}, 1), "the brokers to take the settings", within=_WITHIN)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether every broker says that the settings are in force there."""
    in_sync, unclean, threads = _in_force(lab)
    return {
        f"every broker has {_MIN_ISR}=1": in_sync == {"1"},
        f"every broker has {_UNCLEAN}=true": unclean == {"true"},
        f"brokers differ in {_THREADS}": threads > 1,
    }


def _in_force(lab: LabState) -> tuple[set[str | None], set[str | None], int]:
    """The values over all brokers, and how many different numbers of threads there are."""
    threads = set(broker_settings(lab, _THREADS))
    return set(broker_settings(lab, _MIN_ISR)), set(broker_settings(lab, _UNCLEAN)), len(threads)
