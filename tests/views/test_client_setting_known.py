from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.client_setting_known import VIEW, compute

Settings = list[tuple[str, str, str]]


def of(settings: Settings, file: str = "/opt/a.properties") -> tuple[list[tuple[str, bool, str]], list[Gap]]:
    columns = {
        "client": [client for client, _, _ in settings],
        "kind": [kind for _, kind, _ in settings],
        "setting": [name for _, _, name in settings],
        "file": [file] * len(settings),
        "line": list(range(1, len(settings) + 1)),
    }
    fact = tabulate("client_setting_known", VIEW.columns, compute(config=Fact("client_config", columns)))
    return [(row["setting"], row["known"], row["like"]) for row in fact.rows()], list(fact.gaps)


def test_a_name_of_librdkafka_is_unknown_in_a_file_of_java_alone():
    old = "fetch.message.max.bytes"
    assert of([("a", "consumer", old)]) == ([(old, True, "")], [])
    rows, _ = of([("a", "consumer", old), ("a", "consumer", "key.deserializer")])
    assert rows == [(old, False, "fetch.max.bytes"), ("key.deserializer", True, "")]


def test_a_misspelt_first_word_is_found_and_what_plugins_read_is_left_to_them():
    rows, _ = of([("a", "producer", "lingr.ms"), ("a", "producer", "compresion.type")])
    assert rows == [("lingr.ms", False, "linger.ms"), ("compresion.type", False, "compression.type")]
    plugins = ["specific.avro.reader", "basic.auth.user.info", "schema.registry.url", "use.latest.version"]
    plugins += ["spring.json.trusted.packages", "azure.schema.group", "avro.codec", "schema.registry.ssl.protocol"]
    rows, _ = of([("a", "producer", name) for name in plugins])
    assert [name for name, known, _ in rows if not known] == []


def test_a_worker_is_judged_with_its_clients_and_a_connector_is_not():
    worker = [("w", "connect", "offset.storage.topic"), ("w", "producer", "acks"), ("w", "connect", "rest.port")]
    assert [known for _, known, _ in of(worker)[0]] == [True, True, False]
    assert of([("c", "connect", "max.retry.count")]) == ([], [])
    assert of([("s", "streams", "application.id"), ("m", "mirrormaker", "max.flow")]) == ([], [])


def test_on_a_host_nothing_is_judged_and_why_is_said():
    rows, [gap] = of([("a", "consumer", "acks")], "app-1:/opt/a.properties")
    assert (rows, gap.reason.startswith("client a: on hosts only settings of a list")) == ([], True)


def test_librdkafkas_own_names_are_called_so_in_a_client_of_java():
    settings = [("a", "producer", name) for name in ("key.serializer", "sasl.username", "sasl.passwrd")]
    columns = {
        "client": ["a"] * 3,
        "kind": ["producer"] * 3,
        "setting": [name for _, _, name in settings],
        "file": ["a"] * 3,
        "line": [1, 2, 3],
    }
    rows = compute(config=Fact("client_config", columns)).rows
    assert [(row.of_librdkafka, row.like) for row in rows][:2] == [(False, ""), (True, "sasl.jaas.config")]
    assert not rows[2].of_librdkafka
