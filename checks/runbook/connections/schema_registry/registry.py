"""A registry and its instances: each thing asked once, of the first instance that answers, side by side."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct

from runbook.answers.schema_registry import reads
from runbook.connections._http import Web, each
from runbook.connections._memory import Memory
from runbook.connections.schema_registry import answers
from runbook.connections.schema_registry.answers import CompatibilityAnswer, Schema
from runbook.connections.schema_registry.proposals import Proposal
from runbook.model.errors import CannotLook, NoTurn
from runbook.model.fact import Gap

T = TypeVar("T")

_PAGE = (
    1000  # schemas; the most that Confluent's registry gives at a time unless told otherwise (schema.search.max.limit)
)
_BATCH = 256  # requests under way or waiting; what is not begun when time is up is not asked


class Instance(Struct, frozen=True):
    """One instance, as it answers.

    Attributes:
        address: where it was asked.
        silence: why it gave no answer; "" if it did.
        level: the compatibility that holds where a subject has none of its own; None: not told.
        mode: that of the whole registry; None: not told.
        types: of schemas that it takes; None: not told.
        version: of the software; None: not told.
    """

    address: str
    silence: str = ""
    level: str | None = None
    mode: str | None = None
    types: list[str] | None = None
    version: str | None = None


class Registry:
    """A Schema Registry. Nothing is asked twice in one connection, whatever number of probes ask."""

    def __init__(self, web: Web, addresses: Sequence[str], proposals: Sequence[Proposal] = ()) -> None:
        """Ask these instances; they hold the same."""
        self._web = web
        self._proposals = proposals
        self._addresses = list(addresses)
        self._memory = Memory()

    def close(self) -> None:
        """Close all connections."""
        self._web.close()

    def instances(self) -> list[Instance]:
        """Return every instance, those too that don't answer while another does.

        Raises:
            CannotLook: none answers; then the reason may be on our side.
        """
        return self._memory.once("instances", self._instances)

    def subjects(self) -> list[str]:
        """Return the names of all subjects that are not deleted, in order.

        Raises:
            CannotLook: they could not be had.
        """
        return self._memory.once("subjects", lambda: self._one(reads.SUBJECTS, answers.subjects))

    def deleted_subjects(self) -> list[str]:
        """Return the names of subjects that are deleted but can be had back, in order.

        Raises:
            CannotLook: they could not be had.
        """
        everything = self._memory.once("deleted", lambda: self._one(reads.ALL_SUBJECTS, answers.subjects))
        return sorted(set(everything) - set(self.subjects()))

    def levels(self) -> tuple[dict[str, str], list[Gap]]:
        """Return the compatibility in force for each subject, and what could not be had.

        Raises:
            CannotLook: not even the subjects could be had.
        """
        return self._memory.once("levels", lambda: self._of_each(reads.SUBJECT_CONFIG, answers.level))

    def modes(self) -> tuple[dict[str, str], list[Gap]]:
        """Return the mode in force for each subject, and what could not be had.

        Raises:
            CannotLook: not even the subjects could be had.
        """
        return self._memory.once("modes", lambda: self._of_each(reads.SUBJECT_MODE, answers.mode))

    def schemas(self) -> tuple[list[Schema], list[Gap]]:
        """Return every version of every subject, by subject and version, and what could not be had.

        Raises:
            CannotLook: not even the subjects could be had.
        """
        return self._memory.once("schemas", self._schemas)

    def deleted_schemas(self) -> tuple[list[Schema], list[Gap]]:
        """Return every version that is deleted but can be had back, by subject and version, and what could not be had.

        Raises:
            CannotLook: not even the subjects could be had.
        """
        return self._memory.once("deleted schemas", self._deleted_schemas)

    def trials(self) -> list[tuple[Proposal, CompatibilityAnswer | CannotLook | None]]:
        """Return what the registry says of each proposal, why it says nothing, or None where the subject is new.

        Raises:
            CannotLook: not even the subjects could be had.
        """
        there = set(self.subjects())
        known = {number: "" for number, proposal in enumerate(self._proposals) if proposal.subject in there}
        verdicts = each(known, lambda number, _: self._try(self._proposals[number]), self._web.clock)
        return [(proposal, verdicts.get(number)) for number, proposal in enumerate(self._proposals)]

    def _try(self, proposal: Proposal) -> CompatibilityAnswer:
        path = reads.path(reads.TRY, {"subject": proposal.subject})
        body = msgspec.json.encode(proposal.body(self._web.clock))
        return answers.trial(self._web.post_json(self._home + path, body))

    def _instances(self) -> list[Instance]:
        def look(key: str, address: str) -> Instance:
            level = answers.level(self._web.get(address + reads.path(reads.CONFIG, {})))
            return Instance(
                key,
                level=level,
                mode=self._ask_if_known(address, reads.MODE, answers.mode),
                types=self._ask_if_known(address, reads.TYPES, answers.types),
                version=self._ask_if_known(address, reads.VERSION, answers.version),
            )

        by_address = each({address: address for address in self._addresses}, look, self._web.clock)
        silent = {
            address: by_address[address] for address in self._addresses if isinstance(by_address[address], CannotLook)
        }
        if len(silent) == len(by_address):
            first = self._addresses[0]
            raise type(silent[first])(f"the Schema Registry at {first} {silent[first]}{_others(len(by_address) - 1)}")
        return [
            Instance(address, str(silent[address])) if address in silent else by_address[address]
            for address in self._addresses
        ]

    def _ask_if_known(self, address: str, request: str, read: Callable[[bytes], T]) -> T | None:
        """What an instance tells that registries need not tell: None where this one does not."""
        try:
            return read(self._web.get(address + reads.path(request, {})))
        except CannotLook:
            return None

    @property
    def _home(self) -> str:
        """The address of the first instance that answers."""
        return next(instance.address for instance in self.instances() if not instance.silence)

    def _one(self, request: str, read: Callable[[bytes], T]) -> T:
        home = self._home
        try:
            return read(self._web.get(home + reads.path(request, {})))
        except CannotLook as error:
            raise type(error)(f"the Schema Registry at {home} {error}") from error

    def _of_each(self, request: str, read: Callable[[bytes], T]) -> tuple[dict[str, T], list[Gap]]:
        return self._each_subject(
            self.subjects(),
            lambda subject, home: read(self._web.get(home + reads.path(request, {"subject": subject}))),
        )

    def _each_subject(self, subjects: Sequence[str], ask: Callable[[str, str], T]) -> tuple[dict[str, T], list[Gap]]:
        """Ask about many subjects in batches, as long as there is time."""
        home = self._home
        found: dict[str, T] = {}
        failed: dict[str, CannotLook] = {}
        for start in range(0, len(subjects), _BATCH):
            batch = subjects[start : start + _BATCH]
            late = NoTurn("was not asked, as time was up")
            answers = each(dict.fromkeys(batch, home), ask, self._web.clock) if self._has_time() else {}
            for subject in batch:
                answer = answers.get(subject, late)
                if isinstance(answer, CannotLook):
                    failed[subject] = answer
                else:
                    found[subject] = answer
        return found, _gaps(home, failed)

    def _has_time(self) -> bool:
        return self._web.clock.left() > 1.0

    def _schemas(self) -> tuple[list[Schema], list[Gap]]:
        paged = self._paged()
        known = {schema.subject for schema in paged}
        rest = [subject for subject in self.subjects() if subject not in known]
        single, gaps = self._each_subject(rest, self._history)
        found = [*paged, *(schema for history in single.values() for schema in history)]
        return sorted(found, key=lambda one: (one.subject, one.version)), gaps

    def _deleted_schemas(self) -> tuple[list[Schema], list[Gap]]:
        there, gaps = self.schemas()
        known = {(schema.subject, schema.version) for schema in there}
        if paged := self._paged(reads.ALL_SCHEMAS):
            return [schema for schema in paged if (schema.subject, schema.version) not in known], gaps

        def look(subject: str, home: str) -> list[Schema]:
            of = {"subject": subject}
            numbers = answers.versions(self._web.get(home + reads.path(reads.ALL_VERSIONS, of)))
            gone = [number for number in numbers if (subject, number) not in known]
            paths = [reads.path(reads.DELETED_SCHEMA, of | {"version": number}) for number in gone]
            try:
                return [answers.schema(self._web.get(home + path)) for path in paths]
            except CannotLook as error:  # so does Apicurio, where the whole subject is deleted
                raise type(error)(f"it lists deleted versions and does not tell them: {error}") from error

        found, lacking = self._each_subject([*self.subjects(), *self.deleted_subjects()], look)
        return [schema for history in found.values() for schema in history], [*gaps, *lacking]

    def _paged(self, request: str = reads.SCHEMAS) -> list[Schema]:
        """All schemas, page by page; none where the registry has no such list or does not tell their subjects."""
        found: dict[tuple[str, int], Schema] = {}
        while self._has_time():
            try:
                path = reads.path(request, {"offset": len(found), "limit": _PAGE})
                page = answers.schemas(self._web.get(self._home + path))
            except CannotLook:
                break  # then subject by subject, which tells what is wrong
            new = {(schema.subject, schema.version): schema for schema in page or ()}
            if not new.keys() - found.keys():  # the end, or a registry that always gives the same
                return list(found.values())
            found |= new
        return []  # some subject may be there with a part of its versions only

    def _history(self, subject: str, home: str) -> list[Schema]:
        """Every version of one subject."""
        numbers = answers.versions(self._web.get(home + reads.path(reads.VERSIONS, {"subject": subject})))
        paths = [reads.path(reads.SCHEMA, {"subject": subject, "version": number}) for number in numbers]
        return [answers.schema(self._web.get(home + path)) for path in paths]


def _gaps(home: str, failed: Mapping[str, CannotLook]) -> list[Gap]:
    """One gap for each reason: ten thousand subjects may lack for one."""
    alike: dict[str, list[str]] = defaultdict(list)
    errors = {str(error): error for error in failed.values()}
    for subject, error in failed.items():
        alike[str(error)].append(subject)
    return [_gap(home, errors[reason], subjects) for reason, subjects in alike.items()]


def _gap(home: str, error: CannotLook, subjects: list[str]) -> Gap:
    which = f"subject {subjects[0]}" if len(subjects) == 1 else f"{len(subjects)} subjects, {subjects[0]} first"
    keys: dict[str, str | int] = {"subject": subjects[0]} if len(subjects) == 1 else {}
    return Gap.of(error, keys, f"the Schema Registry at {home}, of {which}: {error}")


def _others(count: int) -> str:
    return f"; nor does any of {count} others answer" if count else ""
