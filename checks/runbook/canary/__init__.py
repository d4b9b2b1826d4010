"""A drill's canary, numbered records over a link or in one place; and the load of `runbook measure`.

The only room that writes to a system. Two commands reach it (a contract in pyproject.toml): `runbook drill`, only with
--allow-canary and a `canary:` of the link or environment in the inventory; `runbook measure`, only with
--allow-measure and a `measure:` of the environment.
"""

from runbook.canary.link import LinkCanary
from runbook.canary.single_cluster import SingleClusterCanary

__all__ = ["LinkCanary", "SingleClusterCanary"]
