"""What may be run on a host: this list and nothing else.

Each command is an argument vector whose words are fixed, but for slots. What goes into a slot is checked by its kind
before it is sent and, where the host has the forced command of `docs/how-to/least-privilege-ssh.md`, again there.
None of them writes, and none lets a secret leave the host: of properties files and environments only names and
settings listed here are read.
"""

import re
import shlex
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from runbook.answers.ssh.broker_settings import PATTERN as BROKER_PATTERN
from runbook.answers.ssh.client_settings import PATTERN
from runbook.answers.ssh.login_settings import JAAS_FILE, LOGIN_ENTRY, PLAIN_SECRET, SECURITY
from runbook.formats.leaks import ANY
from runbook.model.errors import Misconfigured

FOLDERS: Final = (
    "/data",
    "/etc/confluent",
    "/etc/kafka",
    "/etc/zookeeper",
    "/kafka",
    "/mnt",
    "/opt",
    "/srv",
    "/usr/lib/jvm",
    "/var/lib",
    "/var/log",
    "/var/opt",
)
"""The folders whose files may be named in a slot; the inventory's `folders:` adds to them."""

_PATH = r"/[A-Za-z0-9._/@:+,=-]*[A-Za-z0-9._@:+,=-]"
_PID = "[1-9][0-9]{0,9}"


class Slot(Struct, frozen=True):
    """A word of a command that is not fixed.

    Attributes:
        name: how the list of requests shows it.
        pattern: what the whole word must match.
        path: whether it names a file below the allowed folders, without `..` and the like.
        many: whether it may be repeated; one slot of a command at most.
    """

    name: str
    pattern: str
    path: bool = False
    many: bool = False

    def fault(self, word: str, folders: Sequence[str]) -> str:
        """Say why a word may not stand here; "" if it may."""
        if not re.fullmatch(self.pattern, word):
            return f"{word!r} does not match {self.pattern}"
        if self.path and not _is_below(word, folders):
            return f"{word} is not below an allowed folder ({', '.join(folders)}): add its folder to `folders:`"
        return ""


def _is_below(path: str, folders: Sequence[str]) -> bool:
    parts = path.split("/")[1:]
    if any(part in ("", ".", "..") for part in parts):
        return False
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


class Command(Struct, frozen=True):
    """One entry of the list.

    Attributes:
        name: how the record of a host calls it.
        help: what it reads.
        words: the argument vector, with its slots.
        limit: bytes of its answer that are read at most.
        exits: the exit codes at which its answer counts; others are errors.
    """

    name: str
    help: str
    words: tuple[str | Slot, ...]
    limit: int = 1 << 20
    exits: frozenset[int] = frozenset({0})

    def vector(self, arguments: Sequence[str], folders: Sequence[str] = FOLDERS) -> list[str]:
        """The argument vector with its slots filled, in order; what is left over goes into the slot for many.

        Raises:
            Misconfigured: an argument is not of its slot's kind.
        """
        slots = [word for word in self.words if isinstance(word, Slot)]
        extra = len(arguments) - len(slots)
        if extra < 0 or (extra and not any(slot.many for slot in slots)):
            raise Misconfigured(f"{self.name} takes {len(slots)} arguments, not {len(arguments)}")
        left = iter(arguments)
        vector: list[str] = []
        for word in self.words:
            if isinstance(word, str):
                vector.append(word)
                continue
            for _ in range(1 + (extra if word.many else 0)):
                value = next(left)
                if fault := word.fault(value, folders):
                    raise Misconfigured(f"{self.name} is not run with {word.name} {fault}")
                vector.append(value)
        return vector

    def allowed(self, words: Sequence[str], folders: Sequence[str] = FOLDERS) -> list[str]:
        """Those of these words that may go into its slot for many."""
        [slot] = [word for word in self.words if isinstance(word, Slot) and word.many]
        return [word for word in words if not slot.fault(word, folders)]

    def listed(self) -> list[str | dict[str, Any]]:
        """The argument vector for programs; a slot is the pattern that its word must match."""
        return [
            word if isinstance(word, str) else {"pattern": word.pattern, "path": word.path, "many": word.many}
            for word in self.words
        ]

    def shown(self) -> str:
        """How the list of requests shows it: each word quoted as a shell would need it, slots in capitals."""
        return " ".join(
            (f"{w.name}…" if w.many else w.name) if isinstance(w, Slot) else shlex.quote(w) for w in self.words
        )


def _process_file(*names: str) -> Slot:
    return Slot(f"/proc/PID/{'|'.join(names)}", f"/proc/{_PID}/({'|'.join(names)})", many=True)


_PROPERTIES = Slot("PROPERTIES_FILE", _PATH + r"\.properties", path=True, many=True)
_BROKER_FILE = Slot("PROPERTIES_FILE", _PATH + r"\.properties", path=True)
_JAAS_FILE = Slot("JAAS_FILE", _PATH + r"(jaas[A-Za-z0-9._-]*|\.(conf|config|cfg|login))", path=True)
_ANY_FILE = Slot("FILE", _PATH, many=True)  # whose contents are not read, so it may be anywhere
_CLIENT_FILE = Slot("CLIENT_FILE", _PATH + r"\.(properties|conf|config|cfg)", path=True)
_FOLDER = Slot("FOLDER", _PATH, path=True)
_FOLDERS = Slot("FOLDER", _PATH, path=True, many=True)
_PLACES = Slot("PATH", f"/|{_PATH}", many=True)
# A name with the word log, gc or out in it, and never a segment of a topic, which is called 00000000000000000042.log.
_LOG_FILE = Slot(
    "LOG_FILE",
    r"/[A-Za-z0-9._/@:+,=-]*/(?![0-9]{20}\.)([A-Za-z0-9_]+[.-])*([A-Za-z0-9_]*(log|gc)|out)([.-][A-Za-z0-9_]+)*",
    path=True,
)
_LOG_FILES = Slot("LOG_FILE", _LOG_FILE.pattern, path=True, many=True)
_BYTES = Slot("BYTES", "[1-9][0-9]{0,7}")
_UID = Slot("UID", "[0-9]{1,10}", many=True)

_PUBLIC = r"(broker\.id|node\.id|process\.roles|log\.dirs?|metadata\.log\.dir|cluster\.id|directory\.id|version)"
"""The settings of a broker that are read; nothing that could hold a credential."""

KERNEL_FILES: Final = (
    "/proc/sys/vm/swappiness",
    "/proc/sys/vm/dirty_ratio",
    "/proc/sys/vm/dirty_bytes",
    "/proc/sys/vm/dirty_background_ratio",
    "/proc/sys/vm/dirty_background_bytes",
    "/proc/sys/vm/max_map_count",
    "/proc/sys/vm/overcommit_memory",
    "/proc/sys/fs/file-max",
    "/proc/sys/fs/nr_open",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/random/boot_id",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/sys/kernel/mm/transparent_hugepage/defrag",
    "/proc/meminfo",
    "/proc/vmstat",
    "/proc/uptime",
)

KERNEL: Final = Command(
    "kernel",
    "settings and counters of the kernel",
    ("grep", "-saH", "", *KERNEL_FILES),
    exits=frozenset({0, 2}),  # 2: a kernel without one of the files; what it lacks is missing in the answer
)
JAVA: Final = Command("java", "ids of the Java processes", ("pgrep", "-x", "java"), exits=frozenset({0, 1}))
_SHIPPERS = (  # a process is known by 15 characters of its program's name
    "filebeat|elastic-agent|fluent-bit|fluentd|td-agent|vector|promtail|alloy|grafana-agent|otelcol|otelcol-contrib|"
    "splunkd|nxlog|syslog-ng|rsyslogd"
)
SHIPPERS: Final = Command(
    "shippers",
    "which programs that ship logs run",
    ("pgrep", "-l", "-x", _SHIPPERS),
    exits=frozenset({0, 1}),
)
PROCESS: Final = Command(
    "process",
    "command line, status, limits and cgroup of processes",
    ("grep", "-saHz", "", _process_file("cmdline", "status", "limits", "oom_score_adj", "cgroup", "mountinfo")),
    limit=4 << 20,
    exits=frozenset({0, 1, 2}),
)
DESCRIPTORS: Final = Command(
    "descriptors",
    "number of open files of processes (kernel 6.2 and later tell it as the size of the folder)",
    ("stat", "--format=%n %s", _process_file("fd")),
    exits=frozenset({0, 1}),
)
MAPS: Final = Command(
    "maps", "number of memory maps of processes", ("wc", "-l", _process_file("maps")), exits=frozenset({0, 1})
)
ENVIRONMENT: Final = Command(
    "environment",
    "which of the variables that carry JVM options are set (and PATH, as proof that we may look); never their values",
    ("grep", "-saozHE", "^(JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|PATH)=", _process_file("environ")),
    exits=frozenset({0, 1, 2}),
)
SETTINGS: Final = Command(
    "settings",
    "node id and log directories of a broker, from properties files",
    (
        "grep",
        "-saHE",
        r"^[[:space:]]*" + _PUBLIC + "[[:space:]]*[=:]",
        _PROPERTIES,
    ),
    exits=frozenset({0, 1, 2}),
)
CLIENT: Final = Command(
    "client",
    "settings of Kafka clients in a properties file, by name; none of them can hold a credential",
    ("grep", "-naE", PATTERN, _CLIENT_FILE),
    exits=frozenset({0, 1}),
)
BROKER: Final = Command(
    "broker",
    "settings in a broker's properties file that Kafka may refuse to return; none of them can hold a credential",
    ("grep", "-naE", BROKER_PATTERN, _BROKER_FILE),
    exits=frozenset({0, 1}),
)
JAAS: Final = Command(
    "jaas",
    "sections, login modules and names of options of a JAAS file; values only if no credential",
    ("grep", "-aoP", JAAS_FILE, _JAAS_FILE),
    exits=frozenset({0, 1}),
)
LOGINS: Final = Command(
    "logins",
    "login modules and names of options in a broker's sasl.jaas.config entries; values only if no credential",
    ("grep", "-aoP", LOGIN_ENTRY, _BROKER_FILE),
    exits=frozenset({0, 1}),
)
PLAIN_SECRETS: Final = Command(
    "plain-secrets",
    "names of settings of a broker's properties file whose value is a credential and no reference; never the value",
    ("grep", "-aoP", PLAIN_SECRET, _BROKER_FILE),
    exits=frozenset({0, 1}),
)
SECURITY_LINES: Final = Command(
    "security",
    "security settings of a broker, by name; none of them can hold a credential",
    ("grep", "-aE", SECURITY, _BROKER_FILE),
    exits=frozenset({0, 1}),
)
PERMISSIONS: Final = Command(
    "permissions",
    "kind, mode and owner of files and of the folders above them; never contents",
    ("find", "-H", _ANY_FILE, "-maxdepth", "0", "-printf", r"%y %m %U %u %p\0"),
    exits=frozenset({0, 1}),  # 1: one that is not there, or that we can't get at
)
JAVA_RELEASE: Final = Command(
    "java-release",
    "version of a Java installation",
    ("grep", "-saHE", "^JAVA_VERSION=", Slot("JAVA_HOME/release", _PATH + "/release", path=True, many=True)),
    exits=frozenset({0, 1, 2}),
)
SPACE: Final = Command(
    "space", "size and room of file systems", ("df", "-P", "-T", "-k", _PLACES), exits=frozenset({0, 1})
)
USERS: Final = Command("users", "names of user ids", ("getent", "passwd", _UID), exits=frozenset({0, 2}))
CLOCK: Final = Command("clock", "time of day", ("date", "-u", "+%s.%N"))
LINKS: Final = Command("links", "network interfaces", ("ip", "-j", "-d", "link", "show"))
ROUND_TRIPS: Final = Command(
    "round-trips",
    "open TCP connections with the round-trip that the kernel measures of each; never what goes over them",
    ("ss", "-H", "-t", "-i", "-n", "state", "established"),
    limit=16 << 20,
)
FILES: Final = Command(
    "files",
    "names, sizes and ages of the files of a folder",
    ("find", "-H", _FOLDER, "-maxdepth", "1", "-type", "f", "-printf", r"%s %T@ %p\0"),
    limit=4 << 20,
)
LOG_DIR: Final = Command(
    "log-dir",
    "names of partition folders and checkpoint files in the log directories of a broker",
    ("find", "-H", _FOLDERS, "-mindepth", "1", "-maxdepth", "1", "-printf", r"%y %p\0"),
    limit=4 << 20,
)
SEGMENTS: Final = Command(
    "segments",
    "number of segments and index files in a log directory: one letter for each file",
    (
        *("find", "-H", _FOLDER, "-mindepth", "2", "-maxdepth", "2"),
        *("-name", "*.log", "-printf", "L"),
        *("-o", "-name", "*.index", "-printf", "I"),
        *("-o", "-name", "*.timeindex", "-printf", "T"),
    ),
    limit=4 << 20,
)
BLOCK_DEVICES: Final = Command(
    "block-devices",
    "numbers and kind of stacked block devices: dm-crypt, LVM, multipath",
    (
        *("grep", "-arHoE", "--include=dev", "--include=uuid"),
        *("^([0-9]+:[0-9]+|[A-Za-z]+-)", "/sys/devices/virtual/block"),
    ),
    exits=frozenset({0, 1}),
)
BLOCK_LAYERS: Final = Command(
    "block-layers",
    "what those block devices are made of",
    (
        "find",
        "/sys/devices/virtual/block",
        "-mindepth",
        "3",
        "-maxdepth",
        "3",
        "-path",
        "*/slaves/*",
        "-printf",
        r"%P\0",
    ),
)
LEAKS: Final = Command(
    "leaks",
    "how many lines of log files hold what looks like a credential; never the lines",
    ("grep", "-acHP", ANY, _LOG_FILES),
    exits=frozenset({0, 1}),
)
TAIL: Final = Command("tail", "end of a log file", ("tail", "-c", _BYTES, "--", _LOG_FILE), limit=100_000_000)

_SYSCTL = ("/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d", "/usr/lib/sysctl.d", "/lib/sysctl.d")
SYSCTL_FILES: Final = Command(
    "sysctl-files",
    "files that set kernel settings at boot",
    ("find", "/etc/sysctl.conf", *_SYSCTL, "-maxdepth", "1", "-name", "*.conf", "-printf", r"%p\0"),
    exits=frozenset({0, 1}),  # 1: a system without one of the folders
)
SYSCTL_LINES: Final = Command(
    "sysctl-lines",
    "memory settings in those files",
    ("grep", "-saHRE", "--include=*.conf", r"^[[:space:]]*-?[[:space:]]*vm[./]", "/etc/sysctl.conf", *_SYSCTL),
    exits=frozenset({0, 1, 2}),
)
LIMIT_LINES: Final = Command(
    "limit-lines",
    "limits of open files for login sessions",
    (
        *("grep", "-saHRE", "--include=*.conf", r"^[^#]*[[:space:]]nofile[[:space:]]"),
        *("/etc/security/limits.conf", "/etc/security/limits.d"),
    ),
    exits=frozenset({0, 1, 2}),
)
UNIT_LINES: Final = Command(
    "unit-lines",
    "limits of open files for services of systemd",
    (
        *("grep", "-saHrE", "--include=*.service", "--include=*.conf", r"^[[:space:]]*(Default)?LimitNOFILE="),
        *("/etc/systemd", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system"),
    ),
    exits=frozenset({0, 1, 2}),
)

COMMANDS: Final = tuple(
    sorted((value for value in list(globals().values()) if isinstance(value, Command)), key=lambda c: c.name)
)
"""The whole list, by name."""
