from runbook.model.errors import Denied
from support.recorded_hosts import BROKER, PROPERTIES, look, recorded, running

SECURITY = "super.users = User:admin;User:CN=kafka\nlistener.name.c.ssl.client.auth=required\n"


def test_what_a_file_says_of_security_and_which_settings_hold_a_credential():
    outputs = running(BROKER) | {"security": SECURITY, "plain-secrets": "ssl.key.password\n  password\n"}
    [row] = look("host_broker_file", recorded({"kafka-1": outputs})).rows()
    assert row == {
        "host": "kafka-1",
        "pid": 100,
        "broker": 1,
        "file": PROPERTIES,
        "settings": {"super.users": "User:admin;User:CN=kafka", "listener.name.c.ssl.client.auth": "required"},
        "super_users": ["User:admin", "User:CN=kafka"],
        "mechanisms": ["GSSAPI"],
        "plain_secrets": ["password", "ssl.key.password"],
    }


def test_a_file_that_may_not_be_read_is_a_gap_about_its_broker():
    outputs = running(BROKER) | {"security": Denied("no"), "plain-secrets": ""}
    fact = look("host_broker_file", recorded({"kafka-1": outputs}))
    assert (len(fact), [gap.keys for gap in fact.gaps]) == (0, [{"host": "kafka-1", "broker": 1}])


def test_a_broker_whose_file_is_named_by_no_full_path_is_a_gap():
    outputs = running({**BROKER, "cmdline": "java\0kafka.Kafka\0config/server.properties"})
    [gap] = look("host_broker_file", recorded({"kafka-1": outputs})).gaps
    assert "names no properties file" in gap.reason


def test_what_the_command_line_overrides_holds_and_the_roles_are_told():
    words = f"{BROKER['cmdline']}\0--override\0listeners=SSL://:9093\0--override\0ssl.key.password=hunter22"
    settings = f"{PROPERTIES}:process.roles=broker\n"
    outputs = running({**BROKER, "cmdline": words}) | {"settings": settings, "plain-secrets": ""}
    [row] = look(
        "host_broker_file", recorded({"kafka-1": outputs | {"security": "listeners=PLAINTEXT://:9092\n"}})
    ).rows()
    assert row["settings"] == {"listeners": "SSL://:9093", "process.roles": "broker"}
