"""Secrets by the shape of what stands around them, in either syntax; and in time, whatever a text is made of."""

from collections.abc import Callable

import pytest

from runbook.safety.redaction import Redaction
from runbook.safety.secret import HIDDEN
from runbook.safety.secret_shapes import has_shape, without_shapes
from support.proportion import grows_in_proportion

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


MEGABYTE = 1_000_000
WORST: dict[str, Callable[[int], str]] = {
    "addresses": lambda n: "://@ " + "a." * (n // 2),
    "schemes": lambda n: "://@" + "a://" * (n // 4),
    "logins": lambda n: "://@ " + ("a" * 30 + ":") * (n // 31),
    "users": lambda n: "@" + "://" + "a:" * (n // 2),
    "images": lambda n: "@/" + "a:b" * (n // 3),
    "image hosts": lambda n: "a:b@" + "c.d@" * (n // 4),
    "quotes": lambda n: 'password="' * (n // 10),
    "quotes that differ": lambda n: "".join(
        f"password={chr(92) * (i % 17)}{quote}" for i in range(n // 40) for quote in "'\""
    ),
    "one quote": lambda n: ("password='" + "x" * 30) + "password= " * (n // 10),
    "spaces": lambda n: "password" + " " * n + "x",
    "words": lambda n: "password  " * (n // 10),
    "tokens": lambda n: "token token: " * (n // 13),
    "users of JAAS": lambda n: "user_a-" * (n // 7),
    "users of JAAS with quotes": lambda n: 'user_a="' * (n // 8),
    "headers": lambda n: "authorization: basic " * (n // 21),
    "a header": lambda n: "authorization: basic" + " " * n,
    "signed": lambda n: "eyJ" + "-eyJ" * (n // 4),
    "signed in parts": lambda n: "eyJaaaaaa." * (n // 10),
    "options": lambda n: "--password" * (n // 10),
    "dashes": lambda n: "password" + "-" * n,
    "queries": lambda n: "?sig=&" * (n // 6),
    "keys": lambda n: "-----BEGIN PRIVATE KEY-----" * (n // 27),
    "a key": lambda n: "-----BEGIN " + "A" * n,
    "a name": lambda n: "a" * n + " password:",
    "lines": lambda n: ("a." * 20 + "\n") * (n // 41) + "password",
    "indentation": lambda n: " " * n + "password",
    "a value": lambda n: "password: " + "a" * n + " b",
    "backslashes": lambda n: "password=" + "\\" * n,
    "backslashes and names": lambda n: ("password=" + "\\" * 50) * (n // 60),
    "broken": lambda n: "n\n" * (n // 2),
    "broken at its end": lambda n: "nrt-the-secre" + "\n" * n,
    "escapes": lambda n: "n" + "\\n" * (n // 2),
    "escapes of all kinds": lambda n: "\\n\\r\\t" * (n // 6),
    "many starts": lambda n: ("n" + "\\n" * 100) * (n // 201),
}


@pytest.mark.parametrize("worst", WORST)
def test_the_worst_text_of_a_megabyte_takes_time_in_proportion(worst: str) -> None:
    """A quadratic one of these took 69 s for 160 KB."""
    redaction = Redaction(["nrt-the-secret", "nnnnnnnn"])
    assert grows_in_proportion(lambda size: redaction.text(WORST[worst](size)), MEGABYTE)
