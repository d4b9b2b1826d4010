import pytest
from msgspec.structs import replace

from runbook.model.block import Loss
from runbook.procedure.loss_seen import LossSeen, cluster_in, loss_seen, with_loss
from runbook.procedure.walk_record import Begun, Sighting
from support.small_walks import BEGUN, done

WELL = {"a": [1], "b": [2, 3]}


def begun(loses: Loss | None) -> Begun:
    """A drill of an environment, or from `eu` to it."""
    return replace(BEGUN, drill=True, loses=loses, source="eu" if loses == "source" else "", target="prod")


def look(at: int, serving: str = "", gone: str = "", unsure: str = "", **fields: object) -> Sighting:
    """A look in which these nodes, a digit each, were so."""
    nodes = {"serving": serving, "gone": gone, "unsure": unsure}
    seen = Sighting(stage=f"step {at}", at=f"t{at}", took_ms=1, environment="prod", cluster_id="c", racks=WELL)
    return replace(seen, **{name: [*map(int, digits)] for name, digits in nodes.items()}, **fields)


def judged(loses: Loss | None, *looks: Sighting) -> LossSeen:
    """What these looks show, with a person in between who says that all was done."""
    entries = [entry for look in looks for entry in (done(1), look)]
    return loss_seen([begun(loses), *entries])


def not_lost(why: str) -> LossSeen:
    return LossSeen(seen=False, text=why)


def test_a_broker_that_served_was_gone_and_serves_again_was_seen_lost():
    found = judged("broker", look(1, "123"), look(2, "12", "3"), look(3, "12", unsure="3"), look(4, "123"))
    text = "broker 3 served at t1, was gone at t2 and served again at t4"
    assert found == LossSeen(seen=True, text=text, cluster="c")
    assert str(found) == f"seen lost: {text} [cluster c]"
    assert cluster_in(str(found)) == "c"


def test_pressing_enter_loses_nothing():
    found = judged("broker", look(1, "123"), look(2, "123"), look(3, "123"))
    assert not found.seen
    assert found.text == "at none of 3 looks was a broker gone: brokers 1, 2, 3 were in service"
    assert str(found).startswith("not seen lost: ")


@pytest.mark.parametrize(
    ("looks", "why"),
    [
        ([], "the tool did not look"),
        ([look(1, "12", "3"), look(2, "123")], "at none of 2 looks"),  # it was gone before, for another reason
        (
            [look(1, "123"), look(2, "12", "3")],
            "broker 3 was gone at t2, and was not seen in service again",
        ),
        ([look(1, "123"), look(2, "12", unsure="3"), look(3, "123")], "broker 3 did not answer for a while, yet"),
        ([look(1, "123"), look(2, dark=True, unknown="no route"), look(3, "123")], "1 looks could not see: no route"),
        (
            [look(1, unknown="no rights"), look(2, unknown="no rights")],
            "no broker was in service at any look: no rights",
        ),
        ([look(1, unknown="no rights"), look(2)], "no broker was in service at any look: no rights"),
        ([look(1), look(2)], "no broker was in service at any look"),
        ([look(1, "123"), look(2, "1", unsure="23"), look(3, "123")], "broker 2, 3 did not answer for a while, yet"),
        ([look(1, "123"), look(2, "12", "3", unknown="half of it"), look(3, "123")], "at none of 3 looks"),
        ([look(1, "123"), look(2, "12", "3", dark=True), look(3, "123")], "at none of 3 looks"),
        ([look(1, "123"), look(2, "12", "3", cluster_id="d"), look(3, "123")], "was cluster c, and then cluster d"),
        ([look(1, "123"), look(2, "12", "3", cluster_id=""), look(3, "123")], "at none of 3 looks"),
    ],
)
def test_what_was_not_seen_is_said_with_the_reason(looks: list[Sighting], why: str):
    found = judged("broker", *looks)
    assert found == not_lost(found.text)
    assert why in found.text
    assert not found.text.endswith((" ", ":"))


def test_a_broker_that_its_cluster_does_not_know_any_more_is_gone():
    assert judged("broker", look(1, "123"), look(2, "12"), look(3, "123")).seen


def test_another_broker_that_comes_is_not_the_one_that_was_lost():
    assert not judged("broker", look(1, "123"), look(2, "12", "3"), look(3, "124", "3")).seen


def test_a_rack_is_lost_with_all_of_its_brokers_at_once():
    assert judged("rack", look(1, "123"), look(2, "1", "23"), look(3, "123")).text.startswith("rack b served")
    one_by_one = judged("rack", look(1, "123"), look(2, "13", "2"), look(3, "12", "3"), look(4, "123"))
    assert one_by_one.text.startswith("at none of 4 looks was all of a rack gone")


def source(at: int, **fields: object) -> list[Sighting]:
    """A look at both sites, of which the target is well."""
    return [replace(look(at), **({"environment": "eu", "cluster_id": "e"} | fields)), look(at, "4")]


def test_a_source_that_served_and_was_dark_while_the_target_answered_was_seen_lost():
    found = judged("source", *source(1, serving=[1]), *source(2, dark=True, cluster_id=""))
    assert found == LossSeen(seen=True, text="eu (cluster e) served at t1 and was dark at t2", cluster="c")


def test_a_source_whose_cluster_is_not_known_is_named_alone():
    found = judged("source", *source(1, serving=[1], cluster_id=""), *source(2, dark=True, cluster_id=""))
    assert found.text == "eu served at t1 and was dark at t2"


def test_a_source_that_went_on_was_not_lost():
    found = judged("source", *source(1, serving=[1]), *source(2, serving=[1]))
    assert found == not_lost("eu answered at every one of 2 looks")
    dark = replace(look(3), dark=True)  # it is the other site that was dark, and looked at once more
    found = judged("source", *source(1, serving=[1]), *source(2, serving=[1]), dark)
    assert found == not_lost("eu answered at every one of 2 looks")


def test_a_broker_that_comes_back_alone_is_back():
    assert judged("broker", look(1, "3"), look(2, "", "3"), look(3, "3")).seen


def test_a_broker_of_another_cluster_is_told_apart_though_its_id_came_late():
    found = judged("broker", look(1, "3", cluster_id=""), look(2, "3"), look(3, "3", cluster_id="d"))
    assert found == not_lost("prod was cluster c, and then cluster d")


def test_a_source_that_never_served_can_not_be_lost():
    found = judged("source", *source(1, dark=True, unknown="refused"))
    assert found == not_lost("eu was in service at no look before the loss: refused")
    # What could not be seen of the target is no reason why the source was not.
    target = replace(look(1), unknown="no rights")
    assert judged("source", target, *source(1, dark=True)) == not_lost("eu was in service at no look before the loss")


def test_a_source_that_is_dark_together_with_the_target_may_be_our_own_network():
    both = [replace(look_, dark=True, serving=[], cluster_id="") for look_ in source(2)]
    found = judged("source", *source(1, serving=[1]), *both)
    assert found == not_lost("eu was dark at t2, but prod did not answer then: our own network?")


def test_a_source_that_is_another_cluster_all_of_a_sudden_was_not_lost():
    found = judged("source", *source(1, serving=[1]), *source(2, serving=[1], cluster_id="f"), *source(3, dark=True))
    assert found == not_lost("eu was cluster e, and then cluster f")


def test_a_record_from_before_names_no_loss():
    nothing = not_lost("the record names no loss that the tool was to look for")
    assert loss_seen([BEGUN]) == nothing
    assert loss_seen([]) == nothing


def test_what_was_seen_stands_once_among_the_caveats():
    entries = [begun("broker"), look(1, "123")]
    once = with_loss(["acks=1"], entries)
    assert once[0] == "acks=1"
    assert with_loss(once, entries) == once
