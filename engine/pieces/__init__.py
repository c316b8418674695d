"""What is on the table beside ships, one module a kind: craft, mines, asteroids, templates."""
