"""The losses that are kept show every fate that a partition can meet: else forecasts of it would be untried."""

from types import ModuleType

import pytest

from live.layouts import scenes as kraft
from live.layouts_in_zookeeper_mode import scenes as zookeeper
from support.evidence import record
from support.layouts import places
from support.loss_foretold import Fate, happened

pytestmark = pytest.mark.kept

ALL_GOES_ON = Fate(
    refuses_all=False,
    refuses_one=False,
    unreadable=False,
    records_missing=False,
    records_of_one_missing=False,
    shows_new_records=True,
)
ANOTHER_LEADS = ALL_GOES_ON._replace(records_of_one_missing=True)
SEVERAL_COPIES_ARE_NOT_TO_BE_HAD = ALL_GOES_ON._replace(refuses_all=True, shows_new_records=False)
ANOTHER_LEADS_ALONE = SEVERAL_COPIES_ARE_NOT_TO_BE_HAD._replace(records_of_one_missing=True)
AN_ELECTION_GIVES_RECORDS_UP = ANOTHER_LEADS._replace(records_missing=True)
ALL_IS_LOST = Fate(
    refuses_all=True,
    refuses_one=True,
    unreadable=True,
    records_missing=True,
    records_of_one_missing=True,
    shows_new_records=False,
)
EVERY_FATE = {
    ALL_GOES_ON,
    ANOTHER_LEADS,
    SEVERAL_COPIES_ARE_NOT_TO_BE_HAD,
    ANOTHER_LEADS_ALONE,
    AN_ELECTION_GIVES_RECORDS_UP,
    ALL_IS_LOST,
}


def fates(shape: ModuleType) -> set[Fate]:
    met = set()
    for scene in shape.SCENES:
        came = happened(record.read(record.place_of(scene.shape, scene.name, "before")).aftermath)
        assert came.keys() == {f"{topic}/{number}" for topic, number in places(shape.MADE)}
        met |= {*came.values()}
    return met


@pytest.mark.parametrize("shape", [kraft, zookeeper], ids=["kraft", "zookeeper"])
def test_partitions_meet_every_fate_and_none_was_left_out(shape: ModuleType):
    assert fates(shape) >= EVERY_FATE
