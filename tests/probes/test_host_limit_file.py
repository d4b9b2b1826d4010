from typing import Any

import pytest

from support.recorded_hosts import look, recorded

LIMITS = """\
/etc/security/limits.d/kafka.conf:kafka soft nofile 1024
/etc/security/limits.d/kafka.conf:kafka hard nofile 100000 # as agreed
/etc/security/limits.conf:* - nofile unlimited
"""
UNITS = """\
/etc/systemd/system/kafka.service:LimitNOFILE=100000
/etc/systemd/system/kafka.service.d/more.conf:LimitNOFILE=65536:131072
/etc/systemd/system.conf:DefaultLimitNOFILE=1024:512K
/usr/lib/systemd/system/other@.service:LimitNOFILE=infinity
"""


def rows() -> dict[tuple[str, str], dict[str, Any]]:
    hosts = recorded({"kafka-1": {"limit-lines": LIMITS, "unit-lines": UNITS}})
    return {(row["file"].rpartition("/")[2], row["who"]): row for row in look("host_limit_file", hosts).rows()}


def sides(file: str, who: str) -> tuple[Any, Any]:
    row = rows()[file, who]
    return row["soft"], row["hard"]


def test_soft_and_hard_limits_of_a_user_make_one_row():
    assert sides("kafka.conf", "kafka") == (1024, 100000)
    assert rows()["kafka.conf", "kafka"]["kind"] == "session"


def test_a_hyphen_sets_both_and_unlimited_is_the_greatest_integer():
    assert sides("limits.conf", "*") == (2**63 - 1, 2**63 - 1)


def test_a_unit_of_systemd_sets_both_or_each():
    assert sides("kafka.service", "kafka.service") == (100000, 100000)
    assert sides("more.conf", "kafka.service") == (65536, 131072)
    assert sides("other@.service", "other@.service") == (2**63 - 1, 2**63 - 1)


def test_the_default_of_systemd_is_for_all_services():
    assert sides("system.conf", "*") == (1024, 512 << 10)
    assert rows()["system.conf", "*"]["kind"] == "service"


def test_the_words_after_a_value_are_left_aside_as_pam_does():
    hosts = recorded({"kafka-1": {"limit-lines": "a.conf:kafka - nofile 4096 as agreed\n", "unit-lines": ""}})
    [row] = look("host_limit_file", hosts).rows()
    assert (row["soft"], row["hard"]) == (4096, 4096)


@pytest.mark.parametrize(
    ("limits", "units"),
    [
        ("a.conf:kafka soft nofile many", ""),
        ("a.conf:kafka soft nofile 64K", ""),  # no unit is known there
        ("a.conf:kafka both nofile 4096", ""),
        ("a.conf:kafka nofile soft 4096", ""),
        ("a.conf:kafka soft nofile ", ""),
        ("", "a.conf:LimitNOFILE=many"),
        ("", "a.conf:LimitNOFILE=4096:many"),
    ],
)
def test_a_line_that_sets_nothing_is_a_gap_with_the_line(limits: str, units: str):
    fact = look("host_limit_file", recorded({"kafka-1": {"limit-lines": limits, "unit-lines": units}}))
    [gap] = fact.gaps
    assert gap.reason.endswith(f"a.conf has a line about open files that sets nothing: {(limits or units)[7:].strip()}")


def test_an_empty_limit_of_a_unit_takes_one_back_and_is_no_gap():
    assert not look("host_limit_file", recorded({"kafka-1": {"limit-lines": "", "unit-lines": "a:LimitNOFILE="}})).gaps
