"""What an inventory may set of Kafka clients, against what the client libraries themselves know."""

import ctypes
import datetime as dt
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import confluent_kafka
import pytest
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer
from kafka.net.manager import KafkaConnectionManager

from runbook.allowed.kafka import ALLOWED, REFUSED, refused, remarks
from runbook.canary.messages import CanaryJob
from runbook.canary.process import serve
from runbook.connections.kafka.properties import for_kafka_python
from runbook.model.ask import FactQuestion
from runbook.model.errors import CannotLook, Invalid, Misconfigured, UsageError
from runbook.model.probe import Deadline
from runbook.parse.inventory import Environment, Target, parse_inventory
from runbook.plugins.catalog import catalog
from runbook.run.collection.fact_assembly import settings_of
from runbook.run.collection.worker import Job as Work
from runbook.run.collection.worker import Outlet, run_job
from runbook.stores import open_store

TODAY = dt.date(2026, 11, 22)


def properties_of_librdkafka(folder: Path) -> set[str]:
    """Every property that the installed library knows, as it tells itself (rd_kafka_conf_properties_show)."""
    [library] = Path(f"{Path(confluent_kafka.__file__).parent}.libs").glob("librdkafka*")
    libc, kafka = ctypes.CDLL(None), ctypes.CDLL(str(library))
    libc.fopen.restype = ctypes.c_void_p
    stream = ctypes.c_void_p(libc.fopen(bytes(folder / "properties.md"), b"w"))
    kafka.rd_kafka_conf_properties_show(stream)
    libc.fclose(stream)
    text = (folder / "properties.md").read_text("utf-8")
    return set(re.findall(r"^([a-z][a-z0-9._]+) +\|", text, re.MULTILINE))


def test_every_property_of_the_library_is_allowed_or_refused_with_a_reason(tmp_path: Path) -> None:
    known = properties_of_librdkafka(tmp_path)
    assert len(known) > 180
    assert known - ALLOWED - REFUSED.keys() == set()  # a newer library's: look at it, then put it into one of them
    assert ALLOWED & REFUSED.keys() == set()
    assert (ALLOWED | REFUSED.keys()) - known == set()
    assert all(len(reason) > 20 for reason in REFUSED.values())


@pytest.mark.parametrize("name", ["plugin.library.paths", "ssl.engine.location", "ssl.providers", "interceptors"])
def test_what_loads_code_is_refused(name: str) -> None:
    assert "load or run" in REFUSED[name]


def test_the_python_client_can_be_given_none_of_its_own_options() -> None:
    """They hold classes, functions and TLS contexts: `metric_reporters`, `sasl_oauth_token_provider`, `ssl_context`."""
    clients: list[Any] = [KafkaAdminClient, KafkaConsumer, KafkaProducer, KafkaConnectionManager]
    options = {name for client in clients for name in client.DEFAULT_CONFIG}
    assert len(options) > 80
    assert ALLOWED & options == {"acks", "retries", "partitioner"}  # of both; librdkafka's are plain words and numbers
    assert {refusal.path[0] for refusal in refused(dict.fromkeys(options, "x"))} == options - ALLOWED


def test_no_property_becomes_an_option_of_the_python_client_that_is_not_ours() -> None:
    made: set[str] = set()
    for name in ALLOWED:
        value = "sasl_plaintext" if name == "security.protocol" else "PLAIN" if "mechanism" in name else "x:1"
        try:
            made |= set(for_kafka_python({"bootstrap.servers": "x:1", name: value}, Deadline(1)))
        except Misconfigured:
            continue
    assert made <= {
        *("client_id", "bootstrap_servers", "security_protocol", "sasl_plain_username", "sasl_plain_password"),
        *("request_timeout_ms", "socket_connection_setup_timeout_ms", "reconnect_backoff_ms", "sasl_mechanism"),
        *("reconnect_backoff_max_ms", "receive_message_max_bytes", "max_in_flight_requests_per_connection"),
        "ssl_context",
    }


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A library that notes that it was loaded."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler: no library to plant")
    source, library = tmp_path / "trap.c", tmp_path / "trap.so"
    call = f'__attribute__((constructor)) static void run(void) {{ fclose(fopen("{tmp_path}/ran", "w")); }}'
    source.write_text(f"#include <stdio.h>\n{call}\nint conf_init(void *a, void *b, char *c, int d) {{ return 0; }}\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


PLACES = {
    "environment": "environments: {prod: {kafka: {bootstrap.servers: b:1, SET}}}",
    "canary": "environments: {prod: {kafka: {bootstrap.servers: b:1}, canary: {kafka: {SET}}}}",
    "link": "environments: {a: {}, b: {}}\nmirrors: [{from: a, to: b, kind: mm2, canary: {source: {SET}}}]",
    "results": "environments: {prod: {}}\nresults: {to: 'kafka://b:1/t', settings: {SET}}",
}


@pytest.mark.parametrize("text", PLACES.values(), ids=list(PLACES))
@pytest.mark.parametrize("name", ["plugin.library.paths", "sasl.kerberos.kinit.cmd", "new.in.version.9"])
def test_an_inventory_that_sets_one_is_refused_at_its_place(text: str, name: str) -> None:
    with pytest.raises(Invalid) as caught:
        parse_inventory(text.replace("SET", f"{name}: x"), "environments.yaml", TODAY)
    assert [name in problem.message for problem in caught.value.problems] == [True]
    assert caught.value.problems[0].place.column > 1


KINDS = [
    kind
    for kind in catalog("connections").names()
    if kind == "kafka" or "kafka" in getattr(catalog("connections").load(kind), "BUILDS_ON", ())
]


@pytest.mark.parametrize("kind", KINDS)
def test_no_worker_loads_one(kind: str, trap: Path) -> None:
    frames: list[Any] = []
    outlet = Outlet(None)  # type: ignore[arg-type]
    outlet.send = frames.append  # type: ignore[method-assign]
    settings = {"bootstrap.servers": "127.0.0.1:1", "plugin.library.paths": str(trap)}
    given = settings if kind == "kafka" else {"kafka": settings}
    run_job(Work(kind, given, 5.0, {0: FactQuestion("prod", kind, "kafka_broker", "{}")}), outlet)
    [reason] = [gap.reason for frame in frames for fact in frame.facts.values() for gap in fact.gaps]
    assert "plugin.library.paths may not be set" in reason
    assert not trap.with_name("ran").exists()


def test_what_the_environment_allows_is_no_setting_of_the_client() -> None:
    """The engine puts it beside the settings: `may_read`."""
    settings = settings_of(Target("prod", Environment(), {"kafka": {"bootstrap.servers": "127.0.0.1:1"}}), "kafka")
    frames: list[Any] = []
    outlet = Outlet(None)  # type: ignore[arg-type]
    outlet.send = frames.append  # type: ignore[method-assign]
    run_job(
        Work("kafka", settings, time.monotonic() + 20, {0: FactQuestion("prod", "kafka", "kafka_broker", "{}")}), outlet
    )
    [reason] = [gap.reason for frame in frames for fact in (frame.facts or {}).values() for gap in fact.gaps]
    assert "connection refused" in reason


def test_no_store_loads_one(trap: Path) -> None:
    properties = trap.with_name("client.properties")
    properties.write_text(f"plugin.library.paths={trap}\n")
    for where, settings in (
        ("kafka://127.0.0.1:1/t", {"plugin.library.paths": str(trap)}),
        (f"kafka://127.0.0.1:1/t?properties={properties}", {}),
    ):
        with pytest.raises(UsageError, match="load or run"):
            open_store(where, settings).sizes()
    assert not trap.with_name("ran").exists()


def test_no_canary_loads_one(trap: Path) -> None:
    settings = {"bootstrap.servers": "127.0.0.1:1", "plugin.library.paths": str(trap)}
    with pytest.raises(CannotLook, match="load or run"):
        serve(CanaryJob(role="reader", settings=settings, topic="t", mark="m"), None)  # type: ignore[arg-type]
    assert not trap.with_name("ran").exists()


def test_rules_are_for_kinds_of_connection_that_there_are() -> None:
    assert set(catalog("allowed").names()) <= set(catalog("connections").names())


def test_a_file_that_is_not_here_is_remarked_on(tmp_path: Path) -> None:
    here = tmp_path / "ca.crt"
    here.write_text("", "utf-8")
    assert list(remarks({"ssl.ca.location": str(here), "ssl.crl.location": "probe"})) == []
    missing = str(tmp_path / "key.pem")
    assert list(remarks({"ssl.key.location": missing})) == [f"ssl.key.location: there is no file {missing} here"]
