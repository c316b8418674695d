"""What is on the table beside ships, one module for each kind: craft, mines, asteroids, templates."""
