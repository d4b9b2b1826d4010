"""The probe of the page about a knowledge base of one's own that says where its cells stand: run as it is printed."""

import types

from runbook.model.fact import tabulate
from support.documented import titled
from support.recorded_kubernetes import Played

PAGE = "docs/how-to/own-knowledge-base.md"


def test_the_probe_of_the_page_reads_its_cells() -> None:
    probe = types.ModuleType("our_claim")
    exec(titled(PAGE, "checks/probes/our_claim.py"), probe.__dict__)
    fact = tabulate("our_claim", probe.PROBE.columns, probe.observe(Played("healthy").kubernetes))
    row = next(row for row in fact.rows() if row["claim"] == "data-kafka-1")
    assert (row["team"], row["room"], row["mode"], row["namespace"]) == ("", 100 << 30, "Filesystem", "kafka")
    assert isinstance(row["frozen"], bool)
