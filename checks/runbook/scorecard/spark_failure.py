"""Why Spark could not go on, in a sentence: the cause, and not what came of it elsewhere."""

import re

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkContext
from pyspark.errors import PySparkException

from runbook.safety.child_process import TookTooLong
from runbook.scorecard.spark import HEAP_GB, printed_by_java

_STOPPED = re.compile(r"(?:stopping|shutting down) SparkContext|Application has been killed")
"""How Spark's log says that an error in one of its own threads, or a cluster's master, ended everything
(`Utils.tryOrStopSparkContext`, `DAGSchedulerEventProcessLoop.onError`, `StandaloneSchedulerBackend.dead`)."""
_HEAP_FULL = "java.lang.OutOfMemoryError: Java heap space"
_ERROR = re.compile(r"^(?:Caused by: )?[\w.$]+(?:Error|Exception)\b")
_CAUSES = 20  # of one another, followed at most: a chain may be a ring
_ENDS_WITHIN = 2.0  # seconds from the connection's loss to the end of a Java that dies


def why(error: Exception) -> str:
    """Say what stopped Spark.

    Args:
        error: what Python got for it: an error of Spark's, or of the connection to its Java process.
    """
    answered = isinstance(error, Py4JJavaError | PySparkException)
    return _logged() or (None if answered else _end_of_java()) or _deepest_cause(error)


def _end_of_java() -> str | None:
    """How the Java process ended; None: it runs, or is not ours."""
    java = getattr(SparkContext._gateway, "proc", None)  # noqa: SLF001 - PySpark keeps it nowhere else
    if java is None:
        return None
    try:
        code = java.wait(_ENDS_WITHIN)
    except TookTooLong:
        return None
    if code < 0:
        return (
            f"its Java process was killed by signal {-code}. That is what a machine or a container does that runs out "
            "of memory: give it more, or let a cluster compute (--master)"
        )
    printed = [line for line in printed_by_java() if _ERROR.search(line)]
    return f"its Java process ended with code {code}: {printed[-1] if printed else 'it printed no reason'}"


def _logged() -> str | None:
    """What Java and Spark printed of an error that ended everything; None: nothing."""
    lines = printed_by_java()
    if any(_HEAP_FULL in line for line in lines):
        return f"the {HEAP_GB} GB that its Java may hold were full: let a cluster compute (--master)"
    newest = next((number for number in reversed(range(len(lines))) if _STOPPED.search(lines[number])), None)
    return None if newest is None else ": ".join(lines[newest : newest + 2])


def _deepest_cause(error: Exception) -> str:
    """The first line of what caused the error, and not of what only says that something did."""
    said = str(error)
    if isinstance(error, Py4JJavaError):
        cause = error.java_exception
        try:
            for _ in range(_CAUSES):
                said = cause.toString()
                if (cause := cause.getCause()) is None:
                    break
        except Py4JError:  # Java is gone by now
            pass
    return said.splitlines()[0] if said else type(error).__name__
