"""An inventory that nobody named is used only where nobody else can have written it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from runbook.model.errors import UsageError
from runbook.run.sources.inventories import find_inventory

NOBODY = 65534
ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


def give_away(path: Path) -> None:
    os.chown(path, NOBODY, NOBODY)


def let_anybody(path: Path) -> None:
    path.chmod(path.stat().st_mode | 0o002)


def let_a_group(path: Path) -> None:
    path.chmod(path.stat().st_mode | 0o020)
    if os.geteuid() == 0:
        os.chown(path, -1, NOBODY)


WAYS = [pytest.param(give_away, marks=ROOT_ONLY), let_anybody, pytest.param(let_a_group, marks=ROOT_ONLY)]


@pytest.fixture
def inventory(here: Path) -> Path:
    file = here / "environments.yaml"
    file.write_text("environments: {prod: {}}\n")
    return file


@pytest.mark.parametrize("of", ["file", "folder"])
@pytest.mark.parametrize("way", WAYS)
def test_one_that_others_may_have_written_is_refused_and_can_be_named(
    way: Callable[[Path], None], of: str, inventory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_inventory(None) == Path("environments.yaml")
    way(inventory if of == "file" else inventory.parent)
    with pytest.raises(UsageError, match=r"--inventory environments\.yaml, or RUNBOOK_INVENTORY="):
        find_inventory(None)
    assert find_inventory(Path("environments.yaml")) == Path("environments.yaml")
    monkeypatch.setenv("RUNBOOK_INVENTORY", "environments.yaml")
    assert find_inventory(None) == Path("environments.yaml")


@ROOT_ONLY
def test_a_link_to_a_file_of_others_is_theirs(inventory: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    theirs = tmp_path_factory.mktemp("theirs") / "inventory.yaml"
    inventory.rename(theirs)
    inventory.symlink_to(theirs)
    assert find_inventory(None) is not None
    give_away(theirs)
    with pytest.raises(UsageError, match="it belongs to"):
        find_inventory(None)


def test_the_users_own_is_looked_at_too(here: Path) -> None:
    file = here / ".config" / "runbook" / "environments.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("environments: {prod: {}}\n")
    assert find_inventory(None) == file
    let_anybody(file.parent)
    with pytest.raises(UsageError, match="may be written by anybody"):
        find_inventory(None)


def test_the_group_that_is_a_users_alone_is_no_other(inventory: Path) -> None:
    """Many systems make such a group for each user, and files that it may write."""
    import grp
    import pwd

    name = pwd.getpwuid(os.geteuid()).pw_name
    if not any(group.gr_name == name and set(group.gr_mem) <= {name} for group in grp.getgrall()):
        pytest.skip("this system makes no group for each user")
    os.chown(inventory, -1, grp.getgrnam(name).gr_gid)
    inventory.chmod(0o664)
    assert find_inventory(None) == Path("environments.yaml")


def test_every_command_refuses_it(command: Callable[..., object], inventory: Path) -> None:
    let_anybody(inventory.parent)
    ended = command("env", "--offline")
    assert ended.code == 2
    assert "--inventory environments.yaml" in ended.err
