"""A procedure on its way: its stages, its gates, and the record of who did what when."""
