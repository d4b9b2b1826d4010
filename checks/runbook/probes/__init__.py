"""What can be asked of a system; the file name is the probe's name."""
