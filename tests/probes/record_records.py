"""Record what a cluster tells of records: `record_records.py NAME BOOTSTRAP PROBE TOPIC…`, to `recorded/NAME.json`.

The answers are those of the requests that the probe makes where it may read these topics, in their order.
"""

import importlib
import json
import sys
from pathlib import Path

from record_offsets import recorded

if __name__ == "__main__":
    NAME, BOOTSTRAP, PROBE, *TOPICS = sys.argv[1:]
    OBSERVE = importlib.import_module(f"runbook.probes.{PROBE}").observe
    TOLD = recorded({"bootstrap.servers": BOOTSTRAP, "may_read": TOPICS}, OBSERVE)
    FILE = Path(__file__).with_name("recorded").joinpath(f"{NAME}.json")
    FILE.write_text(json.dumps(TOLD) + "\n")
