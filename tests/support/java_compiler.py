"""Java's compiler, as it comes with a JDK: programs of the tests are compiled where they run."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

from kafka_lab import LabState
from runbook.java import JavaError, find_java

_PATIENCE = 120.0  # seconds


def no_compiler() -> str:
    """Why nothing can be compiled here; "" if it can."""
    try:
        listed = subprocess.run(
            [find_java(), "--list-modules"], capture_output=True, text=True, timeout=800, check=False
        )
    except JavaError as error:
        return str(error)
    return "" if "jdk.compiler" in listed.stdout else "this Java has no compiler: install a JDK"


def compile_into(
    folder: Path, sources: Iterable[Path], lab: LabState | None = None, libraries: Iterable[Path] = ()
) -> None:
    """Compile sources into a folder, with Kafka's classes of a lab and further jars if they need some.

    Raises:
        CalledProcessError: they do not compile.
    """
    folders = [] if lab is None else [Path(lab.jars), *libraries]
    jars = ":".join(str(jar) for one in folders for jar in sorted(one.glob("*.jar")))
    kafka = ["-cp", jars] if jars else []
    command = [find_java(), "-m", "jdk.compiler/com.sun.tools.javac.Main", "-proc:none", "-nowarn", "-d", folder]
    subprocess.run([*map(str, command), *kafka, *map(str, sources)], check=True, timeout=_PATIENCE)
