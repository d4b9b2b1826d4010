"""How a JVM logs: the loggers of a Log4j 2 configuration (YAML, properties) or of one of Log4j 1 (properties).

A logger passes what it logs on to its parent's appenders too unless it is told not to (additivity), in all of them.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from runbook.formats.java_properties import read_properties
from runbook.model.errors import Garbled, Invalid
from runbook.parse.yaml_document import read_yaml

ROOT = "root"
"""How the root logger is called here, which has no parent."""

_OLD = "log4j."
_SHORT = re.compile(r"(rootLogger|logger\.[A-Za-z0-9_]+)")
_REF = re.compile(r"appenderRefs?\.[^.]+\.ref")


class Logger(Struct):
    """A logger: its level as written, empty if it has none of its own; its own appenders; whether it passes on."""

    name: str
    level: str = ""
    appenders: list[str] = field(default_factory=list)
    additive: bool = True


def read_log4j(text: str, path: str) -> list[Logger]:
    """Read a configuration, by the ending of its name.

    Raises:
        Garbled: it is written in another way, can't be understood, or configures no logger.
    """
    ending = path.rpartition(".")[2].lower()
    if ending in ("yaml", "yml"):
        loggers = _of_yaml(text, path)
    elif ending == "properties":
        settings = {entry.name.strip(): entry.value.strip() for entry in read_properties(text)}
        loggers = _of_log4j1(settings) if any(name.startswith(_OLD) for name in settings) else _of_log4j2(settings)
    else:
        raise Garbled(f"{path} is neither YAML nor properties: other ways to write a Log4j configuration are not read")
    if not loggers:
        raise Garbled(f"{path} configures no logger")
    return sorted(loggers, key=lambda logger: logger.name)


def _of_log4j1(settings: Mapping[str, str]) -> list[Logger]:
    found = {}
    for name, value in settings.items():
        kind, _, rest = name.removeprefix(_OLD).partition(".")
        if name.startswith(_OLD) and kind in ("rootLogger", "rootCategory", "logger", "category"):
            level, *appenders = _words(value)
            logger = rest or ROOT
            additive = settings.get(f"{_OLD}additivity.{logger}", "true").lower() != "false"
            found[logger] = Logger(name=logger, level=level, appenders=appenders, additive=additive)
    return list(found.values())


def _of_log4j2(settings: Mapping[str, str]) -> list[Logger]:
    found: dict[str, Logger] = {}
    for name, value in settings.items():
        short = _SHORT.match(name)
        if short is None:
            continue
        logger = found.setdefault(short[0], Logger(ROOT if short[0] == "rootLogger" else ""))
        what = name[short.end() :].removeprefix(".")
        if what == "":
            logger.level, *more = _words(value)
            logger.appenders += more
        elif what == "name":
            logger.name = value
        elif what == "level":
            logger.level = value
        elif what == "additivity":
            logger.additive = value.lower() != "false"
        elif _REF.fullmatch(what):
            logger.appenders.append(value)
    return [logger for logger in found.values() if logger.name]


def _of_yaml(text: str, path: str) -> list[Logger]:
    try:
        document = read_yaml(text, path)
    except Invalid as invalid:
        raise Garbled(f"{path} can't be read: {invalid.problems[0]}") from None
    loggers = _get(_get(document.value, "configuration"), "loggers")
    if not isinstance(loggers, Mapping):
        raise Garbled(f"{path} has no Configuration with Loggers")
    roots = [_logger(entry, ROOT) for kind in ("root", "asyncroot") for entry in _each(_get(loggers, kind))]
    named = [_logger(entry, "") for kind in ("logger", "asynclogger") for entry in _each(_get(loggers, kind))]
    return roots + [logger for logger in named if logger.name]


def _logger(entry: Any, name: str) -> Logger:
    appenders = [str(_get(reference, "ref") or reference) for reference in _each(_get(entry, "appenderref"))]
    additive = str(_get(entry, "additivity")).lower() != "false"
    return Logger(
        name=name or str(_get(entry, "name") or ""),
        level=str(_get(entry, "level") or ""),
        appenders=appenders,
        additive=additive,
    )


def _get(node: Any, name: str) -> Any:
    """A value by its name, in which Log4j tells no capitals from small letters."""
    if not isinstance(node, Mapping):
        return None
    return next((value for key, value in node.items() if str(key).lower() == name), None)


def _each(node: Any) -> Iterator[Any]:
    yield from node if isinstance(node, list) else [] if node is None else [node]


def _words(value: str) -> list[str]:
    return [word.strip() for word in value.split(",")]
