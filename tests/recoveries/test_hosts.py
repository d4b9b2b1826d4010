from runbook.recoveries import (
    clock_is_right,
    disk_has_room,
    disks_keep_up,
    heap_suffices,
    kernel_settings_are_in_force,
    limit_of_files_is_raised,
    log_dirs_are_in_place,
    maps_suffice,
    memory_is_at_hand,
    nobody_asks_for_collections,
    pauses_are_short,
)
from support.kafka_facts import fact, situation


def test_a_clock_that_is_right_shows_what_ours_does_and_others_what_they_did() -> None:
    seen = fact("host_clock", [{"host": host, "offset_ms": 90_000.0, "uncertainty_ms": 5.0} for host in "ab"])
    made = clock_is_right.RECOVERY.sets["host_clock"](seen, situation({"hosts": ["a"]}))
    assert (made.columns["offset_ms"], made.columns["uncertainty_ms"]) == ([0.0, 90_000.0], [5.0, 5.0])


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
    made = kernel_settings_are_in_force.RECOVERY.sets["host_sysctl"](settings, given)
    assert made.columns["live"] == ["1", "65530", "eighty", "60", "65530", "20"]
    kernels = fact(
        "host_kernel", [{"host": host, "swappiness": 60, "max_map_count": 65530, "dirty_ratio": 20} for host in "ab"]
    )
    one, other = kernel_settings_are_in_force.RECOVERY.sets["host_kernel"](kernels, given).rows()
    assert (one["swappiness"], one["max_map_count"], one["dirty_ratio"]) == (1, 65530, None)
    assert other["swappiness"] == 60


def test_a_volume_without_anything_of_others_has_the_room_that_kafka_leaves() -> None:
    cells = {"total_bytes": 100, "usable_bytes": 1}
    seen = fact(
        "kafka_log_dir",
        [
            {"path": "/a", "replica_bytes": 20, **cells},
            {"path": "/a", "replica_bytes": 100, **cells},
            {"path": "/a", "replica_bytes": 20, "total_bytes": None, "usable_bytes": None},
            {"path": "/a", "replica_bytes": None, **cells},
            {"path": "/b", "replica_bytes": 20, **cells},
        ],
    )
    made = disk_has_room.RECOVERY.sets["kafka_log_dir"](seen, situation({"paths": ["/a"]}))
    assert made.columns["usable_bytes"] == [80, 1, None, 1, 1]


def test_what_the_collections_of_a_larger_heap_would_be_was_never_seen() -> None:
    seen = fact("jvm_gc_log", [{"broker": node, "file": "f", "forced": 6, "longest": 900.0} for node in (1, 2)])
    one, other = heap_suffices.RECOVERY.sets["jvm_gc_log"](seen, situation({"brokers": [1]})).rows()
    assert (one["file"], one["forced"], one["longest"]) == ("f", None, None)
    assert (other["forced"], other["longest"]) == (6, 900.0)


def test_without_collections_that_were_asked_for_what_was_forced_stays_and_pauses_are_not_known() -> None:
    cells = {"file": "f", "asked_for": 5, "forced": 1, "longest": 900.0, "lost": 6.0}
    seen = fact("jvm_gc_log", [{"broker": node, **cells} for node in (1, 2)])
    one, other = nobody_asks_for_collections.RECOVERY.sets["jvm_gc_log"](seen, situation({"brokers": [1]})).rows()
    assert (one["asked_for"], one["forced"], one["longest"], one["lost"]) == (0, 1, None, None)
    assert (other["asked_for"], other["longest"], other["lost"]) == (5, 900.0, 6.0)


def test_without_long_pauses_how_long_they_would_be_is_not_known_and_why_it_collected_stays() -> None:
    cells = {"file": "f", "forced": 1, "longest": 14_000.0, "lost": 6.0}
    seen = fact("jvm_gc_log", [{"broker": node, **cells} for node in (1, 2)])
    one, other = pauses_are_short.RECOVERY.sets["jvm_gc_log"](seen, situation({"brokers": [1]})).rows()
    assert (one["forced"], one["longest"], one["lost"]) == (1, None, None)
    assert (other["longest"], other["lost"]) == (14_000.0, 6.0)


def test_no_memory_of_processes_of_a_host_is_in_swap_and_how_much_is_free_is_not_known() -> None:
    given = situation({"hosts": ["a"]})
    seen = fact("host_process", [{"host": host, "swapped": 7, "resident": 9} for host in "ab"])
    made = memory_is_at_hand.RECOVERY.sets["host_process"](seen, given)
    assert (made.columns["swapped"], made.columns["resident"]) == ([0, 7], [None, 9])
    kernel = fact("host_kernel", [{"host": host, "swap": 8, "swap_used": 7} for host in "ab"])
    made = memory_is_at_hand.RECOVERY.sets["host_kernel"](kernel, given)
    assert (made.columns["swap"], made.columns["swap_used"]) == ([8, 8], [None, 7])


def test_what_waits_for_a_disk_that_keeps_up_is_not_known() -> None:
    seen = fact("host_kernel", [{"host": host, "dirty": 7, "dirty_limit": 8} for host in "ab"])
    made = disks_keep_up.RECOVERY.sets["host_kernel"](seen, situation({"hosts": ["a"]}))
    assert (made.columns["dirty"], made.columns["dirty_limit"]) == ([None, 7], [8, 8])


def test_to_which_limit_of_files_brokers_of_a_host_come_is_not_known_and_others_keep_theirs() -> None:
    given = situation({"hosts": ["a"]})
    processes = [("a", "broker"), ("a", "connect"), ("b", "broker")]
    seen = fact("host_process", [{"host": host, "kind": kind, "open_files_limit": 7} for host, kind in processes])
    made = limit_of_files_is_raised.RECOVERY.sets["host_process"](seen, given)
    assert made.columns["open_files_limit"] == [None, 7, 7]
    files = fact("host_limit_file", [{"host": host, "soft": 7, "hard": 8} for host in "ab"])
    made = limit_of_files_is_raised.RECOVERY.sets["host_limit_file"](files, given)
    assert (made.columns["soft"], made.columns["hard"]) == ([None, 7], [None, 8])


def test_how_many_maps_a_host_allows_then_is_not_known_and_other_settings_stay() -> None:
    given = situation({"hosts": ["a"]})
    seen = fact("host_kernel", [{"host": host, "max_map_count": 7, "swappiness": 1} for host in "ab"])
    made = maps_suffice.RECOVERY.sets["host_kernel"](seen, given)
    assert (made.columns["max_map_count"], made.columns["swappiness"]) == ([None, 7], [1, 1])
    names = [("a", "vm.max_map_count"), ("a", "vm.swappiness"), ("b", "vm.max_map_count")]
    settings = fact("host_sysctl", [{"host": host, "setting": name, "live": "7"} for host, name in names])
    made = maps_suffice.RECOVERY.sets["host_sysctl"](settings, given)
    assert made.columns["live"] == [None, "7", "7"]


def test_a_log_directory_in_place_is_its_brokers_and_what_is_in_it_was_never_seen() -> None:
    directories = [("a", "/x"), ("a", "/y"), ("b", "/x")]
    row = {"broker": 1, "owner": 2, "absent": ["meta.properties"], "segments": 5, "cluster_id": "abc"}
    seen = fact("host_log_dir", [{"host": host, "path": path, **row} for host, path in directories])
    made = log_dirs_are_in_place.RECOVERY.sets["host_log_dir"](seen, situation({"hosts": ["a"], "paths": ["/x"]}))
    assert made.columns["owner"] == [1, 2, 2]
    assert made.columns["absent"] == [[], ["meta.properties"], ["meta.properties"]]
    assert (made.columns["segments"], made.columns["cluster_id"]) == ([None, 5, 5], [None, "abc", "abc"])
