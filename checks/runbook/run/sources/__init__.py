"""What a run is of: runbooks, inventories, projects, credentials, found and read."""
