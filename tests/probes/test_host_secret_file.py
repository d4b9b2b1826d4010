from typing import Any

from runbook.model.errors import Denied
from runbook.model.fact import Fact
from support.recorded_hosts import JAAS, JAAS_FILE, LOGINS, PROPERTIES, WITH_JAAS, Output, look, recorded, running

KEYTAB = "/etc/security/keytabs/kafka.keytab"
STORE = "/etc/kafka/tls/keystore.p12"
SECURITY = f"ssl.keystore.location={STORE}\nssl.truststore.location=/etc/kafka/tls/truststore.p12\n"
SEEN = f"""\
d 755 0 root /etc
d 755 0 root /etc/kafka
d 750 7001 kafka /etc/kafka/tls
d 755 0 root /etc/security
d 755 0 root /etc/security/keytabs
f 644 7001 kafka {PROPERTIES}
f 666 7003 alice {JAAS_FILE}
f 644 7001 kafka {STORE}
f 440 0 root {KEYTAB}
"""


def fact(seen: str = SEEN, **outputs: Output) -> Fact:
    answers: dict[str, Output] = running(WITH_JAAS) | {
        "jaas": JAAS,
        "logins": LOGINS,
        "security": SECURITY,
        "plain-secrets": "ssl.key.password\n",
        "permissions": "\0".join([*seen.splitlines(), ""]),
    }
    return look("host_secret_file", recorded({"kafka-1": answers | outputs}))


def rows(seen: str = SEEN) -> dict[str, dict[str, Any]]:
    return {row["path"]: row for row in fact(seen).rows()}


def test_every_file_that_a_broker_takes_credentials_from_is_a_row():
    assert {path: (row["role"], row["secret"]) for path, row in rows().items()} == {
        PROPERTIES: ("properties", True),
        STORE: ("keystore", True),
        "/etc/kafka/tls/truststore.p12": ("truststore", False),
        JAAS_FILE: ("jaas", True),
        KEYTAB: ("keytab", True),
    }


def test_mode_and_owner_tell_who_may_read_and_write():
    jaas = rows()[JAAS_FILE]
    assert (jaas["mode"], jaas["owner"], jaas["foreign"]) == ("0666", "alice", True)
    assert (jaas["open_to_all"], jaas["changeable_by_all"]) == (True, True)
    keytab = rows()[KEYTAB]
    assert (keytab["mode"], keytab["foreign"], keytab["open_to_all"]) == ("0440", False, False)


def test_a_folder_that_lets_nobody_through_closes_what_is_in_it():
    assert rows()[STORE]["open_to_all"] is False
    assert rows()[STORE]["mode"] == "0644"


def test_what_we_cannot_get_at_is_unknown_but_closed_where_a_folder_closes_it():
    truststore = rows()["/etc/kafka/tls/truststore.p12"]
    assert (truststore["exists"], truststore["mode"], truststore["open_to_all"]) == (None, None, False)
    without = SEEN.replace(f"f 440 0 root {KEYTAB}\n", "")
    assert rows(without)[KEYTAB]["open_to_all"] is None


def test_a_link_that_leads_nowhere_is_a_file_that_is_not_there():
    gone = SEEN.replace(f"f 440 0 root {KEYTAB}", f"l 777 0 root {KEYTAB}")
    assert (rows(gone)[KEYTAB]["exists"], rows(gone)[KEYTAB]["open_to_all"]) == (False, False)


def test_files_that_cannot_be_told_are_a_gap_and_the_others_are_told():
    seen = fact(jaas=Denied("no"))
    assert [gap.keys for gap in seen.gaps] == [{"host": "kafka-1", "broker": 1}]
    assert {row["path"] for row in seen.rows()} >= {PROPERTIES, JAAS_FILE}


def test_each_cell_comes_under_its_own_name():
    seen = rows()
    assert seen[JAAS_FILE] == {
        "host": "kafka-1",
        "pid": 100,
        "path": JAAS_FILE,
        "role": "jaas",
        "kind": "broker",
        "broker": 1,
        "secret": True,
        "exists": True,
        "mode": "0666",
        "owner": "alice",
        "foreign": True,
        "open_to_all": True,
        "changeable_by_all": True,
    }
    flags = ("secret", "exists", "foreign", "open_to_all", "changeable_by_all")
    flags_of = {path: [row[flag] for flag in flags] for path, row in seen.items()}
    assert flags_of[KEYTAB] == [True, True, False, False, False]
    assert flags_of[PROPERTIES] == [True, True, False, True, False]
    assert flags_of["/etc/kafka/tls/truststore.p12"][:2] == [False, None]
    alices = rows(SEEN.replace(f"644 7001 kafka {PROPERTIES}", f"640 7003 alice {PROPERTIES}"))[PROPERTIES]
    assert [alices[flag] for flag in flags] == [True, True, True, False, False]
