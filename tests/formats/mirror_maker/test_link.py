import pytest

from runbook.formats.mirror_maker.given import as_written
from runbook.formats.mirror_maker.link import CHECKPOINT, HEARTBEAT, NEVER, SOURCE, MirrorLink, kind_of, read_link

PACKAGE = "org.apache.kafka.connect.mirror."


def link(kind: str = SOURCE, release: tuple[int, ...] | None = None, **given: str | None) -> MirrorLink:
    settings = {name.replace("__", "-").replace("_", "."): value for name, value in given.items()}
    return read_link(kind, as_written(settings), release)


@pytest.mark.parametrize("name", [f"{PACKAGE}MirrorSourceConnector", "MirrorSourceConnector", "MirrorSource"])
def test_connect_knows_a_class_by_three_names(name: str):
    assert kind_of(name) == "source"


@pytest.mark.parametrize("name", ["", "FileStreamSinkConnector", "acme.MirrorSourceConnector"])
def test_other_classes_are_none_of_mirrormaker(name: str):
    assert kind_of(name) is None


def test_a_kind_has_its_own_part_and_nothing_of_the_others():
    source, checkpoint, heartbeat = link(SOURCE), link(CHECKPOINT), link(HEARTBEAT)
    assert (source.replication_factor, checkpoint.replication_factor, heartbeat.replication_factor) == (2, None, None)
    assert (source.groups, checkpoint.groups, heartbeat.groups) == (None, (".*",), None)
    assert (source.emit_heartbeats, checkpoint.emit_heartbeats, heartbeat.emit_heartbeats) == (None, None, True)
    assert (checkpoint.topics, heartbeat.topics) == ((".*",), None)


def test_offsets_are_not_committed_for_groups_where_nothing_is_said():
    assert link(CHECKPOINT).sync_group_offsets is False
    assert link(CHECKPOINT, sync_group_offsets_enabled="true").sync_group_offsets is True


def test_before_4_0_every_name_that_ends_in_internal_was_left_out():
    older, newer = link(release=(3, 9)).topics_exclude, link(release=(4, 0)).topics_exclude
    assert older is not None
    assert newer is not None
    assert (older[0], newer[0]) == (r".*[\-\.]internal", r"mm2.*\.internal")
    assert link().topics_exclude == newer


def test_a_look_that_is_switched_off_is_never_taken():
    given = link(refresh_topics_enabled="false", refresh_topics_interval_seconds="5")
    assert (given.refresh_topics_seconds, link(refresh_topics_interval_seconds="5").refresh_topics_seconds) == (
        NEVER,
        5,
    )


def test_with_a_filter_of_ones_own_what_passes_is_not_known():
    given = link(topic_filter_class="com.example.Filter", topics="orders")
    assert (given.topics, given.topics_exclude, given.config_properties_exclude is None) == (None, None, False)


def test_the_earlier_name_of_a_list_counts_for_earlier_releases_only():
    assert link(topics_blacklist="secret.*").topics_exclude is None
    assert link(release=(4, 1), topics_blacklist="secret.*").topics_exclude == link().topics_exclude


def test_policies_have_short_names_and_a_class_of_ones_own_has_its_own():
    own = "com.example.Policy"
    policies = [f"{PACKAGE}IdentityReplicationPolicy", f"{PACKAGE}DefaultReplicationPolicy", own]
    assert [link(replication_policy_class=policy).policy for policy in policies] == ["identity", "default", own]
    assert link(replication_policy_class=None).policy is None


def test_a_connector_without_alias_has_no_known_source():
    assert (link().source, link().target) == (None, "target")
    assert link(source_cluster_alias="us", target_cluster_alias="eu").source == "us"
