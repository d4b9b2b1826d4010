"""One file per metric: a pure function from results to rows."""
