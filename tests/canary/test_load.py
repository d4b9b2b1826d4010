"""What a measurement is made of, and which cluster it never writes to."""

from typing import Any

import pytest

from runbook.canary.load import longest, planned, steady
from runbook.canary.load_writer import refuse_another
from runbook.canary.payload import HEAD, payloads
from runbook.model.errors import CannotLook
from runbook.model.measurement import ProducerSetting

ONE, ALL = ProducerSetting(acks="1"), ProducerSetting(acks="all", size=500)


class _Admin:
    def list_topics(self, **_: Any) -> Any:
        return self

    cluster_id = "there"


def test_another_cluster_than_the_inventory_pins_is_never_written_to():
    refuse_another(_Admin(), "")  # type: ignore[arg-type]
    refuse_another(_Admin(), "there")  # type: ignore[arg-type]
    with pytest.raises(CannotLook, match="cluster_id pinned, and this is there"):
        refuse_another(_Admin(), "pinned")  # type: ignore[arg-type]


def test_settings_take_turns_and_what_warms_up_does_not_count():
    trials = planned([ONE, ALL], 2, lambda of: 1e6 / of.size, 5)
    assert [(trial.number, trial.setting.acks) for trial in trials] == [(0, "1"), (1, "all"), (2, "1"), (3, "all")]
    assert [(trial.rate, trial.records, trial.warm) for trial in trials[:2]] == [
        (1000, 5000, 1000),
        (2000, 10000, 2000),
    ]
    assert longest(trials) > sum(trial.seconds for trial in trials)


def test_of_numbered_records_all_count():
    trial = steady(ALL, 100, 60)
    assert (trial.records, trial.warm, trial.spread) == (6000, 0, True)


def test_payloads_have_the_size_asked_are_different_and_the_same_each_time():
    found = payloads(1000)
    assert {len(payload) + HEAD.size for payload in found} == {1000}
    assert len({*found}) == len(found)
    assert found == payloads(1000)
    assert b'"order_id"' in found[0]
