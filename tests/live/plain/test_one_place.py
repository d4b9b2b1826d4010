"""A lab in one place has no data centre to lose."""

from pathlib import Path

import pytest

import kafka_lab as labs
from kafka_lab import LabState
from runbook.model.errors import UsageError

pytestmark = pytest.mark.live


def test_a_lab_in_one_place_has_no_data_centre_to_lose(healthy_lab: LabState):
    home = Path(healthy_lab.folder).parent
    for fault in ("lose-data-centre", "lopsided-topics"):
        with pytest.raises(UsageError, match=r"has no stretched, .* --with stretched$"):
            labs.break_(healthy_lab.name, fault, home=home)
    assert labs.heal(healthy_lab.name, home=home) == []
