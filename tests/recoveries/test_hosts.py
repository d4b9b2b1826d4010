from runbook.recoveries import (
    kernel_settings_applied,
)
from support.kafka_facts import fact, situation


def test_settings_of_files_are_in_force_and_what_no_file_sets_stays() -> None:
    rows = [("vm.swappiness", "60", "1"), ("vm.max_map_count", "65530", ""), ("vm.dirty_ratio", "20", "eighty")]
    settings = fact(
        "host_sysctl",
        [
            {"host": host, "setting": setting, "live": live, "persisted": persisted}
            for host in "ab"
            for setting, live, persisted in rows
        ],
    )
    given = situation({"hosts": ["a"]}, settings)
    made = kernel_settings_applied.RECOVERY.sets["host_sysctl"](settings, given)
    assert made.columns["live"] == ["1", "65530", "eighty", "60", "65530", "20"]
    kernels = fact(
        "host_kernel", [{"host": host, "swappiness": 60, "max_map_count": 65530, "dirty_ratio": 20} for host in "ab"]
    )
    one, other = kernel_settings_applied.RECOVERY.sets["host_kernel"](kernels, given).rows()
    assert (one["swappiness"], one["max_map_count"], one["dirty_ratio"]) == (1, 65530, None)
    assert other["swappiness"] == 60
