"""Every fact about objects of a namespace says which, as a part of its key; later facts join by existing."""

from typing import Any

import pytest

from runbook.plugins.catalog import catalog

PROBES: dict[str, Any] = {name: catalog("probes").load(name).PROBE for name in catalog("probes").names()}
OF_NAMESPACES = [
    name for name, probe in PROBES.items() if any("/namespaces/{namespace}/" in request for request in probe.requests)
]


DECLARED = ("cluster_access", "planned_change")


def named(columns: Any) -> bool:
    return any(column.key and column.name == "namespace" for column in columns)


@pytest.mark.parametrize("probe", OF_NAMESPACES)
def test_a_row_about_an_object_of_a_namespace_is_keyed_by_it(probe: str):
    about_objects = probe.startswith(("kubernetes_", "openshift_", "strimzi_")) or probe.endswith("_declaration")
    assert named(PROBES[probe].columns) == (about_objects or probe in DECLARED)


def test_there_are_such_facts():
    assert {"kubernetes_pod", "strimzi_kafka"} <= set(OF_NAMESPACES)


VIEWS: dict[str, Any] = {name: catalog("views").load(name).VIEW for name in catalog("views").names()}
OF_SEVERAL = [
    name
    for name, view in VIEWS.items()
    if sum(of.kind in OF_NAMESPACES and named(PROBES[of.kind].columns) for of in view.inputs.values()) > 1
    and any("manifests" in PROBES[of.kind].connections for of in view.inputs.values() if of.kind in PROBES)
]
"""Views of two such facts, one of which may hold several namespaces: a connection to Kubernetes looks at one."""


@pytest.mark.parametrize("view", OF_SEVERAL)
def test_a_view_that_joins_such_facts_reads_their_namespaces(view: str):
    joined = [of for of in VIEWS[view].inputs.values() if named(PROBES[of.kind].columns)]
    assert all("namespace" in of.columns for of in joined)
    assert named(VIEWS[view].columns)
