"""Each list once, no emptiness without proof, no waiting twice for a server that does not answer."""

import importlib

import pytest

from runbook.answers.kubernetes import reads
from runbook.connections.kubernetes import READS
from runbook.connections.kubernetes.api import Api
from runbook.model.errors import Denied, Misconfigured, TimedOut
from runbook.plugins.catalog import catalog
from support.recorded_kubernetes import Played

NAMESPACE = "/api/v1/namespaces/kafka"
PROBES = [name for name in catalog("probes").names() if name.startswith("kubernetes_")]


def test_each_list_is_read_once_however_many_probes_need_it():
    played = Played("everything")
    for probe in PROBES:
        played.observe(probe)
    assert len(played.asked) == len(set(played.asked))
    assert f"{NAMESPACE}/pods" in played.asked


def test_what_probes_ask_is_what_they_declare():
    for probe in PROBES:
        played = Played("everything")
        played.observe(probe)
        declared = importlib.import_module(f"runbook.probes.{probe}").PROBE.requests
        assert set(declared) <= set(READS)
        for path in played.asked:
            assert any(_fits(path, request) for request in declared), f"{probe} asked {path}"


def _fits(path: str, request: str) -> bool:
    asked, allowed = path.split("/"), request.removeprefix("GET ").split("/")
    return len(asked) == len(allowed) and all(b.startswith("{") or a == b for a, b in zip(asked, allowed, strict=True))


@pytest.mark.parametrize("path", [reads.PODS, reads.DISRUPTION_BUDGETS, reads.CLAIMS])
def test_an_empty_list_is_believed_only_if_the_namespace_is_there(path: str):
    played = Played("healthy")
    played.items(path.format(namespace="kafka")).clear()
    assert played.kubernetes.listed(path) == []
    assert NAMESPACE in played.asked
    played = Played("healthy")
    played.items(path.format(namespace="kafka")).clear()
    del played.answers[NAMESPACE]
    with pytest.raises(Misconfigured, match="has no namespace kafka"):
        played.kubernetes.listed(path)
    played = Played("healthy")
    played.items(path.format(namespace="kafka")).clear()
    played.statuses[NAMESPACE] = 403
    with pytest.raises(Denied, match="get the namespace kafka"):
        played.kubernetes.listed(path)


def test_a_server_that_does_not_answer_is_waited_for_once(monkeypatch: pytest.MonkeyPatch):
    played = Played("healthy")
    waits = []

    def wait(path: str, query: object) -> tuple[int, bytes]:
        del query
        waits.append(path)
        raise TimedOut("the API server did not answer in its time")

    monkeypatch.setattr(played.kubernetes._api, "_request", wait)
    for probe in PROBES:
        with pytest.raises(TimedOut):
            played.observe(probe)
    assert waits == ["/version"]


def test_a_server_that_hides_its_version_still_tells_the_rest():
    played = Played("healthy")
    played.statuses["/version"] = 403
    assert len(played.observe("kubernetes_node")) > 0
    with pytest.raises(Denied):
        played.observe("kubernetes_cluster")


def test_versions_of_an_api_are_tried_from_the_most_mature():
    played = Played("everything")
    versions = [{"version": version} for version in ("v1alpha1", "v1beta2", "v1", "v2alpha1", "v1beta10", "v2")]
    played.answers["/apis/kafka.strimzi.io"]["versions"] = versions
    with pytest.raises(Exception, match=r"no kafkamirrormaker2s\.kafka\.strimzi\.io"):
        played.kubernetes.custom("kafka.strimzi.io", "kafkamirrormaker2s")
    tried = [path.split("/")[3] for path in played.asked if path.endswith("kafkamirrormaker2s")]
    assert tried == ["v2", "v1", "v1beta10", "v1beta2", "v2alpha1", "v1alpha1"]


def test_the_one_way_out_is_get(monkeypatch: pytest.MonkeyPatch):
    played = Played("healthy")
    methods = []

    def call(method: str, *_: object, **__: object) -> None:
        methods.append(method)
        raise OSError("connection refused")

    monkeypatch.setattr(played.kubernetes._api._client, "call_api", call)
    del played.kubernetes._api._request
    assert played.kubernetes._api._request.__func__ is Api._request
    with pytest.raises(Exception, match="can't be reached"):
        played.kubernetes.version()
    assert methods == ["GET"]
