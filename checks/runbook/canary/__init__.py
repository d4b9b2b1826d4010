"""A drill's canary: numbered records through a link, to see what is lost and for how long nothing can be written.

The only room that writes to a system. Only `runbook drill` reaches it (a contract in pyproject.toml), and only with
--allow-canary and a `canary:` of the link in the inventory.
"""

from runbook.canary.flight import Flight

__all__ = ["Flight"]
