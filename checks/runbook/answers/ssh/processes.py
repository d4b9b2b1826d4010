"""The Java processes of a host: which of them are Kafka's, and which broker each one is."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from runbook.model.quantity import BrokerId, ProcessId
from runbook.safety.secret import HIDDEN, is_secret

Kind = Literal["broker", "controller", "zookeeper", "connect", "other"]

_MAINS: dict[str, Kind] = {
    "kafka.Kafka": "broker",
    "io.confluent.support.metrics.SupportedKafka": "broker",
    "org.apache.zookeeper.server.quorum.QuorumPeerMain": "zookeeper",
    "org.apache.zookeeper.server.ZooKeeperServerMain": "zookeeper",
    "org.apache.kafka.connect.cli.ConnectDistributed": "connect",
    "org.apache.kafka.connect.cli.ConnectStandalone": "connect",
    "org.apache.kafka.connect.mirror.MirrorMaker": "connect",
}
# Options of the `java` launcher that take the next word as their value (java(1)).
_TAKES_NEXT = {
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--add-exports",
    "--add-opens",
    "--add-reads",
    "--enable-native-access",
    "--limit-modules",
    "--patch-module",
}
_FILES = ("cmdline", "status", "limits", "oom_score_adj", "cgroup")
_DEFAULT_LOG_DIR = "/tmp/kafka-logs"  # noqa: S108 - of Kafka itself, where log.dirs is not set
_SETTING = re.compile(r"\s*([A-Za-z0-9._-]+)\s*[=:]\s*(.*?)\s*$")
_SECRET_OPTION = re.compile(r"-D(?P<name>[^=]+)=.")


class JavaProcess(Struct, frozen=True):
    """One Java process.

    Attributes:
        argv: its argument vector; credentials given as system properties are hidden.
        kind: what it is, by its main class and its roles; combined brokers and controllers are brokers.
        broker: node id; None if it is none or can't be told.
        main: its main class, or the jar it was started with.
        settings: those of the properties file on its command line that the list of commands allows to read.
        files: name below /proc/PID -> text.
        properties: the properties file on its command line; "" for none, and of all but brokers and controllers.
    """

    pid: ProcessId
    argv: list[str]
    kind: Kind
    broker: BrokerId | None
    main: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    properties: str = ""


def process_files(pids: Sequence[str]) -> list[str]:
    """The files that tell of processes, and one of the first process of the system, which is there always.

    Everyone sees that unless /proc hides the processes of others.
    """
    return ["/proc/1/status", *(f"/proc/{pid}/{name}" for pid in pids for name in _FILES)]


def by_process(text: str) -> dict[str, dict[str, str]]:
    """Sort `grep -Hz` over files of /proc: process id -> name -> text, its records parted by NUL."""
    texts: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for record in text.split("\0")[:-1]:
        path, _, content = record.partition(":")
        parts = path.split("/")
        if path.startswith("/proc/") and len(parts) == 4:  # noqa: PLR2004 - "", proc, the id, the name
            texts[parts[2]][parts[3]].append(content)
    return {pid: {name: "\0".join(records) for name, records in names.items()} for pid, names in texts.items()}


def read_settings(text: str) -> dict[str, dict[str, str]]:
    """Sort `grep -H` over properties files: path -> setting -> value."""
    settings: dict[str, dict[str, str]] = defaultdict(dict)
    for line in text.splitlines():
        path, _, rest = line.partition(":")
        if found := _SETTING.match(rest):
            settings[path][found[1]] = found[2]
    return dict(settings)


class CommandLine:
    """A command line, taken apart."""

    def __init__(self, cmdline: str) -> None:
        self.argv = [_hidden(word) for word in cmdline.split("\0")]
        self.main, rest = _main(self.argv)
        self.kind: Kind = _MAINS.get(self.main, "other")
        self.overrides = _overrides(rest)
        named = [word for word in rest if word.endswith(".properties") and posixpath.isabs(word)]
        self.properties = named[0] if named and self.kind in ("broker", "controller") else ""


def _hidden(word: str) -> str:
    option = _SECRET_OPTION.match(word)
    return f"-D{option['name']}={HIDDEN}" if option and is_secret(option["name"]) else word


def _main(argv: Sequence[str]) -> tuple[str, list[str]]:
    """The main class or jar, and the words after it."""
    words = list(argv[1:])
    while words:
        word = words.pop(0)
        if word in ("-jar", "-m", "--module") and words:
            return words[0], words[1:]
        if word in _TAKES_NEXT and words:
            words.pop(0)
        elif not word.startswith(("-", "@")):
            return word, words
    return "", []


def _overrides(words: Sequence[str]) -> dict[str, str]:
    """What `--override name=value` after the main class sets, as kafka-server-start.sh passes it on."""
    pairs = [words[i + 1] for i, word in enumerate(words[:-1]) if word == "--override"]
    return {name.strip(): value.strip() for name, _, value in (pair.partition("=") for pair in pairs)}


def java_process(pid: ProcessId, words: CommandLine, files: dict[str, str], settings: Mapping[str, str]) -> JavaProcess:
    """A Java process, of its command line, what /proc has of it, and what its properties file sets."""
    in_force = {**settings, **words.overrides}
    kind, broker = words.kind, None
    if kind == "broker":
        roles = {role.strip() for role in in_force.get("process.roles", "broker").split(",")}
        kind = "broker" if "broker" in roles else "controller"
        node = in_force.get("node.id", in_force.get("broker.id", ""))
        broker = BrokerId(int(node)) if node.isdecimal() else None
    return JavaProcess(
        pid=pid,
        argv=words.argv,
        kind=kind,
        broker=broker,
        main=words.main,
        settings=in_force,
        files=files,
        properties=words.properties,
    )


def named_by_inventory(found: list[JavaProcess], declared: Sequence[BrokerId]) -> list[JavaProcess]:
    """Name the only broker of a host as the inventory does, where its properties file does not tell."""
    nameless = [process for process in found if process.kind == "broker" and process.broker is None]
    left = [node for node in declared if node not in {process.broker for process in found}]
    if len(nameless) != 1 or len(left) != 1:
        return found
    brokers = {nameless[0].pid: left[0]}
    return [replace(process, broker=brokers.get(process.pid, process.broker)) for process in found]


def log_dirs(broker: JavaProcess) -> tuple[list[str], str]:
    """Say where a broker keeps its data, and why that can't be said in full; "" if it can."""
    who = f"process {broker.pid}" if broker.broker is None else f"broker {broker.broker}"
    if not broker.settings:
        return [], f"the log directories of {who} are not known: its properties file can't be read by us"
    text = broker.settings.get("log.dirs", broker.settings.get("log.dir", _DEFAULT_LOG_DIR))
    folders = [posixpath.normpath(folder) for part in text.split(",") if (folder := part.strip())]
    relative = [folder for folder in folders if not posixpath.isabs(folder)]
    if relative:
        return [
            folder for folder in folders if folder not in relative
        ], f"{who} has a relative log directory: {relative}"
    return folders, ""
