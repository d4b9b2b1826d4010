"""The table of all procedures, as they were walked on real systems: `python tests/benchmarks/walks.py` prints it.

With `--write` it is put into the page of the docs that a test holds against the walks that are kept in `tests/walks`.
Walks are kept by the tests that walk, where RUNBOOK_KEEP_WALKS is set.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.walks_page import PAGE, lines, page


def main() -> None:
    """Print it, or write the page."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true", help="make the page of the docs anew")
    if asked.parse_args().write:
        PAGE.write_text(page(), "utf-8")
    else:
        print("\n".join(lines()))


if __name__ == "__main__":
    main()
