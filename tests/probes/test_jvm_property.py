from support.metrics_played import Played


def test_properties_are_told_and_one_that_is_not_set_is_empty():
    row = Played("jolokia").row("jvm_property", broker=1)
    assert row["java_version"].split(".")[0].isdecimal()
    assert row["log4j2_file"].endswith("log4j2.properties")
    assert row["log4j1_file"] == ""


def test_only_three_properties_are_asked_for():
    asked = {
        (attribute, path)
        for answers in Played("jolokia").recording["answers"].values()
        for (_, attribute, path), _ in answers
        if "Properties" in str(attribute)
    }
    assert asked == {
        ("SystemProperties", key) for key in ("java.version", "log4j2.configurationFile", "log4j.configuration")
    }
