"""Where the kinds of gaps come from, and that they come through."""

import io

import msgspec
import pytest

from runbook.answers.kafka.errors import BrokerLabel, LostOnTheWay, NoLogin
from runbook.connections.kafka.errors import from_code, from_words, none_of, silence
from runbook.evidence.bundle import FORMAT, Bundle, Kept, read_bundle
from runbook.model import errors
from runbook.model.ask import FactQuestion
from runbook.model.errors import CannotLook, Denied, NoSecondLook, Refused, TimedOut
from runbook.model.fact import Fact, Gap
from runbook.model.gap_kind import NO_ANSWER, OF_THE_RUN, GapKind
from runbook.run.collection.worker import Frame, Outlet, decoded

WHOLE = Gap(
    "why", {"broker": 2}, GapKind.NO_TLS, "kafka", at="h:1", waited=2.0, deadline=20.0, right="Describe", withheld=True
)


def test_an_error_leaves_a_gap_of_its_kind_with_what_it_knows() -> None:
    gap = Gap.of(Denied("we may not", "Describe on the cluster"), {"broker": 1}, "broker 1: we may not")
    assert gap == Gap("broker 1: we may not", {"broker": 1}, GapKind.DENIED, right="Describe on the cluster")
    assert Gap.of(TimedOut("in vain", 2.0)) == Gap("in vain", kind=GapKind.TIMED_OUT, waited=2.0)
    assert Gap.of(NoSecondLook("late", 20.0)).deadline == 20.0
    assert Gap.of(CannotLook("somehow")).kind is GapKind.INCOMPLETE


def test_each_class_of_errors_has_a_kind_of_its_own() -> None:
    classes = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, CannotLook)]
    assert len({each.kind for each in classes}) == len(classes)
    assert not NO_ANSWER & OF_THE_RUN - {GapKind.DEADLINE}


def test_a_broker_is_remembered_by_its_address_where_tls_fails() -> None:
    failed = from_words("SSL handshake failed", BrokerLabel(2, "h:9092"))
    assert (str(failed).split(" can't")[0], failed.kind, failed.at) == ("broker 2 (h:9092)", GapKind.NO_TLS, "h:9092")
    assert from_words("SSL handshake failed", "h:9092").at == ""


@pytest.mark.parametrize(
    ("reasons", "kind"),
    [
        ([Refused("a"), Refused("b")], GapKind.REFUSED),
        ([Refused("a"), silence("b", 2.0)], GapKind.UNREACHABLE),
        ([Refused("a"), NoLogin("b does not know us")], GapKind.DENIED),
    ],
)
def test_of_several_servers_what_one_answered_decides(reasons: list[CannotLook], kind: GapKind) -> None:
    assert none_of(reasons).kind is kind


def test_what_was_lost_on_the_way_was_waited_for_as_long() -> None:
    assert LostOnTheWay("in vain", silence("broker 1", 2.0)).waited == 2.0


def test_a_broker_that_loads_has_answered_and_one_that_refuses_says_which_right_it_wants() -> None:
    assert from_code(14, "group g").kind is GapKind.NOT_SERVING
    assert from_code(31, "broker 1", right="Describe on the cluster").right == "Describe on the cluster"


def test_all_of_a_gap_comes_through_a_worker_and_a_bundle() -> None:
    stream = io.BytesIO()
    Outlet(stream).send(Frame(1, {"": Fact("p", {}, [WHOLE])}))
    came = decoded(stream.getvalue()[4:]).facts
    assert came is not None
    assert came[""].gaps == [WHOLE]
    kept = [Kept(FactQuestion("prod", "kafka", "p"), {"": Fact("p", {}, [WHOLE])})]
    bundle = Bundle(FORMAT, "0", "r", "2026-11-28T10:00:00.000Z", {}, {}, [], kept, typed_gaps=True)
    assert read_bundle(msgspec.json.encode(bundle), "b").kept == kept


def test_a_kept_digest_fits_whatever_is_known_of_its_gaps_now() -> None:
    assert Fact("a", {}, [Gap("x", {"a": 1})]).digest() == Fact("a", {}, [Gap("x", {"a": 1}, GapKind.DENIED)]).digest()
    assert Fact("a", {}, [Gap("x", {"a": 1})]).digest().startswith("4783976779e333e3")
