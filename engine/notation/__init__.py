"""Text and JSON in and out; everything round-trips."""
