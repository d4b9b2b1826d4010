"""Everything that can be said against runbooks without asking a system."""
