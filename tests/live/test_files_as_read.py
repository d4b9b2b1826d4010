"""Files of clients, of Spring Boot and of logins, as we read them and as what really reads them does.

By hand: `pytest --thorough tests/live/test_files_as_read.py`; RUNBOOK_READ_FILES says how many, RUNBOOK_READ_SEED of
which seed. The files were made before the readers were mended; the seed is another one.
"""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kafka_lab.errors import LabError
from kafka_lab.jars import KAFKA_VERSION, fetch_jars, kafka_jars
from kafka_lab.parts.zookeeper import RELEASE
from runbook.folders import cache_folder
from runbook.java import JavaError
from support import client_texts, jaas_files, spring_files
from support.spring_jars import SPRING

pytestmark = [pytest.mark.live, pytest.mark.thorough]

COUNT = int(os.environ.get("RUNBOOK_READ_FILES", "200"))
SEED = int(os.environ.get("RUNBOOK_READ_SEED", "11"))
_KAFKA: dict[str, Callable[[], Path]] = {
    KAFKA_VERSION: lambda: kafka_jars(cache_folder(), print),
    RELEASE.version: lambda: fetch_jars(RELEASE.jars, cache_folder(), print),
}


@contextmanager
def real_software() -> Iterator[None]:
    try:
        yield
    except (LabError, JavaError, subprocess.CalledProcessError) as error:
        pytest.skip(f"the real software can't run here: {error}")


@pytest.mark.parametrize("release", [*_KAFKA])
def test_clients_are_made_of_the_files_that_we_let_pass_and_of_no_others(release: str) -> None:
    files = list(client_texts.client_texts(SEED, COUNT))
    with real_software():
        said = client_texts.clients_say(files, _KAFKA[release]())
    assert 0.2 * COUNT < said.count("ok") < 0.8 * COUNT
    apart = [
        each
        for file, says in zip(files, said, strict=True)
        for each in client_texts.differences(file, says, release)
        if "No serviceName defined" not in each  # the login is not told, and where it names no service neither
    ]
    assert apart == []


def test_spring_boot_hands_on_what_we_say() -> None:
    files = list(spring_files.spring_files(SEED, COUNT))
    with real_software():
        said = spring_files.spring_says(files, fetch_jars(SPRING, cache_folder(), print))
    assert sum(isinstance(each, dict) for each in said) > COUNT / 2
    apart = [
        each
        for file, says in zip(files, said, strict=True)
        for each in spring_files.differences(file, says)
        if "spring.kafka.admin" not in each  # what Spring keeps for itself is not converted here
    ]
    assert apart == []


def test_logins_are_read_by_us_as_by_java_and_kafka() -> None:
    texts = list(jaas_files.jaas_texts(SEED, COUNT))
    with real_software():
        said = jaas_files.parsers_say(texts, _KAFKA[KAFKA_VERSION]())
    assert 0.2 * COUNT < said.count("ok") < 0.8 * COUNT
    apart = [each for text, says in zip(texts, said, strict=True) for each in jaas_files.differences(text, says)]
    assert apart == []
