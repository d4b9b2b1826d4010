"""What losses would stop: worked out from live facts or a bundle by the views that checks use, without a terminal."""
