"""Background jobs, stored as rows so that none is lost. This app knows nothing of the game."""
