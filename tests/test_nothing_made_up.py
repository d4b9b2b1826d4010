"""No number and no truth is made out of what nobody told: a net over the code that sees, reads and works out.

It finds expressions that give 0 or false for what is missing. Each of them is looked at: where what is missing means 0
to the system itself, it is on the list with the reason; else the cell must be None. Texts and lists are no part of it:
there a known absence is a value by convention, "" for no rack, and too much is meant by it for a list that is read.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

CHECKS = Path(__file__).parents[1] / "checks"
ROOMS = ("runbook/probes", "runbook/connections", "runbook/formats", "runbook/views", "schema_compat")
TRUTHS = ("runbook/probes",)  # of views, their own test says it: tests/views/test_unknown_stays_unknown.py

LOOKED_AT = {
    (
        "runbook/probes/kafka_client_metrics.py",
        "bool(settings)",
    ): "all subscriptions were listed, and none has this name; one that can't be described is a gap",
    (
        "runbook/probes/strimzi_component.py",
        "bool(found)",
    ): "deployments were listed, and it is not among them",
    (
        "runbook/probes/strimzi_node.py",
        "bool(model)",
    ): "pod sets were listed, and none of them lists the pod",
    (
        "runbook/probes/strimzi_status.py",
        "bool(part(one.whole, 'status'))",
    ): "no operator has written a status: it has not said that it is ready",
    (
        "runbook/probes/strimzi_user.py",
        "bool(part(one.spec, 'quotas'))",
    ): "a resource that names no quotas has none of its own",
    (
        "runbook/connections/kafka/replica_sizes.py",
        "getattr(answer, 'error_code', 0)",
    ): "old versions of the answer have no field for an error, and an empty list is refused below",
    (
        "runbook/connections/kafka/replica_sizes.py",
        "getattr(answer, 'error_code', 0) or 0",
    ): "old versions of the answer have no field for an error, and an empty list is refused below",
    (
        "runbook/views/batch_time.py",
        "by_batch.get(name, 0.0)",
    ): "an owner told the time of each record, and none for the batch beside",
    (
        "runbook/views/batch_time.py",
        "by_record.get(name, 0.0)",
    ): "an owner told the time of each batch, and none for records beside",
    (
        "runbook/views/topic_content.py",
        "held[largest] or 0",
    ): "only where the size of every partition is known",
    (
        "runbook/views/topic_content.py",
        "held[number] or 0",
    ): "only where the size of every partition is known",
    (
        "runbook/connections/kafka/cluster_requests.py",
        "finalized.get(name, 0)",
    ): "0 is off: a feature that is supported and not finalized",
    (
        "runbook/connections/kafka/cluster_requests.py",
        "getattr(answer, 'error_code', 0)",
    ): "old versions of the answer have no field for an error",
    (
        "runbook/connections/kafka/cluster_requests.py",
        "getattr(answer, 'error_code', 0) or 0",
    ): "old versions of the answer have no field for an error",
    (
        "runbook/connections/kafka/cluster_requests.py",
        "getattr(broker, 'is_fenced', False)",
    ): "Metadata has no such field, and lists no broker that is fenced",
    (
        "runbook/connections/kafka/python_client.py",
        "self._greetings.seconds(node) or 0.0",
    ): "time that a request gets beyond its own; no cell",
    (
        "runbook/connections/kafka/reader/brokers.py",
        "self.greeting(broker) or 0.0",
    ): "time that a request gets beyond its own; no cell",
    (
        "runbook/connections/kafka/record_requests.py",
        "getattr(batch, 'is_control_batch', False)",
    ): "batches of before transactions have no such mark",
    ("runbook/connections/kubernetes/pod.py", "found.get('Xms', Bytes(0))"): "KAFKA_HEAP_OPTS is known, and sets none",
    ("runbook/connections/kubernetes/pod.py", "found.get('Xmx', Bytes(0))"): "KAFKA_HEAP_OPTS is known, and sets none",
    (
        "runbook/connections/kubernetes/reader.py",
        "found[3] or 0",
    ): "a version such as v1 has no number after alpha or beta",
    (
        "runbook/connections/kubernetes/settings.py",
        "settings.get('broker_offset', 0)",
    ): "a setting of the inventory, with its documented default",
    (
        "runbook/connections/tls/chain.py",
        "getattr(key, 'key_size', 0)",
    ): "0 is documented: such keys (Ed25519) have one size",
    ("runbook/connections/tls/errors.py", "error.errno or 0"): "the words of an error; no cell",
    (
        "runbook/connections/zookeeper/by_admin.py",
        "connection.get('session_id') or 0",
    ): "0 is ZooKeeper's own: a connection without a session, which is no client",
    (
        "runbook/connections/zookeeper/by_word.py",
        "groups.get(number, 0)",
    ): "0 is no group: the configuration is there, and names none for this server",
    ("runbook/connections/zookeeper/words.py", "error.errno or 0"): "the words of an error; no cell",
    (
        "runbook/formats/gc_log/unified.py",
        "self._promoted or 0",
    ): "the beginning of a sum; where no line told a part it stays None",
    ("schema_compat/avro_judgement.py", "schema.get_prop('scale') or 0"): "Avro's own default",
    ("schema_compat/avro_logical.py", "schema.get_prop('scale') or 0"): "Avro's own default",
    ("schema_compat/json_node.py", "_SINCE.get(keyword, 0)"): "a table of ours: the drafts that know a keyword",
    (
        "runbook/formats/zookeeper/__init__.py",
        "voter.group or 0",
    ): "all who ask for a quorum have seen to it before that groups are known, or that there are none",
    (
        "runbook/probes/host_log_shipper.py",
        "bool(host.brokers or host.running_brokers())",
    ): "a host that hides processes has said so before: it is a gap",
    (
        "runbook/probes/host_process.py",
        "bool(variables and _WINS in variables)",
    ): "A DEFECT, to be mended: of variables that may not be read nobody knows; see `heap_max`",
    (
        "runbook/probes/host_secret_file.py",
        "bool(host.run(PLAIN_SECRETS, file).strip())",
    ): "grep ends otherwise where the file can not be read, which is a gap",
    (
        "runbook/probes/kafka_broker_config.py",
        "bool(_text(settings, 'process.roles'))",
    ): "a broker that does not know the setting is of before KRaft",
    (
        "runbook/probes/kubernetes_volume.py",
        "bool(part(spec, 'nodeAffinity'))",
    ): "what an object of Kubernetes leaves out is not set",
    ("runbook/probes/tls_endpoint.py", "bool(whole)"): "an empty chain is one that was tried and leads to no authority",
    ("runbook/probes/zookeeper_ensemble.py", "self.alive or 0"): "only to prove a quorum, which 0 never does",
    ("runbook/views/budget_cover.py", "part or 0"): "where a part is not known, the sum is None already",
    (
        "runbook/views/voluntary_disruption.py",
        "evictions.allowed or 0",
    ): "a budget of which this is not known is a gap before",
}
"""File, and expression in it → why the 0 or the false is known."""


def made_up(tree: ast.Module, *, truths: bool) -> Iterator[ast.expr]:
    """The expressions that give 0 or false where something is missing; `truths`: those too that `bool` gives."""
    for node in ast.walk(tree):
        match node:
            case ast.BoolOp(op=ast.Or(), values=[*_, last]) if is_nothing(last):
                yield node
            case ast.Call(func=ast.Attribute(value=receiver, attr="get"), args=[_, last]) if is_nothing(last):
                if not isinstance(receiver, ast.Dict):  # a table that stands in the code has what it has
                    yield node
            case ast.Call(func=ast.Name(id="getattr"), args=[_, _, last]) if is_nothing(last):
                yield node
            case ast.Call(func=ast.Name(id="next"), args=[_, last]) if is_nothing(last):
                yield node
            case ast.Call(func=ast.Name(id="bool"), args=[_]) if truths:
                yield node


def is_nothing(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Name(), args=[only], keywords=[]):  # a quantity, such as Bytes(0)
            return is_nothing(only)
    return isinstance(value, ast.Constant) and not isinstance(value.value, str | bytes | None) and not value.value


def found() -> set[tuple[str, str]]:
    return {
        (str(file.relative_to(CHECKS)), ast.unparse(node))
        for room in ROOMS
        for file in sorted((CHECKS / room).rglob("*.py"))
        for node in made_up(ast.parse(file.read_text("utf-8")), truths=room in TRUTHS)
    }


def test_no_number_and_no_truth_is_made_out_of_nothing() -> None:
    assert sorted(found() - LOOKED_AT.keys()) == []


def test_what_was_looked_at_is_still_there() -> None:
    assert sorted(LOOKED_AT.keys() - found()) == []


def test_the_net_holds_what_it_is_for() -> None:
    caught = ("x or 0", "int(x or 0)", "x or 0.0", "x or False", "a.get(k, 0)", "a.get(k, False)", "getattr(x, 'y', 0)")
    for text in caught:
        assert list(made_up(ast.parse(text), truths=False)), text
    for text in ("x or ''", "x or None", "a.get(k)", "a.get(k, 1)", "{'[': 1}.get(k, 0)", "bool(x)"):
        assert not list(made_up(ast.parse(text), truths=False)), text
