"""Kafka's own jars, fetched once from Maven Central by the Apache Ivy that PySpark carries."""

import importlib.util
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from runbook.lab.errors import LabError
from runbook.lab.java import find_java
from runbook.lab.places import held
from runbook.lab.trust import trust_options

KAFKA_VERSION = "4.3.0"
"""The newest release of which every jar could be had (of 4.4.0, kafka-tools-api was missing on 2026-11-21)."""

_LOGGING_VERSION = "2.25.4"
"""The log4j that this Kafka release names. Without its slf4j binding a dying broker says nothing."""

_FETCH_WITHIN = 900.0
_POLL = 0.5

_MODULE = f"""<ivy-module version="2.0">
  <info organisation="runbook" module="lab"/>
  <configurations><conf name="default"/></configurations>
  <dependencies>
    <dependency org="org.apache.kafka" name="kafka_2.13" rev="{KAFKA_VERSION}" conf="default->default"/>
    <dependency org="org.apache.logging.log4j" name="log4j-slf4j-impl" rev="{_LOGGING_VERSION}"
                conf="default->default"/>
  </dependencies>
</ivy-module>
"""


def kafka_jars(cache: Path, progress: Callable[[str], None]) -> Path:
    """Give the folder with Kafka's jars; fetches them when they are not there yet (about 45 MB).

    A fetch that broke off is never taken for a whole one: the folder appears under its name only when complete.
    What had arrived is kept for the next try.

    Args:
        cache: The folder that keeps the jars.
        progress: Called with a line of text now and then while it fetches.

    Raises:
        LabError: Something could not be fetched.
    """
    jars = cache / f"kafka-{KAFKA_VERSION}"
    if jars.is_dir():
        return jars
    with held(cache / ".lock"):
        if not jars.is_dir():
            _fetch(jars, cache, progress)
    return jars


def _fetch(jars: Path, cache: Path, progress: Callable[[str], None]) -> None:
    progress(f"Fetching Kafka {KAFKA_VERSION} (about 45 MB, once)")
    with tempfile.TemporaryDirectory(dir=cache, prefix="fetch-") as folder:
        work = Path(folder)
        (work / "ivy.xml").write_text(_MODULE, encoding="utf-8")
        log = work / "ivy.log"
        with log.open("w") as output:
            status = _watched(_command(work, cache), output.fileno(), log, progress)
        fetched = work / "jars"
        if status != 0 or not any(fetched.glob("kafka_2.13-*.jar")):
            raise LabError(_explanation(log.read_text(errors="replace"), status))
        fetched.replace(jars)
    shutil.rmtree(cache / "ivy", ignore_errors=True)


def _command(work: Path, cache: Path) -> list[str]:
    return [
        str(find_java()),
        *trust_options(cache),
        *_proxy_options(),
        # A server that stops answering must not stop us for good. Milliseconds.
        "-Dsun.net.client.defaultConnectTimeout=20000",
        "-Dsun.net.client.defaultReadTimeout=60000",
        "-jar",
        str(_ivy()),
        "-cache",
        str(cache / "ivy"),
        "-ivy",
        str(work / "ivy.xml"),
        "-confs",
        "default",
        "-retrieve",
        f"{work}/jars/[artifact]-[revision](-[classifier]).[ext]",
    ]


def _watched(command: list[str], output: int, log: Path, progress: Callable[[str], None]) -> int | None:
    """Run the command; its exit status, or None when it took too long."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + _FETCH_WITHIN
        reported = ""
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(_POLL)
            said = log.read_text(errors="replace")
            report = _advance(said)
            if report != reported:
                progress(report)
                reported = report
        return process.poll()
    finally:
        process.kill()
        process.wait()


def _advance(said: str) -> str:
    """Say how far Ivy is, in steps of ten files: first it finds out what Kafka needs, then it fetches that."""
    found = said.count("\tfound ")
    arrived = said.count("[SUCCESSFUL ]") // 10 * 10
    if "downloading" in said:
        return f"  {arrived} of {found} files are here"
    return f"  finding out what is needed: {found // 10 * 10} files so far"


def _explanation(said: str, status: int | None) -> str:
    telling = [line.strip() for line in said.splitlines() if "rror" in line or ": not found" in line]
    cause = "it took too long" if status is None else "; ".join(telling[-2:])[:400] or said.strip()[-400:]
    return (
        f"Kafka {KAFKA_VERSION} could not be fetched from Maven Central: {cause}. "
        "Check the network, $HTTPS_PROXY and $SSL_CERT_FILE, then try again: what has arrived is kept"
    )


def _ivy() -> Path:
    spark = importlib.util.find_spec("pyspark")
    folders = spark.submodule_search_locations if spark else None
    found = sorted(Path(folders[0], "jars").glob("ivy-*.jar")) if folders else []
    if not found:
        raise LabError(
            "The package pyspark, whose Apache Ivy fetches Kafka, is missing: pip install 'kafka-runbook[lab]'"
        )
    return found[-1]


def _proxy_options() -> list[str]:
    """Hand on the proxy of the environment: Java does not look there."""
    proxies = urllib.request.getproxies()
    options = []
    for scheme in ("http", "https"):
        proxy = urlsplit(proxies.get(scheme, ""))
        if proxy.hostname:
            options.append(f"-D{scheme}.proxyHost={proxy.hostname}")
            options.append(f"-D{scheme}.proxyPort={proxy.port or 80}")
    return options
