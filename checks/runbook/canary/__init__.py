"""A drill's canary: numbered records over a link or in one place, which tell what is lost and for how long.

The only room that writes to a system. Only `runbook drill` reaches it (a contract in pyproject.toml), and only with
--allow-canary and a `canary:` of the link, or of the environment, in the inventory.
"""

from runbook.canary.link import LinkCanary
from runbook.canary.single_cluster import SingleClusterCanary

__all__ = ["LinkCanary", "SingleClusterCanary"]
