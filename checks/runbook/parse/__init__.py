"""Text in, records out: runbooks, inventories, YAML with the place of every mistake."""
