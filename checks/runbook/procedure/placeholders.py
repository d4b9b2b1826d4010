"""The words in a procedure's commands that stand for names and addresses, and commands with these filled in.

A command is shown, never run: what is filled in saves typing at night. So nothing is filled in that a shell would not
take as one word.
"""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from msgspec import structs

from runbook.model.block import Check, Procedure, whole_name
from runbook.model.errors import UsageError, did_you_mean
from runbook.model.parameter import Parameter
from runbook.parse.inventory import Target
from runbook.procedure.walk import stages
from runbook.procedure.walk_record import Begun, Entry, Resumed
from runbook.run.sources.addresses import bootstrap_of

ADDRESSES: Final = (
    *("HOST:PORT", "SOURCE:PORT", "TARGET:PORT", "CONTROLLER:PORT", "ZOOKEEPER:PORT"),
    *("http://WORKER:8083", "http://SOURCE_WORKER:8083", "$REGISTRY"),
)
NAMES: Final = (
    *(
        "ACTIVE_GROUP",
        "BACK_CHECKPOINT",
        "BACK_CONNECTOR",
        "BAD_VERSION",
        "BROKERS",
        "CHECKPOINT_CONNECTOR",
        "CLUSTER_ID",
        "DIRECTORY_ID",
        "DISK",
        "ENVIRONMENT",
        "FILE",
        "GROUP",
        "GROUPS",
        "ID",
        "KEYSTORE",
        "LETTERS",
        "LEVEL",
        "LISTENER",
        "LOGGER",
        "LOG_DIR",
        "MANIFEST",
        "NAME",
        "NAMESPACE",
        "NEW_ADDRESS",
        "NEW_DISK",
        "NEXT_CA",
        "NEXT_NAME",
        "NEXT_OFFSET",
        "NEXT_TOPIC",
        "NODE",
    ),
    *("OFFSET", "OLD_PORT", "PARTITION", "PARTITIONS", "PID", "POD", "POLICY", "CLAIM", "RELEASE", "SOURCE_CONNECTOR"),
    *("STRIMZI", "SUBJECT", "TOPIC", "TOPICS", "TRUSTSTORE", "VOLUME", "VOTERS"),
)
_WORD: Final = "|".join([*map(re.escape, ADDRESSES), rf"(?<![A-Z0-9_])(?:{'|'.join(NAMES)})(?![A-Z0-9_])"])
_PLACEHOLDER: Final = re.compile(_WORD)
_OF_AN_OPTION: Final = re.compile(rf"(?P<option>--[a-z][a-z-]* )?(?P<word>{_WORD})")
_SAFE: Final = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
"""What a shell takes as it is, quoted or not: shlex's own list."""


class FilledIn(NamedTuple):
    """A command as far as it could be filled in.

    Attributes:
        text: the command.
        left: placeholders that are still in it, each once, in their order.
    """

    text: str
    left: tuple[str, ...]


def placeholders(command: str) -> tuple[str, ...]:
    """The placeholders of a command, each once, in their order."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(command)))


def without_placeholders(command: str, mark: str) -> str:
    """A command with a mark in the place of each placeholder."""
    return _PLACEHOLDER.sub(mark, command)


def fill_in(command: str, values: Mapping[str, str]) -> FilledIn:
    """Put values in the place of placeholders.

    A value with characters that mean something to a shell is quoted; inside quotes of the command it is left out, as
    there is no way to put it that holds in all of them. One that begins with a hyphen, as ids of clusters may that were
    begun with ZooKeeper, is joined to its option by =, or it would be read as another option.
    """
    left: dict[str, None] = {}

    def put(found: re.Match[str]) -> str:
        option, word = found["option"] or "", found["word"]
        value = values.get(word)
        if value is not None and value.startswith("-") and option:
            option = option.replace(" ", "=")
        if value is not None and _SAFE.fullmatch(value):
            return option + value
        if value is not None and not _in_quotes(command[: found.start("word")]):
            return option + shlex.quote(value)
        left[word] = None
        return found[0]

    return FilledIn(_OF_AN_OPTION.sub(put, command), tuple(left))


def _in_quotes(before: str) -> bool:
    """Whether what comes after this part of a command stands in quotes."""
    try:
        shlex.split(before)
    except ValueError:
        return True
    return False


def gate_words(procedure: Procedure, own: str, checks: Mapping[str, Check]) -> dict[str, Parameter]:
    """Words for which checks of a procedure's gates have a parameter: NAME for `name`.

    Only checks for gates alone take them: what any other run judges too is set in the inventory.

    Args:
        procedure: whose gates.
        own: the name of its runbook.
        checks: of the runbooks that its gates name, as ha/every-broker-answers.
    """
    meant = [checks[name] for name in dict.fromkeys(asked_by_gates(procedure, own)) if name in checks]
    return {name.upper(): parameter for check in meant if check.gate for name, parameter in check.params.items()}


def words_lacking(procedure: Procedure, own: str, checks: Mapping[str, Check], said: Iterable[str]) -> list[str]:
    """Words that its gates have to be told and were not; of lists, which steps may make, those for the first gate."""
    given = {*said}
    first = gate_words(structs.replace(procedure, steps=[], after=[]), own, checks)
    wanted = gate_words(procedure, own, checks).items()
    return [
        word
        for word, parameter in wanted
        if word not in given and (parameter.is_required or (word in first and parameter.default == []))
    ]


def asked_by_gates(procedure: Procedure, own: str) -> Iterator[str]:
    """The checks that the gates of a procedure name, each with its runbook; `own` is that of the procedure."""
    for stage in stages(procedure):
        for asked in stage.checks:
            yield whole_name(asked.check, own)


def read_set(
    given: Iterable[str], procedure: Procedure, of_gates: Mapping[str, Parameter] | None = None
) -> dict[str, str]:
    """Read words as TOPIC=orders, for placeholders of a procedure and parameters of its gates.

    Raises:
        UsageError: one is not written so, names nothing that the procedure leaves open, or is no value for its gates.
    """
    wanted = of_gates or {}
    known = {word for step in procedure.steps for word in placeholders(step.command)} | wanted.keys()
    found = {}
    for entry in given:
        word, equals, value = entry.partition("=")
        if not equals or not value:
            raise UsageError(f"--set {entry}: write NAME=VALUE, as in --set TOPIC=orders")
        if word not in known:
            raise UsageError(
                f"--set {word}: no command of {procedure.id} has it; "
                + (did_you_mean(word, sorted(known)) if known else "none leaves anything open")
            )
        if word in wanted:
            try:
                wanted[word].read(value)
            except ValueError as error:
                raise UsageError(f"--set {entry}: {error}") from error
        found[word] = value
    return found


def said_of(entries: Iterable[Entry]) -> dict[str, str]:
    """Placeholder → what --set put in its place when a walk began, and each time it went on; the last word counts."""
    said: dict[str, str] = {}
    for entry in entries:
        if isinstance(entry, Begun | Resumed):
            said |= entry.set
    return said


def values_of(here: Target, source: Target | None = None) -> dict[str, str]:
    """What the inventory tells of placeholders; references to secrets and what is not there are left out.

    Args:
        here: the environment of the walk; of two, the one that takes over.
        source: the one that is left.
    """
    values = {
        "HOST:PORT": bootstrap_of(here),
        "TARGET:PORT": bootstrap_of(here),
        "SOURCE:PORT": bootstrap_of(source) if source else "",
        "ZOOKEEPER:PORT": _zookeeper(here.connections.get("zookeeper", {})),
        "http://WORKER:8083": _worker(here.connections.get("connect", {}).get("workers")),
        "http://SOURCE_WORKER:8083": _worker(source.connections.get("connect", {}).get("workers")) if source else "",
        "$REGISTRY": _address(here.connections.get("schema_registry", {}).get("url")),
        "NAMESPACE": here.connections.get("kubernetes", {}).get("namespace", ""),
        "CLUSTER_ID": here.environment.cluster_id,
        "ENVIRONMENT": here.name,
    }
    return {word: value for word, value in values.items() if isinstance(value, str) and value and "@" not in value}


def needs_login(target: Target) -> str:
    """The security.protocol by which a cluster is reached, where Kafka's tools need a file for it; empty if not."""
    protocol = str(target.connections.get("kafka", {}).get("security.protocol", "")).upper()
    return "" if protocol == "PLAINTEXT" else protocol


def _zookeeper(settings: Mapping[str, Any]) -> str:
    """The first of ZooKeeper's servers, with the node below which Kafka keeps everything."""
    server = _worker(settings.get("servers"))
    return server and server + _address(settings.get("chroot", ""))


def _worker(workers: Any) -> str:
    """The address of the first of several workers or servers, given by name."""
    first = next(iter(workers.values()), "") if isinstance(workers, Mapping) else ""
    return _address(first.get("address") if isinstance(first, Mapping) else first)


def _address(value: Any) -> str:
    """An address, or the first of several; nothing for a reference to a secret."""
    first = next(iter(value), "") if isinstance(value, list) else value
    return first.rstrip("/") if isinstance(first, str) else ""
