"""What an inventory calls absent and always exists is rewritten where it stands, once somebody says who decided so."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from runbook.model.errors import UsageError
from runbook.upgrade.unobserved import called_absent, rewrite_inventory

UNTIL = dt.date(2027, 2, 27)
SIGNED = "owner: team-x, until: 2027-02-27"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "    absent:\n      ssh: no access, yet  # Ann\n      # why\n      zookeeper: KRaft\n    active: true\n",
            (
                "    absent:\n      # why\n      zookeeper: KRaft\n    unobserved:\n"
                f'      ssh: {{because: "no access, yet", {SIGNED}}}   # Ann\n    active: true\n'
            ),
        ),
        (
            "    absent: {files: not collected, zookeeper: KRaft}   # so\n    active: true\n",
            (
                "    absent: {zookeeper: KRaft}   # so\n    unobserved:\n"
                f"      files: {{because: not collected, {SIGNED}}}\n    active: true\n"
            ),
        ),
        (
            "    absent: {jolokia: none of ours}",
            f"    unobserved:\n      jolokia: {{because: none of ours, {SIGNED}}}\n",
        ),
        (
            (
                "    unobserved: {files: {because: later, owner: x, until: 2027-01-01}}\n    absent:\n      ssh: >-\n"
                "        the nodes belong\n        to the cloud\n"
            ),
            (
                "    unobserved: {files: {because: later, owner: x, until: 2027-01-01}, "
                f"ssh: {{because: the nodes belong to the cloud, {SIGNED}}}}}\n"
            ),
        ),
        ("    absent: {zookeeper: KRaft}\n", "    absent: {zookeeper: KRaft}\n"),
    ],
)
def test_entries_move_and_all_else_stays(tmp_path: Path, before: str, after: str) -> None:
    file = tmp_path / "environments.yaml"
    file.write_text(f"environments:\n  prod:\n{before}", "utf-8")
    found = called_absent(file)
    assert rewrite_inventory(file, "team-x", UNTIL) == found
    assert file.read_text("utf-8") == f"environments:\n  prod:\n{after}"
    assert called_absent(file) == []


def test_what_only_a_person_can_rewrite_is_left_and_said(tmp_path: Path) -> None:
    file = tmp_path / "environments.yaml"
    text = "environments: {prod: {absent: {ssh: no access yet}, active: true}}\n"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=r"move ssh from absent: to unobserved: yourself"):
        rewrite_inventory(file, "team-x", UNTIL)
    assert file.read_text("utf-8") == text


def test_the_command_says_what_is_left_and_rewrites_it_for_an_owner(command: Any, here: Path) -> None:
    file = here / "environments.yaml"
    text = 'environments:\n  prod:\n    kafka: {bootstrap.servers: "a:1"}\n    absent: {ssh: no access yet}\n'
    file.write_text(text, "utf-8")
    told = command("upgrade")
    assert told.code == 0
    assert "environments.yaml:4: absent.ssh of prod" in told.out
    assert "every cluster has hosts, so that it reads as unobserved: runbook upgrade --owner TEAM" in told.out
    assert file.read_text("utf-8") == text
    assert command("upgrade", "--owner", "team-x", "--until", "2020-01-01").code == 2
    done = command("upgrade", "--owner", "team-x")
    assert (done.code, "it is called unobserved now, as team-x decided, until 2" in done.out) == (0, True)
    assert "unobserved:\n      ssh: {because: no access yet, owner: team-x, until: 2" in file.read_text("utf-8")
