"""What an upgrade of the tool changes for a project, and what it rewrites there."""
