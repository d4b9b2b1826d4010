"""Which faults' causes are named, and whether healing the real system bears out what was said: from kept evidence.

One line for each fault of the lab and runbook that looked at it. `python tests/benchmarks/causes.py` prints them in
some minutes; with `--write` they are put into tests/records/lab-faults.md.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support import proof_page
from support.faults_page import PAGE, lines, page


def main() -> None:
    """Print them, or write the page."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument(
        "--write", action="store_true", help="make the record anew, and the totals of the page of the docs"
    )
    if asked.parse_args().write:
        PAGE.file.write_text(page(), "utf-8")
        proof_page.PAGE.file.write_text(proof_page.page(), "utf-8")
    else:
        print("\n".join(lines()))


if __name__ == "__main__":
    main()
