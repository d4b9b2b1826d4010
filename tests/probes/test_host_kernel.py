from runbook.model.errors import TimedOut
from support.recorded_hosts import look, recorded

KERNEL = """\
/proc/sys/vm/swappiness:60
/proc/sys/vm/dirty_ratio:20
/proc/sys/vm/dirty_bytes:0
/proc/sys/vm/dirty_background_ratio:10
/proc/sys/vm/dirty_background_bytes:0
/proc/sys/vm/max_map_count:65530
/proc/sys/vm/overcommit_memory:0
/proc/sys/fs/file-max:9223372036854775807
/proc/sys/fs/nr_open:1048576
/proc/sys/kernel/osrelease:6.1.0-18-amd64
/sys/kernel/mm/transparent_hugepage/enabled:always [madvise] never
/sys/kernel/mm/transparent_hugepage/defrag:always defer defer+madvise [madvise] never
/proc/meminfo:MemTotal:       16000000 kB
/proc/meminfo:MemAvailable:    8000000 kB
/proc/meminfo:SwapTotal:       2000000 kB
/proc/meminfo:SwapFree:        1500000 kB
/proc/meminfo:Dirty:               100 kB
/proc/meminfo:Writeback:            20 kB
/proc/vmstat:nr_dirty_threshold 1000
/proc/vmstat:nr_dirty_background_threshold 501
/proc/vmstat:pswpin 5
/proc/vmstat:pswpout 7
/proc/uptime:3600.25 7000.00
"""


def row(text: str) -> dict[str, object]:
    return next(look("host_kernel", recorded({"kafka-1": {"kernel": text}}, kafka_1={"brokers": [1]})).rows())


def test_it_reads_settings_and_counters():
    seen = row(KERNEL)
    assert (seen["host"], seen["brokers"], seen["release"]) == ("kafka-1", [1], "6.1.0-18-amd64")
    assert (seen["swappiness"], seen["dirty_ratio"], seen["max_map_count"]) == (60, 20, 65530)
    assert (seen["huge_pages"], seen["huge_page_defrag"]) == ("madvise", "madvise")
    assert (seen["swapped_in"], seen["swapped_out"], seen["uptime"]) == (5, 7, 3600.25)


def test_sizes_are_in_bytes():
    seen = row(KERNEL)
    assert (seen["memory"], seen["swap"], seen["swap_used"]) == (16_384_000_000, 2_048_000_000, 512_000_000)
    assert (seen["dirty"], seen["dirty_limit"]) == (120 * 1024, 1000 * 4096)
    assert seen["dirty_freerun"] == 1501 * 4096 // 2


def test_what_a_kernel_does_not_have_is_unknown():
    text = "\n".join(line for line in KERNEL.splitlines() if "hugepage" not in line and "Swap" not in line)
    seen = row(text)
    assert (seen["huge_pages"], seen["swap"], seen["swap_used"]) == (None, None, None)
    assert seen["swappiness"] == 60


def test_a_host_that_shows_nothing_is_a_gap_and_no_row():
    fact = look("host_kernel", recorded({"kafka-1": {"kernel": ""}}))
    assert not len(fact)
    assert [gap.keys for gap in fact.gaps] == [{"host": "kafka-1"}]


def test_a_host_that_keeps_silent_leaves_the_others():
    fact = look("host_kernel", recorded({"a": {"kernel": KERNEL}, "b": {"kernel": TimedOut("host b kept silent")}}))
    assert fact.columns["host"] == ["a"]
    assert [(gap.reason, gap.keys) for gap in fact.gaps] == [("host b kept silent", {"host": "b"})]


def test_each_cell_comes_under_its_own_name():
    text = KERNEL.replace("dirty_bytes:0", "dirty_bytes:11").replace("background_bytes:0", "background_bytes:12")
    text = text.replace("overcommit_memory:0", "overcommit_memory:2").replace(
        "file-max:9223372036854775807", "file-max:13"
    )
    text = text.replace("defer+madvise [madvise]", "[defer+madvise] madvise")
    assert row(text) == {
        "host": "kafka-1",
        "brokers": [1],
        "release": "6.1.0-18-amd64",
        "swappiness": 60,
        "dirty_ratio": 20,
        "dirty_bytes": 11,
        "dirty_background_ratio": 10,
        "dirty_background_bytes": 12,
        "max_map_count": 65530,
        "overcommit_memory": 2,
        "file_max": 13,
        "nr_open": 1048576,
        "huge_pages": "madvise",
        "huge_page_defrag": "defer+madvise",
        "memory": 16_000_000 * 1024,
        "available": 8_000_000 * 1024,
        "swap": 2_000_000 * 1024,
        "swap_used": 500_000 * 1024,
        "swapped_in": 5,
        "swapped_out": 7,
        "dirty": 120 * 1024,
        "dirty_freerun": 1501 * 4096 // 2,
        "dirty_limit": 1000 * 4096,
        "uptime": 3600.25,
    }
