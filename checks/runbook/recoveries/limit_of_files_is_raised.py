"""Brokers on hosts may open more files than they could; to which number it was raised nobody has said."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _process(fact: Fact, situation: Situation) -> Fact:
    hosts = situation.given["hosts"]
    mine = chosen(fact, ["host", "kind"], lambda host, kind: host in hosts and kind == "broker")
    return put(fact, mine, open_files_limit=None, open_files_hard_limit=None, open_files=None)


def _files(fact: Fact, situation: Situation) -> Fact:
    return put(fact, chosen(fact, ["host"], lambda host: host in situation.given["hosts"]), soft=None, hard=None)


_SETS: dict[str, Change] = {"host_process": _process, "host_limit_file": _files}

RECOVERY = Recovery(
    help="Brokers on hosts may open more files than they could.",
    takes=("hosts",),
    sets=_SETS,
    leaves=all_but({*_SETS, "jvm_process", "kafka_log_dir"}),
    entity="",
    of="",
    sources=("prlimit(1): the limit of a running process; systemd.exec(5): LimitNOFILE=",),
)
