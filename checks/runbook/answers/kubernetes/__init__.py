"""Kubernetes: the paths that may be asked for, and what its objects mean."""
