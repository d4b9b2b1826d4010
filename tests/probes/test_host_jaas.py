from typing import Any

from runbook.model.errors import Denied
from runbook.model.fact import Fact
from support.recorded_hosts import BROKER, JAAS, JAAS_FILE, LOGINS, WITH_JAAS, Output, look, recorded, running


def fact(**outputs: Output) -> Fact:
    answers: dict[str, Output] = running(WITH_JAAS) | {"jaas": JAAS, "logins": LOGINS} | outputs
    return look("host_jaas", recorded({"kafka-1": answers}))


def test_each_login_module_of_the_file_and_of_the_settings_is_a_row():
    kerberos, plain, scram = rows()
    assert (kerberos["section"], kerberos["mechanism"], kerberos["key_tab"]) == (
        "KafkaServer",
        "GSSAPI",
        "/etc/security/keytabs/kafka.keytab",
    )
    assert (kerberos["use_key_tab"], kerberos["store_key"]) == (True, True)
    assert kerberos["principal"] == "kafka/kafka-1.example.org@EXAMPLE.ORG"
    assert (plain["closed"], plain["use_key_tab"]) == (True, False)
    assert (plain["mechanism"], plain["users"], plain["username"]) == ("PLAIN", ["admin", "alice"], "admin")
    assert (scram["mechanism"], scram["username"], scram["options"]) == (
        "SCRAM-SHA-512",
        "broker",
        ["username", "password"],
    )
    assert {(row["file"], row["kind"], row["broker"]) for row in (kerberos, plain)} == {(JAAS_FILE, "broker", 1)}


def rows() -> list[dict[str, Any]]:
    return list(fact().rows())


def test_a_file_that_may_not_be_read_is_a_gap_and_hides_nothing_else():
    seen = fact(jaas=Denied("host kafka-1 does not let us read what jaas reads"))
    assert [gap.keys for gap in seen.gaps] == [{"host": "kafka-1", "broker": 1}]
    assert [row["mechanism"] for row in seen.rows()] == ["SCRAM-SHA-512"]


def test_a_process_whose_command_line_names_no_file_has_the_logins_of_its_settings_only():
    outputs = running(BROKER) | {"logins": LOGINS}
    assert [row["username"] for row in look("host_jaas", recorded({"kafka-1": outputs})).rows()] == ["broker"]


def test_each_cell_comes_under_its_own_name():
    text = JAAS.replace("storeKey=true", 'storeKey=false\nusername="erin"\nuser_frank')
    assert next(fact(jaas=text).rows()) == {
        "host": "kafka-1",
        "pid": 100,
        "file": JAAS_FILE,
        "section": "KafkaServer",
        "position": 0,
        "closed": True,
        "kind": "broker",
        "broker": 1,
        "module": "com.sun.security.auth.module.Krb5LoginModule",
        "mechanism": "GSSAPI",
        "options": ["useKeyTab", "storeKey", "username", "user_frank", "keyTab", "principal"],
        "users": ["frank"],
        "username": "erin",
        "principal": "kafka/kafka-1.example.org@EXAMPLE.ORG",
        "key_tab": "/etc/security/keytabs/kafka.keytab",
        "use_key_tab": True,
        "store_key": False,
    }
