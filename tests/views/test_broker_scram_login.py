from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.broker_scram_login import VIEW, compute

NAMES = ("host", "pid", "section", "position", "kind", "broker", "mechanism", "username")
LOGINS = [
    ("a", 1, "KafkaServer", 0, "broker", 1, "SCRAM", "admin"),
    ("a", 1, "listener.name.x.scram-sha-256.sasl.jaas.config", 0, "broker", 1, "SCRAM-SHA-256", "admin"),
    ("a", 1, "KafkaServer", 1, "broker", 1, "SCRAM", "gone"),
    ("a", 1, "KafkaServer", 2, "broker", 1, "PLAIN", "admin"),
    ("a", 2, "KafkaClient", 0, "connect", None, "SCRAM", "gone"),
    ("a", 1, "KafkaServer", 3, "broker", 1, "SCRAM", ""),
]


def test_a_user_exists_for_the_mechanism_that_the_file_names_and_for_any_where_it_names_none():
    jaas = Fact("host_jaas", {name: [login[i] for login in LOGINS] for i, name in enumerate(NAMES)})
    users = Fact("kafka_scram_user", {"user": ["admin"], "mechanism": ["SCRAM-SHA-512"]})
    rows = tabulate("broker_scram_login", VIEW.columns, compute(jaas=jaas, scram_user=users)).rows()
    assert [(row["section"][:11], row["position"], row["exists"]) for row in rows] == [
        ("KafkaServer", 0, True),
        ("listener.na", 0, False),
        ("KafkaServer", 1, False),
    ]


def test_where_kafka_does_not_tell_all_users_nobody_is_missing():
    jaas = Fact("host_jaas", {name: [login[i] for login in LOGINS[:3]] for i, name in enumerate(NAMES)})
    users = Fact("kafka_scram_user", {"user": ["admin"], "mechanism": ["SCRAM-SHA-512"]}, [Gap("refused")])
    rows = tabulate("broker_scram_login", VIEW.columns, compute(jaas=jaas, scram_user=users)).rows()
    assert [row["exists"] for row in rows] == [True, None, None]
