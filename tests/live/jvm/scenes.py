"""Real JVMs that allocate, one of them with too small a heap: what each collector logs of it today."""

import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from runbook.java import find_java
from runbook.model.result import Outcome
from support.busy_machine import LENGTHS_OF_PAUSES
from support.evidence.expected import Expected
from support.evidence.scene import Scene, State, scene
from support.java_compiler import compile_into, no_compiler

_PROGRAM: Final = Path(__file__).parents[2] / "formats" / "gc_log" / "recorded" / "Churn.java"
# What makes each collector run out of heap: options, and how many KiB the program keeps.
_TOO_SMALL: Final = {
    "serial": (["-XX:+UseSerialGC", "-Xmx28m"], "14000"),
    "parallel": (["-XX:+UseParallelGC", "-Xmx28m"], "14000"),
    "g1": (["-XX:+UseG1GC", "-Xmx32m", "-XX:G1ReservePercent=0", "-XX:NewSize=10m"], "26000"),
}
_SECONDS: Final = (2, 8, 32)  # of allocating: the first is enough unless the machine is busy
_FORCED: Final = re.compile(r"Pause Full \((?!System\.gc).*ms$", re.MULTILINE)
_ASKED_FOR: Final = "Pause Full (System.gc())"
_ANY: Final = tuple(Outcome)


def systems() -> dict[str, str]:
    """What the JVMs are."""
    said = subprocess.run([find_java(), "-version"], capture_output=True, text=True, timeout=800, check=True).stderr
    return {"java": said.partition('"')[2].partition('"')[0]}


def lacking() -> str:
    """Why no program can be compiled here."""
    return no_compiler()


@contextmanager
def lab(folder: Path) -> Iterator[Path]:
    """The folder with the compiled program; each JVM ends by itself."""
    compile_into(folder, [_PROGRAM])
    yield folder


# Both ask for one full collection at their end; how long pauses are depends on what else this machine does.
_SMALL_HEAP: Final = Expected(
    fails={
        "full-collections-do-not-happen": "Full GCs for lack of heap",
        "no-tool-triggers-full-gc": "",
    },
    only={
        "full-collections-do-not-happen": {"broker": frozenset({2})},
        "no-tool-triggers-full-gc": {"broker": frozenset({1, 2})},
    },
    passes=frozenset({"gc-logs-are-being-written"}),
    undetermined=LENGTHS_OF_PAUSES,
    others=_ANY,
)


def logs_of(compiled: Path, collector: str) -> dict[int, Path]:
    """Run the program in two JVMs, the second with too small a heap; gives the log of each."""
    options, kept = _TOO_SMALL[collector]
    logs = {}
    for seconds in _SECONDS:
        logs = {number: compiled / f"{collector}-{seconds}-{number}.log" for number in (1, 2)}
        work = [str(seconds), kept, "0"]
        running = [_start(logs[1], [options[0], "-Xmx512m"], work), _start(logs[2], options, work)]
        ended = [process.wait(timeout=800) for process in running]
        assert ended == [0, 0], ended
        if _FORCED.search(logs[2].read_text("latin-1")):
            break
    return logs


def _start(log: Path, options: list[str], work: list[str]) -> subprocess.Popen[bytes]:
    written = f"-Xlog:gc*,safepoint:file={log}:time,tags"
    command = [find_java(), *options, written, "-XX:TieredStopAtLevel=1", "-cp", str(log.parent), "Churn"]
    return subprocess.Popen([*command, *work], stdout=subprocess.DEVNULL)


def inventory(logs: Mapping[int, Path]) -> dict[str, Any]:
    """What `environments.yaml` would say of two logs."""
    files = {"gc_logs": [{"broker": number, "path": str(log)} for number, log in logs.items()]}
    return {"environments": {"jvms": {"files": files, "absent": {"kafka": "two JVMs, no cluster"}}}}


def _claims(logs: Mapping[int, Path]) -> Callable[[], Mapping[str, bool]]:
    def claims() -> Mapping[str, bool]:
        texts = {number: log.read_text("latin-1") for number, log in logs.items()}
        return {
            "the JVM with a small heap stopped for want of it": bool(_FORCED.search(texts[2])),
            "the JVM with a large heap did not": not _FORCED.search(texts[1]),
            "both asked for a full collection": all(_ASKED_FOR in text for text in texts.values()),
        }

    return claims


def _scene_of(collector: str) -> Scene:
    @scene({"ended": {"gc": _SMALL_HEAP}})
    def play(compiled: Path, folder: Path) -> Iterator[State]:
        del folder
        logs = logs_of(compiled, collector)
        yield State("ended", inventory(logs), _claims(logs), within=5)

    return Scene(f"small-heap-{collector}", __name__, play.play, play.expected)


SCENES = [_scene_of(collector) for collector in _TOO_SMALL]
