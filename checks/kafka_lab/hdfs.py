"""A real HDFS on this machine: one name node and one data node, to try a results store that is no folder.

Both run from one artefact, Hadoop's "mini cluster", with the Hadoop client that PySpark carries beside it.
"""

import importlib.util
import json
import re
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from xml.sax.saxutils import escape

from msgspec import Struct

from kafka_lab import processes
from kafka_lab.errors import LabError
from kafka_lab.jars import Jar, Wanted, fetch_jars
from kafka_lab.ports import free_ports
from kafka_lab.processes import Process
from kafka_lab.waiting import wait_until
from runbook.java import find_java
from runbook.plugins.extras import install

_NAME_NODE = "org.apache.hadoop.hdfs.server.namenode.NameNode"
_DATA_NODE = "org.apache.hadoop.hdfs.server.datanode.DataNode"
_UP_WITHIN = 180.0
_ANSWER_WITHIN = 5.0
_BLOCK_BYTES = 128 * 2**20
"""The room that a name node asks of a data node before it sends a writer there (`dfs.blocksize`, its default)."""
_STATE = "/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState"


class Hdfs(Struct, frozen=True):
    """A running HDFS.

    Attributes:
        webhdfs: its address for clients that speak HTTP, as `webhdfs://127.0.0.1:PORT`.
        hdfs: its address for Hadoop's own clients, such as Spark.
    """

    webhdfs: str
    hdfs: str


@contextmanager
def hdfs(folder: Path, cache: Path, progress: Callable[[str], None] = lambda _: None) -> Iterator[Hdfs]:
    """Run an empty HDFS for as long as the context lasts; on the loopback interface only.

    Args:
        folder: An empty folder, for its data and logs.
        cache: The folder that keeps downloaded jars.
        progress: Told what takes long.

    Raises:
        LabError: It could not be fetched or started.
    """
    http, rpc = free_ports(2)
    java = _java(folder, fetch_jars(_wanted(), cache, progress))
    _configure(folder, http, rpc)
    with ExitStack() as stack:
        format_ = processes.start(
            [*java, _NAME_NODE, "-format", "-nonInteractive"], output=_log(folder, "format"), folder=folder
        )
        if not processes.gone(format_, _UP_WITHIN):
            processes.terminate(format_, patience=0)
        nodes = []
        for name, main in (("name-node", _NAME_NODE), ("data-node", _DATA_NODE)):
            nodes.append(processes.start([*java, main], output=_log(folder, name), folder=folder))
            stack.callback(processes.terminate, nodes[-1], patience=3)
        wait_until(lambda: _serves(nodes, folder, http), "HDFS to serve, with room for a block", within=_UP_WITHIN)
        yield Hdfs(f"webhdfs://127.0.0.1:{http}", f"hdfs://127.0.0.1:{rpc}")


def _wanted() -> Wanted:
    """The Hadoop of the same version as PySpark's client."""
    clients = sorted(_spark_jars().glob("hadoop-client-api-*.jar"))
    found = re.search(r"-(\d+(?:\.\d+)+)\.jar$", clients[-1].name) if clients else None
    if found is None:
        raise LabError(
            f"{_spark_jars()} holds no hadoop-client-api: this PySpark is built without Hadoop; install another"
        )
    version = found[1]
    jar = Jar("org.apache.hadoop", "hadoop-client-minicluster", version, transitive=False)
    return Wanted(f"Hadoop {version}", f"hadoop-{version}", "55 MB", (jar,))


def _spark_jars() -> Path:
    spark = importlib.util.find_spec("pyspark")
    if spark is None or not spark.submodule_search_locations:
        raise LabError(f"The package pyspark, which carries Hadoop's client, is missing: {install('lab')}")
    return Path(spark.submodule_search_locations[0], "jars")


def _java(folder: Path, jars: Path) -> list[str]:
    return [
        str(find_java()),
        "-Xmx256m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-cp",
        f"{folder / 'conf'}:{jars}/*:{_spark_jars()}/*",
    ]


def _configure(folder: Path, http: int, rpc: int) -> None:
    conf = folder / "conf"
    conf.mkdir(parents=True)
    _write(conf / "core-site.xml", {"fs.defaultFS": f"hdfs://127.0.0.1:{rpc}", "hadoop.tmp.dir": str(folder / "data")})
    addresses = {
        "dfs.namenode.http-address": http,
        "dfs.namenode.rpc-address": rpc,
        "dfs.datanode.address": 0,
        "dfs.datanode.http.address": 0,
        "dfs.datanode.ipc.address": 0,
    }
    settings = {name: f"127.0.0.1:{port}" for name, port in addresses.items()}
    settings |= {"dfs.replication": "1", "dfs.datanode.hostname": "127.0.0.1", "dfs.permissions.enabled": "false"}
    _write(conf / "hdfs-site.xml", settings)


def _write(file: Path, settings: dict[str, str]) -> None:
    rows = [
        f"<property><name>{name}</name><value>{escape(value)}</value></property>" for name, value in settings.items()
    ]
    file.write_text("\n".join(["<configuration>", *rows, "</configuration>", ""]), encoding="utf-8")


def _serves(nodes: list[Process], folder: Path, http: int) -> bool:
    """Whether the name node answers and knows room to write: a data node counts as live before it has told its room.

    Raises:
        LabError: A node died.
    """
    if any(processes.condition(node) == "stopped" for node in nodes):
        raise LabError(f"a node of HDFS died; {folder}/*.log say why")
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{http}{_STATE}", timeout=_ANSWER_WITHIN) as answer:
            beans = json.load(answer)["beans"]
    except (OSError, ValueError):
        return False
    return any(bean.get("CapacityRemaining", 0) >= _BLOCK_BYTES for bean in beans)


def _log(folder: Path, name: str) -> Path:
    return folder / f"{name}.log"
