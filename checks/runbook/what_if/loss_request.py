"""Read which loss is asked for, of any number of brokers, racks and controllers at once, and work it out."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from msgspec import structs

from runbook.model.errors import UsageError
from runbook.model.fact import Fact
from runbook.run.collection.fact_assembly import compute_view

_LOST, _REST = "what is lost", "what is left"  # racks that stand for what was asked for, and for all else
_NOBODY = -1  # no node has this number
KINDS = ("broker", "rack", "controller")


class LossFacts(NamedTuple):
    """What losses do, by the views broker_loss, leader_loss and quorum_loss, which name them alike."""

    brokers: Fact
    leaders: Fact
    votes: Fact


def read_lose(text: str) -> list[tuple[str, str]]:
    """Read what is to be lost, as in `broker:2,rack:az-b`; a pattern such as `rack:fra-*` means every rack it matches.

    All of it is lost together.

    Raises:
        UsageError: it is not written so.
    """
    wanted = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        kind, colon, name = part.partition(":")
        if not colon or kind not in KINDS or not name or (kind != "rack" and not name.isdecimal()):
            raise UsageError(f"--lose {part}: write broker:NUMBER, rack:NAME or controller:NUMBER, joined by commas")
        wanted.append((kind, name))
    return wanted


def asked_loss(
    environment: str, lose: Sequence[tuple[str, str]], partition: Fact, broker: Fact, quorum: Fact
) -> LossFacts:
    """Work out one loss of any number of things: they are put into a rack of their own, and that rack is lost.

    Returns:
        One row each, under the name of what was asked for.

    Raises:
        UsageError: something of it is not there, although all could be seen.
    """
    lost = _nodes(environment, lose, broker, quorum)
    racks = [_LOST if node in lost else _REST for node in broker.columns["broker"]]
    regrouped = structs.replace(broker, columns=broker.columns | {"rack": racks})
    brokers = _named(compute_view("broker_loss", {"partition": partition, "broker": regrouped}, {"racks": True}), lose)
    leaders = _named(compute_view("leader_loss", {"partition": partition, "broker": regrouped}, {"racks": True}), lose)
    if all(kind != "rack" for kind, _ in lose):  # which controllers go with a rack is not known; of nodes it is
        regrouped = _with_controllers(regrouped, quorum, lost)
    return LossFacts(
        brokers,
        leaders,
        _named(compute_view("quorum_loss", {"quorum": quorum, "broker": regrouped}, {"racks": True}), lose),
    )


def loss_of_nothing(partition: Fact, broker: Fact, quorum: Fact) -> LossFacts:
    """How it is before anything is lost: one loss, of a node that nobody has."""
    nobody = [("nothing", "")]
    row = {"broker": _NOBODY, "rack": _LOST, "fenced": False, "answers": True}
    columns = {name: [*cells, row.get(name)] for name, cells in broker.columns.items()}
    columns["rack"] = [*(_REST for _ in broker.columns["rack"]), _LOST]
    there = _with_controllers(structs.replace(broker, columns=columns), quorum, set())
    return LossFacts(
        _named(compute_view("broker_loss", {"partition": partition, "broker": there}, {"racks": True}), nobody),
        _named(compute_view("leader_loss", {"partition": partition, "broker": there}, {"racks": True}), nobody),
        _named(compute_view("quorum_loss", {"quorum": quorum, "broker": there}, {"racks": True}), nobody),
    )


def _nodes(environment: str, lose: Sequence[tuple[str, str]], broker: Fact, quorum: Fact) -> set[int]:
    columns = {"broker": (broker, "broker"), "rack": (broker, "rack"), "controller": (quorum, "node")}
    lost: set[int] = set()
    for kind, name in lose:
        fact, column = columns[kind]
        cells = fact.columns[column]
        known = sorted({str(cell) for cell in cells if cell not in (None, "")})
        if not any(_means(name, other) for other in known) and fact.complete and not fact.inapplicable:
            raise UsageError(f"{environment} has no {kind} {name}; it has: {', '.join(known) or 'none'}")
        nodes = fact.columns["node" if kind == "controller" else "broker"]
        lost |= {node for node, cell in zip(nodes, cells, strict=True) if _means(name, str(cell))}
    return lost


def _means(name: str, cell: str) -> bool:
    """Whether a name, or a pattern such as `fra-*`, means this one."""
    return cell == name or fnmatchcase(cell, name)


def _with_controllers(broker: Fact, quorum: Fact, lost: set[int]) -> Fact:
    """The brokers, and the controllers that are nodes of their own, each in the rack that stands for its fate."""
    columns = {name: list(cells) for name, cells in broker.columns.items()}
    for node in quorum.columns["node"]:
        if node not in columns["broker"]:
            row = {"broker": node, "rack": _LOST if node in lost else _REST, "fenced": False, "answers": True}
            for name, cells in columns.items():
                cells.append(row.get(name))
    return structs.replace(broker, columns=columns)


def _named(fact: Fact, lose: Sequence[tuple[str, str]]) -> Fact:
    """The one row that is about the loss asked for, under its own name."""
    rows = [row for row in fact.rows() if row["scenario"] == f"rack {_LOST}"]
    asked = {"scenario": " + ".join(f"{kind} {name}" for kind, name in lose), "kind": "asked"}
    return structs.replace(fact, columns={name: [asked.get(name, row[name]) for row in rows] for name in fact.columns})
