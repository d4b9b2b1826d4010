"""What applications need at a target once they have moved: leave to write, to use groups and transactional ids."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._acl_names import Broader
from runbook.views._mirrors import ACL, EXCLUDE, GROUPS, TOPICS, meant

_WRITES: Final = ("Write", "All")
_READS: Final = ("Read", "All")
"""What a member of a group needs; who may describe one looks on."""


class MovedAcl(Row):
    """An ACL of the source that holds under the same name at the target, and that no MirrorMaker brings there."""

    principal: Annotated[str, Cell("Who, as User:alice.", key=True, entity="principal")]
    host: Annotated[str, Cell("From which address; * is any.", key=True)]
    operation: Annotated[str, Cell("What it says at the source.", key=True)]
    permission: Annotated[str, Cell("Allow or Deny.", key=True)]
    resource_type: Annotated[str, Cell("Topic, Group or TransactionalId.", key=True)]
    resource: Annotated[str, Cell("Its name, what names begin with, or *.", key=True)]
    pattern: Annotated[str, Cell("Literal or Prefixed.", key=True)]
    present: Annotated[bool | None, Cell("Whether the target says as much, or more.")]


VIEW = View(
    help="One row per ACL of the source by which applications of mirrored topics write, use groups and transactions.",
    row=MovedAcl,
    inputs={
        "source": Input("kafka_acl", columns=ACL, at="source"),
        "target": Input("kafka_acl", columns=ACL, at="target"),
    },
    version=2,
    parameters={"topics": TOPICS, "exclude": EXCLUDE, "groups": GROUPS},
)


def compute(
    *,
    source: Fact,
    target: Fact,
    topics: list[str] | None = None,
    exclude: list[str] | None = None,
    groups: list[str] | None = None,
) -> Observed:
    """Pair two kafka_acl facts, by the names of the source: producers and groups keep theirs when they move.

    Transactional ids are of the principals that may write a topic that is meant; nothing else tells whose they are.
    """
    wanted, in_groups = meant(topics, exclude), _any_of(groups or [])
    there = Broader(target.rows())
    known = list(source.rows())
    writers = {acl["principal"] for acl in known if _lets_write(acl, wanted)}
    rows = []
    for acl in known:
        kind = acl["resource_type"]
        taken = (
            _lets_write(acl, wanted)
            or (bool(groups) and kind == "Group" and acl["operation"] in _READS and _named(acl, in_groups))
            or (kind == "TransactionalId" and acl["principal"] in writers)
        )
        if taken:
            rows.append(
                MovedAcl(
                    **{column: acl[column] for column in ACL},
                    present=target.presence(found=there.have(acl)),
                )
            )
    return Observed(rows=rows)


def _lets_write(one: dict[str, Any], wanted: Callable[[str], bool]) -> bool:
    """Whether it says who may write a topic that is meant, or several topics at once."""
    return one["resource_type"] == "Topic" and one["operation"] in _WRITES and _named(one, wanted)


def _named(one: dict[str, Any], wanted: Callable[[str], bool]) -> bool:
    several = one["pattern"] != "Literal" or one["resource"] == "*"
    return several or wanted(one["resource"])


def _any_of(patterns: list[str]) -> Callable[[str], bool]:
    return lambda name: any(fnmatchcase(name, pattern) for pattern in patterns)
