"""Jars of real systems, fetched once from Maven Central by the Apache Ivy that PySpark carries.

Each file must be the one that `jars.sha256` names, in the format of sha256sum: those of the lab and of the tests.
"""

import hashlib
import importlib.util
import shutil
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from kafka_lab.errors import LabError
from kafka_lab.places import held
from kafka_lab.trust import trust_options
from runbook.java import find_java
from runbook.plugins.extras import install
from runbook.safety.child_process import STDOUT, start

KAFKA_VERSION = "4.3.0"
"""The newest release of which every jar could be had (of 4.4.0, kafka-tools-api was missing on 2026-11-21)."""

_LOGGING_VERSION = "2.25.4"
"""The log4j that this Kafka release names. Without its slf4j binding a dying broker says nothing."""

_DIGESTS = Path(__file__).with_name("jars.sha256")
_FETCH_WITHIN = 900.0
_POLL = 0.5

_MODULE = """<ivy-module version="2.0" xmlns:m="http://ant.apache.org/ivy/maven">
  <info organisation="runbook" module="lab"/>
  <configurations><conf name="default"/></configurations>
  <dependencies>
{dependencies}
  </dependencies>
</ivy-module>
"""
_DEPENDENCY = """    <dependency org="{organisation}" name="{name}" rev="{revision}" transitive="{transitive}"
                conf="default->default">{variant}</dependency>"""
_VARIANT = """<artifact name="{name}" type="{kind}" ext="{kind}" m:classifier="{classifier}"/>"""


class Jar(Struct, frozen=True):
    """One artefact of Maven Central.

    Attributes:
        organisation: its group.
        name: its name.
        revision: its version.
        transitive: whether all that it needs comes along.
        classifier: that variant of it.
        kind: what kind of file it is, by the end of its name; a `tar.gz` is unpacked and not kept.
    """

    organisation: str
    name: str
    revision: str
    transitive: bool = True
    classifier: str = ""
    kind: str = "jar"


class Wanted(Struct, frozen=True):
    """Jars that belong together.

    Attributes:
        title: what messages call them, with the version.
        folder: the name of their folder in the cache.
        size: about how much is fetched, for people.
        jars: the artefacts; without the first one, the fetch has failed.
    """

    title: str
    folder: str
    size: str
    jars: tuple[Jar, ...]


LOGGING = Jar("org.apache.logging.log4j", "log4j-slf4j-impl", _LOGGING_VERSION)

_KAFKA = Wanted(
    f"Kafka {KAFKA_VERSION}",
    f"kafka-{KAFKA_VERSION}",
    "45 MB",
    (
        Jar("org.apache.kafka", "kafka_2.13", KAFKA_VERSION),
        LOGGING,
    ),
)

TOOLS: Final = Wanted(
    f"Kafka's tools {KAFKA_VERSION}",
    f"kafka-tools-{KAFKA_VERSION}",
    "1 MB",
    (Jar("org.apache.kafka", "kafka-tools", KAFKA_VERSION, transitive=False),),
)
"""Kafka's clients for the command line."""


class Release(Struct, frozen=True):
    """A release of Kafka for a whole lab: what it is called, as in 4.3.0, and its jars."""

    version: str
    jars: Wanted


def kafka_jars(cache: Path, progress: Callable[[str], None]) -> Path:
    """Give the folder with Kafka's jars, as fetch_jars does.

    Raises:
        LabError: Something could not be fetched.
    """
    return fetch_jars(_KAFKA, cache, progress)


def fetch_jars(wanted: Wanted, cache: Path, progress: Callable[[str], None]) -> Path:
    """Give the folder with some jars; fetches them when they are not there yet.

    A fetch that broke off is never taken for a whole one: the folder appears under its name only when complete.
    What had arrived is kept for the next try.

    Args:
        wanted: What.
        cache: The folder that keeps the jars.
        progress: Called with a line of text now and then while it fetches.

    Raises:
        LabError: Something could not be fetched, or is not what it should be.
    """
    jars = cache / wanted.folder
    if jars.is_dir():
        return jars
    with held(cache / ".lock"):
        if not jars.is_dir():
            _fetch(wanted, jars, cache, progress)
    return jars


def _fetch(wanted: Wanted, jars: Path, cache: Path, progress: Callable[[str], None]) -> None:
    progress(f"Fetching {wanted.title} (about {wanted.size}, once)")
    with tempfile.TemporaryDirectory(dir=cache, prefix="fetch-") as folder:
        work = Path(folder)
        (work / "ivy.xml").write_text(_module(wanted), encoding="utf-8")
        log = work / "ivy.log"
        with log.open("w") as output:
            status = _watched(_command(work, cache), output.fileno(), log, progress)
        fetched = work / "jars"
        if status != 0 or not any(fetched.glob(f"{wanted.jars[0].name}-*.{wanted.jars[0].kind}")):
            raise LabError(_explanation(wanted, log.read_text(errors="replace"), status))
        try:
            _refuse_others(wanted, fetched)
        except LabError:
            shutil.rmtree(cache / "ivy", ignore_errors=True)  # or it would be taken from there the next time
            raise
        for archive in fetched.glob("*.tar.gz"):
            shutil.unpack_archive(archive, fetched, filter="data")
            archive.unlink()
        fetched.replace(jars)
    shutil.rmtree(cache / "ivy", ignore_errors=True)


def _refuse_others(wanted: Wanted, folder: Path) -> None:
    """Make sure that these are the files that were meant: what was fetched is run.

    Raises:
        LabError: one of them is another, or nobody knows it.
    """
    lines = (line.split(maxsplit=1) for line in _DIGESTS.read_text("ascii").splitlines())
    known = {name: digest for digest, name in lines}
    for file in sorted(folder.iterdir()):
        with file.open("rb") as content:
            found = hashlib.file_digest(content, "sha256").hexdigest()
        if found != known.get(file.name):
            why = "is not the file that is known by this name" if file.name in known else "is not known here"
            raise LabError(
                f"{wanted.title}: {file.name}, as it was fetched, {why}; nothing of it is used. SHA-256: {found}"
            )


def _module(wanted: Wanted) -> str:
    dependencies = [
        _DEPENDENCY.format(
            organisation=jar.organisation,
            name=jar.name,
            revision=jar.revision,
            transitive=str(jar.transitive).lower(),
            variant=_VARIANT.format(name=jar.name, kind=jar.kind, classifier=jar.classifier) if jar.classifier else "",
        )
        for jar in wanted.jars
    ]
    return _MODULE.format(dependencies="\n".join(dependencies))


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
    process = start(command, stdout=output, stderr=STDOUT)
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
    """Say how far Ivy is, in steps of ten files: first it finds out what is needed, then it fetches that."""
    found = said.count("\tfound ")
    arrived = said.count("[SUCCESSFUL ]") // 10 * 10
    if "downloading" in said:
        return f"  {arrived} of {found} files are here"
    return f"  finding out what is needed: {found // 10 * 10} files so far"


def _explanation(wanted: Wanted, said: str, status: int | None) -> str:
    telling = [line.strip() for line in said.splitlines() if "rror" in line or ": not found" in line]
    cause = "it took too long" if status is None else "; ".join(telling[-2:])[:400] or said.strip()[-400:]
    return (
        f"{wanted.title} could not be fetched from Maven Central: {cause}. "
        "Check the network, $HTTPS_PROXY and $SSL_CERT_FILE, then try again: what has arrived is kept"
    )


def _ivy() -> Path:
    spark = importlib.util.find_spec("pyspark")
    folders = spark.submodule_search_locations if spark else None
    found = sorted(Path(folders[0], "jars").glob("ivy-*.jar")) if folders else []
    if not found:
        raise LabError(f"The package pyspark, whose Apache Ivy fetches jars, is missing: {install('lab')}")
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
