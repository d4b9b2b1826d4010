"""The table of all procedures, as they were walked on real systems: `python tests/benchmarks/walks.py` prints it.

With `--write` it is put into tests/records/walks.md, which a test holds against the walks that are kept in
`tests/walks`, and its totals into docs/explanation/how-it-is-proved.md.
Walks are kept by the tests that walk, where RUNBOOK_KEEP_WALKS is set.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support import proof_page
from support.walks_page import PAGE, lines, page


def main() -> None:
    """Print it, or write the page."""
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
