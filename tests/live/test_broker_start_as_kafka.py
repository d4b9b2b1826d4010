"""Our judgement of brokers' files against that of Kafka's own KafkaConfig, which a broker asks before all else.

By hand: `pytest --thorough tests/live/test_broker_start_as_kafka.py`; RUNBOOK_BROKER_FILES says how many of each mode.
"""

import os

import pytest

from kafka_lab.errors import LabError
from kafka_lab.jars import fetch_jars, kafka_jars
from kafka_lab.parts.zookeeper import RELEASE
from runbook.folders import cache_folder
from runbook.formats.broker_start import refusals
from runbook.java import JavaError
from support.broker_files import as_kafka_says, broker_files

pytestmark = [pytest.mark.live, pytest.mark.thorough]

COUNT = int(os.environ.get("RUNBOOK_BROKER_FILES", "300"))
"""Files of each mode; 5,000 were tried before it was trusted."""
SEED = int(os.environ.get("RUNBOOK_BROKER_FILES_SEED", "1"))
_STARTING = 0.05  # of all files, that start at least: else the comparison would say little


@pytest.mark.parametrize("kraft", [True, False], ids=["kraft", "zookeeper"])
def test_kafka_refuses_what_we_say_it_refuses_and_nothing_else(*, kraft: bool):
    files = list(broker_files(COUNT, SEED, kraft=kraft))
    try:
        jars = kafka_jars(cache_folder(), print) if kraft else fetch_jars(RELEASE.jars, cache_folder(), print)
        said = as_kafka_says(files, jars)
    except (LabError, JavaError) as error:
        pytest.skip(f"Kafka's classes can't run here: {error}")
    assert len(said) == len(files)
    assert COUNT * _STARTING < said.count("ok") < COUNT
    ours = [refusals(settings) for settings in files]
    apart = [row for row in zip(files, said, ours, strict=True) if (row[1] == "ok") != (not row[2])]
    assert apart == []
