"""No link among a site's sources has the site show a file from elsewhere."""

from collections.abc import Callable
from pathlib import Path

import pytest

from runbook.model.errors import UsageError
from runbook.publish.project_site import sources
from runbook.publish.site_links import refuse_links_outside
from runbook.run.sources.project import find_project


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for folder in ("docs/deep", "beside", ".git"):
        (root / folder).mkdir(parents=True)
    for file in ("docs/index.md", "docs/deep/page.md", "beside/words.md", "README.md", ".git/config", "../private"):
        (root / file).write_text("words")
    return root


LEADS = {
    "to a file of the user's": lambda root: (root / "docs/a.md").symlink_to("../../private"),
    "by its whole address": lambda root: (root / "docs/deep/a.txt").symlink_to(root.parent / "private"),
    "to nothing yet": lambda root: (root / "docs/a.md").symlink_to("/nowhere/at/all"),
    "to a folder": lambda root: (root / "docs/all").symlink_to(".."),
    "to what is hidden": lambda root: (root / "docs/a.md").symlink_to("../.git/config"),
    "over a folder of the project": lambda root: (
        (root / "docs/all").symlink_to("../beside"),
        (root / "beside/a.md").symlink_to("../../private"),
    ),
    "over another link": lambda root: (
        (root / "docs/a.md").symlink_to("b.md"),
        (root / "docs/b.md").symlink_to("../../private"),
    ),
}


@pytest.mark.parametrize("lead", [*LEADS.values()], ids=[*LEADS])
def test_a_link_that_leads_outside_is_refused(root: Path, lead: Callable[[Path], object]) -> None:
    refuse_links_outside(root, [root / "docs"])
    lead(root)
    with pytest.raises(UsageError, match=r"is a link to .*: the site would show it to everybody"):
        refuse_links_outside(root / ("docs" if lead is LEADS["to a folder"] else ""), [root / "docs"])


def test_a_link_to_what_the_project_holds_is_followed(root: Path) -> None:
    (root / "docs/readme.md").symlink_to("../README.md")
    (root / "docs/beside").symlink_to("../beside")
    (root / "docs/round").symlink_to(".")
    refuse_links_outside(root, [root / "docs", root / "nowhere", root / "README.md"])


def test_pages_that_lie_elsewhere_may_lead_to_each_other(root: Path) -> None:
    (root / "docs/deep/index.md").symlink_to("../index.md")
    refuse_links_outside(root / "beside", [root / "docs"])


def test_the_pages_themselves_are_no_link_to_elsewhere(root: Path) -> None:
    (root / "beside/docs").symlink_to("../docs")
    with pytest.raises(UsageError, match="is a link to"):
        refuse_links_outside(root / "beside", [root / "beside/docs"])


def test_no_site_of_a_project_is_made_with_one(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    (root / "runbooks").mkdir()
    (root / "runbook.yaml").write_text("site: {name: Ours}\n")
    (root / "docs/secret.md").symlink_to("../../private")
    project = find_project()
    assert project is not None
    with pytest.raises(UsageError, match=r"docs/secret\.md is a link to"), sources(project):
        pass
