import subprocess

import pytest

from runbook.formats.leaks import ANY, KINDS, Leaks, count

LEAKS = {
    "password": [
        "Connecting with password=hunter22 to db",
        'config {"password": "hunter22", "user": "a"}',
        'sasl.jaas.config = org.x.PlainLoginModule required username="a" password="hunter22";',
        "spring.client-secret = hunter22",
    ],
    "private key": ["-----BEGIN PRIVATE KEY-----", "key: -----BEGIN RSA PRIVATE KEY-----"],
    "login in an address": ["GET https://ann:hunter22@host/x failed"],
    "authorization header": ["> Authorization: Bearer abcdefghijkl", 'authorization="Basic YTpodW50ZXIyMg=="'],
    "card number": ["paid with 4111 1111 1111 1111", "paid with 5500-0000-0000-0004"],
}
HARMLESS = [
    "\tssl.key.password = null",
    "\tssl.keystore.password = [hidden]",
    "\tsasl.jaas.config = [hidden]",
    "password=${file:/run/secrets:key}",
    'password="«hidden»"',
    "Invalid password: it must have eight characters",
    "https://host:9092/path@x",
    "jdbc:postgresql://ann:***@host/x",
    "offset 4111111111111111 of orders-0",
    "2026-11-22 02:34:34,123 INFO [SocketServer] Authorization: none needed",
]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_seen(kind: str):
    assert count(LEAKS[kind]) == Leaks(lines=len(LEAKS[kind]), leaking=len(LEAKS[kind]), kinds=[kind])


def test_what_only_speaks_of_secrets_is_none():
    assert count([*HARMLESS, ""]) == Leaks(lines=len(HARMLESS), leaking=0, kinds=[])


def test_grep_counts_the_same_lines():
    text = "\n".join([*HARMLESS, *(line for lines in LEAKS.values() for line in lines)])
    output = subprocess.run(["grep", "-acP", ANY], input=text, capture_output=True, text=True, check=True).stdout
    assert int(output) == count(text.splitlines()).leaking
