"""A replication link between two environments, as the inventory declares it, and what checks may read of that."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from runbook.model.ask import seconds
from runbook.model.canary import Canary
from runbook.model.field_types import Duration

ENVIRONMENT_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
Name = Annotated[str, Meta(pattern=ENVIRONMENT_NAME, max_length=63)]
Pattern = Annotated[str, Meta(min_length=1, description="shell pattern, as in orders*")]

ALL: Final = ["*"]

LINK: dict[str, str] = {
    "link.source": "string",
    "link.target": "string",
    "link.kind": "string",
    "link.alias": "string",
    "link.target_alias": "string",
    "link.policy": "string",
    "link.prefix": "string",
    "link.back": "string",
    "link.back_declared": "bool",
    "link.heartbeats": "string",
    "link.topics": "list[string]",
    "link.topics_exclude": "list[string]",
    "link.groups": "list[string]",
    "link.rpo": "int",
    "link.rto": "int",
    "link.rpo_of": "list[string]",
}
"""The constants of a check `over: link`, with their types. `rpo` and `rto` are the shortest that are declared, in
seconds, and unknown if none is; `rpo_of` has PATTERN=SECONDS for each promise, in its order. `back` begins the names of
topics that came from the target; `topics_exclude` has them too; `back_declared` is whether a mirror from the target to
the source is declared as well. `heartbeats` is the topic in which the source's come
to the target: MirrorMaker renames it where names are kept, too (IdentityReplicationPolicy)."""


class Promise(Struct, frozen=True, forbid_unknown_fields=True):
    """What a link is meant to achieve for some topics. The first one whose patterns fit a topic is its own.

    Attributes:
        topics: shell patterns of the source's topics; all of them if not given.
        rpo: recovery point objective: how old the newest record on the target may be when the source is lost.
        rto: recovery time objective: how long until applications write and read again.
    """

    topics: list[Pattern] = []
    rpo: Duration | None = None
    rto: Duration | None = None


class Mirror(Struct, frozen=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """A replication link between two environments, the subject of checks with `over: link`.

    Attributes:
        kind: what copies.
        alias: what the target calls the source; the source's name if not given.
        policy: how the target names topics: default puts alias and separator before the name, identity keeps it.
        separator: of the default policy.
        target_alias: what the source calls the target, in the names of topics that come from there and are not meant to
            go back; the target's name if not given.
        topics: shell patterns of the source's topics that are meant to be mirrored; all if not given.
        topics_exclude: those among them that are not.
        groups: shell patterns of consumer groups that are meant to find their positions on the target.
        promises: RPO and RTO by topic.
        params: as of an environment, for this link; they come before those of its target.
        canary: consent to a drill's canary; without it there is none.
        back_declared: whether a mirror from `to` to `from` is declared too. Where it stands in the same inventory that
            is known by itself; say it where the other direction has an inventory of its own.
    """

    from_: Name
    to: Name
    kind: Literal["mm2", "cluster-linking", "strimzi"] = "mm2"
    alias: str = ""
    target_alias: str = ""
    policy: Literal["default", "identity"] = "default"
    separator: str = "."
    topics: list[Pattern] = []
    topics_exclude: list[Pattern] = []
    groups: list[Pattern] = []
    promises: list[Promise] = []
    params: dict[str, dict[str, Any]] = {}
    canary: Canary | None = None
    back_declared: bool = False

    @property
    def name(self) -> str:
        """How results call it."""
        return f"{self.from_}→{self.to}"

    def constants(self) -> dict[str, Any]:
        """The values of `LINK`."""
        alias = self.alias or self.from_
        target = self.target_alias or self.to
        back = f"{target}{self.separator}" if self.policy == "default" else ""
        rpos = [(promise.topics or ALL, seconds(promise.rpo)) for promise in self.promises if promise.rpo]
        rtos = [seconds(promise.rto) for promise in self.promises if promise.rto]
        return {
            "link.source": self.from_,
            "link.target": self.to,
            "link.kind": self.kind,
            "link.alias": alias,
            "link.target_alias": target,
            "link.policy": self.policy,
            "link.prefix": f"{alias}{self.separator}" if self.policy == "default" else "",
            "link.topics": self.topics or ALL,
            "link.topics_exclude": [*self.topics_exclude, *([f"{back}*"] if back else [])],
            "link.back": back,
            "link.back_declared": self.back_declared,
            "link.heartbeats": f"{alias}{self.separator}heartbeats",
            "link.groups": self.groups,
            "link.rpo": min((round(rpo) for _, rpo in rpos), default=None),
            "link.rto": min((round(rto) for rto in rtos), default=None),
            "link.rpo_of": [f"{pattern}={round(rpo)}" for patterns, rpo in rpos for pattern in patterns],
        }


def paired(mirrors: Sequence[Mirror]) -> list[Mirror]:
    """The mirrors of an inventory; each whose other direction is among them knows that it is declared."""
    ways = {(mirror.from_, mirror.to) for mirror in mirrors}
    return [replace(one, back_declared=one.back_declared or (one.to, one.from_) in ways) for one in mirrors]


def values_of(params: Mapping[str, Any], link: Mirror | None) -> dict[str, Any]:
    """What `params.x` and `link.x` stand for."""
    return {f"params.{name}": value for name, value in params.items()} | (link.constants() if link else {})
