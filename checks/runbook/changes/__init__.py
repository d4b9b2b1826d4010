"""What changed between two looks at an environment, by entity: pure, from facts alone."""
