"""What is found by its file's name (probes, views, connections, reports), and how its code is run without harm."""
