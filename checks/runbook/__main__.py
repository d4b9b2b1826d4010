"""The command `runbook`."""

import sys

from runbook import __version__


def main() -> int:
    """Run the command line and return its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):  # a constant: no library is loaded for it
        sys.stdout.write(f"runbook {__version__}\n")
        return 0
    try:
        from runbook.cli.app import run  # noqa: PLC0415 - see above

        return run()
    except KeyboardInterrupt:  # while libraries are loaded, which takes long on a busy machine
        sys.stderr.write("interrupted\n")
        return 130


if __name__ == "__main__":
    sys.exit(main())
