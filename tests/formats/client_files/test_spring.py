"""What Spring Boot hands on to its clients; the binder itself is asked in `tests/live/test_files_as_read.py`."""

import pytest

from runbook.formats.client_files import DeployedFile, SettingOfClient, read_client_files


def read(text: str, *others: DeployedFile) -> list[SettingOfClient]:
    return read_client_files([DeployedFile("application.properties", text), *others])


def in_force(found: list[SettingOfClient], client: str = "") -> dict[str, str | None]:
    return {each.name: each.value for each in found if not each.ignored_because and each.client == client}


@pytest.mark.parametrize(
    "name", ["auto-offset-reset", "autoOffsetReset", "auto_offset_reset", "AUTO_OFFSETRESET", "auto-offsetReset"]
)
def test_names_are_bound_in_a_relaxed_way(name: str) -> None:
    assert in_force(read(f"spring.kafka.consumer.{name}=latest"))["auto.offset.reset"] == "latest"


@pytest.mark.parametrize("name", ["security-protocol", "linger.ms", "enable-idempotence", "acks.all"])
def test_what_a_section_does_not_define_is_dropped_and_the_reason_names_what_works(name: str) -> None:
    [dropped] = read(f"spring.kafka.producer.{name}=x")
    assert dropped.name == f"spring.kafka.producer.{name}"
    assert f"spring.kafka.producer.properties.{name.replace('-', '.')}" in dropped.ignored_because


def test_properties_hold_over_springs_own_name_and_a_section_over_all() -> None:
    found = read(
        "spring.kafka.producer.properties.acks=1\nspring.kafka.producer.acks=all\n"
        "spring.kafka.producer.client-id=a\nspring.kafka.properties.client.id=b\nspring.kafka.client-id=c\n"
    )
    assert in_force(found) == {"acks": "1", "client.id": "a"}


def test_what_spring_gives_each_kind_itself_can_not_be_common() -> None:
    found = read("spring.kafka.properties.isolation.level=read_committed\nspring.kafka.consumer.group-id=g\n")
    assert in_force(found) == {"group.id": "g"}
    assert "isolation.level of its own" in next(each.ignored_because for each in found if each.ignored_because)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("consumer.fetch-max-wait=5s", "5000"),
        ("consumer.fetch-max-wait=PT1M", "60000"),
        ("consumer.enable-auto-commit=no", "false"),
        ("consumer.isolation-level=READ-COMMITTED", "read_committed"),
        ("producer.batch-size=64KB", "65536"),
        ("producer.retries=0x10", "16"),
        ("ssl.trust-store-location=file:/etc/trust.p12", "/etc/trust.p12"),
        ("ssl.trust-store-location=classpath:trust.p12", None),
        ("consumer.max-poll-interval=10m", None),  # since 3.5; others drop it
    ],
)
def test_values_are_converted_by_their_type(setting: str, value: str | None) -> None:
    assert [each.value for each in read(f"spring.kafka.{setting}")] == [value]


@pytest.mark.parametrize(
    "setting",
    ["consumer.fetch-max-wait=soon", "consumer.enable-auto-commit=maybe", "producer.retries=many",
     "producer.batch-size=64 KB", "consumer.isolation-level=true", "producer.key-serializer=String"],
)  # fmt: skip
def test_what_spring_can_not_convert_is_refused(setting: str) -> None:
    [refused] = read(f"spring.kafka.{setting}")
    assert refused.refused.startswith("Spring Boot can't bind spring.kafka.")


def test_a_profile_adds_to_what_is_common_from_a_file_or_a_document() -> None:
    common = "spring.kafka.producer.acks=all\n#---\nspring.config.activate.on-profile=eu\nspring.kafka.client-id=e\n"
    prod = DeployedFile("application-prod.properties", "spring.kafka.producer.acks=1", "prod")
    found = read(common, prod)
    assert in_force(found) == {"acks": "all"}
    assert in_force(found, "eu") == {"acks": "all", "client.id": "e"}
    assert in_force(found, "prod") == {"acks": "1"}
    assert next(each.file for each in found if each.value == "1") == "application-prod.properties"


def test_each_setting_has_the_line_and_column_where_it_stands() -> None:
    text = "spring:\n  kafka:\n    producer:\n      acks: 1\n---\nspring:\n  kafka:\n    client-id: a\n"
    places = {each.name: (each.line, each.column) for each in read_client_files([DeployedFile("a.yaml", text)])}
    assert places == {"acks": (4, 13), "client.id": (8, 16)}


@pytest.mark.parametrize("name", ["properties[linger.ms]", "properties.[linger.ms]", "Properties[linger.ms]"])
def test_a_key_in_brackets_is_the_key(name: str) -> None:
    assert in_force(read(f"spring.kafka.producer.{name}=5")) == {"linger.ms": "5"}


def test_a_key_in_brackets_is_the_key_in_yaml_too_and_numbers_are_those_of_yaml_1_1() -> None:
    text = 'spring.kafka.consumer.properties: {"[session.timeout.ms]": 45_000, a.b: "45_000", c.d: 0x10, e.f: on}\n'
    found = read_client_files([DeployedFile("a.yaml", text)])
    assert in_force(found) == {"session.timeout.ms": "45000", "a.b": "45_000", "c.d": "16", "e.f": "true"}


@pytest.mark.parametrize(
    "name",
    ["LISTENER_ACKMODE", "LISTENER_AUTHEXCEPTIONRETRYINTERVAL", "RETRY_TOPIC_ENABLED", "TEMPLATE_DEFAULTTOPIC",
     "STREAMS_CLEANUP_ONSTARTUP", "JAAS_ENABLED", "JAAS_LOGINMODULE", "JAAS_OPTIONS_USERNAME", "SSL_BUNDLE",
     "PRODUCER_SSL_BUNDLE", "STREAMS_AUTOSTARTUP", "ADMIN_FAILFAST"],
)  # fmt: skip
def test_variables_that_are_springs_own_are_no_clients(name: str) -> None:
    [found] = read_client_files([DeployedFile(".env", f"SPRING_KAFKA_{name}=x\nSPRING_KAFKA_CLIENTID=a\n")])
    assert found.name == "client.id"


def test_a_list_can_be_written_by_variables() -> None:
    text = "SPRING_KAFKA_BOOTSTRAPSERVERS_0=a:1\nSPRING_KAFKA_BOOTSTRAP_SERVERS_1=b:1\n"
    assert in_force(read_client_files([DeployedFile(".env", text)])) == {"bootstrap.servers": "a:1,b:1"}


@pytest.mark.parametrize("section", ["", "producer.", "consumer.", "admin.", "streams."])
def test_a_bundle_of_certificates_is_springs_own(section: str) -> None:
    assert not read(f"spring.kafka.{section}ssl.bundle=b")


def test_the_password_of_a_login_is_a_credential_and_its_user_is_none() -> None:
    text = "spring.kafka.jaas.options.username=u\nspring.kafka.jaas.options.password="
    assert [(each.name, each.plain, each.value) for each in read(f"{text}hunter22")] == [
        ("spring.kafka.jaas.options.password", True, "«hidden»")
    ]
    assert [each.plain for each in read(text + "${PW}")] == [False]
    [found] = read_client_files([DeployedFile(".env", "SPRING_KAFKA_JAAS_OPTIONS_PASSWORD=hunter22")])
    assert found.plain


@pytest.mark.parametrize(
    ("name", "meant"),
    [("consumer.max-pol-records", "consumer.max-poll-records"), ("producer.bufer-memory", "producer.buffer-memory")],
)
def test_what_is_misspelt_names_what_spring_has(name: str, meant: str) -> None:
    [dropped] = read(f"spring.kafka.{name}=1")
    assert dropped.ignored_because.endswith(f"did you mean spring.kafka.{meant}?")
