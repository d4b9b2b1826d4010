"""What losses and changes would stop, from live facts or a bundle by the views that checks use, without a terminal."""
