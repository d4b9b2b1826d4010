"""What keeps secrets in and hostile text harmless: used by every room, knows none."""
