"""Kinds of gaps that were kept before gaps had kinds: read once from the sentences of that time."""

import pytest

from runbook.model.fact import Fact, Gap
from runbook.model.gap_kind import GapKind
from runbook.model.old_gaps import from_sentence, typed


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("broker 2 (h:1) can't be reached: connection refused, yet counts as in sync for 3 partitions", "refused"),
        (
            "no bootstrap server answers: h:1 can't be reached: no route to host; h:2 did not answer in 2.0 s",
            "no route",
        ),
        ("kafka of prod had not answered by the deadline (this run had used 3 s)", "deadline"),
        ("kafka of prod was not asked: its turn had not come by the deadline", "no turn"),
        ("kafka_cluster of prod: the run was interrupted", "interrupted"),
        ("the inventory gives no ssh connection for prod, nor declares it absent", "not configured"),
        ("records has no `drills:`, which names the folder of records of drills", "setting missing"),
        ("broker 1 did not answer in Kafka's protocol: HTTP", "garbled"),
        ("broker 1 does not let us look: it needs Describe on the cluster", "denied"),
        ("the quorum did not answer in its time: no active controller answered the broker", "controller silent"),
        ("it says nothing of this sort", "incomplete"),
    ],
)
def test_gaps_of_before_have_the_kind_that_their_sentence_tells_of(sentence: str, kind: str) -> None:
    assert from_sentence(sentence).kind == kind


def test_gaps_of_before_have_what_else_their_sentence_tells_of() -> None:
    silent = from_sentence("broker 1 (h:1), for the controller, did not answer in 2.2 s")
    assert (silent.kind, silent.waited) == (GapKind.CONTROLLER_SILENT, 2.2)
    assert from_sentence("broker 2 (h:1) can't be reached over TLS: Handshake failed").at == "h:1"
    assert from_sentence("topics may be hidden from us: we have no Describe on all topics").right
    late = "the deadline comes before a second look, 10s after the first: give --deadline 20s"
    assert from_sentence(late).deadline == 20.0


def test_what_has_a_kind_keeps_it_whatever_its_sentence_says() -> None:
    gaps = [Gap("h:1 can't be reached", kind=GapKind.DENIED), Gap("h:1 can't be reached")]
    found = typed(Fact("p", {}, gaps), "kafka").gaps
    assert [gap.kind for gap in found] == [GapKind.DENIED, GapKind.UNREACHABLE]
