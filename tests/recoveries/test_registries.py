from runbook.model.fact import Gap
from runbook.recoveries import schema_registry_reachable
from support.kafka_facts import fact, situation


def test_an_instance_that_is_back_answers_and_what_it_would_say_was_never_seen() -> None:
    seen = fact(
        "schema_registry",
        [
            {"instance": "a", "answers": True, "silence": "", "mode": "READONLY"},
            {"instance": "b", "answers": False, "silence": "can't be reached"},
        ],
        Gap("refused", {"endpoint": "b"}),
        Gap("slow", {"endpoint": "a"}),
    )
    made = schema_registry_reachable.RECOVERY.sets["schema_registry"](seen, situation({"instances": ["b"]}))
    one, other = made.rows()
    assert (one["answers"], one["mode"]) == (True, "READONLY")
    assert (other["answers"], other["silence"], other["mode"], other["compatibility"]) == (True, "", None, None)
    assert [gap.reason for gap in made.gaps] == ["slow"]
