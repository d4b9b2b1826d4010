"""Settings and kubeconfigs: what is taken, what is refused, and what each refusal tells to do."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from runbook.connections.kubernetes import settings as module
from runbook.connections.kubernetes.settings import SETTINGS, Access
from runbook.model.errors import Misconfigured
from runbook.model.probe import Deadline


def access(settings: dict[str, Any]) -> Access:
    return module.access(settings, Deadline(5))


SERVER = {"server": "https://127.0.0.1:1"}


@pytest.fixture
def kubeconfig(tmp_path: Path) -> Any:
    """Write a kubeconfig for a user and give its settings."""

    def write(user: dict[str, Any], cluster: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
        content = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "prod",
            "contexts": [{"name": "prod", "context": {"cluster": "c", "user": "u", "namespace": "kafka-prod"}}],
            "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1", **(cluster or {})}}],
            "users": [{"name": "u", "user": user}],
            **changes,
        }
        file = tmp_path / "kubeconfig"
        file.write_text(yaml.safe_dump(content))
        return {"kubeconfig": str(file)}

    return write


def refusal(settings: dict[str, Any]) -> str:
    with pytest.raises(Misconfigured) as refused:
        access(settings)
    return str(refused.value)


def test_an_unknown_setting_is_named_with_the_nearest_known_one():
    assert 'unknown setting "kubeconfg"' in refusal({"kubeconfg": "x"})
    assert "did you mean kubeconfig?" in refusal({"kubeconfg": "x"})


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_of_another_type_is_refused_by_name(name: str):
    assert name in refusal({name: ["x"]})


def test_two_ways_in_are_one_too_many():
    assert "two ways in" in refusal({**SERVER, "in_cluster": True})


def test_a_token_belongs_to_a_server():
    assert "go with server" in refusal({"token": "abcd", "in_cluster": True})


@pytest.mark.parametrize("server", ["http://10.0.0.1:8001", "10.0.0.1:6443", "ftp://127.0.0.1"])
def test_a_token_never_travels_in_the_clear(server: str):
    assert "write https://HOST:PORT" in refusal({"server": server})


def test_plain_http_is_for_a_proxy_on_this_machine():
    assert access({"server": "http://127.0.0.1:8001"}).context is None


def test_certificates_are_verified():
    import ssl

    context = access(SERVER).context
    assert context is not None
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


def test_an_authority_that_is_no_file_is_named(tmp_path: Path):
    assert "no file" in refusal({**SERVER, "ca": str(tmp_path / "none.pem")})
    empty = tmp_path / "empty.pem"
    empty.write_text("nothing")
    assert "can't be used" in refusal({**SERVER, "ca": str(empty)})


def test_a_kubeconfig_gives_server_token_and_namespace(kubeconfig: Any):
    found = access(kubeconfig({"token": "abcd"}))
    assert found.configuration.host == "https://127.0.0.1:1"
    assert found.configuration.api_key["BearerToken"] == "Bearer abcd"
    assert found.namespace == "kafka-prod"
    assert access(kubeconfig({"token": "abcd"}) | {"namespace": "kafka"}).namespace == "kafka"


def test_no_kubeconfig_at_all_says_where_it_was_looked_for(tmp_path: Path):
    assert "no kubeconfig at" in refusal({"kubeconfig": str(tmp_path / "none")})


def test_a_kubeconfig_that_is_no_yaml_is_refused(tmp_path: Path):
    file = tmp_path / "kubeconfig"
    file.write_text("{")
    assert "no YAML" in refusal({"kubeconfig": str(file)})
    file.write_text("just text")
    assert "can't be used" in refusal({"kubeconfig": str(file)})


def test_a_context_that_is_not_there_is_named_with_those_that_are(kubeconfig: Any):
    assert "known: prod" in refusal(kubeconfig({}) | {"context": "pord"})


def test_a_kubeconfig_may_not_turn_verification_off(kubeconfig: Any):
    assert "verification" in refusal(kubeconfig({}, {"insecure-skip-tls-verify": True}))


def test_a_credential_plugin_does_not_run_unless_allowed(kubeconfig: Any, tmp_path: Path):
    ran = tmp_path / "ran"
    plugin = tmp_path / "plugin"
    plugin.write_text(
        f"#!/bin/sh\ntouch {ran}\n" + 'echo \'{"apiVersion": "client.authentication.k8s.io/v1", '
        '"kind": "ExecCredential", "status": {"token": "from-plugin"}}\'\n'
    )
    plugin.chmod(0o755)
    settings = kubeconfig({"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": str(plugin)}})
    assert "exec: true" in refusal(settings)
    assert not ran.exists()
    assert access(settings | {"exec": True}).configuration.api_key["BearerToken"] == "Bearer from-plugin"
    assert ran.exists()


def test_a_plugin_that_gives_nothing_is_said_so(kubeconfig: Any):
    settings = kubeconfig({"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "/bin/false"}})
    assert "gave neither token nor certificate" in refusal(settings | {"exec": True})


def test_an_auth_provider_is_refused(kubeconfig: Any):
    assert "1.26 removed" in refusal(kubeconfig({"auth-provider": {"name": "oidc"}}))


def test_a_private_key_in_a_kubeconfig_does_not_stay_on_disk(
    kubeconfig: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    import base64

    from support.fault_servers import expired_certificate

    certificate, key = (base64.b64encode(path.read_bytes()).decode() for path in expired_certificate(tmp_path))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    settings = kubeconfig({"client-certificate-data": certificate, "client-key-data": key})
    assert access(settings).configuration.cert_file is None
    assert list(temporary.rglob("*")) == []


def test_selectors_are_read_for_each_role():
    found = access({**SERVER, "brokers": "app=kafka", "zookeeper": "app=zk", "broker_offset": 100})
    assert sorted(found.selectors) == ["broker", "zookeeper"]
    assert found.broker_offset == 100


def test_outside_of_a_pod_in_cluster_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    assert "no pod with a service account" in refusal({"in_cluster": True})


def test_the_environments_kubeconfig_is_the_default(kubeconfig: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("KUBECONFIG", kubeconfig({"token": "abcd"})["kubeconfig"])
    assert access({}).namespace == "kafka-prod"
