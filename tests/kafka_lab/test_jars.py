import hashlib
from pathlib import Path

import pytest

from kafka_lab import jars
from kafka_lab.errors import LabError
from kafka_lab.jars import KAFKA_VERSION, kafka_jars

_FETCHES = """
for word in "$@"; do last=$word; done
folder=$(dirname "$last")
mkdir -p "$folder"
printf '\\tfound a\\n\\tfound b\\ndownloading a\\n[SUCCESSFUL ] a\\n'
touch "$folder/kafka_2.13-0.jar" "$folder/other.jar"
"""
_OF_NOTHING = hashlib.sha256(b"").hexdigest()


@pytest.fixture
def fetcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "java"
    monkeypatch.setattr(jars, "find_java", lambda: file)
    monkeypatch.setattr(jars, "_ivy", lambda: tmp_path / "ivy.jar")
    monkeypatch.setattr(jars, "_POLL", 0.02)
    digests = tmp_path / "jars.sha256"
    digests.write_text("".join(f"{_OF_NOTHING}  {name}\n" for name in ("kafka_2.13-0.jar", "other.jar")), "ascii")
    monkeypatch.setattr(jars, "_DIGESTS", digests)
    return file


def behave(file: Path, text: str) -> None:
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


def test_jars_are_fetched_once_and_then_need_no_network(fetcher: Path, tmp_path: Path) -> None:
    behave(fetcher, _FETCHES)
    said: list[str] = []
    folder = kafka_jars(tmp_path / "cache", said.append)
    assert folder == tmp_path / "cache" / f"kafka-{KAFKA_VERSION}"
    assert {file.name for file in folder.iterdir()} == {"kafka_2.13-0.jar", "other.jar"}
    assert KAFKA_VERSION in said[0]
    behave(fetcher, "exit 1")
    said.clear()
    assert kafka_jars(tmp_path / "cache", said.append) == folder
    assert said == []


def test_a_fetch_that_fails_leaves_nothing_that_looks_whole_and_says_why(fetcher: Path, tmp_path: Path) -> None:
    behave(fetcher, _FETCHES + "echo 'Server access Error: Connection refused url=somewhere' >&2\nexit 1")
    with pytest.raises(LabError, match=r"could not be fetched .* Connection refused .* try again"):
        kafka_jars(tmp_path / "cache", lambda _: None)
    assert [file.name for file in (tmp_path / "cache").iterdir() if file.suffix != ".p12"] == [".lock"]
    behave(fetcher, _FETCHES)
    assert kafka_jars(tmp_path / "cache", lambda _: None).is_dir()


def test_a_fetch_that_gives_no_kafka_is_a_failure_whatever_it_says(fetcher: Path, tmp_path: Path) -> None:
    behave(fetcher, "echo all is well")
    with pytest.raises(LabError, match="all is well"):
        kafka_jars(tmp_path / "cache", lambda _: None)


@pytest.mark.parametrize(
    ("name", "why"),
    [("other.jar", "is not the file that is known by this name"), ("more.jar", "is not known here")],
)
def test_what_is_not_the_file_that_was_meant_is_never_used(fetcher: Path, tmp_path: Path, name: str, why: str) -> None:
    cache = tmp_path / "cache"
    behave(fetcher, _FETCHES + f'mkdir -p "{cache}/ivy"; echo changed > "$folder/{name}"')
    with pytest.raises(LabError, match=rf"{name}, as it was fetched, {why}; nothing of it is used"):
        kafka_jars(cache, lambda _: None)
    assert [file.name for file in cache.iterdir() if file.suffix != ".p12"] == [".lock"]


def test_a_fetch_that_hangs_is_ended(fetcher: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jars, "_FETCH_WITHIN", 0.1)
    behave(fetcher, "exec sleep 60")
    with pytest.raises(LabError, match="it took too long"):
        kafka_jars(tmp_path / "cache", lambda _: None)


def test_java_is_told_of_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("http_proxy", "")
    assert jars._proxy_options() == ["-Dhttps.proxyHost=proxy.example", "-Dhttps.proxyPort=3128"]


def test_ivy_is_found_where_pyspark_keeps_it() -> None:
    assert jars._ivy().is_file()
