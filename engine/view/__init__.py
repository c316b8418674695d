"""What a side of a battle sees, reads and knows."""
