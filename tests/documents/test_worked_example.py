"""The worked example of capacity.md: each figure that it prints beside the slides' own, computed."""

from math import ceil

import pytest

from runbook.plugins.content import builtin_runbooks

GB, TB, MB = 1e9, 1e12, 1e6
GIB, TIB, MIB = 2**30, 2**40, 2**20
DAY = 86_400  # seconds
RECORDS, PEAK, REPLICAS, RETENTION = 10_000_000, 1_250_000, 4, 14

payload = 6 * 1024 * 3 * RECORDS
daily = payload * 1.4
rate = daily / DAY
copy = daily * RETENTION


@pytest.mark.parametrize(
    ("figure", "printed"),
    [
        (payload / 1000, "184,320,000 KB"),
        (payload / GB, "184.32 GB"),
        (6_000 * 3 * RECORDS / GB, "180 GB"),
        (daily / 1000, "258,048,000 KB"),
        (daily / 1000 / 1024**2, "246.09"),
        (daily / GB, "258.05 GB"),
        (6_000 * 3 * RECORDS * 1.4 / GB, "252 GB"),
        (daily / GIB, "240.33 GiB"),
        (rate / MB, "2.99 MB/s"),
        (rate / MIB, "2.85 MiB/s"),
        (rate * PEAK / (RECORDS / 24) / MB, "8.96 MB/s"),
        (copy / TB, "3.61 TB"),
        (copy / TIB, "3.29 TiB"),
        (copy * REPLICAS / TB, "14.45 TB"),
        (200 * 168 / 1000, "33.6 TB"),
        (1 / 1.4 * 100, "71 %"),
        (2000 * 15 * 1.85e3 * 3600 / GB, "200 GB"),
    ],
)
def test_the_figure_that_is_printed_is_what_comes_out(figure: float, printed: str) -> None:
    """Rounded as it is printed; debug logs to two digits, as the slides say "about"."""
    number = printed.split(maxsplit=1)[0].replace(",", "")
    digits = len(number.partition(".")[2])
    assert round(figure, digits) == float(number)
    assert printed in page()


def test_where_the_slides_slipped() -> None:
    assert round(248.09 * 1024 / DAY, 3) == 2.940  # their rate follows from their slip
    assert round(248.09 * RETENTION / 1024, 1) == 3.4
    assert f"{248.09} GB a day" in page()


def test_the_larger_count_of_partitions_wins() -> None:
    target, consumer, producer = 1 * GB, 50 * MB, 100 * MB
    assert (ceil(target / consumer), ceil(target / producer)) == (20, 10)
    assert "take 20" in page()


def test_what_a_record_costs_beside_its_value_is_no_factor_of_three() -> None:
    """15 bytes for each record and 61 for each batch of ten."""
    assert (6000 + 15 + 61 / 10) / 6000 < 1.01
    assert "under 1 % at 6 KB" in page()


def page() -> str:
    return (builtin_runbooks() / "capacity.md").read_text("utf-8")
