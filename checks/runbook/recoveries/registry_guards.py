"""The Schema Registry as a whole has the level that registries have by default."""

from runbook.recoveries._registries import set_to

RECOVERY = set_to(
    "BACKWARD",
    column="compatibility",
    of_subjects="schema_subject",
    help_="The Schema Registry as a whole has the level BACKWARD, the default.",
    source="Confluent documentation, Schema evolution and compatibility: BACKWARD is the default level",
)
