import base64
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.engine.errors import Misconfigured
from runbook.engine.secret import HIDDEN, Redaction, is_secret, plain_secrets, resolve

SECRET = 's3cr3t/+ "quoted\\ é?'


@pytest.mark.parametrize(
    "name",
    [
        "sasl.password",
        "ssl.key.password",
        "ssl.keystore.key",
        "ssl.key.pem",
        "sasl.jaas.config",
        "keyfile_password",
        "profile.password",
        "client.secret",
        "basic.auth.user.info",
        "sasl.oauthbearer.client.credentials.client.secret",
        "token",
        "PASSPHRASE",
    ],
)
def test_a_setting_that_is_a_credential_is_known_by_its_name(name: str) -> None:
    assert is_secret(name)


@pytest.mark.parametrize(
    "name",
    [
        "bootstrap.servers",
        "ssl.key.location",
        "ssl.ca.location",
        "password.file",
        "sasl.oauthbearer.token.endpoint.url",
        "token.refresh.interval",
        "delegation.token.expiry.time.ms",
        "sasl.mechanism",
        "sasl.username",
        "ssl.keystore.type",
    ],
)
def test_a_setting_that_only_sounds_like_one_is_none(name: str) -> None:
    assert not is_secret(name)


def test_credentials_in_plain_text_are_named_and_never_shown() -> None:
    settings: dict[str, Any] = {
        "sasl.password": "hunter2",
        "ssl.key.password": {"env": "X"},
        "client.secret": 12345678,
        "token": "",
        "sasl.username": "a",
    }
    assert plain_secrets(settings) == ["sasl.password", "client.secret"]


def test_references_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_text("from file\n")
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
    assert plain_secrets(given) == ["password"]


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ({"env": "NOT_SET_ANYWHERE"}, "x is to come from the environment variable NOT_SET_ANYWHERE, which is not set"),
        ({"file": "/nowhere/at/all"}, "x is to come from the file /nowhere/at/all, which can't be read"),
        ({"file": "/dev"}, "which can't be read"),
        ({"env": "A", "file": "B"}, "x must be a value, {env: NAME} or {file: PATH}"),
        ({"env": 5}, "x must be a value"),
    ],
)
def test_a_reference_that_can_not_be_followed_is_said_without_a_value(reference: dict[str, Any], said: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        resolve({"x": reference})
    assert said in str(caught.value)


FORMS = {
    "raw": SECRET,
    "json": json.dumps(SECRET),
    "json of json": json.dumps(json.dumps({"a": SECRET})),
    "json in utf-8": json.dumps(SECRET, ensure_ascii=False),
    "python": repr(SECRET),
    "url": quote(SECRET, safe=""),
    "url path": quote(SECRET),
    "form": quote_plus(SECRET),
    "base64": base64.b64encode(SECRET.encode()).decode(),
    "base64 without padding": base64.b64encode(SECRET.encode()).decode().rstrip("="),
    "base64 for urls": base64.urlsafe_b64encode(SECRET.encode()).decode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_secret_is_hidden_in_every_form_it_takes(form: str) -> None:
    redaction = Redaction([SECRET])
    text = f"error: {FORMS[form]}!"
    hidden = redaction.text(text)
    assert redaction.found_in(text)
    assert HIDDEN in hidden
    assert SECRET not in hidden
    assert FORMS[form].strip("\"'") not in hidden


@pytest.mark.parametrize("user", ["", "a", "ab", "alice", "kafka-reader"])
def test_a_secret_is_hidden_in_the_header_of_basic_authentication(user: str) -> None:
    header = base64.b64encode(f"{user}:{SECRET}".encode()).decode()
    hidden = Redaction([SECRET]).text(f"Authorization: Basic {header}")
    assert HIDDEN in hidden
    left = hidden.removeprefix("Authorization: Basic ").split(HIDDEN)
    assert sum(map(len, left)) <= len(base64.b64encode(f"{user}:".encode())) + 4


def test_each_line_of_a_secret_of_several_lines_is_hidden() -> None:
    key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQ==\n-----END KEY-----\n"
    hidden = Redaction([key]).text("cut off: kqhkiG9w0BAQ== and MIIEvQIBADANBg")
    assert hidden == f"cut off: {HIDDEN} and {HIDDEN}"


def test_short_values_would_blot_out_ordinary_text_and_are_left() -> None:
    assert Redaction(["abc", ""]).text("abc") == "abc"


def test_structures_are_redacted_throughout() -> None:
    redacted = Redaction([SECRET]).value({SECRET: [SECRET, 5, None, {"a": f"x{SECRET}"}]})
    assert redacted == {HIDDEN: [HIDDEN, 5, None, {"a": f"x{HIDDEN}"}]}


@given(st.text(min_size=4).filter(lambda text: len(text.strip()) >= 4), st.text(), st.text())
def test_no_secret_survives_in_json(secret: str, before: str, after: str) -> None:
    redaction = Redaction([secret])
    hidden = redaction.value([before + secret + after, json.dumps(before + secret + after)])
    assert secret.strip() not in hidden[0].replace(HIDDEN, "")
