"""Looks out of bundles, and what changed between them."""

from runbook.changes.observations import Inquiry
from runbook.changes.wording import sentence
from runbook.evidence.bundle import FORMAT, Bundle, Kept
from runbook.model.ask import FactQuestion
from runbook.model.fact import Fact, Gap
from runbook.parse.inventory import Environment
from runbook.run.diagnosis.comparison import Differing, compare, observation_of, since


def quorum(*nodes: int, gaps: tuple[str, ...] = ()) -> Fact:
    """Voters."""
    cells = {"node": [*nodes], "voter": [True for _ in nodes], "leader": [node == 1 for node in nodes]}
    return Fact("kafka_quorum", cells, [Gap(reason) for reason in gaps])


def bundle(*kept: tuple[FactQuestion, Fact], selected: tuple[str, ...] = ()) -> Bundle:
    """A bundle of the environments `prod` and `stage`."""
    of = {name: Environment() for name in ("prod", "stage")}
    facts = [Kept(ask, {"": fact, "before": quorum(7)}) for ask, fact in kept]
    return Bundle(FORMAT, "0", "r1", "2026-11-23T06:00:00.000Z", of, {}, [], facts, [*selected], typed_gaps=True)


ASKED = FactQuestion("prod", "kafka", "kafka_quorum")


def test_a_look_is_of_one_environment_with_all_columns_that_its_probes_declare() -> None:
    kept = bundle((ASKED, quorum(1)), (FactQuestion("stage", "kafka", "kafka_quorum"), quorum(2)))
    [(question, fact)] = observation_of(kept, "prod").facts.items()
    assert question == Inquiry("kafka_quorum")
    assert (fact.columns["node"], fact.columns["lag"]) == ([1], [None])


def test_of_a_question_that_was_also_put_twice_in_a_row_the_single_answer_counts() -> None:
    twice = FactQuestion("prod", "kafka", "kafka_quorum", looks="5s")
    for kept in (bundle((ASKED, quorum(1)), (twice, quorum(2))), bundle((twice, quorum(2)), (ASKED, quorum(1)))):
        assert observation_of(kept, "prod").facts[Inquiry("kafka_quorum")].columns["node"] == [1]
    assert observation_of(bundle((twice, quorum(2))), "prod").facts[Inquiry("kafka_quorum")].columns["node"] == [2]


def test_what_several_connections_told_is_one_answer() -> None:
    other = FactQuestion("prod", "jolokia", "kafka_quorum")
    fact = observation_of(bundle((ASKED, quorum(1)), (other, quorum(2, gaps=("half",)))), "prod").facts[
        Inquiry("kafka_quorum")
    ]
    assert (fact.columns["node"], [gap.reason for gap in fact.gaps]) == ([1, 2], ["half"])


def test_what_changed_since_a_kept_look_in_words() -> None:
    old, new = bundle((ASKED, quorum(1, 2))), bundle((ASKED, quorum(1, 3)))
    assert [(change.kind, sentence(change)) for change in since(old, observation_of(new, "prod")).changes] == [
        ("went", "controller 2  (kafka_quorum)"),
        ("came", "controller 3  (kafka_quorum)"),
    ]
    assert since(old, observation_of(old, "prod")).changes == []
    half = bundle((ASKED, quorum(1, gaps=("half",))))
    assert since(old, observation_of(half, "prod")).changes == []  # not gone: nobody knows


def test_the_environments_that_a_bundle_is_about_are_compared_and_no_ends_of_their_links() -> None:
    old = bundle((ASKED, quorum(1)), selected=("prod",))
    assert [comparison.environment for comparison in compare(Differing(old=old, new=old))] == ["prod"]
    both = bundle((ASKED, quorum(1)))
    assert [comparison.environment for comparison in compare(Differing(old=both, new=both))] == ["prod", "stage"]
    assert [comparison.environment for comparison in compare(Differing(old=both, new=both, environments=["st*"]))] == [
        "stage"
    ]
