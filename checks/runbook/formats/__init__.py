"""Readers of the text that platforms write: logs and files of settings. Pure: lines in, records out."""
