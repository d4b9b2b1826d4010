"""A real sshd: host keys, keys, handshakes, jump hosts, time."""

import os
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from runbook.answers.ssh.commands import CLOCK, KERNEL, SYSCTL_FILES, TAIL, Command
from runbook.connections.ssh import Hosts, connect
from runbook.model.probe import Deadline
from support.busy_machine import LATE
from support.ssh_server import Server, make_key, patient


def why(settings: dict[str, Any]) -> str:
    """Why a host can't be asked; it must not be."""
    hosts = connect(settings, patient())
    answers, [gap] = hosts.each(lambda host: host.run(CLOCK))
    hosts.close()
    assert not answers
    assert gap.keys == {"host": "h1"}
    return gap.reason


def works(settings: dict[str, Any]) -> Hosts:
    hosts = connect(settings, patient())
    answers, gaps = hosts.each(lambda host: host.run(CLOCK))
    hosts.close()
    assert (list(answers), gaps) == (["h1"], [])
    return hosts


def known_hosts(server: Server, folder: Path, text: str) -> dict[str, Any]:
    (folder / "known_hosts").write_text(text)
    return server.settings(known_hosts=str(folder / "known_hosts"))


def accepted(server: Server) -> int:
    return (server.folder / "log").read_text().count("Accepted publickey")


def test_all_commands_of_several_probes_go_over_one_handshake(hosts: Hosts, server: Server):
    before = accepted(server)
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(hosts.each, lambda host, c=c: host.run(c)) for c in (KERNEL, CLOCK, SYSCTL_FILES, KERNEL)]
    assert all(not future.result()[1] for future in asked)
    assert (hosts.handshakes, accepted(server) - before) == (1, 1)


def test_a_second_look_of_the_same_run_asks_anew_over_the_same_connection(server: Server):
    clock = patient()
    first, second = connect(server.settings(), clock), connect(server.settings(), clock)
    before, _ = first.each(lambda host: host.run(CLOCK))
    after, _ = second.each(lambda host: host.run(CLOCK))
    assert before["h1"] < after["h1"]
    assert first.handshakes == second.handshakes == 1
    first.close()


def test_an_answer_is_remembered_and_asked_again_only_on_purpose(hosts: Hosts):
    answers, _ = hosts.each(lambda host: (host.run(CLOCK), host.run(CLOCK), host.again(CLOCK).data.decode()))
    first, second, third = answers["h1"]
    assert first == second < third


def test_a_host_that_known_hosts_does_not_name_is_refused_before_we_log_in(server: Server, tmp_path: Path):
    before = accepted(server)
    reason = why(known_hosts(server, tmp_path, ""))
    assert "is not in known_hosts" in reason
    assert "SHA256:" in reason
    assert f"[127.0.0.1]:{server.port}" in reason
    assert accepted(server) == before


def test_a_host_that_shows_another_key_is_refused_before_we_log_in(server: Server, tmp_path: Path):
    before = accepted(server)
    reason = why(known_hosts(server, tmp_path, f"[127.0.0.1]:{server.port} {make_key(tmp_path / 'other')}\n"))
    assert "another host key" in reason
    assert accepted(server) == before


def test_a_key_that_was_revoked_is_refused(server: Server, tmp_path: Path):
    line = (server.folder / "known_hosts").read_text()
    assert "not in known_hosts" in why(known_hosts(server, tmp_path, f"{line}@revoked * {line.split(maxsplit=1)[1]}"))


def test_lines_of_other_kinds_in_known_hosts_do_no_harm(server: Server, tmp_path: Path):
    line = (server.folder / "known_hosts").read_text()
    others = "# a comment\n\n@cert-authority * ssh-ed25519 AAAA\nodd\nhost ssh-ed25519 notbase64\n"
    works(known_hosts(server, tmp_path, others + line))


def test_hashed_names_in_known_hosts_count(server: Server, tmp_path: Path):
    settings = known_hosts(server, tmp_path, (server.folder / "known_hosts").read_text())
    subprocess.run(["ssh-keygen", "-q", "-H", "-f", settings["known_hosts"]], check=True, capture_output=True)
    assert "127.0.0.1" not in (tmp_path / "known_hosts").read_text()
    works(settings)


def test_ssh_config_cannot_switch_the_check_of_host_keys_off(server: Server, tmp_path: Path):
    config = tmp_path / "config"
    config.write_text("Host *\n  StrictHostKeyChecking no\n  UserKnownHostsFile /nowhere\n")
    settings = server.settings(config=str(config))
    del settings["known_hosts"]
    assert "is not in known_hosts" in why(settings)


def test_a_key_that_the_host_does_not_accept_is_a_denial(server: Server, tmp_path: Path):
    make_key(tmp_path / "stranger")
    assert "did not accept any of our keys" in why(server.settings(identity=str(tmp_path / "stranger")))


def test_an_encrypted_key_needs_its_passphrase(server: Server, tmp_path: Path):
    public = make_key(tmp_path / "locked", "open sesame")
    with (server.folder / "authorized_keys").open("a") as keys:
        keys.write(f"{public}\n")
    identity = str(tmp_path / "locked")
    assert "encrypted" in why(server.settings(identity=identity))
    works(server.settings(identity=identity, passphrase="open sesame"))


def test_a_host_behind_a_jump_host_costs_one_handshake_more(server: Server):
    hosts = works(server.settings(jump=f"root@127.0.0.1:{server.port}"))
    assert hosts.handshakes == 2


def test_a_jump_host_is_checked_like_any_other(server: Server, tmp_path: Path):
    (tmp_path / "known").write_text("")
    entry = {"address": "127.0.0.1", "port": server.port, "known_hosts": str(tmp_path / "known")}
    every = {"h1": {"address": "127.0.0.1", "port": server.port, "jump": "bastion"}, "bastion": entry}
    hosts = connect(server.settings(hosts=every), patient())
    answers, gaps = hosts.each(lambda host: host.run(CLOCK))
    hosts.close()
    assert not answers
    assert all("host bastion" in gap.reason and "not in known_hosts" in gap.reason for gap in gaps)


def test_jump_hosts_in_a_circle_are_refused(server: Server):
    circle = {"a": {"jump": "b"}, "b": {"jump": "a"}}
    with pytest.raises(Exception, match="jump hosts"):
        connect(server.settings(hosts=circle), patient())


def test_a_command_that_does_not_end_is_given_up_in_time(server: Server, tmp_path: Path):
    os.mkfifo(tmp_path / "stuck.log")
    hosts = connect(server.settings(folders=[str(tmp_path)]), Deadline(3))
    start = time.monotonic()
    _, [gap] = hosts.each(lambda host: host.run(TAIL, "10", f"{tmp_path}/stuck.log"))
    assert "did not answer in" in gap.reason
    assert time.monotonic() - start < 3 + LATE
    with (tmp_path / "stuck.log").open("w") as end:  # lets the reader on the host end too
        end.write("x")
    hosts.close()


@pytest.mark.parametrize("rounds", range(3))  # which of paramiko's two timers rings first is chance
def test_a_host_that_accepts_and_says_nothing_did_not_answer_in_time(server: Server, rounds: int):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        entry = {"h1": {"address": "127.0.0.1", "port": silent.getsockname()[1]}}
        hosts = connect(server.settings(hosts=entry), Deadline(1.5 + rounds))
        answers, [gap] = hosts.each(lambda host: host.run(CLOCK))
        hosts.close()
    assert not answers
    assert "did not answer in" in gap.reason


def hang_up_on_the_next(door: socket.socket) -> None:
    door.accept()[0].close()


def test_a_host_that_hangs_up_at_once_closed_the_connection(server: Server):
    with socket.create_server(("127.0.0.1", 0)) as rude, ThreadPoolExecutor(1) as pool:
        pool.submit(hang_up_on_the_next, rude)
        entry = {"h1": {"address": "127.0.0.1", "port": rude.getsockname()[1]}}
        reason = why(server.settings(hosts=entry))
    assert "can't be reached" in reason


def test_an_answer_without_end_is_cut_and_is_no_answer(hosts: Hosts):
    endless = Command("endless", "too much", ("grep", "-r", "", "/usr/share/common-licenses"), limit=1000)
    _, [gap] = hosts.each(lambda host: host.run(endless))
    assert "more than 1000 bytes" in gap.reason


def test_a_command_that_fails_says_why(hosts: Hosts):
    _, [gap] = hosts.each(lambda host: host.run(TAIL, "10", "/var/log/nothing.log"))
    assert "ended tail with exit code 1" in gap.reason
    assert "nothing.log" in gap.reason


def test_a_program_that_the_host_lacks_is_named(hosts: Hosts):
    _, [gap] = hosts.each(lambda host: host.run(Command("odd", "nothing", ("no-such-program",))))
    assert "has no no-such-program" in gap.reason


def test_the_end_of_a_log_file_comes_as_bytes(server: Server, tmp_path: Path):
    (tmp_path / "server.log").write_bytes(b"first\nlast \xff\n")
    hosts = connect(server.settings(folders=[str(tmp_path)]), patient())
    answers, gaps = hosts.each(lambda host: (host.tail(f"{tmp_path}/server.log", 7), host.files(str(tmp_path))))
    hosts.close()
    assert not gaps
    tail, files = answers["h1"]
    assert tail == b"last \xff\n"
    assert [(file.path, file.size) for file in files] == [(f"{tmp_path}/server.log", 13)]
