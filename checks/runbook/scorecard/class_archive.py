"""Java's classes, kept between starts: loading and verifying those of Spark costs more than a small roll-up does.

What is kept is an archive that Java makes when it ends, and maps into memory when it starts (class data sharing). Java
itself finds out whether one still fits, and does without one that does not.
"""

import atexit
import hashlib
import os
import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyspark

_ENDS_WITHIN = 300.0
"""Seconds in which Java ends when it is told to, and writes its archive: once, some three if it has the processor. Who
gives up earlier pays for it again at the next start."""


class Classes:
    """The archive for one Java and one Spark.

    Attributes:
        options: what Java is to be started with.
    """

    def __init__(self, cache: Path, java_home: Path | None, scratch: Path) -> None:
        self._kept = cache / f"spark-classes-{_fingerprint(java_home)}.jsa"
        self._new = scratch / self._kept.name
        # An option is cut at blanks, and a list of archives at colons.
        usable = not re.search(r"[\s:'\"\\]", f"{self._kept}{self._new}")
        self._is_made = usable and not self._kept.exists()
        way = f"ArchiveClassesAtExit={self._new}" if self._is_made else f"SharedArchiveFile={self._kept}"
        self.options = [f"-XX:{way}"] if usable else []

    def keep_from(self, java: Any) -> None:
        """Keep what this process (a Popen) writes when it ends, if there is nothing yet: when this one ends."""
        if self._is_made:
            atexit.register(self._keep, java)

    def _keep(self, java: Any) -> None:
        java.stdin.close()  # which tells Spark's Java to end
        with suppress(Exception):  # without it the next start is slower, and that is all
            java.wait(_ENDS_WITHIN)
            self._kept.parent.mkdir(parents=True, exist_ok=True)
            for old in self._kept.parent.glob("spark-classes-*"):
                old.unlink()
            passing = self._kept.with_suffix(f".{os.getpid()}")
            shutil.copyfile(self._new, passing)
            passing.replace(self._kept)


def _fingerprint(java_home: Path | None) -> str:
    """A name that another Java or another Spark has not."""
    home = java_home or os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=f"{home}/bin" if home else None)
    java = Path(found).resolve() if found else None
    of_java = (str(java), java.stat().st_size, java.stat().st_mtime_ns) if java else ()
    return hashlib.sha256(repr((of_java, pyspark.__file__, pyspark.__version__)).encode()).hexdigest()[:16]
