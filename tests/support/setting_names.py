"""Makes `runbook/formats/setting_names.json` again: which settings Kafka's own classes and librdkafka define.

By hand, from the top folder, where the labs of Kafka 4, of ZooKeeper and of Connect were started once, so that their
jars are there: `PYTHONPATH=checks:tests python -m support.setting_names`. The Java class is
`tests/support/java/SettingFacts.java`; librdkafka is that of the package confluent-kafka, asked as it makes its
CONFIGURATION.md (rd_kafka_conf_properties_show).
"""

import ctypes
import json
import re
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Final

import confluent_kafka

from runbook.folders import cache_folder
from runbook.formats import setting_names
from runbook.java import find_java

_PROGRAM = Path(__file__).with_name("java") / "SettingFacts.java"
_BROKER: Final = {"kafka.server.KafkaConfig": "broker"}
_CLIENTS: Final = {
    "org.apache.kafka.clients.producer.ProducerConfig": "producer",
    "org.apache.kafka.clients.consumer.ConsumerConfig": "consumer",
    "org.apache.kafka.clients.admin.AdminClientConfig": "admin",
}
_CONNECT: Final = {"org.apache.kafka.connect.runtime.distributed.DistributedConfig": "connect"}
_FOLDERS: Final = (
    ("kafka-4.3.0", "4.3.0", {**_BROKER, **_CLIENTS}),
    ("kafka-3.9.1-zookeeper", "3.9.1", {**_BROKER, **_CLIENTS}),
    ("connect-4.3.0", "4.3.0", _CONNECT),
)


def made() -> dict[str, dict[str, list[str]]]:
    """Kind -> release -> names, in their order.

    Raises:
        CalledProcessError: Java ended with an error, as where the jars are not there.
    """
    by_kind: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for folder, release, kinds in _FOLDERS:
        words = [str(find_java(17)), "-cp", f"{cache_folder() / folder}/*", str(_PROGRAM), *kinds]
        done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=800)
        for line in done.stdout.splitlines():
            of, name, *_ = line.split("\t")
            by_kind[kinds[of]][release].append(name)
    by_kind["librdkafka"][confluent_kafka.libversion()[0]] = _librdkafka()
    return {kind: dict(releases) for kind, releases in by_kind.items()}


def _librdkafka() -> list[str]:
    """The names in the table that librdkafka writes about itself, those of Java among them."""
    package = Path(confluent_kafka.__file__).parent
    [library] = package.with_name(f"{package.name}.libs").glob("librdkafka*")
    rdkafka, libc = ctypes.CDLL(str(library)), ctypes.CDLL(None)
    libc.fopen.restype = ctypes.c_void_p
    libc.fclose.argtypes = rdkafka.rd_kafka_conf_properties_show.argtypes = [ctypes.c_void_p]
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "table.md")
        stream = libc.fopen(bytes(table), b"w")
        rdkafka.rd_kafka_conf_properties_show(stream)
        libc.fclose(stream)
        found = re.findall(r"^(\S+) +\|\s+(?:C|P|\*)\s+\|", table.read_text(encoding="utf-8"), re.MULTILINE)
    return sorted(set(found))


if __name__ == "__main__":
    Path(setting_names.__file__).with_suffix(".json").write_text(json.dumps(made(), indent=1) + "\n", encoding="utf-8")
