"""What the page on clients' settings shows is what a review of a repository says."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from runbook.cli.app import run
from support.documented import titled

PAGE = "docs/how-to/review-client-settings.md"
APPLICATION = """\
spring:
  kafka:
    bootstrap-servers: a.kafka.internal:9092
    producer:
      acks: all
      retries: 9
      security-protocol: SSL
"""


Review = Callable[..., tuple[int, str]]


@pytest.fixture
def review(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Review:
    """Runs the command with these words; gives its exit code and its report."""

    def reviewed(*words: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["runbook", "lint-clients", *words])
        return run(), capsys.readouterr().out

    return reviewed


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The repository of the page, committed; its inventory stands in its folder."""
    here = tmp_path
    monkeypatch.chdir(here)
    application = here / "orders" / "src" / "main" / "resources" / "application.yaml"
    application.parent.mkdir(parents=True)
    application.write_text(APPLICATION)
    (here / "billing").mkdir()
    (here / "billing" / "producer.properties").write_text("bootstrap.servers=a:1,b:1\nkey.serializer=x.Y\nacks=1\n")
    (here / "environments.yaml").write_text(titled(PAGE, "environments.yaml"))
    (here / "environments.yaml").chmod(0o600)
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, capture_output=True)
    return here


@pytest.mark.usefixtures("here")
def test_findings_are_those_of_the_page(review: Review) -> None:
    code, said = review(".")
    assert code == 1
    shown = titled(PAGE, "What it says").splitlines()
    assert [line for line in said.splitlines() if line in shown] == shown


def test_the_job_fails_for_what_is_new_alone(review: Review, here: Path) -> None:
    [job] = [step["run"] for step in yaml.safe_load(titled(PAGE, "A job of GitHub Actions"))["steps"] if "run" in step]
    words = job.replace("origin/main", "main").split()[2:]
    assert review(*words)[0] != 1
    (here / "billing" / "producer.properties").write_text("bootstrap.servers=a:1,b:1\nkey.serializer=x.Y\nacks=0\n")
    code, said = review(*words)
    assert code == 1
    assert "::error file=billing/producer.properties,line=3,col=1,title=high ha/producers-wait-for" in said


@pytest.mark.usefixtures("here")
def test_an_environment_gives_what_files_do_not_say(review: Review) -> None:
    single = "application.yaml:3:24: medium: bootstrap.servers="
    assert single in review(".")[1]
    assert single not in review(".", "--env", "prod")[1]
