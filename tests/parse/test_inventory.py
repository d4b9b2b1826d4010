import datetime as dt

import pytest

from runbook.model.errors import Invalid
from runbook.model.objective import DEFAULT
from runbook.parse.inventory import LONGEST_WAIVER, Inventory, Waiver, parse_inventory

TODAY = dt.date(2026, 11, 21)
WAIVER = "check: ha/x, owner: alice, reason: the move to new disks"


def read(text: str) -> Inventory:
    return parse_inventory(text, "environments.yaml", TODAY)


def mistakes(text: str) -> list[str]:
    with pytest.raises(Invalid) as caught:
        read(text)
    return [str(problem) for problem in caught.value.problems]


def test_the_shortest_inventory_is_a_name_and_a_bootstrap_address() -> None:
    inventory = read("environments: {prod: {kafka: {bootstrap.servers: b:9092}}}")
    prod = inventory.targets["prod"]
    assert prod.connections == {"kafka": {"bootstrap.servers": "b:9092"}}
    assert prod.environment.ranking().default == list(DEFAULT)
    assert (inventory.default, inventory.mirrors, inventory.results) == ("", [], "")


def test_everything_an_environment_may_say_is_read() -> None:
    inventory = read(
        f"""
        default: prod
        results: /var/lib/runbook
        environments:
          prod:
            kafka: {{bootstrap.servers: b:9092, sasl.password: {{env: SECRET}}}}
            labels: {{tier: prod}}
            cluster_id: abc
            absent: {{kubernetes: bare metal}}
            objectives: {{default: [availability], topics: [{{topics: "log.*", ranking: [throughput]}}]}}
            params: {{ha/x: {{spare: 2}}}}
            waivers: [{{{WAIVER}, expires: 2026-12-31, rows: {{topic: "a*"}}}}]
          dr: {{objectives: [latency]}}
        mirrors: [{{from: prod, to: dr, kind: strimzi}}]
        """
    )
    prod = inventory.targets["prod"].environment
    assert prod.ranking().of("log.a") == ("throughput",)
    assert prod.ranking().of("orders") == ("availability",)
    assert inventory.targets["dr"].environment.ranking().default == ["latency"]
    assert (prod.absent, prod.cluster_id, prod.waivers[0].rows) == (
        {"kubernetes": "bare metal"},
        "abc",
        {"topic": "a*"},
    )
    assert [mirror.name for mirror in inventory.mirrors] == ["prod→dr"]
    assert (inventory.default, inventory.results) == ("prod", "/var/lib/runbook")


@pytest.mark.parametrize(
    ("results", "meant"),
    [("kept", "ours/kept"), ("/var/kept", "/var/kept"), ("{to: kept}", "ours/kept"), ("s3://b/kept", "s3://b/kept")],
)
def test_a_folder_of_results_is_meant_from_where_the_inventory_is(results: str, meant: str) -> None:
    text = f"environments: {{prod: {{}}}}\nresults: {results}"
    assert parse_inventory(text, "ours/environments.yaml", TODAY).results == meant


def test_a_results_store_can_keep_facts_for_a_while() -> None:
    assert read("environments: {prod: {}}\nresults: {to: kept, keep_facts: 14d}").keep_facts == 14 * 86400
    assert read("environments: {prod: {}}\nresults: {to: kept}").keep_facts == 0
    assert read("environments: {prod: {}}\nresults: kept").keep_facts == 0


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ("{to: kept, keep_facts: two weeks}", "'two weeks' is no duration"),
        ("{to: kept, keep_facts: 5m}", "an hour at least"),
        ("{to: kept, keep_fact: 14d}", 'unknown field "keep_fact" in results'),
        ("{to: kept, keep_facts: 500d}", "400 days at most"),
        ("{to: 'kafka://broker:9092/results', keep_facts: 14d}", "a topic keeps no facts"),
    ],
)
def test_facts_are_kept_for_a_time_that_makes_sense_where_they_can_be(results: str, said: str) -> None:
    with pytest.raises(Invalid) as invalid:
        read(f"environments: {{prod: {{}}}}\nresults: {results}")
    assert [said in problem.message for problem in invalid.value.problems] == [True]


def test_a_results_store_can_have_settings_with_secrets_as_references() -> None:
    inventory = read(
        """
        environments: {prod: {}}
        results:
          to: kafka://broker-1:9092/runbook-results
          settings: {security.protocol: SASL_SSL, sasl.password: {env: RESULTS_PASSWORD}}
        """
    )
    assert inventory.results == "kafka://broker-1:9092/runbook-results"
    assert inventory.results_settings["sasl.password"] == {"env": "RESULTS_PASSWORD"}
    with pytest.raises(Invalid, match="results"):
        read("environments: {prod: {}}\nresults: {too: somewhere}")


MISTAKES = {
    "": "environments.yaml:1:1  the inventory is empty\n    environments: {NAME: {kafka: {…}}}",
    "[]": "environments.yaml:1:1  inventory: [] should be a mapping, as in {name: value}",
    "mirrors: []": 'environments.yaml:1:1  inventory lacks "environments"\n    add environments:',
    "environments: {prod: {kafak: {}}}": (
        'environments.yaml:1:23  unknown field "kafak" in environment prod\n    did you mean kafka?'
    ),
    "environments: {prod: {kafka: localhost}}": "environments.yaml:1:30  kafka of prod must be a mapping of settings",
    "environments: {prod: {labels: {tier: 1}}}": "environments.yaml:1:38  labels.tier: 1 should be a text",
    "environments: {prod: {objectives: [speed]}}": "environments.yaml:1:36  objectives.0: 'speed'\n    known: a",
    "environments: {'../etc': {}}": "environments.yaml:1:16  environments: '../etc' does not match",
    "environments: {fleet: {}}": 'environments.yaml:1:16  "fleet" stands for all environments together',
    "environments: {prod: {}}\ndefault: prd": 'environments.yaml:2:10  no environment "prd"\n    did you mean prod?',
    "environments: {a: {}}\nmirrors: [{from: a, to: b}]": 'environments.yaml:2:25  no environment "b"',
    "environments: {a: {}}\nmirrors: [{from: a, to: a}]": "environments.yaml:2:11  a mirrors itself",
    "environments: {a: {}, b: {}}\nmirrors: [{from: a, to: b}, {from: a, to: b}]": "a→b is listed twice",
    "environments: {prod: {kafka: {}, absent: {kafka: none here}}}": (
        "environments.yaml:1:50  kafka of prod is both given and declared absent\n    remove one of them"
    ),
    "environments: {prod: {absent: {kafka: x}}}": "absent.kafka: fewer than 3 characters",
    "environments: {prod: {labels: {tier: }}}": "labels.tier: nothing stands here; it should be a text",
    f"environments: {{prod: {{waivers: [{{{WAIVER}, expires: 2027-02-20}}]}}}}": (
        "a waiver lasts 90 days at most\n    2027-02-19 is the latest date today"
    ),
    f"environments: {{prod: {{waivers: [{{{WAIVER}, expires: 2026-02-30}}]}}}}": "2026-02-30 is no date",
    f"environments: {{prod: {{waivers: [{{{WAIVER}, expires: soon}}]}}}}": "'soon' does not match",
    f"environments: {{prod: {{waivers: [{{{WAIVER}}}]}}}}": 'waivers.0 lacks "expires"',
    "environments: {prod: {waivers: [{check: a/b, owner: '', reason: because of it, expires: 2026-12-01}]}}": (
        "waivers.0.owner: must not be empty"
    ),
    "environments: {prod: {waivers: [{check: a/b, owner: x, reason: why, expires: 2026-12-01}]}}": (
        "waivers.0.reason: fewer than 10 characters"
    ),
    "environments: {prod: {params: {ha/x: 3}}}": "params.ha/x: 3 should be a mapping, as in {name: value}",
    "environments: {a: {}, a: {}}": 'duplicate key "a"',
    "environments: {a: {kafka: {bootstrap.servers: ['a:1', 'b:2']}}}": (
        'environments.yaml:1:28  bootstrap.servers is one text, joined by commas, and no list\n    write "a:1,b:2"'
    ),
    "environments: {a: {kafka: {bootstrap.servers: {host: a, port: 1}}}}": (
        "bootstrap.servers is one value, and no map\n    write its value, or where that comes from: {env: NAME}"
    ),
    "environments: {a: {kafka: {bootstrap.servers: 9092}}}": (
        "bootstrap.servers is no address: 9092\n    write host:port, several with commas between them"
    ),
    "environments: {a: {kafka: {bootstrap.servers: }}}": "bootstrap.servers stands empty\n    write host:port",
    "environments: {a: {kafka: {bootstrap.servers: 'a:1,b:909x'}}}": (
        "environments.yaml:1:28  bootstrap.servers is no address: b:909x\n    write host:port, several with commas"
    ),
    "environments: {a: {kafka: {bootstrap.servers: 'a:65536'}}}": "bootstrap.servers is no address: a:65536",
    "environments: {a: {kafka: {bootstrap.servers: 'a:1 b:1'}}}": "bootstrap.servers is no address: a:1 b:1",
    "environments: {a: {kafka: {bootstrap.servers: 'https://a:1/'}}}": "bootstrap.servers is no address: https://a:1/",
    "environments: {a: {kafka: {security.protocol: SASL_SLL}}}": (
        "environments.yaml:1:28  security.protocol: SASL_SLL\n    did you mean SASL_SSL? known: PLAINTEXT, SASL_PLAIN"
    ),
    "environments: {a: {kafka: {sasl.mechanism: SCRAM-SHA512}}}": (
        "sasl.mechanism: SCRAM-SHA512\n    did you mean SCRAM-SHA-512?"
    ),
    "environments: {a: {kafka: {ssl.truststore.location: /x.jks}}}": (
        '"ssl.truststore.location" is no setting of Kafka that is known here\n    that is a Java client'
    ),
    "environments: {a: {kafka: {sasl.jaas.config: {env: JAAS}}}}": "write sasl.username: and sasl.password: {env:",
    "environments: {a: {kafka: {sasl.password: {env: A, file: /b}}}}": (
        "environments.yaml:1:43  sasl.password is to come from env and from file\n    choose one of them"
    ),
    "environments: {a: {jolokia: {password: {env: }}}}": (
        "environments.yaml:1:40  the env of password is written otherwise\n    write {env: NAME}"
    ),
    "environments: {a: {kafka: {sasl.password: {evn: A}}}}": (
        "sasl.password is one value, and this says nothing of where it comes from\n    write where it comes from:"
    ),
    "environments: {a: {kafka: }}": (
        'kafka of a must be a mapping of settings\n    write kafka: {bootstrap.servers: "kafka-1.example:9092"}'
    ),
    "environments: {a: {tls: }}": "tls of a must be a mapping of settings\n    write tls: {}",
    "environments: {a: {tls: true}}": "tls of a must be a mapping of settings\n    write tls: {}, or tls: {endp",
    "environments: {a: {ssh: false}}": "where there is none, write why: absent: {ssh: REASON}",
    "environments: {a: {connections: {kafka: {}, tls: {}}}}": "the environment itself: write kafka:, tls: one level up",
    "environments: {a: {kafka: {cluster_id: x}}}": "write cluster_id: one level up, beside kafka:",
}


@pytest.mark.parametrize("text", MISTAKES, ids=MISTAKES.values())
def test_a_mistake_has_its_place_and_what_to_write_instead(text: str) -> None:
    [mistake] = mistakes(text)
    assert MISTAKES[text] in mistake


def test_all_mistakes_come_at_once_in_the_order_of_the_file() -> None:
    found = mistakes(
        "environments:\n  'a b': {}\n  prod: {kafka: 5, labels: {tier: 1}, nonsense: x}\n"
        "mirrors: [{from: prod, to: nowhere}]\ndefault: prd\n"
    )
    assert [line.split("  ")[0].removeprefix("environments.yaml:") for line in found] == [
        "2:3",
        "3:17",
        "3:35",
        "3:39",
        "4:28",
        "5:10",
    ]


@pytest.mark.parametrize(("expires", "expired"), [("2026-11-20", True), ("2026-11-21", False)])
def test_an_expired_waiver_is_read_and_known_as_such(expires: str, *, expired: bool) -> None:
    [waiver] = (
        read(f"environments: {{prod: {{waivers: [{{{WAIVER}, expires: {expires}}}]}}}}")
        .targets["prod"]
        .environment.waivers
    )
    assert isinstance(waiver, Waiver)
    assert waiver.expired(dt.datetime(2026, 11, 21, 23, 59, tzinfo=dt.UTC)) is expired


def test_ninety_days_is_the_longest_a_waiver_lasts() -> None:
    latest = TODAY + LONGEST_WAIVER
    assert read(f"environments: {{prod: {{waivers: [{{{WAIVER}, expires: {latest}}}]}}}}")


def test_a_large_inventory_is_read_in_proportion_to_its_size() -> None:
    lines = [f"  env{i}: {{kafka: {{bootstrap.servers: b:9092}}, labels: {{tier: prod}}}}" for i in range(500)]
    assert len(read("environments:\n" + "\n".join(lines)).targets) == 500


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("environments: {prod: {kafka: {sasl.password: planted}}}", "1:46"),
        ("environments: {prod: {jolokia: {agents: [{url: 'http://a:planted@h/'}]}}}", "1:48"),
        ("environments: {prod: {}}\nresults: {to: x, settings: {sasl.password: planted}}", "2:44"),
        ("environments: {prod: {kafka: {sasl.password: [planted, planted]}}}", "1:47"),
    ],
)
def test_a_credential_in_plain_text_is_a_mistake_that_is_told_without_it(text: str, place: str) -> None:
    first = mistakes(text)[0]
    assert first.startswith(f"environments.yaml:{place}  ")
    assert "stands here as plain text\n    write where it comes from: {env: NAME}" in first
    assert "planted" not in first
