import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from runbook.model.errors import Misconfigured
from runbook.parse.allowed import COMMANDS_ALLOWED
from runbook.run.sources import secret_references as references
from runbook.run.sources.secret_references import resolve
from runbook.safety.secret import HIDDEN


def test_references_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_text("from file\n")
    (tmp_path / "key").chmod(0o600)
    monkeypatch.setenv("RUNBOOK_TEST_SECRET", "from environment")
    settings, redaction = resolve(
        {"a": {"env": "RUNBOOK_TEST_SECRET"}, "b": {"file": str(tmp_path / "key")}, "c": 5, "sasl.password": "plain1"}
    )
    assert settings == {"a": "from environment", "b": "from file", "c": 5, "sasl.password": "plain1"}
    assert redaction.text("from environment, from file, plain1, 5") == f"{HIDDEN}, {HIDDEN}, {HIDDEN}, 5"


def test_references_and_secrets_are_found_however_deep_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNBOOK_TEST_SECRET", "from environment")
    given: dict[str, Any] = {
        "hosts": {"one": {"user": "ann", "password": "plain1"}, "file": {"address": "10.0.0.1"}},
        "agents": [{"token": {"env": "RUNBOOK_TEST_SECRET"}}, "http://one"],
        "empty": {},
    }
    settings, redaction = resolve(given)
    assert settings["agents"] == [{"token": "from environment"}, "http://one"]
    assert (settings["hosts"], settings["empty"]) == (given["hosts"], {})
    assert redaction.text("from environment plain1 ann") == f"{HIDDEN} {HIDDEN} ann"


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ({"env": "NOT_SET_ANYWHERE"}, "x is to come from the environment variable NOT_SET_ANYWHERE, which is not set"),
        ({"file": "/nowhere/at/all"}, "x is to come from the file /nowhere/at/all, which can't be read"),
        ({"file": "/dev"}, "which can't be read"),
        ({"env": "A", "file": "B"}, "x must be a value or {env: NAME}, {file: PATH}"),
        ({"env": 5}, "x must be a value"),
        ({"keyring": "kafka"}, "x must be a value"),
        ({"command": "pass show kafka"}, "x must be a value"),
        ({"command": []}, "x must be a value"),
    ],
)
def test_a_reference_that_can_not_be_followed_is_said_without_a_value(reference: dict[str, Any], said: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        resolve({"x": reference})
    assert said in str(caught.value)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620, 0o666])
def test_a_file_of_ours_that_others_may_open_is_refused_with_the_remedy(mode: int, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("planted")
    file.chmod(mode)
    with pytest.raises(Misconfigured, match=f"mode {mode:04o}.*chmod 600") as caught:
        resolve({"x": {"file": str(file)}})
    assert "planted" not in str(caught.value)


def test_a_file_of_another_user_is_read_as_it_is_mounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "key"
    file.write_text("mounted")
    file.chmod(0o644)
    monkeypatch.setattr("os.geteuid", lambda: file.stat().st_uid + 1)
    assert resolve({"x": {"file": str(file)}})[0] == {"x": "mounted"}


class Locked(Exception):  # noqa: N818 - a stand-in for the library's
    """What a keyring raises."""


def stand_in(monkeypatch: pytest.MonkeyPatch, get: Any) -> None:
    monkeypatch.setitem(sys.modules, "keyring", SimpleNamespace(get_password=get))
    monkeypatch.setitem(sys.modules, "keyring.errors", SimpleNamespace(KeyringError=Locked))


def test_the_keyring_is_asked_by_service_and_user(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, lambda service, user: f"of {user} in {service}")
    settings, redaction = resolve({"x": {"keyring": "kafka", "user": "runbook"}})
    assert settings == {"x": "of runbook in kafka"}
    assert redaction.text("of runbook in kafka") == HIDDEN


def test_a_keyring_that_holds_nothing_or_is_locked_is_said_without_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, lambda *_: None)
    with pytest.raises(Misconfigured, match="holds nothing for runbook of kafka"):
        resolve({"x": {"keyring": "kafka", "user": "runbook"}})

    def locked(*_: str) -> None:
        raise Locked("planted")

    stand_in(monkeypatch, locked)
    with pytest.raises(Misconfigured, match="does not open: Locked") as caught:
        resolve({"x": {"keyring": "kafka", "user": "runbook"}})
    assert "planted" not in str(caught.value)


def test_without_the_library_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(Misconfigured, match=r"pip install .*\[keyring\]"):
        resolve({"x": {"keyring": "kafka", "user": "runbook"}})


def python(code: str) -> dict[str, Any]:
    return {"x": {"command": [sys.executable, "-c", code]}}


def test_a_command_is_run_only_on_request(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    for value in ("", "0", "true"):
        monkeypatch.setenv(COMMANDS_ALLOWED, value)
        with pytest.raises(Misconfigured, match=f"set {COMMANDS_ALLOWED}=1"):
            resolve(python(f"open({str(mark)!r}, 'w')"))
    assert not mark.exists()


def test_what_a_command_prints_is_the_credential(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(COMMANDS_ALLOWED, "1")
    settings, redaction = resolve(python("print('from $(id) command')"))
    assert settings == {"x": "from $(id) command"}
    assert redaction.text("from $(id) command") == HIDDEN


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys; print('planted'); sys.exit('planted')", "ended with code 1"),
        ("pass", "printed nothing"),
        ("print('planted' * 100_000)", "printed more than 65,536 bytes"),
        ("import sys; sys.stdout.buffer.write(b'planted\\xff')", "printed no UTF-8"),
        ("import time; print('planted', flush=True); time.sleep(60)", "did not end in 0.5 s"),
    ],
)
def test_a_command_that_goes_wrong_is_said_without_its_words(
    code: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(COMMANDS_ALLOWED, "1")
    monkeypatch.setattr(references, "PATIENCE", 0.5 if "0.5" in said else 30.0)
    with pytest.raises(Misconfigured) as caught:
        resolve(python(code))
    assert said in str(caught.value)
    assert "planted" not in str(caught.value)


def test_a_command_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(COMMANDS_ALLOWED, "1")
    with pytest.raises(Misconfigured, match="no-such-program, which can't be started"):
        resolve({"x": {"command": ["/nowhere/no-such-program"]}})
