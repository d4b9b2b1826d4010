"""Whatever the command writes by itself holds no secret that it followed a reference to."""

import os
import subprocess
import sys

import pytest

from runbook.__main__ import main
from runbook.cli import app
from runbook.run.sources import secret_references
from runbook.safety.secret import HIDDEN
from runbook.terminal.safe_stdout import guarded


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process has followed a reference, as it does for the login of a results store."""
    monkeypatch.setattr(secret_references, "_followed", set())
    monkeypatch.setenv("PLANTED", "planted secret 7")
    assert secret_references.redaction_here() is None
    secret_references.resolve({"sasl.password": {"env": "PLANTED"}})


@pytest.mark.usefixtures("followed")
def test_both_streams_hide_what_was_followed(capsys: pytest.CaptureFixture[str]):
    with guarded():
        sys.stdout.write("a planted secret 7\n")
        sys.stderr.write("planted%20secret%207\nplanted\n  secret 7\n")
    output = capsys.readouterr()
    assert output == (f"a {HIDDEN}\n", f"{HIDDEN}\n{HIDDEN}\n")
    sys.stdout.write("planted secret 7\n")
    assert capsys.readouterr().out == "planted secret 7\n"


@pytest.mark.usefixtures("followed")
@pytest.mark.parametrize("trace", ["", "1"])
def test_an_internal_error_and_its_traceback_hide_it(
    trace: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def fail() -> int:
        raise ValueError("bad login planted secret 7")

    monkeypatch.setenv("RUNBOOK_TRACE", trace)
    monkeypatch.setattr(app, "_run", fail)
    assert app.run() == 5
    output = capsys.readouterr().err
    assert f"bad login {HIDDEN}" in output
    assert ("Traceback" in output) == bool(trace)
    assert "planted secret" not in output


def test_where_nothing_was_followed_text_passes_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(secret_references, "_followed", set())
    with guarded():
        sys.stdout.write("password=shown in a how-to\n")
        assert not sys.stdout.isatty()
    assert capsys.readouterr().out == "password=shown in a how-to\n"


def test_a_ctrl_c_while_libraries_are_loaded_ends_without_a_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    class Busy:
        """A machine on which loading lasts until somebody has no patience."""

        def find_spec(self, name: str, *_: object) -> None:
            if name == "runbook.cli.app":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "runbook.cli.app")
    monkeypatch.setattr(sys, "meta_path", [Busy(), *sys.meta_path])
    monkeypatch.setattr(sys, "argv", ["runbook", "check"])
    assert main() == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_that_it_was_interrupted_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    def ctrl_c(**_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "app", ctrl_c)
    assert app.run() == 130
    assert capsys.readouterr().err == "interrupted\n"


@pytest.mark.parametrize("words", [("list", "-o", "json"), ("find", "NotEnoughReplicas"), ("--version",)])
def test_a_reader_that_has_gone_away_is_no_failure(words: tuple[str, ...]):
    """As in runbook list -o json | head -1: it ended with 1, which says that a check failed, and later with 141."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "runbook", *words]
    with os.fdopen(writer, "w") as gone:
        ended = subprocess.run(command, stdout=gone, stderr=subprocess.PIPE, check=False, timeout=800)
    assert (ended.returncode, ended.stderr) == (0, b"")
