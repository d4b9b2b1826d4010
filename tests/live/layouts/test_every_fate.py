"""The losses that are kept show every fate that a partition can meet: else forecasts of it would be untried."""

import pytest

from live.layouts.forecast import EVERY_FATE, happened
from live.layouts.scenes import MADE, SCENES
from support.evidence import record
from support.layouts import places

pytestmark = pytest.mark.kept


def test_partitions_meet_every_fate_and_none_was_left_out():
    met = set()
    for scene in SCENES:
        came = happened(record.read(record.place_of(scene.shape, scene.name, "before")).aftermath)
        assert came.keys() == {f"{topic}/{number}" for topic, number in places(MADE)}
        met |= {*came.values()}
    assert met >= EVERY_FATE
