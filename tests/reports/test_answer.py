from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.reports._answer import answer


def found(cause: str, says: str) -> CauseFound:
    return CauseFound(cause=cause, title="A cause", says=says, certain=True, first=f"mend {says}")


def test_further_findings_of_one_kind_hide_no_other_kind() -> None:
    full = [found("ha/disk-is-full", f"disk {number} is full") for number in (1, 2, 3)]
    said = Diagnosis(environment="prod", causes=[*full, found("error-handling/worker-is-silent", "a worker is silent")])
    told = answer(said, [], "2026-11-24T14:00:00Z")
    assert [(part.word, part.says) for part in told] == [
        ("CAUSE", "disk 1 is full"),
        ("CAUSE", "a worker is silent"),
        ("CAUSE", "disk 2 is full"),
        ("CAUSES", "1 more: --full"),
    ]
    firsts = [line.says for part in told for line in part.lines if line.label == "first"]
    assert firsts == ["mend disk 1 is full", "mend a worker is silent"]  # of one kind it is the same, and said once
