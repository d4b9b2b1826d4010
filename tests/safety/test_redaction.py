import base64
import html
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.safety.redaction import Redaction
from runbook.safety.secret import HIDDEN

SECRET = 's3cr3t/+ "quoted\\ é?'


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
    "url in lower case": quote(SECRET, safe="").lower(),
    "url of url": quote(quote(SECRET, safe="")),
    "html": html.escape(SECRET),
    "hex": SECRET.encode().hex(),
    "url of base64": quote(base64.b64encode(SECRET.encode()).decode().rstrip("="), safe=""),
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


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n      ", "\\n", "\\\\n  "])
@pytest.mark.parametrize("form", FORMS)
def test_a_secret_that_is_broken_over_lines_is_hidden(form: str, end: str) -> None:
    whole = FORMS[form] if form != "json of json" else json.dumps(json.dumps(SECRET))
    middle = len(whole) // 2
    for text in (whole[:middle] + end + whole[middle:], end.join(whole[i : i + 5] for i in range(0, len(whole), 5))):
        hidden = Redaction([SECRET]).text(f"error:{end}{text}{end}end")
        assert HIDDEN in hidden
        assert not {piece for piece in text.split(end) if len(piece) >= 4 and piece in hidden}


SHAPES = {
    "password=hunter22": "password=«hidden»",
    'sasl.password = "hunt;er 22", x': 'sasl.password = "«hidden»", x',
    r"{\"client.secret\": \"hunter22\"}": r"{\"client.secret\": \"«hidden»\"}",
    'PlainLoginModule required username="a" password="hunter22" user_alice="hunter23";': (
        'PlainLoginModule required username="a" password="«hidden»" user_alice="«hidden»";'
    ),
    "  ssl.key.password: hunter22": "  ssl.key.password: «hidden»",
    "-Djavax.net.ssl.keyStorePassword=hunter22 -Xmx1g": "-Djavax.net.ssl.keyStorePassword=«hidden» -Xmx1g",
    "AWS_SECRET_ACCESS_KEY=hunter22": "AWS_SECRET_ACCESS_KEY=«hidden»",
    "https://ann:hunter22@host/x": "https://ann:«hidden»@host/x",
    "Authorization: Bearer abcdefgh.ijk": "Authorization: Bearer «hidden»",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----": (
        "-----BEGIN RSA PRIVATE KEY-----«hidden»-----END RSA PRIVATE KEY-----"
    ),
}


@pytest.mark.parametrize("text", SHAPES)
def test_what_gives_itself_away_is_hidden_though_nobody_named_it(text: str) -> None:
    redaction = Redaction([])
    assert redaction.found_in(text)
    assert redaction.text(text) == SHAPES[text]
    assert redaction.text(SHAPES[text]) == SHAPES[text]
    assert redaction.known(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "sasl.password is to come from the environment variable X, which is not set",
        "ssl.keystore.password: null",
        "password=${file:/run/secrets:key}",
        "broker 2 (10.0.0.2:9092) did not accept our credentials: authentication failed",
        "sasl.oauthbearer.token.endpoint.url=https://idp.example/token",
        "the secret of good passwords: length matters",
        "PLAINTEXT://a@b:9092",
        "user_count=5, key=7",
    ],
)
def test_ordinary_words_about_secrets_stay(text: str) -> None:
    assert Redaction([]).text(text) == text


def test_a_hundred_secrets_and_their_forms_make_one_pattern() -> None:
    secrets = [f"planted-{i:03}-{i * 7919:05}" for i in range(200)]
    hidden = Redaction(secrets).text(" ".join(secrets))
    assert hidden == " ".join([HIDDEN] * 200)


def test_a_secret_quoted_many_times_over_is_hidden() -> None:
    text = SECRET
    for quote_once in (json.dumps, repr, json.dumps, repr, json.dumps):
        text = quote_once(f"x {text}")
        assert "s3cr3t" not in Redaction([SECRET]).text(text)


@pytest.mark.parametrize("secret", ["nrtn-abc", r"a\nb\tc9", "trnt\\", "x y z 123", "nnnnnnnn1"])
@pytest.mark.parametrize("end", ["\n", "\\n", "\\\\n  ", "\\r\\n\\t"])
def test_a_secret_that_looks_like_a_gap_is_hidden_where_it_is_broken(secret: str, end: str) -> None:
    for at in [at for at in range(1, len(secret)) if not secret[:at].endswith("\\")]:
        text = Redaction([secret]).text(f"error: {secret[:at]}{end}{secret[at:]} end")
        assert HIDDEN in text
        assert text.endswith(" end")


def test_two_readings_of_one_place_hide_it_once() -> None:
    assert Redaction(["abcdefgh"]).text("x abcd\nefgh y ab\ncd\nefgh z") == f"x {HIDDEN} y {HIDDEN} z"


def test_a_text_made_to_take_long_does_not() -> None:
    text = "s" + "\\" * 200_000 + "n" * 1000 + "\n" * 1000
    assert Redaction([SECRET]).text(text) == text
