"""A measurement told in a terminal: the answer first, then the table and what limits it."""

import datetime as dt
from collections.abc import Callable, Sequence

from runbook.incident.measurement_ranking import (
    NAMES,
    FeltGap,
    MeasuredSetting,
    ack_p99,
    end_to_end_p99,
    measured_settings,
    named,
    outages,
    reached,
    throughput,
    winners,
)
from runbook.judge.summary import counted
from runbook.model.measurement import Latency, LongestGap, Measurement, Repetition

CLOCK = "Producer and consumer ran on this machine and share its monotonic clock: latencies are real times."
PAYLOAD = "Records are JSON events of orders (500 different ones), not zeros or random letters."


def told(of: Measurement) -> str:
    """All lines."""
    found = measured_settings(of.repetitions)
    lines = [f"{of.environment}: {_conditions(of)}"]
    if [row for row in found if row.repetitions[0].trial.spread]:
        lines += _steady(found[0].repetitions[0])
    elif found:
        lines += [*_answers(found), "", *_table(found)]
    lines += ["", *_caveats(of, found)]
    return "\n".join(lines)


def _conditions(of: Measurement) -> str:
    if not of.repetitions:
        return "nothing was measured"
    trials = [repetition.trial for repetition in of.repetitions]
    rate = " or ".join(f"{rate:,}" for rate in sorted({round(trial.rate) for trial in trials}))
    each = f"{counted(len(trials), 'measurement')} of {trials[0].seconds:g} s at {rate} records/s"
    first = trials[0].setting
    same = [field for field in NAMES if len({getattr(trial.setting, field) for trial in trials}) == 1]
    return f"{each} ({of.at[:16].replace('T', ' ')} UTC)\n{named(first, same)}, {of.copies} copies\n"


def _answers(found: Sequence[MeasuredSetting]) -> list[str]:
    return [
        _answer("end-to-end latency", found, end_to_end_p99),
        _answer("latency of acknowledgements", found, ack_p99),
        _throughput(found),
    ]


def _answer(what: str, found: Sequence[MeasuredSetting], value: Callable[[Repetition], float | None]) -> str:
    best = winners(found, value)
    if len(found) == 1:
        return f"{what}: p99 {_range(found[0], value)}"
    if not best:
        return f"{what}: not known of each setting"
    if len(found[0].repetitions) < _ENOUGH:
        return f"{what}: too few repetitions to tell settings apart (at least {_ENOUGH}: --repeat)"
    if len(best) == len(found):
        return f"{what}: no difference that we can tell (p99 {_range(best[0], value)} and the like)"
    others = [row for row in found if row not in best]
    behind = min(others, key=lambda row: getattr(row.spread(value), "median", 0.0))
    names = " and ".join(row.name for row in best)
    verb = "is" if len(best) == 1 else "are alike and"
    return f"{what}: {names} {verb} lowest: p99 {_range(best[0], value)}; next {behind.name}, {_range(behind, value)}"


_ENOUGH = 3
_MOST_GAPS = 3
_MOST_NAMED = 6  # partitions of a gap


def _range(row: MeasuredSetting, value: Callable[[Repetition], float | None], unit: str = "ms") -> str:
    spread = row.spread(value)
    if spread is None:
        return "not known"
    between = f" ({number(spread.least)} to {number(spread.most)})" if len(row.repetitions) > 1 else ""
    return f"{number(spread.median)} {unit}{between}"


def _throughput(found: Sequence[MeasuredSetting]) -> str:
    short = [row for row in found if 2 * sum(map(reached, row.repetitions)) <= len(row.repetitions)]
    if not short:
        return "throughput: every setting reached the rate asked; the cluster's limit is higher (--rate max)"
    if any(row.bounds for row in found):
        figures = "; ".join(f"{_range(row, throughput, 'MB/s')} {row.name}".rstrip() for row in short)
        return f"throughput: the rate asked was not reached, and the client may be the limit: {figures}"
    best = winners(found, throughput, most=True)
    if len(found) == 1:
        return f"throughput: {_range(found[0], throughput, 'MB/s')}, less than asked: this is the cluster's limit"
    if not best or len(best) == len(found) or len(found[0].repetitions) < _ENOUGH:
        return f"throughput: no difference that we can tell ({_range(found[0], throughput, 'MB/s')} and the like)"
    names = " and ".join(row.name for row in best)
    return f"throughput: {names}, {_range(best[0], throughput, 'MB/s')}, beyond the spread of the others"


def table(lines: Sequence[Sequence[str]], texts: int = 2) -> list[str]:
    """Lines of cells in columns, of which the first ones hold texts and the others numbers."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return [
        "  ".join(
            cell.ljust(width) if i < texts else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def _table(found: Sequence[MeasuredSetting]) -> list[str]:
    heads = ["", "records/s", "MB/s", "wire", "ack p50", "p99", "read p50", "p95", "p99", "p99.9", "max"]
    return [
        *table([heads, *(_cells(row) for row in found)], texts=1),
        "Latencies in ms, medians of repetitions. read: from due to read. wire: bytes sent over payload.",
    ]


def _cells(row: MeasuredSetting) -> list[str]:
    def cell(value: Callable[[Repetition], float | None]) -> str:
        spread = row.spread(value)
        return "-" if spread is None else number(spread.median)

    def ack(name: str) -> Callable[[Repetition], float | None]:
        return lambda rep: getattr(rep.written.latency, name) if rep.written and rep.written.latency else None

    def read(name: str) -> Callable[[Repetition], float | None]:
        return lambda rep: getattr(rep.read.latency, name) if rep.read and rep.read.latency else None

    wire = row.spread(_wire)
    return [
        row.name,
        cell(lambda rep: rep.written.rate if rep.written else None),
        cell(throughput),
        "-" if wire is None else f"{wire.median:.0%}",
        *(cell(ack(name)) for name in ("p50", "p99")),
        *(cell(read(name)) for name in ("p50", "p95", "p99", "p999", "max")),
    ]


def _wire(rep: Repetition) -> float | None:
    """Bytes sent for each byte of payload."""
    written = rep.written
    if written is None or written.wire is None or not written.sent:
        return None
    return written.wire / (written.sent * rep.trial.setting.size)


def _steady(rep: Repetition) -> list[str]:
    """What clients felt while something else happened."""
    written, read, lost = rep.written, rep.read, rep.lost()
    assert written is not None
    assert read is not None
    loss = "not known" if lost is None else f"{len(lost):,}"
    why = "".join(f", {count:,} for {reason}" for reason, count in sorted(written.errors.items()))
    order = "was kept" if not read.disorder else f"was broken: {read.disorder:,} records came after a later one"
    apart = rep.trial.setting.partitions / rep.trial.rate
    return [
        f"lost: {loss} of {written.acknowledged:,} acknowledged; duplicates: {read.duplicates:,}; order {order}",
        f"leader changes among these partitions: {read.elections:,}",
        f"not acknowledged: {len(written.failed):,} of {written.sent:,} records{why}",
        *_gaps("producer", written.gaps),
        *_gaps("consumer", read.gaps),
        f"acknowledged after {_latency(written.latency)}",
        f"read after         {_latency(read.latency)}",
        f"A gap is a time without records of a partition, and includes that between two of them: {apart:.3f} s.",
    ]


def _gaps(side: str, gaps: Sequence[LongestGap]) -> list[str]:
    first, *others = [_outage(outage) for outage in outages(gaps)[:_MOST_GAPS]] or ["not known"]
    begin = f"{side}: longest gap "
    return [f"{begin}{first}", *(f"{'then ':>{len(begin)}}{other}" for other in others)]


def _outage(outage: FeltGap) -> str:
    since = dt.datetime.fromtimestamp(outage.since, dt.UTC)
    still = ", and had not ended" if outage.open else ""
    few = ", ".join(str(number) for number in outage.partitions[:_MOST_NAMED])
    more = len(outage.partitions) - _MOST_NAMED
    which = f"partition{'s' * (len(outage.partitions) > 1)} {few}{f' and {more} more' if more > 0 else ''}"
    return f"{outage.seconds:,.2f} s{still} ({which}, from {since:%H:%M:%S.%f}"[:-3] + " UTC)"


def _latency(latency: Latency | None) -> str:
    if latency is None:
        return "a time that is not known"
    names = {"p50": latency.p50, "p95": latency.p95, "p99": latency.p99, "p99.9": latency.p999, "max": latency.max}
    return ", ".join(f"{name} {number(value)}" for name, value in names.items() if value is not None) + " ms"


def number(value: float) -> str:
    """With as many digits as say something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"  # noqa: PLR2004


def _caveats(of: Measurement, found: Sequence[MeasuredSetting]) -> list[str]:
    lines = [f"not complete: {of.interrupted}"] if of.interrupted else []
    for bound in dict.fromkeys(bound for row in found for bound in row.bounds):
        names = [row.name for row in found if bound in row.bounds]
        where = "" if len(names) == len(found) else f" ({', '.join(names)})"
        lines.append(f"client-bound{where}: {bound}")
    if any(row.bounds for row in found):
        lines.append("Figures that are client-bound may be those of this client or machine, not of the cluster.")
    if of.copies and not of.insisted:
        lines.append(f"The topic has {of.copies} copies without min.insync.replicas: acks=all may wait for one alone.")
    for row in found:
        lines += _losses(row)
    lines += [f"{CLOCK} {PAYLOAD}"] if found else []
    lines += [f"removed, left by an earlier run: {name}" for name in of.swept]
    lines += [f"topic of a run that may still go on, not touched: {name}" for name in of.standing]
    return lines + [f"LEFT BEHIND, remove it: topic {name}" for name in of.left]


def _losses(row: MeasuredSetting) -> list[str]:
    if row.repetitions[0].trial.spread:
        return []
    lines = []
    lost = sum(len(rep.lost() or []) for rep in row.repetitions)
    failed = sum(len(rep.written.failed) for rep in row.repetitions if rep.written)
    unread = sum(len(rep.read.missing) for rep in row.repetitions if rep.read and not rep.read.whole)
    where = f" ({row.name})" if row.name else ""
    lines += [f"LOST{where}: {lost:,} acknowledged records are not there"] if lost else []
    lines += [f"not acknowledged{where}: {failed:,} records"] if failed else []
    lines += [f"not read in time{where}: {unread:,} records"] if unread else []
    faults = dict.fromkeys(rep.read.fault for rep in row.repetitions if rep.read and rep.read.fault)
    return lines + [f"consumer{where}: {fault}" for fault in faults]
