"""Values and rules that sealing and resolving share, without Django."""
