"""The archive for offline reading: the same files make the same bytes."""

import os
import zipfile
from pathlib import Path

from runbook.publish.build import _complaints, pack


def test_the_same_files_make_the_same_archive(tmp_path: Path) -> None:
    for name in ("one", "two"):
        folder = tmp_path / name
        (folder / "below").mkdir(parents=True)
        (folder / "index.html").write_text("<p>a page</p>")
        (folder / "below" / "a.svg").write_text("<svg/>")
        pack(folder, tmp_path / f"{name}.zip")
    os.utime(tmp_path / "two" / "index.html", (0, 0))
    pack(tmp_path / "two", tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_the_archive_unpacks_into_one_folder(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<p>a page</p>")
    pack(tmp_path / "site", tmp_path / "site.zip")
    with zipfile.ZipFile(tmp_path / "site.zip") as archive:
        assert archive.namelist() == ["kafka-runbooks/index.html"]
        assert archive.read("kafka-runbooks/index.html") == b"<p>a page</p>"


def test_the_cause_comes_first_of_what_mkdocs_says() -> None:
    log = (
        "INFO    -  Cleaning site directory\n"
        "WARNING -  Doc file 'index.md' contains a link 'nowhere.md'\n"
        "ERROR   -  runbooks/first.md:25:11  severity: 'hig'\n    did you mean high?\n"
    )
    assert _complaints("\nAborted with a BuildError!\n", log).splitlines() == [
        "ERROR   -  runbooks/first.md:25:11  severity: 'hig'",
        "    did you mean high?",
        "WARNING -  Doc file 'index.md' contains a link 'nowhere.md'",
        "Aborted with a BuildError!",
    ]
    assert _complaints("", "INFO    -  Cleaning\n") == "INFO    -  Cleaning"
    assert _complaints("", "No module named mkdocs\n") == "No module named mkdocs"
