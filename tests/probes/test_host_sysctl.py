from typing import Any

from support.recorded_hosts import look, recorded

KERNEL = "/proc/sys/vm/swappiness:1\n/proc/sys/vm/max_map_count:262144\n/proc/sys/vm/dirty_ratio:20\n"
FILES = ("/etc/sysctl.conf", "/etc/sysctl.d/60-kafka.conf", "/usr/lib/sysctl.d/10-base.conf")


def rows(lines: str, files: tuple[str, ...] = FILES) -> dict[str, dict[str, Any]]:
    outputs = {"kernel": KERNEL, "sysctl-files": "".join(f"{file}\0" for file in files), "sysctl-lines": lines}
    return {row["setting"]: row for row in look("host_sysctl", recorded({"kafka-1": outputs})).rows()}


def test_a_setting_that_no_file_sets_is_not_persisted():
    seen = rows("")["vm.dirty_ratio"]
    assert (seen["live"], seen["persisted"], seen["file"], seen["lines"]) == ("20", "", "", 0)


LINK = "/etc/sysctl.d/99-sysctl.conf"


def test_sysctl_conf_is_read_where_its_link_stands():
    lines = (
        f"{LINK}:vm.swappiness=30\n/etc/sysctl.conf:vm.swappiness=30\n/etc/sysctl.d/60-kafka.conf:vm.swappiness = 1\n"
    )
    seen = rows(lines, (*FILES, LINK))["vm.swappiness"]
    assert (seen["persisted"], seen["file"], seen["lines"]) == ("30", LINK, 2)
    later = "/etc/sysctl.d/zz-kafka.conf"
    assert rows(lines + f"{later}:vm.swappiness=5\n", (*FILES, LINK, later))["vm.swappiness"]["persisted"] == "5"


def test_without_a_link_nobody_knows_whether_sysctl_conf_is_read_at_boot():
    lines = "/etc/sysctl.conf:vm.swappiness=30\n/etc/sysctl.d/60-kafka.conf:vm.swappiness = 1\n"
    seen = rows(lines)["vm.swappiness"]
    assert (seen["persisted"], seen["file"], seen["lines"]) == (None, "/etc/sysctl.conf", 2)
    assert rows("/etc/sysctl.conf:vm.swappiness=30\n")["vm.swappiness"]["persisted"] is None
    assert rows(lines.replace("30", "1"))["vm.swappiness"]["persisted"] == "1"  # either way


def test_files_are_read_in_the_order_of_their_names_over_all_folders():
    lines = "/etc/sysctl.d/60-kafka.conf:vm.swappiness=1\n/usr/lib/sysctl.d/10-base.conf:vm.swappiness=10\n"
    assert rows(lines)["vm.swappiness"]["persisted"] == "1"


def test_a_file_of_the_same_name_in_etc_replaces_the_one_of_the_distribution():
    files = ("/etc/sysctl.d/10-base.conf", "/usr/lib/sysctl.d/10-base.conf")
    seen = rows("/usr/lib/sysctl.d/10-base.conf:vm.swappiness=10\n", files)["vm.swappiness"]
    assert (seen["persisted"], seen["lines"]) == ("", 0)


def test_a_link_to_sysctl_conf_among_them_counts_once():
    files = (*FILES, "/etc/sysctl.d/99-sysctl.conf")
    lines = "/etc/sysctl.conf:vm.max_map_count=262144\n/etc/sysctl.d/99-sysctl.conf:vm.max_map_count=262144\n"
    assert rows(lines, files)["vm.max_map_count"]["lines"] == 1


def test_slashes_and_a_leading_minus_mean_the_same():
    assert rows("/etc/sysctl.d/60-kafka.conf:-vm/swappiness = 1\n")["vm.swappiness"]["persisted"] == "1"


def test_a_line_that_is_repeated_is_counted():
    file = "/etc/sysctl.d/60-kafka.conf"
    lines = f"{file}:vm.max_map_count=1\n{file}:vm.max_map_count=262144\n"
    seen = rows(lines)["vm.max_map_count"]
    assert (seen["persisted"], seen["lines"]) == ("262144", 2)


def test_a_host_without_these_settings_is_a_gap():
    cells = {"kernel": "", "sysctl-files": "", "sysctl-lines": ""}
    fact = look("host_sysctl", recorded({"kafka-1": cells}))
    assert (len(fact), [gap.keys for gap in fact.gaps]) == (0, [{"host": "kafka-1"}])
