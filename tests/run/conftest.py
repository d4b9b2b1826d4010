"""What tests of runs share with those of the command line: a folder of their own."""

from support.commands_here import command, here, knowledge

__all__ = ["command", "here", "knowledge"]
