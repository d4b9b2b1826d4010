"""What files of a host set of its kernel is in force, as after a boot."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._rows import all_but

_COLUMNS = {
    "vm.swappiness": "swappiness",
    "vm.dirty_ratio": "dirty_ratio",
    "vm.dirty_bytes": "dirty_bytes",
    "vm.dirty_background_ratio": "dirty_background_ratio",
    "vm.dirty_background_bytes": "dirty_background_bytes",
    "vm.max_map_count": "max_map_count",
}
"""Setting → the column of host_kernel that shows it."""


def _sysctl(fact: Fact, situation: Situation) -> Fact:
    live = [
        row["persisted"] if row["persisted"] and row["host"] in situation.given["hosts"] else row["live"]
        for row in fact.rows("host", "persisted", "live")
    ]
    return changed(fact, {"live": live}, fact.gaps)


def _kernel(fact: Fact, situation: Situation) -> Fact:
    columns = {name: [*fact.columns[name]] for name in _COLUMNS.values()}
    places = {host: at for at, host in enumerate(fact.columns["host"])}
    for row in situation.facts["host_sysctl"].rows("host", "setting", "persisted"):
        host, column, persisted = row["host"], _COLUMNS.get(row["setting"]), row["persisted"]
        if host in situation.given["hosts"] and host in places and column and persisted:
            columns[column][places[host]] = int(persisted) if persisted.isdecimal() else None
    return changed(fact, columns, fact.gaps)


_SETS = {"host_sysctl": _sysctl, "host_kernel": _kernel}

RECOVERY = Recovery(
    help="What files of a host set of its kernel is in force.",
    takes=("hosts",),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity="",
    of="",
    sources=("sysctl.d(5): settings of files are put in force at boot, and by sysctl --system",),
)
