"""Judging: rows a second of a whole verdict against the bare CEL binding, on the same expression and rows.

Run: .venv/bin/python tests/benchmarks/judging.py
"""

import time
from collections.abc import Callable

from cel_expr_python import cel

from runbook.judge.compiled import compile_check
from runbook.judge.judge import Context, judge
from runbook.model.column import Column
from runbook.model.fact import Fact
from runbook.model.objective import Ranking
from runbook.parse.runbook import parse_runbook
from runbook.plugins.catalog import catalog

ROWS = 100_000
EXPRESSION = "size(partition.isr) >= partition.needs && partition.leader >= 0 && partition.partition >= 0"
TEXT = f"""---
title: Benchmark
version: 1.0.0
changes:
  - {{version: 1.0.0, date: 2026-11-21, note: first}}
---
```yaml {{.check}}
id: judging
title: Every partition takes writes
severity: high
facts: {{partition: {{probe: kafka_partition}}}}
expect: {{each: partition, that: "{EXPRESSION}"}}
```
"""


def rows(number: Callable[[int], int]) -> Fact:
    """Generated partitions: RF 3, min.insync.replicas 2, every thousandth below it; `number` names each."""
    columns: tuple[Column, ...] = catalog("probes").load("kafka_partition").PROBE.columns
    values = {
        "topic": lambda i: f"topic-{i // 10}",
        "partition": number,
        "leader": lambda i: i % 3,
        "replicas": lambda _: [0, 1, 2],
        "isr": lambda i: [0] if i % 1000 == 0 else [0, 1, 2],
        "needs": lambda _: 2,
    }
    blank = {
        "int": 0,
        "string": "",
        "bool": False,
        "list[int]": [],
        "list[string]": [],
        "float": 0.0,
        "timestamp": None,
        "map[string]": {},
    }
    made = {c.name: [values.get(c.name, lambda _, c=c: blank[c.type])(i) for i in range(ROWS)] for c in columns}
    return Fact("kafka_partition", made)


def measure(fact: Fact, what: str) -> None:
    """Print both speeds over the same rows, and their ratio."""
    columns = ("isr", "needs", "leader", "partition")
    types = {"isr": cel.Type.List(cel.Type.INT)}
    env = cel.NewEnv(variables={f"partition.{name}": types.get(name, cel.Type.INT) for name in columns})
    bare = env.compile(EXPRESSION)
    data = [
        {f"partition.{name}": cell for name, cell in zip(columns, cells, strict=True)}
        for cells in zip(*(fact.columns[name] for name in columns), strict=True)
    ]
    compiled = compile_check(parse_runbook(TEXT, "bench", "bench.md").checks()[0])
    context = Context("bench", {}, Ranking(), {}, "2026-11-21T00:00:00.000Z")
    best_bare = best_judge = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        failed = sum(bare.eval(data=row).value() is False for row in data)
        best_bare = min(best_bare, time.perf_counter() - start)
        start = time.perf_counter()
        verdict = judge(compiled, {"partition": fact}, context)
        best_judge = min(best_judge, time.perf_counter() - start)
        assert verdict.failed == failed
    print(
        f"{what:24} bare binding {ROWS / best_bare:10,.0f} rows/s   whole verdict {ROWS / best_judge:10,.0f} rows/s",
        end="",
    )
    print(f"   {best_bare / best_judge:.2f} × bare   goal ≥ 0.5")


def main() -> None:
    """Measure rows that are all different, then rows as clusters have them: a few hundred kinds."""
    measure(rows(lambda i: i), "all rows differ")
    measure(rows(lambda i: i % 10), "ten kinds of rows")


if __name__ == "__main__":
    main()
