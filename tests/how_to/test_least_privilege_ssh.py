"""The forced command that the page on least rights over SSH ships: it lets through the published list, and no more."""

import ast
import json
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import paramiko
import pytest
import yaml

from kafka_lab.hosts import Machine, MachinePlan
from runbook.answers.ssh import Answer
from runbook.answers.ssh.commands import COMMANDS, FOLDERS, TAIL, Command, Slot
from runbook.connections.ssh import Hosts, connect
from runbook.connections.ssh.link import SshSession
from runbook.connections.ssh.settings import SshSettings
from runbook.model.probe import Deadline
from runbook.plugins.catalog import catalog
from runbook.plugins.request import artefacts, requests
from support.documented import ROOT, titled
from support.lab_hosts import LACKING, running_hosts
from support.recorded_hosts import look
from support.ssh_server import patient

SCRIPT = ROOT / "docs" / "how-to" / "runbook-ro"
PAGE = "docs/how-to/least-privilege-ssh.md"
REFUSED = 126
INSIDE = "/usr/local/bin/runbook-ro"
CLIENT = "/opt/billing/producer.properties"
PROBES = [name for name in catalog("probes").names() if name.startswith("host_")]


def constants() -> dict[str, Any]:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    names = {"FOLDERS", "ALLOWED"}
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in names
    }


def as_in_the_script(word: str | Slot) -> Any:
    return word if isinstance(word, str) else {"pattern": word.pattern, "path": word.path, "many": word.many}


def test_the_list_of_the_script_is_the_published_one():
    assert constants()["ALLOWED"] == {c.name: [as_in_the_script(word) for word in c.words] for c in COMMANDS}
    assert constants()["FOLDERS"] == list(FOLDERS)
    printed = json.loads(artefacts()["ssh-allow-list"])
    assert printed == {"folders": constants()["FOLDERS"], "allowed": constants()["ALLOWED"]}


class Guarded(NamedTuple):
    """A host whose every login runs the forced command."""

    machine: Machine
    settings: dict[str, Any]
    record: Path


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    if LACKING:
        pytest.skip(LACKING)
    folder = tmp_path_factory.mktemp("guarded")
    record = folder / "shared" / "record"

    def guard(plan: MachinePlan, _: int) -> None:
        plan.forced = INSIDE
        plan.files[INSIDE] = SCRIPT.read_text(encoding="utf-8")
        plan.files["/etc/runbook-ro.json"] = json.dumps({"record": str(record)})
        plan.files["/var/log/kafka/server.keystore.jks"] = "secret"
        plan.files[CLIENT] = 'acks=1\nsasl.jaas.config=x required \\\n  password="hunter22";\nlinger.ms: 5\n'

    with running_hosts(folder, 1, guard) as ([machine], settings):
        yield Guarded(machine, settings, record)


@pytest.fixture
def hosts(guarded: Guarded) -> Iterator[Hosts]:
    found = connect(guarded.settings, patient())
    yield found
    found.close()


@pytest.fixture(scope="module")
def client(guarded: Guarded) -> Iterator[paramiko.SSHClient]:
    """A client that may ask for anything."""
    plan, key = guarded.machine.plan, guarded.settings["identity"]
    found = paramiko.SSHClient()
    found.load_host_keys(guarded.settings["known_hosts"])
    found.connect(plan.address, plan.port, "kafka", key_filename=key, allow_agent=False, look_for_keys=False)
    with found:
        yield found


def say(client: paramiko.SSHClient, command: str | None) -> int:
    """Send any text at all as a command, None for a login shell; gives the exit code."""
    with client.get_transport().open_session() as channel:
        channel.settimeout(10)
        if command is None:
            channel.invoke_shell()
        else:
            channel.exec_command(command)
        return channel.recv_exit_status()


@pytest.mark.parametrize("probe", PROBES)
def test_every_probe_of_hosts_works_through_it(hosts: Hosts, probe: str):
    given = {"folder": "/var/log/kafka"} if probe == "host_log_file" else {}
    fact = look(probe, hosts, **given)
    assert fact.gaps == []
    assert len(fact) >= 1 or probe in ("host_limit_file", "host_round_trip")  # there is no other host


def test_settings_of_clients_are_read_through_it_and_their_password_stays(guarded: Guarded):
    host = next(iter(guarded.settings["hosts"]))
    clients = [{"name": name, "kind": "producer", "host": host, "path": path} for name, path in CLIENTS.items()]
    hosts = connect(guarded.settings | {"clients": clients}, patient())
    fact = look("client_config", hosts)
    hosts.close()
    rows = {(row["setting"], row["value"], row["line"]) for row in fact.rows()}
    assert rows == {("acks", "1", 1), ("linger.ms", "5", 4)}
    [gap] = fact.gaps
    assert "No such file" in gap.reason
    assert "hunter22" not in guarded.record.read_text()


CLIENTS = {"billing": CLIENT, "nobody": "/opt/nobody/client.properties"}


def test_the_end_of_a_log_file_may_be_read_through_it(hosts: Hosts):
    tails, gaps = hosts.each(lambda host: host.tail("/var/log/kafka/server.log", 8))
    assert list(tails.values()) == [b"is well\n"]
    assert gaps == []


HOSTILE = [
    None,
    "",
    "id",
    "sh",
    "cat /etc/shadow",
    "date -u +%s.%N; id",
    "date -u +%s.%N && id",
    "date -u +%s.%N\nid",
    "date -u '+%s.%N' extra",
    "date -s 2020-01-01",
    "date",
    "pgrep -x java | sh",
    "pgrep -x $(id)",
    "pgrep -x `id`",
    "/tmp/pgrep -x java",
    "LD_PRELOAD=/tmp/x.so pgrep -x java",
    "env pgrep -x java",
    "sudo pgrep -x java",
    "ss -K dst 10.0.0.1",
    "ss -H -t -i -n state established -K",
    "tail -c 10 -- /etc/shadow",
    "tail -c 10 -- /var/log/../../etc/shadow",
    "tail -c 10 -- /var/log/kafka/server.keystore.jks",
    "tail -c 10 -- /var/log/kafka/server.log /etc/shadow",
    "tail -c 999999999 -- /var/log/kafka/server.log",
    "tail -f -- /var/log/kafka/server.log",
    "grep -saHz '' /proc/1/environ",
    "grep -saHz '' /proc/self/status",
    "grep -saHz '' /proc/1/root/etc/shadow",
    "grep -saozHE '^.*' /proc/1/environ",
    "grep -saHE password /etc/kafka/server.properties",
    "find -H /var/lib/kafka -delete",
    "find -H /var/lib/kafka -maxdepth 1 -type f -exec id '{}' +",
    "find -H /etc -maxdepth 1 -type f -printf '%s %T@ %p\\0'",
    "getent shadow 0",
    "ip link set lo down",
    "ip -j -d link show 'unclosed",
    "wc -l /etc/shadow",
    "scp -f /etc/passwd",
    "internal-sftp",
    "\u202edate",
]


@pytest.mark.parametrize("command", HOSTILE)
def test_what_is_not_on_the_list_is_refused(client: paramiko.SSHClient, command: str | None):
    assert say(client, command) == REFUSED


def test_a_link_that_leads_out_of_the_folders_is_refused_though_its_name_is_allowed(
    guarded: Guarded, client: paramiko.SSHClient
):
    link = Path(guarded.machine.plan.folder, "upper/var/log/kafka/link.log")
    link.symlink_to("/etc/passwd")
    assert TAIL.vector(("10", "/var/log/kafka/link.log"))
    assert say(client, "tail -c 10 -- /var/log/kafka/link.log") == REFUSED
    assert say(client, "tail -c 10 -- /var/log/kafka/server.log") == 0


def test_the_password_in_the_properties_file_never_leaves_the_host(hosts: Hosts, monkeypatch: pytest.MonkeyPatch):
    answers: list[bytes] = []
    ask = SshSession.run

    def record(link: SshSession, command: Command, vector: Sequence[str]) -> Answer:
        answer = ask(link, command, vector)
        answers.append(answer.data)
        return answer

    monkeypatch.setattr(SshSession, "run", record)
    for probe in PROBES:
        look(probe, hosts)
    whole = b"".join(answers)
    assert b"node.id" in whole
    assert b"hunter22" not in whole


def test_files_are_not_copied_and_connections_are_not_passed_on(guarded: Guarded, client: paramiko.SSHClient):
    transport = client.get_transport()
    door = (guarded.machine.plan.address, guarded.machine.plan.port)
    with pytest.raises(paramiko.ChannelException):
        transport.open_channel("direct-tcpip", door, ("127.0.0.1", 0), timeout=5)
    with pytest.raises((paramiko.SSHException, EOFError)):
        paramiko.SFTPClient.from_transport(transport)


def test_the_record_of_the_host_holds_the_published_list_and_nothing_else(guarded: Guarded, hosts: Hosts):
    if guarded.record.exists():  # made by the host's own user, who must be able to go on writing to it
        guarded.record.write_text("")
    for probe in PROBES:
        look(probe, hosts)
    lines = guarded.record.read_text().splitlines()
    assert lines
    for line in lines:
        verdict, _, command = line.partition(" ")
        words = shlex.split(command.encode("ascii").decode("unicode_escape"))
        assert verdict == "ran"
        assert any(on_the_list(list(entry.words), words) for entry in COMMANDS), words


def on_the_list(expected: list[str | Slot], words: list[str]) -> bool:
    """A second reading of the list, by regular expression: the first is the script's own."""
    parts = [re.escape(w) if isinstance(w, str) else f"{w.pattern}(\0{w.pattern})*" for w in expected]
    return re.fullmatch("\0".join(parts), "\0".join(words), re.DOTALL) is not None


@pytest.mark.parametrize("command", COMMANDS, ids=[command.name for command in COMMANDS])
def test_the_page_names_every_command_and_folder_and_the_program_prints_it(command: Command):
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    assert f"| {command.name} | {command.help} |\n" in page
    assert command.shown() in {request.request for request in requests(["ssh"])}
    assert all(f"`{folder}`" in page for folder in FOLDERS)


def test_the_inventory_that_the_page_shows_can_be_used(tmp_path: Path):
    (tmp_path / "runbook").touch()
    document = yaml.safe_load(titled(PAGE, "environments.yaml"))["environments"]["prod"]["ssh"]
    (tmp_path / "config").touch()
    files = {"identity": str(tmp_path / "runbook"), "config": str(tmp_path / "config")}
    places = SshSettings(document | files, Deadline(5)).places
    assert [(place.name, place.brokers) for place in places] == [
        ("kafka-1", (1,)),
        ("kafka-2", (2, 3)),
        ("kafka-3", ()),
    ]
    assert places[2].jump == ("bastion.example",)


def test_the_page_shows_how_the_key_is_bound_to_the_script():
    assert f'restrict,command="{INSIDE}"' in titled(PAGE, "authorized_keys")
