"""Work in the background that is never lost: leased rows. Knows nothing of the game."""
