"""The action, the template and the hook of the page on manifests do what it says, as far as that can be tried here."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from how_to.test_manifests import PAGE, deploy
from support.documented import titled

TOP = Path(__file__).parents[2]
ACTION = yaml.safe_load((TOP / ".github/actions/check-manifests/action.yml").read_text("utf-8"))
RUNBOOK = Path(sys.executable).with_name("runbook")


def act(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the action's last step in a folder, as a runner does after it has put the inputs in."""
    [step] = [step for step in ACTION["runs"]["steps"] if step.get("name") == "Check"]
    given = {name: str(of.get("default", "")) for name, of in ACTION["inputs"].items()} | {"base": ""} | inputs
    asked = {name: given[value.split(".")[1].rstrip(" }")] for name, value in step["env"].items()}
    tools = folder / "runner" / "runbook" / "bin"
    tools.mkdir(parents=True, exist_ok=True)
    if not (tools / "runbook").exists():
        (tools / "runbook").symlink_to(RUNBOOK)
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    environment = os.environ | asked | {"RUNNER_TEMP": str(folder / "runner")}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.mark.skipif(not RUNBOOK.exists(), reason="runbook is not beside this Python")
def test_the_action_annotates_what_fails_and_passes_what_declares_nothing(tmp_path: Path):
    file = deploy(tmp_path) / "deploy" / "kafka.yaml"
    file.write_text(file.read_text().replace("min.insync.replicas: 2", "min.insync.replicas: 1"))
    done = act(tmp_path, manifests="deploy/\n", environment="pull-request", sarif="runbook.sarif")
    assert done.returncode == 1, done.stderr
    assert "::warning file=deploy/kafka.yaml,line=37" in done.stdout
    assert (tmp_path / "runbook.sarif").stat().st_size > 0
    other = tmp_path / "other.yaml"
    other.write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
    assert act(tmp_path, manifests="other.yaml").returncode == 0


@pytest.mark.skipif(not RUNBOOK.exists(), reason="runbook is not beside this Python")
def test_a_chart_ends_the_action_with_three_and_its_way_out_until_it_is_left_out(tmp_path: Path):
    chart = deploy(tmp_path) / "deploy" / "chart"
    (chart / "templates").mkdir(parents=True)
    (chart / "Chart.yaml").write_text("name: a\n")
    (chart / "templates" / "all.yaml").write_text('{{ include "kafka" . }}\n')
    done = act(tmp_path, manifests="deploy/")
    assert done.returncode == 3
    [said] = [line for line in done.stdout.splitlines() if line.startswith("::")]
    assert "::warning file=deploy/chart/Chart.yaml,line=1" in said
    assert "helm template deploy/chart | runbook check kubernetes -" in said
    assert "leave it out (exclude), or set unknown: pass" in done.stdout
    done = act(tmp_path, manifests="deploy/", exclude="chart/templates\n*.json\n")
    assert done.returncode == 0, done.stdout
    assert "note: 1 file is left out by exclude (chart/templates, *.json), and not read" in done.stdout


def test_the_page_gives_the_action_only_inputs_that_it_has():
    title = "The action: it installs runbook, and compares with the branch that the request goes to"
    [*_, step] = yaml.safe_load(titled(PAGE, title))["steps"]
    assert step["with"].keys() <= ACTION["inputs"].keys()
    assert (TOP / step["uses"].partition("@")[0].removeprefix("OWNER/REPOSITORY/") / "action.yml").exists()


def test_the_page_gives_the_template_only_inputs_that_it_has():
    [include] = yaml.safe_load(titled(PAGE, "The template for GitLab"))["include"]
    inputs, jobs = yaml.safe_load_all((TOP / include["file"]).read_text("utf-8"))
    assert include["inputs"].keys() <= inputs["spec"]["inputs"].keys()
    used = [line for name in ("before_script", "script") for line in jobs["kafka-manifests"][name]]
    assert any("--format junit --out report.xml" in line for line in used)
    assert jobs["kafka-manifests"]["artifacts"]["reports"]["junit"] == "report.xml"


def test_the_page_names_a_hook_that_is_there():
    hooks: list[dict[str, Any]] = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text("utf-8"))
    [repository] = yaml.safe_load(titled(PAGE, ".pre-commit-config.yaml"))["repos"]
    assert [hook["id"] for hook in repository["hooks"]] == [hook["id"] for hook in hooks]
    [hook] = hooks
    words = hook["entry"].split()
    shown = subprocess.run([RUNBOOK, *words[1:2], "--help"], capture_output=True, text=True, timeout=120, check=True)
    assert all(word in shown.stdout for word in words if word.startswith("--"))
