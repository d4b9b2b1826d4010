"""Plans of Terraform and OpenTofu, as `terraform show -json PLAN` prints them, and what is given in their place.

The format: each planned change of a resource has the values before and after; a value that is known only once it is
applied is missing there, and marked in `after_unknown`; one that must not be shown is there, and marked in
`after_sensitive`.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, Final

import msgspec
from msgspec import Struct

REMEDY: Final = "give the plan as JSON: terraform plan -out=PLAN, then terraform show -json PLAN > plan.json"
SMALLER: Final = (
    "keep what is judged, jq -c 'del(.prior_state, .planned_values, .resource_drift) | "
    '.resource_changes |= map(select(.type | test("kafka|msk")))\' plan.json > kafka.json, and give that, '
    "or the plan of a part: terraform plan -target=ADDRESS"
)
AFTER_APPLY: Final = "known after apply"
_ACTIONS: Final[dict[tuple[str, ...], str]] = {
    ("delete", "create"): "replace",
    ("create", "delete"): "replace",
    ("create", "forget"): "forget",
}
_RESOURCE: Final = re.compile(r'^[ \t]*resource[ \t]+"(\w{1,99})"[ \t]+"([\w-]{1,99})"', re.MULTILINE)
_KAFKAS: Final = re.compile(r"kafka|(?:^|_)msk(?:_|$)|redpanda")
_MAJOR: Final = "1"  # of the format: later minor versions only add


class Told(Struct, frozen=True):
    """A value of a plan; None and why where it is not known, or must not be shown.

    Attributes:
        hidden: the value that must not be shown, to judge by alone.
    """

    value: Any = None
    why: str = ""
    hidden: Any = None


class ResourceChange(Struct, frozen=True, kw_only=True):
    """What becomes of one resource.

    Attributes:
        address: as Terraform shows it, with the object that is left of an earlier replacement (deposed).
        type: kafka_topic.
        name: of the resource in its module.
        provider: the last part of its provider's source: kafka of mongey/kafka.
        action: create, update, no-op, delete, replace, forget or read.
        replaced_for: fields that force a replacement.
        refers: field → the resources that its expression refers to, by type; empty where several blocks share the name.
    """

    address: str
    type: str
    name: str
    provider: str
    action: str
    before: Any
    after: Any
    unknown: Any
    hidden_before: Any
    hidden_after: Any
    replaced_for: list[str]
    refers: dict[str, frozenset[str]] = {}

    def told(self, *path: str | int) -> Told:
        """The value at a path after the change; before it, where nothing comes after."""
        if self.after is None:
            return _told(self.before, {}, self.hidden_before, path)
        return _told(self.after, self.unknown, self.hidden_after, path)

    def keys(self, *path: str | int) -> list[str] | None:
        """The keys of a map after the change, also those whose value is not known; None where that is all of it."""
        whole = self.told(*path)
        if whole.why or not isinstance(whole.value, dict | None):
            return None
        marked: Any = self.unknown
        for step in path:
            marked = _step(marked, step)
        unknown = marked if isinstance(marked, dict) else {}
        return sorted({*(whole.value or {}), *(key for key, mark in unknown.items() if mark)})


class Plan(Struct, frozen=True):
    """What a plan says.

    Attributes:
        changes: of managed resources.
        incomplete: why it does not say all; empty where it does.
        configured: type and name of the resources in the configuration, whether there is one of them or none.
    """

    changes: list[ResourceChange]
    incomplete: str
    configured: frozenset[tuple[str, str]]


def read_plan(text: str) -> "Plan | str | None":
    """The plan that a text is; what it is instead, with the remedy; None for a text that is nothing of Terraform's."""
    if text.lstrip()[:1] != "{":
        return None
    try:
        keys = msgspec.json.decode(text, type=dict[str, msgspec.Raw]).keys()
    except msgspec.DecodeError:
        return _stream(text)
    except RecursionError:  # no plan is nested so deep
        return None
    if "resource_changes" in keys or keys >= {"planned_values", "format_version"}:
        return _plan(text)
    return _instead(text, keys)


def _instead(text: str, keys: Collection[str]) -> str | None:
    """What of Terraform's else a JSON object is."""
    if "terraform_version" in keys and ("lineage" in keys or "version" in keys):
        return f"it is a state of Terraform, which says what is there, and no plan: {REMEDY}"
    if "format_version" in keys and "values" in keys:
        return f"terraform show -json printed a state here, and no plan, as it was not given the plan's file: {REMEDY}"
    return _source(msgspec.json.decode(text)["resource"]) if "resource" in keys else None


def begins_as_plan(head: bytes) -> bool:
    """Whether the first bytes of a file are those of a plan, or of another JSON that Terraform prints."""
    return head.lstrip()[:1] == b"{" and all(key in head for key in (b'"format_version"', b'"terraform_version"'))


def binary(content: bytes) -> str:
    """What is wrong with a file that is no text, if it is one of Terraform's; else empty."""
    if content[:2] == b"PK" and b"tfplan" in content:
        return f"it is a plan as Terraform keeps it, which only Terraform reads: {REMEDY.partition(', then ')[2]}"
    return ""


def resources_of(source: str) -> list[tuple[str, str, int]]:
    """Type, name and line of the resources of Kafka in a source file (.tf)."""
    found = [(match[1], match[2], source.count("\n", 0, match.start(1)) + 1) for match in _RESOURCE.finditer(source)]
    return [each for each in found if of_kafka(each[0])]


def of_kafka(kind: str) -> bool:
    """Whether a type of resource is one of Kafka's, of whichever provider."""
    return _KAFKAS.search(kind) is not None


def source_instead(kind: str, name: str) -> str:
    """What is wrong with a source file that declares a resource of Kafka."""
    return f'resource "{kind}" "{name}" is Terraform\'s source, which is not read here: {REMEDY}'


def _source(resources: Any) -> str | None:
    """What is wrong with a source file in JSON (.tf.json)."""
    kinds = resources.items() if isinstance(resources, dict) else ()
    found = [(kind, name) for kind, of in kinds if of_kafka(kind) and isinstance(of, dict) for name in of]
    return source_instead(*found[0]) if found else None


def _stream(text: str) -> str | None:
    first = text.lstrip().partition("\n")[0]
    if '"@level"' in first and '"terraform"' in first:
        return f"it is the log that terraform plan -json prints, and no plan: {REMEDY}"
    return None


class _Actions(Struct):
    """How Terraform prints a change; fields that are not read are left out."""

    actions: list[str] = []
    before: Any = None
    after: Any = None
    after_unknown: Any = {}
    before_sensitive: Any = False
    after_sensitive: Any = False
    replace_paths: list[list[str | int]] = []


class _PrintedChange(Struct):
    address: str
    type: str
    name: str
    change: _Actions
    mode: str = "managed"
    provider_name: str = ""
    deposed: str = ""


class _Resource(Struct):
    type: str
    name: str
    expressions: dict[str, Any] = {}


class _Call(Struct):
    module: "_Module"


class _Module(Struct):
    resources: list[_Resource] = []
    module_calls: dict[str, _Call] = {}


class _Configuration(Struct):
    root_module: _Module = msgspec.field(default_factory=_Module)


class _Whole(Struct):
    format_version: str = _MAJOR
    resource_changes: list[_PrintedChange] = []
    configuration: _Configuration = msgspec.field(default_factory=_Configuration)
    errored: bool = False
    deferred_changes: list[Any] = []


def _plan(text: str) -> "Plan | str":
    try:
        whole = msgspec.json.decode(text, type=_Whole)
    except msgspec.ValidationError as error:
        return f"it is no plan as Terraform prints it ({error}): {REMEDY}"
    if whole.format_version.partition(".")[0] not in ("0", _MAJOR):  # 0.x: of Terraform 0.12 to 1.0, the same
        return f"its format_version {whole.format_version} is newer than the one that is read here, {_MAJOR}"
    incomplete = ""
    if whole.errored:
        incomplete = "the plan ended with an error, and does not say all: correct it, then plan again"
    elif whole.deferred_changes:
        incomplete = f"{len(whole.deferred_changes)} changes are deferred to a later plan: judge that one, too"
    blocks = [*_configured(whole.configuration.root_module)]
    times = Counter((block.type, block.name) for block in blocks)
    refers = {(block.type, block.name): _refers(block) for block in blocks if times[block.type, block.name] == 1}
    managed = [each for each in whole.resource_changes if each.mode == "managed"]
    changes = [_change(each, refers.get((each.type, each.name), {})) for each in managed]
    return Plan(changes, incomplete, frozenset(times))


def _configured(module: _Module) -> Iterator[_Resource]:
    yield from module.resources
    for call in module.module_calls.values():
        yield from _configured(call.module)


def _refers(block: _Resource) -> dict[str, frozenset[str]]:
    """Field → types of the resources that its expression names: confluent_service_account of its address."""
    return {
        field: frozenset(str(one).partition(".")[0] for one in expression["references"])
        for field, expression in block.expressions.items()
        if isinstance(expression, dict) and isinstance(expression.get("references"), list)
    }


def _change(one: _PrintedChange, refers: dict[str, frozenset[str]]) -> ResourceChange:
    actions = tuple(one.change.actions)
    return ResourceChange(
        address=f"{one.address} (deposed {one.deposed})" if one.deposed else one.address,
        type=one.type,
        name=one.name,
        provider=one.provider_name.rpartition("/")[2],
        action=_ACTIONS.get(actions, "+".join(actions)),
        before=one.change.before,
        after=one.change.after,
        unknown=one.change.after_unknown,
        hidden_before=one.change.before_sensitive,
        hidden_after=one.change.after_sensitive,
        replaced_for=sorted({_written(path) for path in one.change.replace_paths}),
        refers=refers,
    )


def _written(path: list[str | int]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def _told(values: Any, unknown: Any, hidden: Any, path: tuple[str | int, ...]) -> Told:
    """Follow a path in the values, and in what marks those that are unknown or hidden."""
    for step in path:
        if unknown is True:
            return Told(why=AFTER_APPLY)
        values, unknown = _step(values, step), _step(unknown, step)
        hidden = hidden if hidden is True else _step(hidden, step)
    if unknown is True:
        return Told(why=AFTER_APPLY)
    if hidden is True:
        return Told(why="a sensitive value", hidden=values)
    return Told(values)


def _step(values: Any, step: str | int) -> Any:
    if isinstance(values, dict):
        return values.get(str(step))
    if isinstance(values, list) and isinstance(step, int):
        return values[step] if step < len(values) else None
    return None
