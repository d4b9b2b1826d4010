import base64
import json

import pytest

from runbook.connections.kubernetes.errors import NotFound, from_status, from_transport
from runbook.model.errors import CannotLook, Denied, Garbled, NoRoute, NoTls, NotServing, Refused, TimedOut, Unreachable

SERVER = "the API server https://10.0.0.1:6443"
PODS = "/api/v1/namespaces/kafka/pods"
# As the API server of Kubernetes 1.36 says it.
FORBIDDEN = json.dumps(
    {
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "message": 'pods is forbidden: User "runbook" cannot list resource "pods" in API group "" in the namespace '
        '"kafka"',
        "reason": "Forbidden",
        "code": 403,
    }
).encode()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (PODS, "we may not list pods in namespace kafka"),
        ("/apis/apps/v1/namespaces/kafka/statefulsets", "we may not list statefulsets.apps in namespace kafka"),
        ("/api/v1/nodes", "we may not list nodes in the cluster"),
        ("/apis/storage.k8s.io/v1/storageclasses", "we may not list storageclasses.storage.k8s.io in the cluster"),
        ("/api/v1/namespaces/kafka", "we may not get the namespace kafka"),
        ("/version", "we may not get /version"),
    ],
)
def test_a_refusal_names_verb_resource_and_namespace_as_a_role_grants_them(path: str, words: str):
    error = from_status(403, FORBIDDEN, SERVER, path)
    assert isinstance(error, Denied)
    assert str(error).startswith(words)
    assert 'User "runbook"' in str(error)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, Denied),
        (403, Denied),
        (404, NotFound),
        (410, Garbled),
        (429, NotServing),
        (500, NotServing),
        (503, NotServing),
        (302, Garbled),
        (400, Garbled),
    ],
)
def test_every_status_has_its_kind(status: int, kind: type[CannotLook]):
    assert type(from_status(status, b"", SERVER, PODS)) is kind


def token(claims: object) -> str:
    coded = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    return f"e30.{coded}.c2ln"


def test_a_refused_login_says_since_when_the_token_is_out_of_date():
    error = from_status(401, b"", SERVER, PODS, token=token({"exp": 1_700_000_000}))
    assert "the token expired at 2023-11-14 22:13 UTC" in str(error)


@pytest.mark.parametrize("said", ["", "opaque", token({"exp": 99_999_999_999}), token({}), token([]), "a.b.c", "é.é.é"])
def test_a_token_that_tells_nothing_adds_nothing(said: str):
    error = str(from_status(401, b"", SERVER, PODS, token=said))
    assert "expired at" not in error
    assert "renew" in error


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"message": 3}', b"\xff"])
def test_an_answer_that_is_no_status_object_adds_nothing(body: bytes):
    assert str(from_status(403, body, SERVER, PODS)) == "we may not list pods in namespace kafka"


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (TimeoutError("timed out"), TimedOut, "in its time"),
        (ConnectionRefusedError(111, "Connection refused"), Refused, "connection refused"),
        (ConnectionResetError(104, "Connection reset by peer"), Unreachable, "closed the connection"),
        (OSError("certificate verify failed: certificate has expired"), NoTls, "its certificate has expired"),
        (OSError("certificate verify failed: self-signed certificate"), NoTls, "of the authority"),
        (OSError("certificate verify failed: Hostname mismatch"), NoTls, "for another name"),
        (
            OSError("[SSL: SSLV3_ALERT_CERTIFICATE_EXPIRED] sslv3 alert certificate expired"),
            Denied,
            "client certificate",
        ),
        (OSError("[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1006)"), NoTls, "over TLS"),
        (OSError("[Errno 113] No route to host"), NoRoute, "no route"),
        (ValueError("what is this"), Garbled, "not answer in HTTP"),
    ],
)
def test_every_failure_of_the_transport_has_its_kind(error: Exception, kind: type[CannotLook], words: str):
    found = from_transport(error, SERVER)
    assert type(found) is kind
    assert str(found).startswith(SERVER)
    assert words in str(found)
