"""Make a release: its version and its record, then its files, with a signed list of their digests."""
