import datetime as dt
import re

import pytest

from runbook.formats.advisories import ADVISORIES, AS_OF

BY_NUMBER = {advisory.cve: advisory for advisory in ADVISORIES}


@pytest.mark.parametrize(
    ("cve", "version", "verdict"),
    [
        ("CVE-2025-27818", "3.9.0", "affected"),
        ("CVE-2025-27818", "3.9.1", "not affected"),
        ("CVE-2025-27818", "3.6", "affected"),
        ("CVE-2025-27818", "3.9", "unknown"),
        ("CVE-2025-27818", "4.0", "not affected"),
        ("CVE-2024-56128", "3.7.1", "affected"),
        ("CVE-2024-56128", "3.7.2", "not affected"),
        ("CVE-2024-56128", "3.8", "unknown"),
        ("CVE-2026-33558", "4.0.0", "affected"),
        ("CVE-2026-33558", "4.0", "unknown"),
        ("CVE-2018-1288", "0.10.2.1", "affected"),
        ("CVE-2018-1288", "0.10.2.2", "not affected"),
        ("CVE-2026-33557", "7.6.0-ccs", "unknown"),
        ("CVE-2026-33557", "", "unknown"),
    ],
)
def test_a_release_has_it_within_the_published_ranges_and_a_line_only_as_a_whole(cve: str, version: str, verdict: str):
    assert BY_NUMBER[cve].verdict(version) == verdict


def test_the_newest_release_of_the_lab_has_none():
    assert {advisory.verdict("4.3.0") for advisory in ADVISORIES} == {"not affected"}


def test_every_entry_is_one_of_its_own_whose_fixed_releases_do_not_have_it():
    assert len(BY_NUMBER) == len(ADVISORIES)
    for advisory in ADVISORIES:
        assert re.fullmatch(r"CVE-20[0-9]{2}-[0-9]{4,}", advisory.cve)
        assert {advisory.verdict(release) for release in advisory.fixed.split(", ")} == {"not affected"}, advisory.cve
        assert all(advisory.verdict(last) == "affected" for _, last in advisory.ranges)


def test_the_table_is_dated():
    assert dt.date.fromisoformat(AS_OF) > dt.date(2026, 1, 1)
