"""What the runbooks on schemas and on errors must say of a lab with a registry and Connect, as nearly all scenes do."""

from collections.abc import Mapping
from typing import Any, Final

from support.built_in import checks_of
from support.evidence.expected import Expected

BOOKS: Final = ("schema-governance", "error-handling")

OF_CONNECT: Final = frozenset(
    {
        "connect-has-all-its-topics",
        "connect-plugins-are-everywhere",
        "connect-topics-are-compacted",
        "connect-topics-have-the-right-partitions",
        "connect-topics-have-three-copies",
        "connect-work-is-shared",
        "connect-workers-answer",
        "connect-workers-are-alike",
        "connect-works-with-this-cluster",
        "connectors-have-tasks",
        "connectors-keep-secrets-elsewhere",
        "connectors-run",
        "dead-letter-topics-of-sinks-exist",
        "dead-letters-of-sinks-are-as-safe-as-their-source",
        "dead-letters-of-sinks-have-error-headers",
        "sinks-drop-nothing-silently",
        "skipped-records-become-dead-letters",
        "tasks-are-where-a-worker-answers",
        "tasks-have-met-no-errors-of-late",
        "tasks-run",
    }
)
OF_DEAD_LETTERS: Final = frozenset(
    {
        "dead-letters-are-kept-long-enough",
        "dead-letters-are-not-compacted",
        "dead-letters-are-watched",
        "dead-letters-do-not-grow",
        "dead-letters-of-sinks-are-dated-by-arrival",
        "error-topics-are-as-safe-as-their-source",
        "no-group-waits-at-a-record",
        "sources-have-dead-letter-topics",
    }
)
OF_RETRIES: Final = frozenset(
    {"retries-are-not-overdue", "retried-records-count-their-attempts", "retried-records-name-their-consumer-group"}
)
OF_SCHEMAS: Final = frozenset(
    {
        "all-instances-answer",
        "an-id-names-one-schema",
        "deleted-subjects-are-few",
        "every-subject-is-guarded",
        "every-version-keeps-the-promise",
        "fields-are-documented",
        "full-compatibility-has-defaults-everywhere",
        "identifying-fields-stay",
        "instances-agree",
        "key-schemas-never-change",
        "no-subject-is-left-in-import-mode",
        "nullable-fields-are-null-by-default",
        "records-carry-a-known-schema",
        "schemas-can-be-read",
        "schemas-hold-no-traps",
        "subject-names-follow-a-strategy",
        "subjects-have-a-topic",
        "the-registry-answers",
        "the-registry-guards-what-has-no-level",
        "the-registry-takes-new-schemas",
        "the-registrys-topic-has-copies",
        "the-registrys-topic-keeps-everything",
        "times-say-that-they-are-times",
        "topics-have-a-schema",
    }
)
"""What passes in the healthy lab, as nothing there is wrong; nothing else may fail either, or be unknown."""

WELL: Final = {
    "schema-governance": Expected(passes=OF_SCHEMAS),
    "error-handling": Expected(passes=OF_CONNECT | OF_DEAD_LETTERS),
}


def schemas(
    fails: Mapping[str, str | tuple[str, ...]], unknown: frozenset[str] = frozenset(), **more: Any
) -> dict[str, Expected]:
    """Exactly this is wrong with the registry, and nothing that the runbook on errors asks."""
    open_ = more.get("undetermined", frozenset())
    expected = Expected(fails=fails, unknown=unknown, passes=OF_SCHEMAS - fails.keys() - unknown - open_, **more)
    return WELL | {"schema-governance": expected}


def errors(
    fails: Mapping[str, str | tuple[str, ...]],
    unknown: frozenset[str] = frozenset(),
    inapplicable: frozenset[str] = frozenset(),
    undetermined: frozenset[str] = frozenset(),
    **more: Any,
) -> dict[str, Expected]:
    """Exactly this is wrong with Connect or with what is set aside, and nothing that the runbook on schemas asks."""
    open_ = unknown | inapplicable | undetermined
    expected = Expected(
        fails=fails,
        unknown=unknown,
        inapplicable=inapplicable,
        undetermined=undetermined,
        passes=(OF_CONNECT | OF_DEAD_LETTERS | more.pop("passes", frozenset())) - fails.keys() - open_,
        **more,
    )
    return WELL | {"error-handling": expected}


def every_check(book: str) -> frozenset[str]:
    """The ids of all checks of a runbook that every run judges."""
    return frozenset(check.id for check in checks_of(book) if not check.gate)
