"""Commands that Ctrl-C ends, however the tests were started."""

import sys

_BEGIN = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)
if sys.argv.pop(1) == "terminal":
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


def in_foreground(*command: str, terminal: bool = False) -> list[str]:
    """The command as a person's shell starts it: one that runs tests in the background has them ignore SIGINT.

    Args:
        command: a program's path and its arguments.
        terminal: its standard input is a terminal, which becomes the one that controls it.
    """
    return [sys.executable, "-c", _BEGIN, "terminal" if terminal else "", *command]
