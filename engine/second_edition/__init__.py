"""What only the second edition has: its sequence of play, fire, damage and movement."""
