"""Facts, asked by workers or read from a bundle, each once for all that name it."""
