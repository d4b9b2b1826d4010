import ast
import os
from pathlib import Path
from typing import Any

import pytest

from runbook.cli.scaffold_files import SCAFFOLD
from runbook.run.sources.inventories import load_inventory


@pytest.mark.usefixtures("knowledge")
def test_what_init_writes_is_in_order_at_once(command: Any):
    linted = command("lint", "runbooks/first.md")
    assert (linted.code, linted.out) == (0, "")
    assert "nothing wrong" in linted.err
    for arguments in (("test", "runbooks/first.md"), ("env", "--offline"), ("show", "runbooks/first.md")):
        assert command(*arguments).code == 0


def test_the_inventory_proposes_to_keep_results_and_what_scheduled_runs_saw(knowledge: Path):
    file = knowledge / "environments.yaml"
    text = file.read_text("utf-8")
    assert load_inventory(file).results == ""
    file.write_text(text.replace("\n# results:", "\nresults:"), "utf-8")
    kept = load_inventory(file)
    assert kept.results.endswith("site-data/results")
    assert kept.keep_facts == 14 * 24 * 3600


@pytest.mark.usefixtures("knowledge")
def test_the_cases_init_writes_show_a_pass_a_fail_and_an_unknown(command: Any):
    said = command("test", "runbooks/first.md", "--verbose").out
    assert {"(pass)", "(fail)", "(unknown)"} <= set(said.split())


@pytest.mark.usefixtures("knowledge")
def test_the_probe_and_the_view_of_the_scaffold_can_be_used(command: Any):
    probes = command("list", "--probes", "--checks", "checks")
    views = command("list", "--views", "--checks", "checks")
    assert "kafka_advertised_host" in probes.out
    assert "brokers_per_rack" in views.out


def test_the_view_of_the_scaffold_counts_brokers_by_rack(knowledge: Path):
    from runbook.model.fact import Fact
    from runbook.plugins.catalog import add_user_checks
    from runbook.run.collection.fact_assembly import compute_view

    add_user_checks(knowledge / "checks")
    broker = Fact("kafka_broker", {"broker": [1, 2, 3], "rack": ["a", "a", "b"], "answers": [True, False, True]})
    assert list(compute_view("brokers_per_rack", {"broker": broker}, {}).rows()) == [
        {"rack": "a", "brokers": 2, "answering": 1},
        {"rack": "b", "brokers": 1, "answering": 1},
    ]


def test_the_weekly_round_can_be_started_by_its_name(command: Any, here: Path):
    assert command("init", "ours").code == 0
    assert os.access(here / "ours/weekly.sh", os.X_OK)
    assert not os.access(here / "ours/runbook.yaml", os.X_OK)


def test_init_overwrites_nothing_and_names_what_is_in_the_way(command: Any, here: Path):
    (here / "weekly.sh").write_text("mine")
    ended = command("init")
    assert ended.code == 2
    assert "weekly.sh" in ended.err
    assert (here / "weekly.sh").read_text() == "mine"
    assert not (here / "runbooks").exists()


def test_an_inventory_that_is_there_stays_and_the_rest_is_written(command: Any, here: Path):
    (here / "environments.yaml").write_text("environments: {prod: {kafka: {bootstrap.servers: 'a:1'}}}\n")
    ended = command("init")
    assert ended.code == 0
    assert "kept  environments.yaml, as it is\n" in ended.out
    assert "your clusters       runbook env\n" in ended.out
    assert (here / "environments.yaml").read_text().startswith("environments: {prod:")
    assert command("lint").code == 0
    assert command("env", "--offline").out.startswith("1 environment in environments.yaml")
    again = command("init")
    assert again.code == 2  # a project is there
    assert (here / "environments.yaml").read_text().startswith("environments: {prod:")


def test_init_makes_the_folder_it_is_given_and_says_what_to_do_next(command: Any, here: Path):
    ended = command("init", "a b")
    assert ended.code == 0
    assert (here / "a b/runbooks/first.md").exists()
    assert "cd 'a b'" in ended.out
    assert "runbook lint" in ended.out


@pytest.mark.parametrize("folder", ["file", "file/ours"])
def test_init_says_when_it_may_not_write(command: Any, here: Path, folder: str):
    (here / "file").write_text("")
    ended = command("init", folder)
    assert ended.code == 2
    assert ended.err.endswith("file is a file; choose a folder: runbook init DIR\n")


@pytest.mark.parametrize("folder", ["ours", "runbooks/ours", "../knowledge/ours"])
def test_no_project_is_begun_within_another_one(command: Any, knowledge: Path, folder: str):
    ended = command("init", folder)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"nothing written, as {folder} is within the project in {knowledge}\n")
    assert not (knowledge / folder).exists()


def test_the_code_of_the_scaffold_has_a_docstring_for_everything_public():
    for file in Path(SCAFFOLD).rglob("*.py.txt"):
        module = ast.parse(file.read_text())
        functions = [node for node in module.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"]
        assert all(map(ast.get_docstring, [module, *functions])), file


def test_the_page_about_it_names_every_file_and_shows_the_message_of_lint(command: Any, knowledge: Path):
    page = (Path(__file__).parents[2] / "docs/how-to/own-knowledge-base.md").read_text()
    written = [file for file in knowledge.rglob("*") if file.is_file()]
    assert written
    assert all(str(file.relative_to(knowledge)) in page for file in written)
    first = knowledge / "runbooks/first.md"
    first.write_text(first.read_text().replace("params.least", "params.last"))
    ended = command("lint", "runbooks/first.md")
    assert ended.out + ended.err in page
