"""Our rules of election against Kafka's own classes.

PartitionChangeBuilder over generated histories of partitions, and PartitionReassignmentReplicas of several releases
over every small reassignment.

By hand: RUNBOOK_HISTORIES says how many; 20,000 (244,000 changes) were tried before the rules were trusted.
"""

import os
from collections import Counter

import pytest

from kafka_lab.errors import LabError
from kafka_lab.jars import Jar, Wanted, fetch_jars, kafka_jars
from runbook.folders import cache_folder
from runbook.java import JavaError
from runbook.rules.election import NOBODY
from support.elections import as_kafka_says, differing, ended_by_kafka, histories, reassignments

pytestmark = pytest.mark.live

COUNT = int(os.environ.get("RUNBOOK_HISTORIES", "300"))
SEED = int(os.environ.get("RUNBOOK_HISTORIES_SEED", "1"))
_EACH = 0.01  # of all changes, that come to each of these ends at least: else the comparison would say little


def test_kafka_makes_of_each_change_what_our_rules_make_of_it() -> None:
    changes = list(histories(COUNT, SEED))
    try:
        said = as_kafka_says(changes, kafka_jars(cache_folder(), print))
    except (LabError, JavaError) as error:
        pytest.skip(f"Kafka's classes can't run here: {error}")
    assert differing(changes, said) == []
    ends = Counter[str]()
    for after in said:
        ends["led" if after.leader != NOBODY else "last leader kept" if after.last_leader != NOBODY else "not led"] += 1
        ends["eligible without a replica"] += bool({*after.elr} - {*after.replicas})
        ends["being moved"] += bool(after.adding or after.removing)
    assert min(ends.values()) > _EACH * len(said), ends
    assert len(ends) == 5, ends


@pytest.mark.parametrize("release", ["3.7.2", "3.9.1", "4.2.2", "4.3.0"])
def test_a_reassignment_ends_where_that_release_of_kafka_ends_it(release: str) -> None:
    asked = list(reassignments())
    jar = Jar("org.apache.kafka", "kafka-metadata", release, transitive=False)
    wanted = Wanted(f"Kafka's controller {release}", f"kafka-metadata-{release}", "1 MB", (jar,))
    try:
        said = ended_by_kafka(asked, fetch_jars(wanted, cache_folder(), print))
    except (LabError, JavaError) as error:
        pytest.skip(f"Kafka's classes can't run here: {error}")
    version = tuple(map(int, release.split(".")))
    assert [one for one, ends in zip(asked, said, strict=True) if one.ends(version) != ends] == []
    assert 0.1 < sum(said) / len(said) < 0.9
