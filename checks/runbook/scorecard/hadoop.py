"""The few small things done to single files of a store, on any file system that Hadoop knows."""

import re
from pathlib import Path
from typing import Any

from py4j.java_gateway import JavaObject
from pyspark.sql import SparkSession


class HadoopFolder:
    """A folder on the file system that its address names.

    Attributes:
        root: its whole address, as Spark gives it in the paths of files.
    """

    def __init__(self, spark: SparkSession, address: str) -> None:
        self._jvm: Any = spark.sparkContext._jvm  # noqa: SLF001 - PySpark's own way to Hadoop
        path = self._path(address)
        self._system = path.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())  # noqa: SLF001
        self.root: str = self._system.makeQualified(path).toString()
        self._here = Path(self.root.removeprefix("file:")) if self.root.startswith("file:") else None

    def at(self, name: str) -> str:
        """The address of something in it."""
        return f"{self.root}/{name}"

    def names(self, depth: int) -> list[str]:
        """What lies so many levels below, also unfinished things, by name and in order."""
        found = self._system.globStatus(self._path(as_literal(self.root) + "/*" * depth)) or []
        return sorted(status.getPath().toString().removeprefix(self.root + "/") for status in found)

    def has(self, name: str) -> bool:
        """Whether there is a file or folder of that name."""
        return bool(self._system.exists(self._path(self.at(name))))

    def move(self, source: str, target: str) -> None:
        """Move a file or folder to a place that nothing is at.

        Raises:
            OSError: it could not be moved.
        """
        to = self._path(self.at(target))
        self._system.mkdirs(to.getParent())
        if not self._system.rename(self._path(self.at(source)), to):
            raise OSError(f"{self.at(source)} could not be moved to {self.at(target)}")

    def write(self, name: str, content: bytes) -> None:
        """Write a small file: readers see all of it or nothing."""
        passing = f"{name}.part"
        self.fill(passing, content)
        self.delete(name)
        self.move(passing, name)

    def fill(self, name: str, content: bytes) -> None:
        """Write a small file that nobody reads before something else says that it is whole."""
        if self._here:  # Hadoop starts a process (chmod) for each file that it makes on a local disk
            file = self._here / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            return
        stream = self._system.create(self._path(self.at(name)), True)  # noqa: FBT003 - a Java method: overwrite
        stream.write(content)
        stream.close()

    def delete(self, name: str) -> None:
        """Delete a file or folder, if there is one."""
        self._system.delete(self._path(self.at(name)), True)  # noqa: FBT003 - a Java method: recursively

    def _path(self, address: str) -> JavaObject:
        path: JavaObject = self._jvm.org.apache.hadoop.fs.Path(address)
        return path


def as_literal(address: str) -> str:
    """An address in which nothing means something in a glob."""
    return re.sub(r"([\[\]{}*?\\])", r"\\\1", address)
