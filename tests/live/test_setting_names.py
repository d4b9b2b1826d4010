"""The names of settings that are kept, against those that Kafka's own classes and librdkafka name today."""

import json
import subprocess
from pathlib import Path

import pytest

from runbook.formats import setting_names
from runbook.java import JavaError
from support.setting_names import made

pytestmark = [pytest.mark.live, pytest.mark.thorough]


def test_the_names_that_are_kept_are_those_that_are_made():
    try:
        now = made()
    except (JavaError, subprocess.CalledProcessError) as error:
        pytest.skip(f"Kafka's classes can't run here, or were not fetched: {error}")
    assert json.loads(Path(setting_names.__file__).with_suffix(".json").read_text(encoding="utf-8")) == now
