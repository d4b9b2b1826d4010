"""`python -m support.release cut VERSION`; once that is committed, `python -m support.release dist OUT BILL KEY`."""

import datetime as dt
import subprocess
import sys
import tempfile
from pathlib import Path

from support.documented import ROOT
from support.release.cutting import cut
from support.release.files import committed, make_files, sign

_USAGE = "cut VERSION, or dist OUT BILL KEY"


def main(words: list[str]) -> int:
    """Do what the words say; gives the exit code."""
    match words:
        case ["cut", version]:
            print("changed: " + ", ".join(cut(ROOT, version, dt.datetime.now(dt.UTC).date())))
            print("look at it, run make release, and commit")
        case ["dist", out, bill, key]:
            with tempfile.TemporaryDirectory() as folder:
                sources = [committed(ROOT, Path(folder) / name) for name in ("once", "again")]
                for file in make_files(sources, Path(bill), Path(out)):
                    print(f"made {out}/{file}")
            print(f"signed: {sign(Path(out), Path(key))}")
        case _:
            print(f"write: {_USAGE}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (ValueError, subprocess.CalledProcessError) as error:
        sys.exit(f"not released: {error}\n{getattr(error, 'stderr', None) or ''}")
