"""The PySpark roll-up of results into weekly scores."""
