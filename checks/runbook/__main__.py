"""The command `runbook`."""

import gc
import os
import sys

from runbook import SELDOM, __version__


def main() -> int:
    """Run the command line and return its exit code."""
    _open_what_is_closed()
    if sys.argv[1:] in (["--version"], ["-V"]):  # a constant: no library is loaded for it
        try:
            sys.stdout.write(f"runbook {__version__}\n")
            sys.stdout.flush()
        except OSError as error:
            from runbook.terminal.safe_stdout import NotShown, silence  # noqa: PLC0415 - as said

            silence(sys.stdout)
            return 0 if isinstance(error, BrokenPipeError) else NotShown(error).end()
        return 0
    gc.set_threshold(SELDOM)
    try:
        from runbook.cli.app import run  # noqa: PLC0415 - see above

        return run()
    except KeyboardInterrupt:  # while libraries are loaded, which takes long on a busy machine
        sys.stderr.write("interrupted\n")
        return 130


def _open_what_is_closed() -> None:
    """Let standard streams that were closed (`2>&-`) lead to nowhere: the next file opened would get their number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003 - the lowest number that is free
        if getattr(sys, name) is None:
            opened = open(number, "w" if number else "r", encoding="utf-8", closefd=False)  # noqa: SIM115 - for good
            setattr(sys, name, opened)


if __name__ == "__main__":
    sys.exit(main())
