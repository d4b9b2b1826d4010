"""Secrets by the shape of what stands around them, in either syntax; and in time, whatever a text is made of."""

import time

import pytest

from runbook.safety.redaction import Redaction
from runbook.safety.secret import HIDDEN
from runbook.safety.secret_shapes import has_shape, without_shapes

SECRET = "Planted-9xy"
SHAPES = [
    "bootstrap.servers=https://u:{}@h",
    "acks=all sasl.password={}",
    "acks=all\nssl.key.password {}\nlinger.ms 5",
    "acks=all\nsasl.password\t{}\n",
    "sasl.password : {}",
    "sasl.password = {}",
    "PlainLoginModule required username='u' password='{}';",
    "PlainLoginModule required user_ann='{}' user_bob='{}';",
    'PlainLoginModule required username=\\"u\\" password=\\"{}\\";',
    "http://registry/x?token={}&y=1",
    "https://bucket/x?X=1&sig={}",
    "pw: {}",
    "pw={}",
    '{{"pw": "{}", "x": 1}}',
    "token={}",
    '"access_token": "{}"',
    "# ssl.keystore.password: {}",
    "java -x --password {} --verbose",
    "image: u:{}@registry.example/kafka:4",
    "u:{}@registry.example:5000/kafka",
    "eyJhbGciOiJIUzI1NiJ9.{}.abcdefghijklmnop",
]


@pytest.mark.parametrize("shape", SHAPES)
def test_it_is_hidden(shape: str) -> None:
    text = shape.format(*[SECRET] * 2)
    hidden = without_shapes(text)
    assert has_shape(text)
    assert SECRET not in hidden
    assert HIDDEN in hidden
    assert without_shapes(hidden) == hidden


@pytest.mark.parametrize(
    "text",
    [
        "controller.quorum.voters=1@kafka-1:9093,2@kafka-2:9093",
        "User:alice@EXAMPLE.COM",
        "User:kafka/broker-1.example@EXAMPLE.COM",
        "registry.example:5000/strimzi/kafka:0.45@sha256:0123456789abcdef",
        "kafka:4.3@sha256:0123456789abcdef/x",
        "zookeeper.connect=z1:2181,z2:2181/kafka",
        "sasl.oauthbearer.token.endpoint.url=https://idp.example/token",
        "owner: payments-team@example.org",
        "the token was not accepted",
        "password expired",
        "ssl.keystore.location /etc/kafka/keystore.p12",
        "user_count=5",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert without_shapes(text) == text


N = 1_000_000
WORST = {
    "addresses": "://@ " + "a." * (N // 2),
    "schemes": "://@" + "a://" * (N // 4),
    "logins": "://@ " + ("a" * 30 + ":") * (N // 31),
    "users": "@" + "://" + "a:" * (N // 2),
    "images": "@/" + "a:b" * (N // 3),
    "image hosts": "a:b@" + "c.d@" * (N // 4),
    "quotes": 'password="' * (N // 10),
    "quotes that differ": "".join(f"password={chr(92) * (i % 17)}{quote}" for i in range(N // 40) for quote in "'\""),
    "one quote": ("password='" + "x" * 30) + "password= " * (N // 10),
    "spaces": "password" + " " * N + "x",
    "words": "password  " * (N // 10),
    "tokens": "token token: " * (N // 13),
    "users of JAAS": "user_a-" * (N // 7),
    "users of JAAS with quotes": 'user_a="' * (N // 8),
    "headers": "authorization: basic " * (N // 21),
    "a header": "authorization: basic" + " " * N,
    "signed": "eyJ" + "-eyJ" * (N // 4),
    "signed in parts": "eyJaaaaaa." * (N // 10),
    "options": "--password" * (N // 10),
    "dashes": "password" + "-" * N,
    "queries": "?sig=&" * (N // 6),
    "keys": "-----BEGIN PRIVATE KEY-----" * (N // 27),
    "a key": "-----BEGIN " + "A" * N,
    "a name": "a" * N + " password:",
    "lines": ("a." * 20 + "\n") * (N // 41) + "password",
    "indentation": " " * N + "password",
    "a value": "password: " + "a" * N + " b",
    "backslashes": "password=" + "\\" * N,
    "backslashes and names": ("password=" + "\\" * 50) * (N // 60),
    "broken": "n\n" * (N // 2),
    "broken at its end": "nrt-the-secre" + "\n" * N,
    "escapes": "n" + "\\n" * (N // 2),
    "escapes of all kinds": "\\n\\r\\t" * (N // 6),
    "many starts": ("n" + "\\n" * 100) * (N // 201),
}


@pytest.mark.parametrize("worst", WORST)
def test_the_worst_text_of_a_megabyte_takes_seconds_at_most(worst: str) -> None:
    """A quadratic one of these took 69 s for 160 KB; in processor time, as the machine may be busy."""
    redaction = Redaction(["nrt-the-secret", "nnnnnnnn"])
    start = time.process_time()
    redaction.text(WORST[worst])
    assert time.process_time() - start < 6
