"""Publishing: readers see a whole site at any moment, whatever happens to the publisher."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from runbook.model.errors import UsageError
from runbook.publish.release import release

PAGES = 20


def _site(text: str) -> Callable[[Path], None]:
    def build(folder: Path) -> None:
        for number in range(PAGES):
            (folder / f"{number}.html").write_text(text, encoding="utf-8")

    return build


def test_the_link_leads_to_what_was_built(tmp_path: Path) -> None:
    finished = release(tmp_path / "web", _site("one"), 3)
    assert (tmp_path / "web" / "current").resolve() == finished
    assert (tmp_path / "web" / "current" / "0.html").read_text(encoding="utf-8") == "one"


def test_git_leaves_out_what_is_published_unless_somebody_wants_it_in(tmp_path: Path) -> None:
    web = tmp_path / "web"
    release(web, _site("one"), 3)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True, timeout=800)
    status = ["git", "-C", str(tmp_path), "status", "--porcelain"]
    assert subprocess.run(status, check=True, capture_output=True, text=True, timeout=800).stdout == ""
    (web / ".gitignore").unlink()
    release(web, _site("two"), 3)
    assert not (web / ".gitignore").exists()


def test_readers_never_see_half_a_site(tmp_path: Path) -> None:
    web = tmp_path / "web"
    release(web, _site("0"), 2)
    seen: list[set[str]] = []
    broken: list[str] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            try:
                folder = (web / "current").resolve(strict=True)
                seen.append({(folder / f"{number}.html").read_text(encoding="utf-8") for number in range(PAGES)})
            except OSError as error:
                broken.append(str(error))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for number in range(1, 40):
        release(web, _site(str(number)), 30)
    done.set()
    for reader in readers:
        reader.join()
    assert broken == []
    assert len(seen) > 40
    assert all(len(texts) == 1 and texts != {""} for texts in seen)


def test_a_build_that_fails_leaves_the_old_site_and_no_rubbish(tmp_path: Path) -> None:
    web = tmp_path / "web"
    old = release(web, _site("old"), 3)

    def fail(folder: Path) -> None:
        _site("half")(folder)
        raise UsageError("a runbook has a mistake")

    with pytest.raises(UsageError, match="a runbook has a mistake"):
        release(web, fail, 3)
    assert (web / "current").resolve() == old
    assert list((web / "releases").iterdir()) == [old]


KILLED = """
import pathlib, sys, time
from runbook.publish.release import release
def build(folder):
    (folder / "0.html").write_text("half")
    print("building", flush=True)
    time.sleep(60)
release(pathlib.Path(sys.argv[1]), build, 3)
"""


def test_a_publisher_that_is_killed_leaves_the_old_site_and_the_next_one_cleans_up(tmp_path: Path) -> None:
    web = tmp_path / "web"
    old = release(web, _site("old"), 3)
    with subprocess.Popen([sys.executable, "-c", KILLED, str(web)], stdout=subprocess.PIPE, text=True) as publisher:
        assert publisher.stdout
        assert publisher.stdout.readline() == "building\n"
        with pytest.raises(UsageError, match="another process publishes"):
            release(web, _site("new"), 3)
        os.kill(publisher.pid, signal.SIGKILL)
        publisher.wait(10)
    assert (web / "current").resolve() == old
    assert any(folder.name.startswith(".building") for folder in (web / "releases").iterdir())
    new = release(web, _site("new"), 3)
    assert sorted((web / "releases").iterdir()) == [old, new]


def test_old_releases_go_and_the_one_that_is_shown_stays(tmp_path: Path) -> None:
    web = tmp_path / "web"
    made = [release(web, _site(str(number)), 3) for number in range(5)]
    assert sorted((web / "releases").iterdir()) == made[-3:]
    back = made[-3]
    (web / "current").unlink()
    (web / "current").symlink_to(back)  # somebody went back by hand, then published again
    newest = release(web, _site("6"), 1)
    assert sorted((web / "releases").iterdir()) == [newest]


def test_a_folder_with_something_else_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("mine")
    with pytest.raises(UsageError, match="holds something else"):
        release(tmp_path / "home", _site("x"), 3)
    (tmp_path / "web" / "current").mkdir(parents=True)
    with pytest.raises(UsageError, match="is no link of ours"):
        release(tmp_path / "web", _site("x"), 3)
    with pytest.raises(UsageError, match="is no folder"):
        release(tmp_path / "home" / "thesis.txt", _site("x"), 3)


def test_at_least_the_release_that_is_shown_is_kept(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--keep 0"):
        release(tmp_path / "web", _site("x"), 0)


def test_releases_sort_by_time_even_within_a_second(tmp_path: Path) -> None:
    first = release(tmp_path / "web", _site("1"), 3)
    time.sleep(0.001)
    assert first.name < release(tmp_path / "web", _site("2"), 3).name
