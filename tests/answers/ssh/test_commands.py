"""The published list of commands: what may stand in a slot, and that nothing else is ever run."""

import shlex

import pytest

from runbook.answers.ssh.commands import (
    COMMANDS,
    DESCRIPTORS,
    ENVIRONMENT,
    FILES,
    KERNEL,
    PROCESS,
    SEGMENTS,
    SETTINGS,
    TAIL,
    Slot,
)
from runbook.connections.ssh import READS
from runbook.model.errors import Misconfigured

HOSTILE = [
    "/etc/shadow",
    "/var/log/../../etc/shadow",
    "/var/log/./x.log",
    "/var/log//x.log",
    "/var/log/x.log;id",
    "/var/log/$(id).log",
    "/var/log/`id`.log",
    "/var/log/x log",
    "/var/log/x\nid.log",
    "/var/log/x*.log",
    "-n/var/log/x.log",
    "var/log/x.log",
    "",
]
READERS = {"cat", "date", "df", "find", "getent", "grep", "ip", "pgrep", "ss", "stat", "tail", "wc"}


@pytest.mark.parametrize("path", HOSTILE)
def test_a_path_outside_of_the_folders_or_with_other_characters_is_never_run(path: str):
    for command, arguments in ((TAIL, ("10", path)), (FILES, (path,)), (SETTINGS, (path,)), (SEGMENTS, (path,))):
        with pytest.raises(Misconfigured):
            command.vector(arguments)


@pytest.mark.parametrize(
    "name", ["server.log", "server.log.2026-01-01", "gc.log.0.current", "kafkaServer-gc.log", "out"]
)
def test_the_end_of_a_log_file_may_be_read(name: str):
    assert TAIL.vector(("10", f"/var/log/kafka/{name}"))[-1] == f"/var/log/kafka/{name}"


@pytest.mark.parametrize(
    "name", ["00000000000000000042.log", "server.keystore.jks", "key.pem", "server.properties", "logs", "catalogue"]
)
def test_segments_of_topics_and_other_files_may_not(name: str):
    with pytest.raises(Misconfigured):
        TAIL.vector(("10", f"/var/lib/kafka/orders-0/{name}"))


@pytest.mark.parametrize("count", ["0", "-1", "1e3", "999999999", "1 /etc/shadow"])
def test_a_number_of_bytes_is_a_number(count: str):
    with pytest.raises(Misconfigured):
        TAIL.vector((count, "/var/log/kafka/server.log"))


@pytest.mark.parametrize(
    "path", ["/proc/0/status", "/proc/self/status", "/proc/1/environ", "/proc/1/mem", "/proc/1/root/etc/shadow"]
)
def test_of_processes_only_named_files_are_read(path: str):
    with pytest.raises(Misconfigured):
        PROCESS.vector((path,))


def test_a_slot_for_many_takes_one_or_more_and_others_exactly_one():
    assert DESCRIPTORS.vector(("/proc/1/fd", "/proc/2/fd"))[-2:] == ["/proc/1/fd", "/proc/2/fd"]
    for command, arguments in ((DESCRIPTORS, ()), (KERNEL, ("x",)), (FILES, ("/opt/a", "/opt/b"))):
        with pytest.raises(Misconfigured):
            command.vector(arguments)


def test_a_folder_of_the_inventory_adds_to_the_list():
    with pytest.raises(Misconfigured):
        FILES.vector(("/kafka-data/a",))
    assert FILES.vector(("/kafka-data/a",), ["/kafka-data"])
    with pytest.raises(Misconfigured):
        FILES.vector(("/kafka-data-else/a",), ["/kafka-data"])


def test_every_command_is_a_program_that_only_reads():
    assert {command.words[0] for command in COMMANDS} <= READERS
    for command in COMMANDS:
        assert not {"-delete", "-exec", "-execdir", "-ok", "-fprintf", "-fprint", "-fls"} & set(command.words)
        assert command.words[0] != "ss" or not {"-K", "--kill", "-D", "--diag"} & set(command.words)


def test_environments_give_names_of_a_fixed_list_only():
    pattern = str(ENVIRONMENT.words[2])
    assert pattern.startswith("^(")
    assert pattern.endswith(")=")
    assert "o" in str(ENVIRONMENT.words[1])


def test_properties_files_give_settings_of_a_fixed_list_only():
    pattern = str(SETTINGS.words[2])
    assert not [word for word in ("password", "jaas", "secret", ".*") if word in pattern]


def test_the_published_list_shows_every_command_as_a_shell_would_take_it():
    assert len(READS) == len(set(READS)) == len(COMMANDS)
    for command, shown in zip(COMMANDS, READS, strict=True):
        fixed = [word for word in command.words if isinstance(word, str)]
        assert [word for word in shlex.split(shown) if word in fixed] == fixed


def test_one_slot_of_a_command_may_be_repeated_at_most():
    for command in COMMANDS:
        assert sum(isinstance(word, Slot) and word.many for word in command.words) <= 1
