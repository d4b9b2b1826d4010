"""What tests of this room share with those of the command line: a folder of their own."""

from support.commands_here import command, here, knowledge

__all__ = ["command", "here", "knowledge"]
