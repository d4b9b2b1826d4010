"""A recovery that makes rows small again: those named, and as small as is said."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed, reveal


def _smaller(fact: Fact, situation: Situation) -> Fact:
    names = situation.given["names"]
    [size] = situation.given["size"]
    sizes = [
        size if name in names else cell for name, cell in zip(fact.columns["name"], fact.columns["size"], strict=True)
    ]
    return changed(fact, {"size": sizes}, reveal(fact, "topic", names))


RECOVERY = Recovery(
    help="Rows are as small as they were.",
    takes=("names", "size"),
    sets={"fake_row": _smaller},
    leaves=frozenset({"fake_node"}),
    entity="topic",
    of="names",
    sources=("made for tests",),
)
