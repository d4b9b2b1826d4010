"""The one bridge between runbooks, results and mkdocs."""
