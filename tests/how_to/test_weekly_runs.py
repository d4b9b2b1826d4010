"""The weekly script and the four ways to start it, run as far as one machine without them can."""

import fcntl
import http.server
import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from support.documented import titled

PAGE = "docs/how-to/weekly-runs.md"
UNREACHABLE = "environments: {far: {kafka: {bootstrap.servers: '127.0.0.1:1'}}}\n"
BIN = Path(sys.executable).parent
MONITOR = "https://monitor.example/ping/kafka-weekly"
ROUND = ["results expect", "check", "results verify", "scorecard"]


class Place(NamedTuple):
    """A folder with the weekly script, a stand-in for `runbook` that notes how it was called, and its inventory."""

    folder: Path

    def run(self, command: list[str] | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command, else the script, with no more of an environment than cron gives."""
        given = {"PATH": f"{self.folder / 'bin'}:/usr/bin:/bin", "HOME": str(self.folder)} | variables
        if given.get("HEARTBEAT_URL") == MONITOR:
            given["HEARTBEAT_URL"] = ""  # it is not there
        command = command or ["/bin/sh", str(self.folder / "weekly.sh")]
        return subprocess.run(
            command, cwd=self.folder, env=given, capture_output=True, text=True, check=False, timeout=800
        )

    def calls(self) -> list[str]:
        """The commands that the stand-in noted."""
        noted = self.folder / "calls"
        lines = noted.read_text().splitlines() if noted.exists() else []
        return [re.match(r"results \w+|\w+", line)[0] for line in lines]

    def put(self, name: str, text: str) -> Path:
        """Write a file."""
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        return file


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path)
    place.put("weekly.sh", titled(PAGE, "weekly.sh"))
    place.put("environments.yaml", UNREACHABLE)
    stand_in = f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n[ "$1" = check ] && exit "${{CHECK_ENDS_WITH:-0}}"\nexit 0\n'
    place.put("bin/runbook", stand_in).chmod(0o755)
    return place


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help_begins_no_round(place: Place, word: str) -> None:
    told = place.run(["/bin/sh", "weekly.sh", word])
    assert told.returncode == 0
    assert all(name in told.stdout for name in ("RUNBOOK_PROJECT", "RUNBOOK_DATA", "HEARTBEAT_URL"))
    assert not place.calls()


def test_an_argument_that_is_none_begins_no_round(place: Place) -> None:
    refused = place.run(["/bin/sh", "weekly.sh", "--env", "prod"])
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "no argument is taken, and this is one: --env" in refused.stderr
    assert not place.calls()


@pytest.fixture
def heartbeat() -> Iterator[tuple[str, list[str]]]:
    """A monitor that notes the calls it gets."""
    heard: list[str] = []

    class Monitor(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Monitor)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/weekly", heard
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("verdict", ["0", "1", "3"])
def test_a_verdict_stops_no_round(place: Place, verdict: str) -> None:
    done = place.run(CHECK_ENDS_WITH=verdict)
    assert (done.returncode, done.stderr, place.calls()) == (0, "", ROUND)


@pytest.mark.parametrize("code", ["2", "4", "5"])
def test_a_run_that_checked_nothing_is_rolled_up_and_reported(place: Place, code: str) -> None:
    done = place.run(CHECK_ENDS_WITH=code)
    assert (done.returncode, place.calls()) == (1, ROUND)
    assert done.stderr == f"weekly: not all was checked, exit code {code}\n"


def test_a_round_that_meets_another_one_touches_nothing(place: Place) -> None:
    lock = place.put("runbook-data/weekly.lock", "")
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = place.run()
    assert (done.returncode, place.calls()) == (75, [])
    assert "still going on" in done.stderr


def test_init_writes_the_same_script() -> None:
    from runbook.cli.scaffold_files import SCAFFOLD

    assert (SCAFFOLD / "weekly.sh.txt").read_text("utf-8") == titled(PAGE, "weekly.sh")


def test_beside_a_project_its_code_counts_and_its_site_is_published(place: Place) -> None:
    place.put("runbook.yaml", "")
    place.put("bin/runbook", f'#!/bin/sh\necho "$RUNBOOK_PROJECT $PWD $*" >> {place.folder}/calls\n').chmod(0o755)
    assert place.run(["/bin/sh", "weekly.sh"]).returncode == 0
    noted = (place.folder / "calls").read_text().splitlines()
    assert all(line.startswith(f"{place.folder} {place.folder} ") for line in noted)
    assert noted[-1].endswith(f"publish {place.folder}/web --site-data {place.folder}/site-data")
    assert len(noted) == len(ROUND) + 1


def test_the_site_is_published_where_a_checkout_is_named(place: Place) -> None:
    assert place.run(RUNBOOK_CHECKOUT=str(place.folder)).returncode == 0
    assert place.calls() == [*ROUND, "publish"]


@pytest.mark.skipif(shutil.which("curl", path="/usr/bin:/bin") is None, reason="there is no curl")
@pytest.mark.parametrize(("code", "expected"), [("1", ["/weekly"]), ("2", [])])
def test_the_monitor_is_told_of_good_rounds_only(
    place: Place, heartbeat: tuple[str, list[str]], code: str, expected: list[str]
) -> None:
    url, heard = heartbeat
    place.run(CHECK_ENDS_WITH=code, HEARTBEAT_URL=url)
    assert heard == expected


def test_the_script_checks_and_rolls_up_for_real(place: Place) -> None:
    (place.folder / "bin" / "runbook").unlink()
    (place.folder / "bin" / "runbook").symlink_to(BIN / "runbook")
    done = place.run()
    assert done.returncode == 0, done.stderr
    data = place.folder / "runbook-data"
    assert "unknown" in (data / "report.txt").read_text()
    assert (data / "scorecard" / "scorecard.json").is_file()


def test_the_crontab_gives_its_command_all_it_needs(place: Place) -> None:
    variables: dict[str, str] = {}
    commands = []
    for line in titled(PAGE, "crontab").splitlines():
        if entry := re.fullmatch(r"([A-Z_]+)=(.*)", line):
            variables[entry[1]] = here(entry[2], place)
        else:
            minute, hour, day, month, weekday, command = line.split(maxsplit=5)
            assert int(minute) in range(60)
            assert int(hour) in range(24)
            assert (day, month) == ("*", "*")
            assert int(weekday) in range(8)
            commands.append(here(command, place))
    [command] = commands
    assert variables["HEARTBEAT_URL"] == MONITOR
    assert "%" not in command  # cron makes a new line of it
    assert place.run(["/bin/sh", "-c", command], **variables).returncode == 0
    assert place.calls() == ROUND


def test_the_systemd_units_hold_and_start_the_script(place: Place) -> None:
    systemd = place.folder / "systemd"
    for unit in ("runbook-weekly.service", "runbook-weekly.timer"):
        place.put(f"systemd/{unit}", here(titled(PAGE, unit), place).replace("User=runbook\n", ""))
    service = (systemd / "runbook-weekly.service").read_text()
    variables = dict(line.split("=", 2)[1:] for line in service.splitlines() if line.startswith("Environment="))
    assert variables["HEARTBEAT_URL"] == MONITOR
    [start] = re.findall(r"^ExecStart=(.*)$", service, re.MULTILINE)
    assert place.run(shlex.split(start), **variables).returncode == 0
    assert place.calls() == ROUND


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")
def test_systemd_finds_nothing_wrong_with_its_units(place: Place) -> None:
    units = [
        str(place.put(f"systemd/{unit}", titled(PAGE, unit)))
        for unit in ("runbook-weekly.service", "runbook-weekly.timer")
    ]
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *units],
        capture_output=True,
        text=True,
        check=False,
        timeout=800,
    )
    assert (verified.returncode, verified.stderr) == (0, "")
    calendar = re.findall(r"^OnCalendar=(.*)$", Path(units[1]).read_text(), re.MULTILINE)
    assert subprocess.run(["systemd-analyze", "calendar", *calendar], capture_output=True, check=False).returncode == 0


def test_the_cron_job_has_only_fields_that_kubernetes_knows(place: Place) -> None:
    client = pytest.importorskip("kubernetes.client")
    manifest = yaml.safe_load(titled(PAGE, "cronjob.yaml"))
    api = client.ApiClient()
    job = api._ApiClient__deserialize(manifest, "V1CronJob")
    assert api.sanitize_for_serialization(job) == manifest
    [container] = job.spec.job_template.spec.template.spec.containers
    volumes = {volume.name for volume in job.spec.job_template.spec.template.spec.volumes}
    assert {mount.name for mount in container.volume_mounts} == volumes
    variables = {variable.name: here(variable.value, place) for variable in container.env}
    assert variables["HEARTBEAT_URL"] == MONITOR
    assert place.run([here(word, place) for word in container.command], **variables).returncode == 0
    assert place.calls() == ROUND


def test_the_steps_for_ci_run_in_a_fresh_copy(place: Place) -> None:
    weekly = place.run(["/bin/sh", "-c", titled(PAGE, "once a week")], RUNBOOK_DATA=str(place.folder / "data"))
    assert (weekly.returncode, place.calls()) == (0, ROUND)
    forgotten = place.run(["/bin/sh", "-c", titled(PAGE, "once a week")])
    assert forgotten.returncode != 0
    assert "outlives this job" in forgotten.stderr


def test_the_step_on_each_change_passes_in_a_knowledge_base_that_init_made(tmp_path: Path) -> None:
    path = {"PATH": f"{BIN}:/usr/bin:/bin", "HOME": str(tmp_path)}
    subprocess.run([BIN / "runbook", "init", "kb"], cwd=tmp_path, env=path, check=True, capture_output=True)
    step = subprocess.run(
        ["/bin/sh", "-c", titled(PAGE, "on each change")],
        cwd=tmp_path / "kb",
        env=path,
        check=False,
        capture_output=True,
        text=True,
    )
    assert step.returncode == 0, step.stdout + step.stderr


def test_the_workflow_runs_what_the_page_has(place: Place) -> None:
    workflow = yaml.safe_load(titled(PAGE, ".github/workflows/weekly.yaml"))
    assert {"name", True, "concurrency", "permissions", "jobs"} == set(workflow)  # PyYAML reads the word `on` as true
    [job] = workflow["jobs"].values()
    assert job["env"]["HEARTBEAT_URL"] == "${{ secrets.HEARTBEAT_URL }}"
    [command] = [step["run"] for step in job["steps"] if "run" in step]
    assert place.run(["/bin/sh", "-e", "-c", command], RUNBOOK_DATA=str(place.folder / "data")).returncode == 0
    assert place.calls() == ROUND


def here(text: str, place: Place) -> str:
    """The paths of the page, in the folder of the test."""
    folders = {
        "/opt/kafka-runbook/.venv/bin": "bin",
        "/etc/kafka-runbook": ".",
        "/var/lib/kafka-runbook": "runbook-data",
        "/data": "runbook-data",
    }
    for there, name in folders.items():
        text = re.sub(rf"(?<![\w.]){there}\b", str(place.folder / name), text)
    return text
