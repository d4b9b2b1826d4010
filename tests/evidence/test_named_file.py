"""What a person names for a report or a bundle is replaced only where it is a regular file."""

import ast
import os
import stat
import threading
from pathlib import Path

import pytest

from runbook.evidence.named_file import write_named

PACKAGE = Path(__file__).parents[2] / "checks" / "runbook"
ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices, and gives files away")

WRITERS = {
    "canary/leftovers.py": "a note of its topics in the folder of state, so that the next run removes them",
    "canary/messages.py": "its own standard output, for the process that started it",
    "cli/scaffold_files.py": "new files only, of `init`: what is there is refused, links too (O_EXCL)",
    "plugins/kept_files.py": "in the cache of the tool, in a folder of one's own",
    "procedure/walk_file.py": "a new record only (O_EXCL), and one of ours that is gone on with",
    "publish/pseudonyms.py": "a new key only (O_EXCL), beside the results",
    "publish/sample_scorecard.py": "in a folder that it made",
    "recording/tape.py": "a new recording only (O_EXCL)",
    "run/collection/fork_server.py": "pipes to processes of ours",
    "run/collection/worker.py": "the pipe to the process that started it",
    "scorecard/class_archive.py": "in the cache of the tool",
    "scorecard/segment_rows.py": "into memory",
    "cli/reference.py": "the page of commands, by hand in a checkout",
    "evidence/named_file.py": "the one writer",
    "publish/week_pages.py": "beside the scorecard, in the folder of results: what it and stores write with",
    "evidence/store.py": "what it and stores write with",
    "java.py": "a launcher in the cache of the tool",
    "publish/project_site.py": "in a folder that it made for the build",
    "publish/release.py": "in a destination that is ours, or empty",
    "run/sources/stdin_inventory.py": "in a folder that it made",
    "run/sources/base_files.py": "in a folder that was made for it",
    "scorecard/files.py": "in a folder beside that of the tables, which takes their place",
    "scorecard/hadoop.py": "the same",
    "scorecard/unchanged.py": "beside the tables",
}
"""Module -> why it may write files otherwise."""


WRITE = {
    "write_text",
    "write_bytes",
    "write_atomically",
    "write_table",
    "O_CREAT",
    "O_TRUNC",
    "O_TMPFILE",
    "symlink_to",
}
WRITE |= {"copyfile", "copy", "copy2", "copytree", "move", "touch", "mkstemp", "hardlink_to", "truncate"}


def writes(file: Path) -> set[str]:
    """What a module writes files with: functions, flags, and modes of `open`."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        found |= {node.attr} & WRITE if isinstance(node, ast.Attribute) else set()
        found |= {node.id} & {"write_atomically"} if isinstance(node, ast.Name) else set()
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in (
            "open",
            "fdopen",
        ):
            modes = [a.value for a in [*node.args, *(k.value for k in node.keywords)] if isinstance(a, ast.Constant)]
            found |= {
                f"open {mode}" for mode in modes if isinstance(mode, str) and set(mode) & set("wax+") and len(mode) < 4
            }
    return found


def test_what_a_person_names_is_written_by_one_function() -> None:
    found = {str(file.relative_to(PACKAGE)) for file in PACKAGE.rglob("*.py") if writes(file)}
    assert found == set(WRITERS)


def read_pipe(pipe: Path) -> tuple[threading.Thread, list[bytes]]:
    """Read a pipe in a thread, as the program does that waits at its other end."""
    got: list[bytes] = []
    thread = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    thread.start()
    return thread, got


@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_is_written_into(tmp_path: Path, *, linked: bool) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    named = tmp_path / "report.md"
    named.symlink_to("pipe")
    thread, got = read_pipe(pipe)
    write_named(named if linked else pipe, b"words")
    thread.join(10)
    assert got == [b"words"]
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    assert named.is_symlink()


@ROOT_ONLY
def test_a_device_is_written_into_and_a_disk_is_refused(tmp_path: Path) -> None:
    null, disk = tmp_path / "null", tmp_path / "disk"
    try:
        os.mknod(null, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        os.mknod(disk, 0o600 | stat.S_IFBLK, os.makedev(7, 63))
    except PermissionError:
        pytest.skip("no devices can be made here")
    write_named(null, b"words")
    assert stat.S_ISCHR(null.lstat().st_mode)
    with pytest.raises(OSError, match="it is a disk"):
        write_named(disk, b"words")
    assert stat.S_ISBLK(disk.lstat().st_mode)


def test_a_link_stays_and_leads_to_a_whole_new_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "report.md"
    target.write_text("old")
    opened = target.open()
    (tmp_path / "second").symlink_to("real/report.md")
    (tmp_path / "first").symlink_to(tmp_path / "second")
    write_named(tmp_path / "first", b"new")
    assert (tmp_path / "first").is_symlink()
    assert (tmp_path / "second").is_symlink()
    assert target.read_text() == "new"
    assert opened.read() == "old"  # who reads the old one reads all of it
    opened.close()
    (tmp_path / "dangling").symlink_to("real/new.md")
    write_named(tmp_path / "dangling", b"words")
    assert (tmp_path / "real" / "new.md").read_text() == "words"


def test_a_ring_of_links_and_a_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="Too many levels"):
        write_named(tmp_path / "a", b"")
    (tmp_path / "folder").symlink_to(".")
    with pytest.raises(IsADirectoryError):
        write_named(tmp_path / "folder", b"")


@ROOT_ONLY
def test_a_link_that_somebody_else_put_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "passwd").write_text("root")
    link = tmp_path / "report.md"
    link.symlink_to("passwd")
    os.chown(link, 65534, 65534, follow_symlinks=False)
    with pytest.raises(OSError, match="made by another user"):
        write_named(link, b"words")
    assert (tmp_path / "passwd").read_text() == "root"


def test_an_open_file_of_this_process_is_written_into(tmp_path: Path) -> None:
    """As `--save /dev/stdout` and `--out >(gzip)` mean it."""
    with (tmp_path / "out").open("wb") as out:
        out.write(b"before ")
        out.flush()
        write_named(Path(f"/proc/self/fd/{out.fileno()}"), b"words")
        out.seek(0, os.SEEK_END)
        out.write(b" after")
    assert (tmp_path / "out").read_bytes() == b"before words after"
    read, write = os.pipe()
    write_named(Path(f"/dev/fd/{write}"), b"words")
    os.close(write)
    assert os.read(read, 100) == b"words"
    os.close(read)


def test_a_file_is_replaced_as_a_whole_with_its_mode(tmp_path: Path) -> None:
    write_named(tmp_path / "new" / "facts.json", b"a", mode=0o600)
    write_named(tmp_path / "new" / "facts.json", b"b", mode=0o600)
    assert (tmp_path / "new" / "facts.json").read_bytes() == b"b"
    assert stat.S_IMODE((tmp_path / "new" / "facts.json").stat().st_mode) == 0o600
    assert len(list((tmp_path / "new").iterdir())) == 1
