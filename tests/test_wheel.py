"""What is installed is what was built: the wheel carries the runbooks, and works without the checkout."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEALTHY = ROOT / "tests" / "cases" / "ha" / "healthy.json"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout without any network, and unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=800)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(unpacked: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the unpacked package, away from the checkout, with variables in its environment."""
    environment = os.environ | {"PYTHONPATH": str(unpacked)} | variables
    command = [sys.executable, "-m", "runbook", *arguments]
    return subprocess.run(
        command, cwd=unpacked, env=environment, capture_output=True, text=True, timeout=800, check=False
    )


def test_the_wheel_ships_the_runbooks_as_they_are(unpacked: Path):
    for runbook in (ROOT / "runbooks").glob("*.md"):
        assert (unpacked / "runbook" / "content" / "runbooks" / runbook.name).read_bytes() == runbook.read_bytes()


def test_the_wheel_lists_and_judges_without_the_checkout(unpacked: Path):
    listed = run(unpacked, "list", "ha")
    assert listed.returncode == 0, listed.stderr
    assert str(unpacked) in listed.stdout or "built-in" in listed.stdout
    bundle = ROOT / "tests" / "cases" / "ha" / "healthy.json"
    judged = run(unpacked, "check", "ha", "--from", str(bundle))
    assert " 0 fail " in judged.stdout, judged.stderr
    assert "built-in" in judged.stdout


def test_the_wheel_runs_its_workers_without_the_checkout(unpacked: Path, tmp_path: Path):
    inventory = tmp_path / "environments.yaml"
    inventory.write_text("environments: {gone: {kafka: {bootstrap.servers: 127.0.0.1:1}}}\n", "utf-8")
    judged = run(unpacked, "check", "ha", "-i", str(inventory), "--deadline", "20s")
    assert judged.returncode == 3, judged.stderr
    assert "connection refused" in judged.stdout


def verified(site: Path) -> tuple[int, dict[str, str], dict[str, str]]:
    """The exit code, the states of the runbooks, and those of the files that are not as shipped."""
    done = run(site, "verify", "--format", "json")
    output = json.loads(done.stdout)
    assert output["exit_code"] == done.returncode
    return (
        done.returncode,
        {runbook["name"]: runbook["state"] for runbook in output["runbooks"]},
        {entry["name"]: entry["state"] for entry in output["code"]},
    )


def test_the_wheel_is_as_it_was_shipped_and_says_when_it_is_not(unpacked: Path, tmp_path: Path):
    names = {file.stem for file in (ROOT / "runbooks").glob("*.md")}
    assert verified(unpacked) == (0, dict.fromkeys(names, "as shipped"), {})
    site = tmp_path / "site"
    shutil.copytree(unpacked, site)
    runbooks = site / "runbook" / "content" / "runbooks"
    text = (runbooks / "ha.md").read_text("utf-8")
    (runbooks / "ha.md").write_text(text.replace("consequence: outage", "consequence: good-practice", 1), "utf-8")
    (runbooks / "gc.md").unlink()
    (runbooks / "mine.md").write_text("# Mine\n", "utf-8")
    probe = site / "runbook" / "probes" / "kafka_topic.py"
    probe.write_text(probe.read_text("utf-8") + "\n", "utf-8")
    (site / "runbook" / "probes" / "new.py").write_text("", "utf-8")
    (site / "runbook" / "views" / "broker_loss.py").unlink()
    (site / "schema_compat" / "judging.py").write_text("", "utf-8")
    code, states, others = verified(site)
    assert code == 1
    changed = {"ha": "changed", "gc": "missing", "mine": "added"}
    assert states == dict.fromkeys(names, "as shipped") | changed
    assert others == {
        "probes/kafka_topic.py": "changed",
        "probes/new.py": "added",
        "schema_compat/judging.py": "changed",
        "views/broker_loss.py": "missing",
    }
    output = run(site, "verify").stdout
    assert "changed: probes/kafka_topic.py" in output
    assert "missing: views/broker_loss.py" in output


COMMANDS = [("list",), ("find", "brokers are down"), ("show", "ha"), ("check", "--from", str(HEALTHY))]


def test_the_wheel_parses_and_compiles_nothing_again(unpacked: Path, tmp_path: Path):
    kept = [*(unpacked / "runbook" / "content" / "kept").iterdir()]
    assert len(kept) == 3 * len([*(ROOT / "runbooks").glob("*.md")])
    for command in COMMANDS:
        done = run(unpacked, *command, RUNBOOK_CACHE=str(tmp_path))
        assert done.stdout, done.stderr
    assert [*tmp_path.rglob("*")] == []


def test_damage_to_what_is_kept_in_the_wheel_changes_no_answer(unpacked: Path, tmp_path: Path):
    site = tmp_path / "site"
    shutil.copytree(unpacked, site)
    kept = sorted((site / "runbook" / "content" / "kept").iterdir(), key=lambda file: (file.suffix, file.name))
    contents = [file.read_bytes() for file in kept]
    for number, file in enumerate(kept):
        match number % 3:
            case 0:
                file.unlink()
            case 1:
                file.write_bytes(contents[number][:-1])
            case _:
                file.write_bytes(contents[number - 1])  # of another runbook
    for command in (*COMMANDS[:2], (*COMMANDS[3], "--format", "json")):
        answers = [run(folder, *command, RUNBOOK_CACHE="/dev/null/none") for folder in (site, unpacked)]
        assert answers[0].returncode == answers[1].returncode
        assert told(answers[0].stdout) == told(answers[1].stdout) != []


def told(output: str) -> object:
    """What a command says; of a report its results, without the moments of its run."""
    return json.loads(output)["results"] if output.startswith("{") else output


def test_a_runbook_of_the_wheel_that_was_changed_is_read_as_it_is_now(unpacked: Path, tmp_path: Path):
    site = tmp_path / "site"
    shutil.copytree(unpacked, site)
    file = site / "runbook" / "content" / "runbooks" / "ha.md"
    text = file.read_text("utf-8")
    file.write_text(text.replace("consequence: outage", "consequence: for-decisions", 1), "utf-8")
    listed = [json.loads(run(folder, "list", "ha", "--format", "json").stdout) for folder in (site, unpacked)]
    assert [one.get("severity") for one in listed[0]] != [one.get("severity") for one in listed[1]]
    file.write_text(text.replace("consequence: outage", "consequenc: outage", 1), "utf-8")
    assert run(site, "list", "ha").returncode == 2


def test_a_result_carries_the_digest_of_the_runbook_that_verify_tells(unpacked: Path):
    output = json.loads(run(unpacked, "verify", "--format", "json").stdout)
    [shipped] = [runbook["digest"] for runbook in output["runbooks"] if runbook["name"] == "ha"]
    bundle = ROOT / "tests" / "cases" / "ha" / "healthy.json"
    judged = json.loads(run(unpacked, "check", "ha", "--from", str(bundle), "--format", "json").stdout)
    assert {result["runbook_digest"] for result in judged["results"]} == {shipped}


def test_the_wheel_brings_the_lab_as_a_package_beside_it(unpacked: Path):
    assert {folder.parent.name for folder in unpacked.glob("*/__init__.py")} == {
        "kafka_lab",
        "runbook",
        "schema_compat",
    }
    assert "stop-broker" in run(unpacked, "lab", "break").stdout
    shutil.rmtree(unpacked / "kafka_lab")
    listed = run(unpacked, "list", "ha")
    assert (listed.returncode, "enough-brokers" in listed.stdout) == (0, True)
