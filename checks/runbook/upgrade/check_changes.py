"""What an upgrade of the tool changes: in built-in runbooks, and of what a project says about them."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal

from msgspec import Struct

from runbook.judge.template import show
from runbook.model.errors import Problem, nearest
from runbook.model.parameter import Parameter
from runbook.parse.inventory import Inventory
from runbook.parse.runbook import Runbook
from runbook.upgrade.accepted import Accepted, AcceptedCheck

Kind = Literal["new", "gone", "renamed", "changed"]


class CheckChange(Struct, frozen=True):
    """How a built-in check differs from what was accepted.

    Attributes:
        check: its name; of one that is renamed, the one of before.
        kind: in one word.
        title: of the check.
        severity: of the check as it is now; of one that is gone, as it was.
        what: each difference in a few words.
        now: the name of one that is renamed.
        judged: whether the same facts may get another outcome.
    """

    check: str
    kind: Kind
    title: str
    severity: str
    what: list[str]
    now: str = ""
    judged: bool = False


class Touched(Struct, frozen=True):
    """Something of a project's own that is about a check that changed.

    Attributes:
        where: what it is, and where it stands.
        check: the check that it names.
        says: what the change does to it.
        broken: whether it has to be mended before anything is checked again.
    """

    where: str
    check: str
    says: str
    broken: bool


def changes(before: Accepted, now: Accepted, names: Mapping[str, str] = MappingProxyType({})) -> list[CheckChange]:
    """How the built-in checks differ, by their names; `names` are old ones of them → present ones."""
    old, new = before.checks(), now.checks()
    gone = {name: check for name, check in old.items() if name not in new}
    come = {name: check for name, check in new.items() if name not in old}
    found: list[CheckChange] = []
    for name, was in gone.items():
        heir = names.get(name) if names.get(name) in come else None
        heir = heir or next((other for other, check in come.items() if check.digest == was.digest), "")
        if heir:
            found.append(_changed(name, was, come.pop(heir), heir))
        else:
            found.append(CheckChange(name, "gone", was.title, was.severity, []))
    found += [CheckChange(name, "new", check.title, check.severity, []) for name, check in come.items()]
    found += [_changed(name, was, new[name], "") for name, was in old.items() if name in new and was != new[name]]
    return sorted((change for change in found if change.kind != "changed" or change.what), key=lambda one: one.check)


def _changed(name: str, was: AcceptedCheck, now: AcceptedCheck, heir: str) -> CheckChange:
    what = [f"severity {was.severity} is {now.severity} now"] if was.severity != now.severity else []
    if judged := was.digest != now.digest:
        what.append("it is judged otherwise")
    what += _of_parameters(was.params, now.params)
    return CheckChange(name, "renamed" if heir else "changed", now.title, now.severity, what, heir, judged)


def _of_parameters(was: Mapping[str, Parameter], now: Mapping[str, Parameter]) -> Iterator[str]:
    for name in sorted(was.keys() | now.keys()):
        if name not in now:
            yield f"parameter {name} is gone"
        elif name not in was:
            yield f"parameter {name} is new, by default {_shown(now[name].default)}"
        elif was[name].default != now[name].default:
            yield f"parameter {name} is {_shown(now[name].default)} by default, and was {_shown(was[name].default)}"
        elif was[name] != now[name]:
            yield f"parameter {name} takes other values"


def _shown(value: Any) -> str:
    return "nothing" if value is None else show(value)


def to_bind_by_name(problems: Iterable[Problem]) -> list[Touched]:
    """Views of a project's own runbooks whose inputs only a person can bind by name."""
    return [
        Touched(f"{problem.place.file}, line {problem.place.line}", "inputs of a view", problem.message, broken=True)
        for problem in problems
    ]


def touched(
    found: Iterable[CheckChange], now: Accepted, inventory: Inventory | None, runbooks: Iterable[Runbook]
) -> list[Touched]:
    """What of a project's own is about checks that changed, or that there are not.

    Args:
        found: what changed.
        now: the built-in runbooks as they are.
        inventory: the environments with their parameters and waivers; None if there is none.
        runbooks: the project's own that extend built-in ones.
    """
    looked = _Inspection({change.check: change for change in found}, now)
    if inventory is not None:
        for name, target in inventory.targets.items():
            looked.parameters(f"params of {name}", target.environment.params)
            for waiver in target.environment.waivers:
                looked.waiver(f"waiver of {name} until {waiver.expires}", waiver.check)
        for mirror in inventory.mirrors:
            looked.parameters(f"params of the mirror {mirror.name}", mirror.params)
    for book in runbooks:
        for change in (book.own or book).amendments:
            looked.amendment(f"{book.path}, line {change.document.start.line}", f"{book.name}/{change.id}")
    return looked.found


class _Inspection:
    """Looks at what is one's own, and keeps what a change touches."""

    def __init__(self, changed: Mapping[str, CheckChange], now: Accepted) -> None:
        self.found: list[Touched] = []
        self._changed = changed
        self._now = now
        self._checks = now.checks()

    def parameters(self, where: str, params: Mapping[str, Mapping[str, Any]]) -> None:
        for check, given in params.items():
            runbook, _, identifier = check.partition("/")
            if runbook not in self._now.runbooks:
                continue
            meant = self._of_runbook(runbook) if identifier == "*" else {check: self._checks.get(check)}
            if self._is_gone(where, check, meant):
                continue
            for name, value in given.items():
                self._parameter(where, check, (name, value), meant)

    def _of_runbook(self, runbook: str) -> dict[str, AcceptedCheck | None]:
        return {name: check for name, check in self._checks.items() if name.startswith(f"{runbook}/")}

    def _parameter(
        self, where: str, check: str, given: tuple[str, Any], meant: Mapping[str, AcceptedCheck | None]
    ) -> None:
        name, value = given
        declared = {key: found.params[name] for key, found in meant.items() if found and name in found.params}
        faults = [fault for parameter in declared.values() if (fault := parameter.fault(value))]
        if not declared:
            self._note(where, check, f"there is no parameter {name} any more: take {name} out", broken=True)
        elif faults:
            self._note(where, check, f"{name}: {faults[0]}", broken=True)
        for known in declared:
            if (change := self._changed.get(known)) and (
                change.judged or any(f" {name} " in f"{w} " for w in change.what)
            ):
                self._note(where, known, f"{name} is {show(value)} there, and {'; '.join(change.what)}")

    def waiver(self, where: str, check: str) -> None:
        if check.partition("/")[0] not in self._now.runbooks or self._is_gone(
            where, check, {check: self._checks.get(check)}
        ):
            return
        if (change := self._changed.get(check)) and change.judged:
            self._note(where, check, "the check is judged otherwise: is what was excused still what fails?")

    def amendment(self, where: str, block: str) -> None:
        change = self._changed.get(block)
        if change and change.kind in ("gone", "renamed"):
            self._is_gone(where, block, {block: None})
        elif change:
            self._note(where, block, f"{'; '.join(change.what)}: is the amendment still meant so?")

    def _is_gone(self, where: str, check: str, meant: Mapping[str, AcceptedCheck | None]) -> bool:
        if any(meant.values()):
            return False
        change = self._changed.get(check)
        if change is None and (near := nearest(check, [*self._checks])):  # there never was one of that name
            self._note(where, check, f"there is no such check: did you mean {near}?", broken=True)
            return True
        heir = f": write {change.now}, as it is called now" if change and change.now else ": take it out"
        self._note(where, check, f"there is no such check any more{heir}", broken=True)
        return True

    def _note(self, where: str, check: str, says: str, *, broken: bool = False) -> None:
        self.found.append(Touched(where, check, says, broken))
