"""The inventory's settings for hosts, with the user's own ssh_config behind them."""

from pathlib import Path
from typing import Any

import pytest

from runbook.connections.ssh.settings import HostAddress, SshSettings
from runbook.model.errors import Misconfigured
from runbook.model.probe import Deadline


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "ssh_config"
    file.touch()
    return file


def places(config: Path, hosts: Any, **more: Any) -> list[HostAddress]:
    return SshSettings({"hosts": hosts, "config": str(config), "user": "runbook"} | more, Deadline(5)).places


def test_hosts_may_be_named_in_three_ways(config: Path):
    for hosts in ("a, b", ["a", "b"], {"a": {}, "b": None}):
        assert [place.name for place in places(config, hosts)] == ["a", "b"]


def test_an_entry_says_address_port_user_and_brokers(config: Path):
    [place] = places(config, {"a": {"address": "10.0.0.1", "port": 2222, "user": "x", "brokers": [1, 2]}})
    assert (place.address, place.port, place.user, place.brokers) == ("10.0.0.1", 2222, "x", (1, 2))
    assert place.label == "host a (10.0.0.1:2222)"


def test_a_short_name_may_hold_user_and_port(config: Path):
    [place] = places(config, "x@10.0.0.1:2222")
    assert (place.address, place.port, place.user) == ("10.0.0.1", 2222, "x")
    [six] = places(config, ["[::1]:2222"])
    assert (six.address, six.port) == ("::1", 2222)


def test_ssh_config_says_what_the_inventory_does_not(config: Path):
    key = config.with_name("key")
    key.touch()
    config.write_text(
        f"Host a\n  HostName 10.0.0.1\n  Port 2222\n  User y\n  IdentityFile {key}\n  IdentityFile /nowhere\n"
        "  ProxyJump bastion:2022\n  HostKeyAlias alias\n  UserKnownHostsFile /known\n  IdentitiesOnly yes\n"
    )
    [place] = SshSettings({"hosts": ["a"], "config": str(config)}, Deadline(5)).places
    assert (place.address, place.port, place.user, place.known_as) == ("10.0.0.1", 2222, "y", "alias")
    assert (place.identities, place.jump, place.agent) == ((str(key),), ("bastion:2022",), False)
    assert place.known_hosts[0] == "/known"


def test_what_ssh_config_includes_counts_and_what_follows_stays_in_its_block(config: Path, tmp_path: Path):
    (tmp_path / "more").write_text("Host b\n  Port 2022\n")
    config.write_text(f"Host a\n  Include {tmp_path}/more\n  Port 2222\n")
    assert [place.port for place in places(config, ["a", "b"])] == [2222, 2022]


def test_an_ssh_config_that_includes_itself_is_refused(config: Path):
    config.write_text(f"Include {config}\n")
    with pytest.raises(Misconfigured, match="includes itself"):
        places(config, ["a"])


@pytest.mark.parametrize("text", ["Host a\n  ProxyCommand nc %h %p\n", 'Match exec "true"\n  Port 1\n'])
def test_commands_of_ssh_config_are_refused_not_run(config: Path, text: str):
    config.write_text(text)
    with pytest.raises(Misconfigured, match="shell command"):
        places(config, ["a"])


def test_a_jump_for_all_hosts_does_not_hold_for_the_jump_host(config: Path):
    settings = SshSettings({"hosts": ["a"], "config": str(config), "jump": "bastion", "user": "x"}, Deadline(5))
    assert settings.places[0].jump == ("bastion",)
    assert settings.place("bastion").jump == ()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"hosts": ["a"], "usr": "x"}, "did you mean user"),
        ({"hosts": {"a": {"adress": "x"}}}, "did you mean address"),
        ({"hosts": {}}, "empty"),
        ({"hosts": 7}, "which hosts"),
        ({"hosts": {"a": 7}}, "mapping"),
        ({"hosts": {"a": {"port": "ssh"}}}, "no port"),
        ({"hosts": {"a": {"port": 70000}}}, "no port"),
        ({"hosts": {"a": {"broker": "one"}}}, "node ids"),
        ({"hosts": ["a b"]}, "no host"),
        ({"hosts": ["a", "a"]}, "same name"),
        ({"hosts": [{}]}, "no name"),
        ({"hosts": ["a"], "identity": 7}, "path"),
        ({"hosts": ["a"], "identity": "/nowhere/key"}, "is not there"),
        ({"hosts": ["a"], "strict_host_key_checking": "no"}, "unknown setting"),
    ],
)
def test_settings_that_cannot_be_used_say_what_to_write(config: Path, wrong: dict[str, Any], words: str):
    with pytest.raises(Misconfigured, match=words):
        SshSettings({"config": str(config), **wrong}, Deadline(5))


def test_an_ssh_config_that_is_named_and_not_there_is_refused():
    with pytest.raises(Misconfigured, match="can't be read"):
        SshSettings({"hosts": ["a"], "config": "/nowhere/ssh_config"}, Deadline(5))
