"""Record the logs beside this file: real JVMs, stopped in each of the ways that a GC log may or may not tell.

    python record.py JAVA_HOME [SCENE...]

Each JVM is bounded in time and ended by its id. What is kept are whole lines from the beginning of a log, and, where
the log is long, from its end.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
DECORATIONS = "time,uptime,level,tags"
KAFKA = "time,tags"
"""As Kafka's own start script has them."""

_FULL = re.compile(r"Pause Full(?: \(System\.gc\(\)\))?( .*ms)?$", re.MULTILINE)
"""A line about a collection of all, with how long it took or, where it begins, without."""

FROZEN = 21.0
"""Seconds for which a JVM is frozen within a collection."""


class Recorder:
    """Runs the program beside this file with one JDK; logs are named after it."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.home, self.folder = home, folder
        release = (home / "release").read_text()
        version = next(line for line in release.splitlines() if line.startswith("JAVA_VERSION=")).split('"')[1]
        self.version = f"jdk{version.split('.')[0]}"
        subprocess.run([home / "bin/javac", "-d", folder, HERE / "Stops.java"], check=True)

    def start(self, *words: str, out: object = subprocess.DEVNULL, **options: object) -> "subprocess.Popen[bytes]":
        """Start the JVM with these words."""
        command = [str(self.home / "bin/java"), *words]
        return subprocess.Popen(command, cwd=self.folder, stdout=out, stderr=subprocess.STDOUT, **options)  # type: ignore[call-overload, no-any-return]

    def run(self, *words: str, seconds: float = 120, **options: object) -> None:
        """Let the JVM run to its end, or for so many seconds."""
        process = self.start(*words, **options)
        try:
            process.wait(seconds)
        finally:
            process.kill()
            process.wait()

    def keep(self, name: str, text: str, first: int = 10_000, last: int = 0) -> None:
        """Keep so many of a log's first lines, and of its last ones."""
        lines = text.splitlines(keepends=True)
        if len(lines) > first + last:
            lines = lines[:first] + (lines[-last:] if last else [])
        (HERE / f"{self.version}-{name}.log").write_text("".join(lines))
        sys.stdout.write(f"{self.version}-{name}: {len(lines)} lines, {sum(map(len, lines))} bytes\n")


def _within_full(log: Path) -> bool:
    """Whether a collection of all has begun and nothing says that it ended."""
    lines = _FULL.findall(log.read_text()) if log.exists() else []
    return bool(lines) and not lines[-1]


def _ended(log: Path) -> int:
    return sum(map(bool, _FULL.findall(log.read_text()))) if log.exists() else 0


def _until_within_full(process: "subprocess.Popen[bytes]", log: Path, whole: int) -> None:
    """Freeze the JVM within a collection of all, after so many that ended."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        if _ended(log) >= whole and _within_full(log):
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.3)
            if _within_full(log):
                return
            process.send_signal(signal.SIGCONT)
        time.sleep(0.001)
    raise SystemExit(f"{log} never was within a collection")


def _frozen(made: Recorder, collector: str, tags: str, name: str) -> None:
    log = made.folder / "gc.log"
    options = [f"-XX:+Use{collector}GC", "-Xmx1g", "-XX:-ExplicitGCInvokesConcurrent"]
    process = made.start(*options, f"-Xlog:{tags}:file={log}:{DECORATIONS}", "Stops", "collect", "4000")
    try:
        _until_within_full(process, log, 2)
        time.sleep(FROZEN)
        made.keep(f"{name}-frozen", log.read_text())
        ended = _ended(log)
        process.send_signal(signal.SIGCONT)
        while _ended(log) <= ended:
            time.sleep(0.01)
        time.sleep(0.5)
        made.keep(f"{name}-thawed", log.read_text())
    finally:
        process.kill()
        process.wait()
    log.unlink()


def frozen(made: Recorder) -> None:
    """A JVM that is frozen within a full collection, and what it writes once it runs again."""
    for collector in ("G1", "Parallel", "Serial", "Shenandoah"):
        _frozen(made, collector, "gc*", collector.lower())
    _frozen(made, "G1", "gc*,safepoint", "g1-safepoints")


def killed(made: Recorder) -> None:
    """A JVM that is killed within a full collection, and the next one, which goes on in the same file."""
    log = made.folder / "output.log"
    with log.open("ab") as out:
        words = ["-XX:+UseG1GC", "-Xmx1g", f"-Xlog:gc*:stdout:{KAFKA}", "Stops"]
        process = made.start(*words, "collect", "4000", out=out)
        try:
            _until_within_full(process, log, 1)
        finally:
            process.kill()
            process.wait()
        ended = log.read_text()
        time.sleep(12)
        made.run(*words, "churn", "2", out=out)
    made.keep("g1-killed", ended)
    made.keep("g1-killed-and-started", log.read_text())
    log.unlink()


def to_safepoint(made: Recorder) -> None:
    """A thread that does not reach a safepoint for more than ten seconds."""
    options = ["-XX:+UnlockDiagnosticVMOptions", "-XX:-UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=0"]
    for name, collector, tags in (
        ("g1-loop-safepoints", "G1", "gc*,safepoint"),
        ("g1-loop", "G1", "gc*"),
        ("z-loop-safepoints", "Z", "gc*,safepoint"),
    ):
        log = made.folder / "gc.log"
        words = [f"-XX:+Use{collector}GC", "-Xmx256m", *options, f"-Xlog:{tags}:file={log}:{DECORATIONS}"]
        made.run(*words, "Stops", "loop", "30")
        made.keep(name, log.read_text(), first=440)
        log.unlink()


def metaspace(made: Recorder) -> None:
    """No room for classes; with Serial the same words stand in the log of a start that is well."""
    for collector in ("G1", "Serial", "Parallel"):
        log = made.folder / "gc.log"
        options = [f"-XX:+Use{collector}GC", "-Xmx256m", f"-Xlog:gc*:file={log}:{KAFKA}", "-XX:MetaspaceSize=6m"]
        made.run(*options, "-XX:MaxMetaspaceSize=12m", "Stops", "classes", "1000000")
        made.keep(f"{collector.lower()}-metaspace", log.read_text())
        log.unlink()
        made.run(*options, "-XX:MaxMetaspaceSize=100m", "Stops", "classes", "3000")
        made.keep(f"{collector.lower()}-start", log.read_text())
        log.unlink()


def dropped(made: Recorder) -> None:
    """Lines that the JVM drops since who reads its output is slow (-Xlog:async)."""
    read, write = os.pipe()
    options = ["-XX:+UseG1GC", "-Xmx16m", "-Xlog:async", "-XX:AsyncLogBufferSize=102400"]
    process = made.start(*options, f"-Xlog:gc*:stdout:{KAFKA}", "Stops", "churn", "25", out=write)
    os.close(write)
    text = b""
    try:
        text += os.read(read, 4096)
        time.sleep(12)
        while chunk := os.read(read, 1 << 16):
            text += chunk
    finally:
        os.close(read)
        process.kill()
        process.wait()
    lines = text.decode().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if "dropped due to async" in line)
    made.keep("g1-dropped", "".join(lines[max(0, at - 100) : at + 100]))


SCENES: dict[str, Callable[[Recorder], None]] = {
    scene.__name__: scene for scene in (frozen, killed, to_safepoint, metaspace, dropped)
}


def main() -> None:
    home, *names = sys.argv[1:]
    for name in names or SCENES:
        with tempfile.TemporaryDirectory() as folder:
            SCENES[name](Recorder(Path(home), Path(folder)))


main()
