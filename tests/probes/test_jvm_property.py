from runbook.formats.metrics import Metric
from runbook.probes.jvm_property import GROUP
from support.metrics_played import Played


def test_properties_are_told_and_one_that_is_not_set_is_empty():
    row = Played("jolokia").row("jvm_property", broker=1)
    assert row["java_version"].split(".")[0].isdecimal()
    assert row["log4j2_file"].endswith("log4j2.properties")
    assert row["log4j1_file"] == ""


NAMES = {
    "java_version": "java.version",
    "log4j2_file": "log4j2.configurationFile",
    "log4j1_file": "log4j.configuration",
    "tls_debug": "javax.net.debug",
    "kerberos_debug": "sun.security.krb5.debug",
    "check_revocation": "com.sun.net.ssl.checkRevocation",
    "fetch_revocation": "com.sun.security.enableCRLDP",
}


def test_only_these_properties_are_asked_for_each_by_its_name():
    assert GROUP.metrics == {
        field: Metric("java.lang:type=Runtime", "SystemProperties", name) for field, name in NAMES.items()
    }


def test_each_property_is_told_in_its_own_column():
    played = Played("jolokia")
    for answers in played.recording["answers"].values():
        runtime = ["java.lang:type=Runtime", "SystemProperties"]
        answers[:] = [answer for answer in answers if answer[0][:2] != runtime]
        answers += [[[*runtime, name], {"status": 200, "value": f"value of {name}"}] for name in NAMES.values()]
    row = played.row("jvm_property", broker=1)
    assert {field: row[field] for field in NAMES} == {field: f"value of {name}" for field, name in NAMES.items()}
