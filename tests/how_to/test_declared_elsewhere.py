"""Plans of Terraform and files of other tools: the page shows what is said, and the recorded files are judged."""

from pathlib import Path

import pytest

from benchmarks import declared_files
from runbook.cli.app import run
from support.documented import fences
from support.terraform import changed, plan

PAGE = "docs/how-to/manifests.md"
TOPIC = {"name": "orders", "partitions": 3, "replication_factor": 3, "config": {"min.insync.replicas": "2"}}


def check(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    monkeypatch.setattr("sys.argv", ["runbook", "check", "kubernetes", *words])
    return run()


def test_a_plan_that_replaces_a_topic_is_found_as_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    fewer = changed(
        "kafka_topic",
        actions=["delete", "create"],
        before=TOPIC | {"partitions": 6},
        after=TOPIC,
        replace_paths=[["partitions"]],
    )
    other = changed("kafka_topic", "audit", after=TOPIC | {"name": "audit"})
    (tmp_path / "plan.json").write_text(plan(fewer, other))
    assert check(tmp_path, monkeypatch, "--manifests", "plan.json") == 1
    [shown] = [fence.text for fence in fences(PAGE) if "no-plan-deletes-records" in fence.text]
    assert shown in capfd.readouterr().out


def test_with_the_source_beside_it_a_finding_has_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    (tmp_path / "plan.json").write_text(plan(changed("kafka_topic", after=TOPIC | {"replication_factor": 1})))
    (tmp_path / "main.tf").write_text('# topics\n\nresource "kafka_topic" "orders" {\n  name = "orders"\n}\n')
    assert check(tmp_path, monkeypatch, "--manifests", ".") == 1
    assert "(main.tf:3)" in capfd.readouterr().out
    (tmp_path / "more.tf").write_text(
        'resource "kafka_topic" "orders" {}\n'
    )  # of another module: which one is not clear
    assert check(tmp_path, monkeypatch, "--manifests", ".") == 1
    assert "main.tf" not in capfd.readouterr().out


@pytest.mark.parametrize("name", ["declared.yaml", "charts.yaml"])
def test_the_recorded_files_are_judged_as_a_reviewer_expects(tmp_path: Path, name: str):
    table = declared_files.table(name)
    made, bases = declared_files.plans(), table.get("bases")
    entries = table["entries"]
    files = {
        entry["name"]: declared_files.write(entry, tmp_path / str(place), made, bases)
        for place, entry in enumerate(entries)
    }
    judged = declared_files.judge(files, tmp_path)
    wrong = {
        entry["name"]: found
        for entry in entries
        if (found := [*declared_files.problems(entry, table["remarks"], judged[entry["name"]])])
    }
    assert wrong == {}
