"""The systems a ship may carry, a rulebook family to a module, editions side by side."""
