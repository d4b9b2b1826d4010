"""What tests of the command line share: commands run in this process, in a folder of their own."""

from support.commands_here import command, here, knowledge

__all__ = ["command", "here", "knowledge"]
