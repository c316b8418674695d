"""What one side of a battle sees and knows."""
