"""Record what a real cluster tells of records: `record_records.py NAME BOOTSTRAP TOPIC…` writes `recorded/NAME.json`.

The answers are those of the requests that `kafka_record` makes of these topics, in their order.
"""

import json
import sys
from pathlib import Path

from record_offsets import recorded

from runbook.probes import kafka_record

if __name__ == "__main__":
    FILE = Path(__file__).with_name("recorded").joinpath(f"{sys.argv[1]}.json")
    TOLD = recorded(
        {"bootstrap.servers": sys.argv[2], "may_read": sys.argv[3:]},
        lambda kafka: (kafka_record.observe(kafka), None)[1],
    )
    FILE.write_text(json.dumps(TOLD) + "\n")
