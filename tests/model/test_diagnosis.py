from runbook.model.diagnosis import CauseFound, Diagnosis


def cause(name: str, *, certain: bool = True, beneath: str = "") -> CauseFound:
    return CauseFound(cause=name, title=name, says=name, certain=certain, beneath=beneath)


def test_named_are_the_causes_that_hold_and_follow_from_no_other() -> None:
    causes = [cause("a"), cause("b", beneath="a"), cause("c", certain=False)]
    assert [cause.cause for cause in Diagnosis(environment="e", causes=causes).named] == ["a"]
