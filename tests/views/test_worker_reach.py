import pytest

from runbook.model.fact import Fact
from runbook.model.old_gaps import from_sentence
from runbook.views.worker_reach import compute
from support.kafka_facts import fact

DARK = "no bootstrap server answers: kafka-1:9092 did not answer within 3 s"


def cluster(*gaps: str) -> Fact:
    seen = fact("kafka_cluster", [] if gaps else [{"cluster_id": "a"}])
    seen.gaps = [from_sentence(reason) for reason in gaps]
    return seen


@pytest.mark.parametrize(
    ("answers", "beside", "silent"),
    [
        (True, cluster(), False),
        (False, cluster(), True),
        (None, cluster(), None),
        (True, cluster(DARK), False),
        (False, cluster(DARK), None),
        (False, cluster("the inventory gives no kafka connection for dr"), True),
        (False, cluster("kafka-1:9092 does not let us look: a login is refused"), True),
    ],
)
def test_a_worker_is_silent_by_itself_only_where_something_beside_it_answers(
    answers: bool | None,  # noqa: FBT001 - a cell
    beside: Fact,
    silent: bool | None,  # noqa: FBT001 - a cell
) -> None:
    workers = fact("connect_worker", [{"worker": "mm-1", "id": "mm-1:8083", "answers": answers, "tasks": 2}])
    [row] = compute(worker=workers, cluster=beside).rows
    assert (row.worker, row.id, row.silent, row.connectors, row.tasks) == ("mm-1", "mm-1:8083", silent, None, 2)
