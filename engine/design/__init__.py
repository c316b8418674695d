"""Ship design: hulls, prices and legality."""
