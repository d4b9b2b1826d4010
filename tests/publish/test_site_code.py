"""What a site's settings have MkDocs run must be one's own, whatever plugin it is that runs it."""

import os
from pathlib import Path

import pytest

from runbook.model.errors import UsageError
from runbook.publish.build import check_sources
from runbook.publish.site_code import named_by

SETTINGS = """site_name: Small
INHERIT: beside/mkdocs.yml
site_dir: web
hooks: [parts/hooks/one.py]
theme: {name: material, custom_dir: parts/theme, palette: !!python/name:os.system , features: []}
plugins:
  search: {}
  gen-files: {scripts: [parts/made.py]}
  macros: {module_name: parts/words}
markdown_extensions:
  - pymdownx.snippets: {base_path: [., parts/snippets]}
extra: {data: parts/data}
"""
NAMED = ("parts/hooks/one.py", "parts/theme/main.html", "parts/made.py", "parts/words.py", "parts/snippets/a.md",
         "docs/look.ipynb", "main.py", "beside/mkdocs.yml", "mkdocs.yml")  # fmt: skip
DATA = ("web/index.html", "parts/data/results.jsonl", "other.py")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in (*NAMED, *DATA):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    (tmp_path / "mkdocs.yml").write_text(SETTINGS)
    return tmp_path


@pytest.mark.parametrize("name", NAMED)
def test_what_others_may_have_written_is_not_run(root: Path, name: str) -> None:
    check_sources(root)
    (root / name).chmod(0o666)
    with pytest.raises(UsageError, match=r"may be written by anybody \(mode 0666\): it could run anything as you"):
        check_sources(root)


@pytest.mark.parametrize("name", ["parts", "parts/hooks", "docs", "."])
def test_nor_what_lies_in_a_folder_of_theirs(root: Path, name: str) -> None:
    (root / name).chmod(0o1777)
    with pytest.raises(UsageError, match="may be written by anybody"):
        check_sources(root)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_nor_what_belongs_to_them(root: Path) -> None:
    os.chown(root / "parts" / "made.py", 65534, 65534)
    with pytest.raises(UsageError, match=r"made\.py was found here, and it belongs to"):
        check_sources(root)


@pytest.mark.parametrize("name", DATA)
def test_data_and_what_nobody_names_may_be_of_others(root: Path, name: str) -> None:
    (root / name).chmod(0o666)
    check_sources(root)


@pytest.mark.parametrize("content", ["- a\n", "", "5\n"])
def test_settings_that_are_no_settings_name_what_is_read_anyway(root: Path, content: str) -> None:
    (root / "mkdocs.yml").write_text(content)
    assert list(named_by(root / "mkdocs.yml")) == [root / "docs", root / "main.py"]


def test_settings_that_are_no_yaml_are_refused(root: Path) -> None:
    (root / "mkdocs.yml").write_text("a: [\n")
    with pytest.raises(UsageError, match=r"mkdocs\.yml can't be read: "):
        check_sources(root)
