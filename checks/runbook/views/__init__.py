"""Pure functions from facts to a fact; the file name is the view's name."""
