"""What lies and flies on the table beside the ships, a file a kind: craft in flight, mines,
asteroids, templates.
"""
