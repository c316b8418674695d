"""What the second edition alone does: its sequence of play, fire, damage and movement."""
