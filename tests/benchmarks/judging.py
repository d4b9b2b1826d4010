"""Judging: rows a second of a whole verdict against the bare CEL binding, on the same expression and rows.

Run: .venv/bin/python tests/benchmarks/judging.py
"""

import time

from cel_expr_python import cel

from runbook.engine.catalog import catalog
from runbook.engine.column import Column
from runbook.engine.compiled import compile_check
from runbook.engine.fact import Fact, Observed, tabulate
from runbook.engine.judge import Context, judge
from runbook.engine.objective import Ranking
from runbook.engine.runbook import parse_runbook

ROWS = 100_000
EXPRESSION = "size(partition.isr) >= partition.needs && partition.leader >= 0"
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


def rows() -> Fact:
    """Generated partitions: RF 3, min.insync.replicas 2, every thousandth below it."""
    columns: tuple[Column, ...] = catalog("probes").load("kafka_partition").PROBE.columns
    values = {
        "topic": lambda i: f"topic-{i // 10}",
        "partition": lambda i: i % 10,
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
    made = [[values.get(c.name, lambda _, c=c: blank[c.type])(i) for c in columns] for i in range(ROWS)]
    return tabulate("kafka_partition", columns, Observed(made))


def main() -> None:
    """Print both speeds and their ratio; goal of design §6: at least half."""
    fact = rows()
    env = cel.NewEnv(
        variables={
            "partition.isr": cel.Type.List(cel.Type.INT),
            "partition.needs": cel.Type.INT,
            "partition.leader": cel.Type.INT,
        }
    )
    bare = env.compile(EXPRESSION)
    data = [
        {"partition.isr": isr, "partition.needs": needs, "partition.leader": leader}
        for isr, needs, leader in zip(fact.columns["isr"], fact.columns["needs"], fact.columns["leader"], strict=True)
    ]
    compiled = compile_check(parse_runbook(TEXT, "bench", "bench.md").checks()[0])
    context = Context("bench", {}, Ranking(), {}, "2026-11-21T00:00:00+00:00")
    best_bare = best_judge = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        failed = sum(bare.eval(data=row).value() is False for row in data)
        best_bare = min(best_bare, time.perf_counter() - start)
        start = time.perf_counter()
        verdict = judge(compiled, {"partition": fact}, context)
        best_judge = min(best_judge, time.perf_counter() - start)
        assert verdict.failed == failed
    print(f"bare binding   {ROWS / best_bare:10,.0f} rows/s")
    print(f"whole verdict  {ROWS / best_judge:10,.0f} rows/s   {best_bare / best_judge:.2f} × bare   goal ≥ 0.5")


if __name__ == "__main__":
    main()
