"""What a JVM was told on its command line about heap, collector and garbage collection log."""

import re
from collections.abc import Sequence

from runbook.model.quantity import Bytes

_SIZE = re.compile(r"([0-9]{1,19})([kmgtKMGT]?)")
_UNITS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}
_COLLECTORS = {
    "UseSerialGC": "serial",
    "UseParallelGC": "parallel",
    "UseParallelOldGC": "parallel",
    "UseConcMarkSweepGC": "cms",
    "UseG1GC": "g1",
    "UseZGC": "zgc",
    "UseShenandoahGC": "shenandoah",
    "UseEpsilonGC": "epsilon",
}
_STREAMS = ("stdout", "stderr")


class JvmOptions:
    """The options before the main class; of an option given twice the last one holds, as in the JVM.

    Attributes:
        heap_max: greatest heap in bytes (-Xmx, -XX:MaxHeapSize); None if not given.
        heap_min: initial heap in bytes (-Xms, -XX:InitialHeapSize); None if not given.
        collector: serial, parallel, cms, g1, zgc, shenandoah, epsilon; "" if the JVM chooses.
        gc_log: file of the garbage collection log, stdout or stderr; "" for none.
    """

    def __init__(self, argv: Sequence[str]) -> None:
        """Read an argument vector, the first word of which is the launcher."""
        self.heap_max: Bytes | None = None
        self.heap_min: Bytes | None = None
        self.collector = ""
        self.gc_log = ""
        for word in argv[1:]:
            self._read(word)

    def _read(self, word: str) -> None:
        if word.startswith(("-Xmx", "-XX:MaxHeapSize=")):
            self.heap_max = _bytes(word.removeprefix("-Xmx").removeprefix("-XX:MaxHeapSize="))
        elif word.startswith(("-Xms", "-XX:InitialHeapSize=")):
            self.heap_min = _bytes(word.removeprefix("-Xms").removeprefix("-XX:InitialHeapSize="))
        elif word.startswith("-Xloggc:"):
            self.gc_log = word.removeprefix("-Xloggc:")
        elif word.startswith("-Xlog:"):
            self.gc_log = _unified(word.removeprefix("-Xlog:"), self.gc_log)
        elif word.startswith(("-XX:+Use", "-XX:-Use")):
            self._choose(word)

    def _choose(self, word: str) -> None:
        named = _COLLECTORS.get(word[5:])
        if named and word[4] == "+":
            self.collector = named
        elif named == self.collector:
            self.collector = ""


def _bytes(text: str) -> Bytes | None:
    """A size; None for what is none, and for more than 64 bits hold, with which no JVM starts."""
    found = _SIZE.fullmatch(text)
    size = int(found[1]) << _UNITS[found[2].lower()] if found else None
    return Bytes(size) if size is not None and size < 2**63 else None


def _unified(text: str, before: str) -> str:
    """Where -Xlog:what:output:decorators:options writes, if it is about garbage collection (JEP 158)."""
    if text == "disable":
        return ""
    what, _, rest = text.partition(":")
    tags = {tag for part in what.split(",") for tag in part.partition("=")[0].rstrip("*").split("+")}
    if not tags & {"gc", "all"}:
        return before
    named = re.match(r'(?:file=)?(?:"([^"]*)"|([^:]*))', rest)
    return (named[1] or named[2] if named else "") or _STREAMS[0]
