"""What is kept of Kafka's settings and verdicts, against what its classes say today, and on files that were never kept.

By hand: `pytest --thorough tests/live/test_config_files_as_kafka.py`. Connect's classes are not among these jars.
"""

import subprocess

import pytest

from kafka_lab.errors import LabError
from kafka_lab.jars import KAFKA_VERSION, fetch_jars, kafka_jars
from kafka_lab.parts.zookeeper import RELEASE
from runbook.folders import cache_folder
from runbook.formats.kafka_settings import judge
from runbook.java import JavaError
from support.config_files import config_files, kafka_says, recorded

pytestmark = [pytest.mark.live, pytest.mark.thorough]

SEED = 2  # the kept files are of seed 1


@pytest.mark.parametrize("release", [KAFKA_VERSION, RELEASE.version])
def test_kafka_says_what_is_kept_and_of_other_files_what_we_say(release: str):
    kept = [file for file in recorded() if file.kind != "connect"]
    files = [file for file in config_files(SEED) if file.kind != "connect"]
    try:
        jars = kafka_jars(cache_folder(), print)
        if release != KAFKA_VERSION:
            jars = fetch_jars(RELEASE.jars, cache_folder(), print)
        now = kafka_says([*kept, *files], jars)
    except (LabError, JavaError, subprocess.CalledProcessError) as error:
        pytest.skip(f"Kafka's classes can't run here: {error}")
    assert [said == "ok" for said in now[: len(kept)]] == [file.said[release] == "ok" for file in kept]
    apart = []
    for file, said in zip(files, now[len(kept) :], strict=True):
        found = judge(file.kind, release, file.settings)
        unjudged = "be found" in said or (not found.mistakes and found.unknown)
        if not unjudged and (said == "ok") == bool(found.mistakes):
            apart.append((file, said, found.mistakes))
    assert apart == []
